/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Runs share.h as a program: each line is an event, and what comes of it is printed.
 *
 *   link CURRENT HIGHEST WHOLE FLOOR   the rates are these, the window is WHOLE: the window in use
 *   grow WHOLE                         the window that may follow */
#include <stdio.h>

#include "../bpf/share.h"

int main(void)
{
	struct share share = { .ratio = 1, .saved = U32_MAX };
	u64 current, highest;
	u32 whole, floor;
	char word[8];

	while (scanf("%7s", word) == 1) {
		if (word[0] == 'l' && scanf("%llu %llu %u %u", &current, &highest, &whole, &floor) == 4) {
			share = turned(share, current, highest, whole);
			printf("%u\n", window_in_use(share, whole, floor));
		} else if (word[0] == 'g' && scanf("%u", &whole) == 1) {
			printf("%u\n", grown(share, whole));
		} else {
			return 1;
		}
	}
	return 0;
}
