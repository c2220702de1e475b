/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The share of a congestion window that a sender uses on a link below its highest rate:
 * crates/engine/tcp/src/link_share.rs in C, and a floor. Plain arithmetic, which a program of its own and
 * the kernel's BPF machine both run (crates/linux/link_share/tests).
 *
 * Windows are in segments, rates in bits per second.
 */
#ifndef AIRLOOM_SHARE_H
#define AIRLOOM_SHARE_H

typedef unsigned int u32;
typedef unsigned long long u64;

#define U32_MAX (~0U)
#define U64_MAX (~0ULL)

/* A ratio of one is all of the window. */
struct share {
	u32 ratio; /* highest over present rate, rounded, at least 1 */
	u32 saved; /* the window when the link fell from its highest rate; U32_MAX if none was saved */
};

/* Highest over present rate, rounded to the nearest. */
static inline u32 ratio_of(u64 current, u64 highest)
{
	u64 rounded;

	if (current == 0)
		current = 1;
	rounded = highest + current / 2;
	if (rounded < highest)
		rounded = U64_MAX;
	rounded /= current;
	if (rounded == 0)
		return 1;
	return rounded > U32_MAX ? U32_MAX : (u32)rounded;
}

/* What becomes of a share when the rates are these. `whole` is the congestion window now, U32_MAX
 * for none to save.
 */
static inline struct share turned(struct share share, u64 current, u64 highest, u32 whole)
{
	u32 ratio = ratio_of(current, highest);

	if (ratio == 1)
		share.saved = U32_MAX;
	else if (share.ratio <= 1)
		share.saved = whole;
	share.ratio = ratio;
	return share;
}

/* The window in use, of a congestion window: not below `floor`, unless the window is, nor below one
 * segment.
 */
static inline u32 window_in_use(struct share share, u32 whole, u32 floor)
{
	u32 used;

	if (share.ratio <= 1)
		return whole;
	if (floor == 0)
		floor = 1;
	if (floor > whole && whole > 0)
		floor = whole;
	used = whole / share.ratio;
	return used < floor ? floor : used;
}

/* The congestion window that may follow upon growth to `whole`. */
static inline u32 grown(struct share share, u32 whole)
{
	return whole < share.saved ? whole : share.saved;
}

#endif
