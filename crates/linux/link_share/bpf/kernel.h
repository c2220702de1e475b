/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The fields of the kernel's types that are used here. Where they lie is found as the program is
 * loaded (CO-RE).
 */
#ifndef AIRLOOM_KERNEL_H
#define AIRLOOM_KERNEL_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct net {
	struct ns_common ns;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct sock_common {
	possible_net_t skc_net;
};

struct net_device {
	int ifindex;
};

struct dst_entry {
	struct net_device *dev;
};

struct sock {
	struct sock_common __sk_common;
	struct dst_entry *sk_dst_cache;
};

struct inet_sock {
	struct sock sk;
};

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	__u8 icsk_ca_state : 5;
	__u64 icsk_ca_priv[104 / sizeof(__u64)];
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 snd_cwnd;
	__u32 snd_ssthresh;
};

/* CUBIC's state of a flow (net/ipv4/tcp_cubic.c). */
struct bictcp {
	__u32 epoch_start;
};

struct ack_sample {
	__u32 pkts_acked;
};

enum tcp_ca_event {
	CA_EVENT_TX_START,
};

struct tcp_congestion_ops {
	void (*init)(struct sock *sk);
	void (*release)(struct sock *sk);
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	void (*set_state)(struct sock *sk, __u8 new_state);
	void (*cwnd_event)(struct sock *sk, enum tcp_ca_event ev);
	void (*in_ack_event)(struct sock *sk, __u32 flags);
	void (*pkts_acked)(struct sock *sk, const struct ack_sample *sample);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
};

#pragma clang attribute pop

/* enum tcp_ca_state (include/uapi/linux/tcp.h). */
enum {
	TCP_CA_Open,
	TCP_CA_Disorder,
	TCP_CA_CWR,
	TCP_CA_Recovery,
	TCP_CA_Loss,
};

#endif
