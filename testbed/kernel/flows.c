// The flows of one cell, carried by this kernel: senders in namespace a, their receivers in b, all in one thread.
//
// The first flow begins at a given time after a full second of the clock, whose ticks are aligned to seconds too. It prints for
// each flow, as JSON: the bytes that reached the receiving application, the mean over time of the sender's congestion window
// and of its smoothed round-trip time (TCP_INFO; null if it never connected), and its retransmissions. With `trace` in the
// environment a line for every sample comes before: flow, time in s, window, threshold, round-trip time in ms,
// retransmissions, state, segments in flight, the receiver's window in bytes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PORT = 5001, MOST = 16, CHUNK = 1 << 16, ESTABLISHED = 1 };
static const long long SECOND = 1000000000, BETWEEN_SAMPLES = 10000000;

struct flow {
    int sender, receiver;
    long long bytes, samples;
    double cwnd, srtt_ms;
    struct tcp_info info;
};

static int checked(int result, const char *what) {
    if (result < 0) {
        printf("FAIL %s: %s\n", what, strerror(errno));
        exit(1);
    }
    return result;
}

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

// Waits until `phase` after a full second, and returns that time.
static long long wait_for(long long phase) {
    long long until = (now() / SECOND + 1) * SECOND + phase;
    struct timespec t = {until / SECOND, until % SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
        ;
    return until;
}

// Sockets that are made from now on are in namespace `name`.
static void enter(const char *name) {
    char path[32];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    int fd = checked(open(path, O_RDONLY), path);
    checked(setns(fd, CLONE_NEWNET), path);
    close(fd);
}

static struct sockaddr_in address(const char *ip) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static int listening(void) {
    struct sockaddr_in any = address("0.0.0.0");
    int s = checked(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), "socket");
    int yes = 1;
    checked(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), "SO_REUSEADDR");
    checked(bind(s, (struct sockaddr *)&any, sizeof any), "bind");
    checked(listen(s, MOST), "listen");
    return s;
}

static int connecting(const char *ip, const char *control) {
    struct sockaddr_in to = address(ip);
    int s = checked(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), "socket");
    checked(setsockopt(s, IPPROTO_TCP, TCP_CONGESTION, control, strlen(control)), control);
    // Nothing is left on the way when this program has ended.
    struct linger none = {1, 0};
    checked(setsockopt(s, SOL_SOCKET, SO_LINGER, &none, sizeof none), "SO_LINGER");
    if (connect(s, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS)
        checked(-1, "connect");
    return s;
}

static void sample(struct flow *flow) {
    struct tcp_info *info = &flow->info;
    socklen_t length = sizeof *info;
    checked(getsockopt(flow->sender, IPPROTO_TCP, TCP_INFO, info, &length), "TCP_INFO");
    if (info->tcpi_state != ESTABLISHED)
        return;
    flow->samples++;
    flow->cwnd += info->tcpi_snd_cwnd;
    flow->srtt_ms += info->tcpi_rtt * 1e-3;
}

static void print_mean(const char *name, double sum, long long samples) {
    if (samples > 0)
        printf(", \"%s\": %.4f", name, sum / samples);
    else
        printf(", \"%s\": null", name);
}

static void traced(FILE *out, int i, double at, const struct tcp_info *info) {
    fprintf(out, "trace %d %.3f %u %u %.3f %u %u %u %u\n", i, at, info->tcpi_snd_cwnd, info->tcpi_snd_ssthresh,
            info->tcpi_rtt * 1e-3, info->tcpi_total_retrans, info->tcpi_ca_state, info->tcpi_unacked,
            info->tcpi_snd_wnd);
}

int main(int count, char **words) {
    static char chunk[CHUNK];
    static struct flow flows[MOST];
    struct pollfd fds[1 + 2 * MOST];
    if (count != 7 || atoi(words[3]) > MOST) {
        printf("FAIL flows ADDRESS CONTROL FLOWS SECONDS_BETWEEN_STARTS SECONDS PHASE\n");
        return 1;
    }
    int most = atoi(words[3]), begun = 0, accepted = 0;
    long long between_starts = atof(words[4]) * SECOND, lasting = atof(words[5]) * SECOND;
    char *kept = NULL;
    size_t length = 0;
    FILE *trace = getenv("trace") ? open_memstream(&kept, &length) : NULL;

    enter("b");
    int server = listening();
    enter("a");
    long long zero = wait_for(atof(words[6]) * SECOND), next_sample = zero;
    for (long long t = zero; t < zero + lasting; t = now()) {
        while (begun < most && t >= zero + begun * between_starts)
            flows[begun++].sender = connecting(words[1], words[2]);
        if (t >= next_sample) {
            for (int i = 0; i < begun; i++) {
                sample(&flows[i]);
                if (trace)
                    traced(trace, i, (t - zero) * 1e-9, &flows[i].info);
            }
            while (next_sample <= t)
                next_sample += BETWEEN_SAMPLES;
        }
        struct pollfd *senders = &fds[1], *receivers = &fds[1 + begun];
        fds[0] = (struct pollfd){server, POLLIN, 0};
        for (int i = 0; i < begun; i++)
            senders[i] = (struct pollfd){flows[i].sender, POLLOUT, 0};
        for (int i = 0; i < accepted; i++)
            receivers[i] = (struct pollfd){flows[i].receiver, POLLIN, 0};
        long long wait = next_sample - now();
        struct timespec limit = {0, wait > 0 ? wait : 0};
        checked(ppoll(fds, 1 + begun + accepted, &limit, NULL), "poll");
        for (int i = 0; i < begun; i++)
            while (senders[i].revents & POLLOUT && write(flows[i].sender, chunk, CHUNK) > 0)
                ;
        for (int i = 0; i < accepted; i++)
            for (ssize_t n; receivers[i].revents && (n = read(flows[i].receiver, chunk, CHUNK)) > 0;)
                flows[i].bytes += n;
        if (fds[0].revents)
            flows[accepted++].receiver = checked(accept4(server, NULL, NULL, SOCK_NONBLOCK), "accept");
    }
    if (trace) {
        fclose(trace);
        fwrite(kept, 1, length, stdout);
    }
    for (int i = 0; i < begun; i++) {
        printf("%s{\"bytes\": %lld", i ? ", " : "[", flows[i].bytes);
        print_mean("cwnd", flows[i].cwnd, flows[i].samples);
        print_mean("srtt_ms", flows[i].srtt_ms, flows[i].samples);
        printf(", \"retransmissions\": %u}", flows[i].info.tcpi_total_retrans);
    }
    printf("]\n");
    return 0;
}
