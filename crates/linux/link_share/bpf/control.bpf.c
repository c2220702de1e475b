// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* Congestion controls that use a share of their window while the flow's own Wi-Fi link is below
 * its highest rate: `airloom_reno` and `airloom_cubic`, the kernel's Reno and CUBIC within.
 *
 * The kernel knows one window, `snd_cwnd`. Here that is the window in use; the whole one is kept
 * beside the socket and takes its place while Reno or CUBIC look at it. A flow whose interface has
 * no entry in `rates`, or one that has expired, has all of its window: a daemon that is gone leaves
 * nothing behind but Reno and CUBIC.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kernel.h"
#include "share.h"

/* The helpers of the kernel are for programs under its licence: this is the first of the two above.
 */
char _license[] SEC("license") = "GPL";

extern void tcp_reno_cong_avoid(struct sock *sk, __u32 ack, __u32 acked) __ksym;
extern __u32 tcp_reno_ssthresh(struct sock *sk) __ksym;
extern void cubictcp_init(struct sock *sk) __ksym;
extern __u32 cubictcp_recalc_ssthresh(struct sock *sk) __ksym;
extern void cubictcp_cong_avoid(struct sock *sk, __u32 ack, __u32 acked) __ksym;
extern void cubictcp_state(struct sock *sk, __u8 new_state) __ksym;
extern void cubictcp_cwnd_event(struct sock *sk, enum tcp_ca_event event) __ksym;
extern void cubictcp_acked(struct sock *sk, const struct ack_sample *sample) __ksym;

/* An interface: indices are those of a network namespace, by its inode number. */
struct interface {
	u32 namespace;
	u32 index;
};

/* What the daemon last said of its link. */
struct rate {
	u64 until;   /* CLOCK_MONOTONIC in ns; afterwards it counts for nothing */
	u64 current; /* bits per second */
	u64 highest; /* the highest within the window of time */
	u64 floor;   /* the least window in use, in segments */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, struct interface);
	__type(value, struct rate);
} rates SEC(".maps");

struct flow {
	struct share share;
	u32 floor;
	u32 whole;     /* the congestion window */
	u32 used;      /* what `snd_cwnd` was last set to */
	u32 before;    /* the congestion window before the last loss */
	u32 threshold; /* the one for the whole window, while a reduction goes on; else 0 */
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct flow);
} flows SEC(".maps");

static __always_inline struct tcp_sock *tcp(struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

static __always_inline struct flow *flow_of(struct sock *sk)
{
	return bpf_sk_storage_get(&flows, sk, 0, 0);
}

static __always_inline int reducing(struct sock *sk)
{
	u32 state = BPF_CORE_READ_BITFIELD((struct inet_connection_sock *)sk, icsk_ca_state);

	return state == TCP_CA_CWR || state == TCP_CA_Recovery;
}

/* Sets the window in use. */
static __always_inline void apply(struct tcp_sock *tp, struct flow *flow)
{
	flow->used = window_in_use(flow->share, flow->whole, flow->floor);
	if (flow->used == 0)
		flow->used = 1;
	tp->snd_cwnd = flow->used;
}

/* Something else moved the window in use, such as the kernel after an idle time, moved the whole one
 * in proportion.
 */
static __always_inline void follow(struct sock *sk, struct flow *flow)
{
	struct tcp_sock *tp = tcp(sk);
	u64 whole;

	if (tp->snd_cwnd == flow->used)
		return;
	if (reducing(sk)) {
		/* On its way to the threshold, which is where the whole one is already. */
		if (flow->threshold)
			flow->whole = flow->threshold;
		return;
	}
	whole = (u64)tp->snd_cwnd * flow->share.ratio;
	flow->whole = whole > U32_MAX ? U32_MAX : (u32)whole;
	flow->used = tp->snd_cwnd;
}

/* What is known of the flow's link now; the share that follows from it. `whole` is the window to
 * save.
 */
static __always_inline struct share present(struct sock *sk, struct flow *flow, u32 whole)
{
	struct interface interface;
	struct rate *rate;
	struct dst_entry *route = sk->sk_dst_cache;

	/* Until the next packet looks for another route, nothing new is known. */
	if (!route)
		return flow->share;
	interface.namespace = sk->__sk_common.skc_net.net->ns.inum;
	interface.index = route->dev->ifindex;
	rate = bpf_map_lookup_elem(&rates, &interface);
	if (!rate || bpf_ktime_get_ns() >= rate->until)
		return turned(flow->share, 1, 1, whole);
	flow->floor = rate->floor;
	return turned(flow->share, rate->current, rate->highest, whole);
}

static __always_inline void begin(struct sock *sk)
{
	struct flow *flow = bpf_sk_storage_get(&flows, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	struct tcp_sock *tp = tcp(sk);

	if (!flow)
		return;
	*flow = (struct flow){ .share = { .ratio = 1, .saved = U32_MAX } };
	flow->whole = flow->used = tp->snd_cwnd;
	flow->share = present(sk, flow, U32_MAX);
	apply(tp, flow);
}

/* The flow goes on under another control, or is over. */
static __always_inline void end(struct sock *sk)
{
	struct flow *flow = flow_of(sk);
	struct tcp_sock *tp = tcp(sk);

	if (!flow)
		return;
	if (!reducing(sk)) {
		follow(sk, flow);
		tp->snd_cwnd = flow->whole;
	}
	bpf_sk_storage_delete(&flows, sk);
}

/* Looks at the link's rate, and sets the window by it; whether the window has just become whole
 * again.
 */
static __always_inline int look(struct sock *sk)
{
	struct flow *flow = flow_of(sk);
	struct tcp_sock *tp = tcp(sk);
	struct share before;

	if (!flow)
		return 0;
	before = flow->share;
	if (reducing(sk)) {
		/* The kernel moves the window itself, towards the threshold. */
		flow->share = present(sk, flow, flow->threshold ? flow->threshold : flow->whole);
		if (flow->threshold)
			tp->snd_ssthresh = window_in_use(flow->share, flow->threshold, flow->floor);
	} else {
		follow(sk, flow);
		flow->share = present(sk, flow, flow->whole);
		apply(tp, flow);
	}
	return before.ratio > 1 && flow->share.ratio == 1;
}

/* Lets `grow` see the whole window, and takes over what it makes of it. */
#define GROWING(sk, grow)                                                \
	do {                                                             \
		struct flow *flow = flow_of(sk);                         \
		struct tcp_sock *tp = tcp(sk);                           \
		if (!flow) {                                             \
			grow;                                            \
			break;                                           \
		}                                                        \
		follow(sk, flow);                                        \
		/* At its limit the window is not what is asked for. */  \
		if (flow->whole < flow->share.saved) {                   \
			tp->snd_cwnd = flow->whole;                      \
			grow;                                            \
			flow->whole = grown(flow->share, tp->snd_cwnd);  \
		}                                                        \
		apply(tp, flow);                                         \
	} while (0)

/* Lets `reduce` see the whole window; gives the threshold of the window in use. */
#define REDUCED(sk, reduce)                                                           \
	({                                                                            \
		struct flow *flow = flow_of(sk);                                      \
		struct tcp_sock *tp = tcp(sk);                                        \
		u32 threshold;                                                        \
		if (!flow) {                                                          \
			threshold = reduce;                                           \
		} else {                                                              \
			follow(sk, flow);                                             \
			flow->before = flow->whole;                                   \
			tp->snd_cwnd = flow->whole;                                   \
			flow->threshold = reduce;                                     \
			tp->snd_cwnd = flow->used;                                    \
			threshold = window_in_use(flow->share, flow->threshold, flow->floor); \
		}                                                                     \
		threshold;                                                            \
	})

/* The kernel enters another state: after a reduction the threshold is the whole window's again. */
static __always_inline void enter(struct sock *sk, __u8 state)
{
	struct flow *flow = flow_of(sk);
	struct tcp_sock *tp = tcp(sk);

	if (!flow || state == TCP_CA_CWR || state == TCP_CA_Recovery)
		return;
	if (flow->threshold) {
		tp->snd_ssthresh = flow->threshold;
		flow->whole = flow->threshold;
		flow->threshold = 0;
		flow->used = tp->snd_cwnd;
	}
	if (state == TCP_CA_Loss)
		flow->whole = flow->used = tp->snd_cwnd;
	else
		apply(tp, flow);
}

/* The loss was none: what was before is back. */
static __always_inline __u32 undone(struct sock *sk)
{
	struct flow *flow = flow_of(sk);
	struct tcp_sock *tp = tcp(sk);

	if (!flow)
		return tp->snd_cwnd;
	follow(sk, flow);
	if (flow->whole < flow->before)
		flow->whole = flow->before;
	flow->threshold = 0;
	flow->used = window_in_use(flow->share, flow->whole, flow->floor);
	return flow->used;
}

SEC("struct_ops")
void BPF_PROG(reno_init, struct sock *sk)
{
	begin(sk);
}

SEC("struct_ops")
void BPF_PROG(reno_release, struct sock *sk)
{
	end(sk);
}

SEC("struct_ops")
void BPF_PROG(reno_in_ack_event, struct sock *sk, __u32 flags)
{
	look(sk);
}

SEC("struct_ops")
void BPF_PROG(reno_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	GROWING(sk, tcp_reno_cong_avoid(sk, ack, acked));
}

SEC("struct_ops")
__u32 BPF_PROG(reno_ssthresh, struct sock *sk)
{
	return REDUCED(sk, tcp_reno_ssthresh(sk));
}

SEC("struct_ops")
void BPF_PROG(reno_set_state, struct sock *sk, __u8 state)
{
	enter(sk, state);
}

SEC("struct_ops")
__u32 BPF_PROG(reno_undo_cwnd, struct sock *sk)
{
	return undone(sk);
}

SEC(".struct_ops.link")
struct tcp_congestion_ops airloom_reno = {
	.init = (void *)reno_init,
	.release = (void *)reno_release,
	.in_ack_event = (void *)reno_in_ack_event,
	.cong_avoid = (void *)reno_cong_avoid,
	.ssthresh = (void *)reno_ssthresh,
	.set_state = (void *)reno_set_state,
	.undo_cwnd = (void *)reno_undo_cwnd,
	.name = "airloom_reno",
};

SEC("struct_ops")
void BPF_PROG(cubic_init, struct sock *sk)
{
	cubictcp_init(sk);
	begin(sk);
}

SEC("struct_ops")
void BPF_PROG(cubic_release, struct sock *sk)
{
	end(sk);
}

SEC("struct_ops")
void BPF_PROG(cubic_in_ack_event, struct sock *sk, __u32 flags)
{
	/* CUBIC grows with time since its last loss, but on the slow link time did not count: it
	 * begins anew.
	 */
	if (look(sk)) {
		struct bictcp *cubic = (void *)((struct inet_connection_sock *)sk)->icsk_ca_priv;

		cubic->epoch_start = 0;
	}
}

SEC("struct_ops")
void BPF_PROG(cubic_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	GROWING(sk, cubictcp_cong_avoid(sk, ack, acked));
}

SEC("struct_ops")
__u32 BPF_PROG(cubic_ssthresh, struct sock *sk)
{
	return REDUCED(sk, cubictcp_recalc_ssthresh(sk));
}

SEC("struct_ops")
void BPF_PROG(cubic_set_state, struct sock *sk, __u8 state)
{
	cubictcp_state(sk, state);
	enter(sk, state);
}

SEC("struct_ops")
void BPF_PROG(cubic_cwnd_event, struct sock *sk, enum tcp_ca_event event)
{
	cubictcp_cwnd_event(sk, event);
}

SEC("struct_ops")
void BPF_PROG(cubic_pkts_acked, struct sock *sk, const struct ack_sample *sample)
{
	cubictcp_acked(sk, sample);
}

SEC("struct_ops")
__u32 BPF_PROG(cubic_undo_cwnd, struct sock *sk)
{
	return undone(sk);
}

SEC(".struct_ops.link")
struct tcp_congestion_ops airloom_cubic = {
	.init = (void *)cubic_init,
	.release = (void *)cubic_release,
	.in_ack_event = (void *)cubic_in_ack_event,
	.cong_avoid = (void *)cubic_cong_avoid,
	.ssthresh = (void *)cubic_ssthresh,
	.set_state = (void *)cubic_set_state,
	.cwnd_event = (void *)cubic_cwnd_event,
	.pkts_acked = (void *)cubic_pkts_acked,
	.undo_cwnd = (void *)cubic_undo_cwnd,
	.name = "airloom_cubic",
};
