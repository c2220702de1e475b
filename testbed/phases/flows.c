// What BBR takes its path to be, ACK by ACK: in the place of testbed/kernel's program of this name, with its words, in the same
// machine. One flow. After each ACK, seen within a quarter of a millisecond, a line: time in us, segments delivered, in flight,
// window, rate in bytes/s, least round trip in us, and the gains of pacing and window in parts of 256 (TCP_INFO, TCP_CC_INFO).
#define main carried
#include "../kernel/flows.c"
#undef main
#include <linux/inet_diag.h>

static const long long BETWEEN_LOOKS = 250000;

// A line, if there is an ACK that has not been told yet.
static void tell(FILE *out, int sender, double at_us) {
    static unsigned delivered;
    struct tcp_info info;
    socklen_t length = sizeof info;
    checked(getsockopt(sender, IPPROTO_TCP, TCP_INFO, &info, &length), "TCP_INFO");
    if (info.tcpi_state != ESTABLISHED || info.tcpi_delivered == delivered)
        return;
    delivered = info.tcpi_delivered;
    union tcp_cc_info cc;
    length = sizeof cc;
    checked(getsockopt(sender, IPPROTO_TCP, TCP_CC_INFO, &cc, &length), "TCP_CC_INFO");
    const struct tcp_bbr_info *bbr = &cc.bbr;
    unsigned in_flight = info.tcpi_unacked - info.tcpi_sacked - info.tcpi_lost + info.tcpi_retrans;
    fprintf(out, "ack %.0f %u %u %u %llu %u %u %u\n", at_us, delivered, in_flight, info.tcpi_snd_cwnd,
            (unsigned long long)bbr->bbr_bw_hi << 32 | bbr->bbr_bw_lo, bbr->bbr_min_rtt, bbr->bbr_pacing_gain,
            bbr->bbr_cwnd_gain);
}

int main(int count, char **words) {
    static char chunk[CHUNK];
    if (count != 7 || atoi(words[3]) != 1) {
        printf("FAIL flows ADDRESS CONTROL 1 SECONDS_BETWEEN_STARTS SECONDS PHASE\n");
        return 1;
    }
    long long lasting = atof(words[5]) * SECOND;
    char *kept = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&kept, &length);

    enter("b");
    int server = listening(), receiver = -1;
    enter("a");
    long long zero = wait_for(atof(words[6]) * SECOND), next_look = zero;
    int sender = connecting(words[1], words[2]);
    for (long long t = zero; t < zero + lasting; t = now()) {
        tell(out, sender, (t - zero) * 1e-3);
        while (next_look <= t)
            next_look += BETWEEN_LOOKS;
        struct pollfd fds[] = {{sender, POLLOUT, 0}, {receiver < 0 ? server : receiver, POLLIN, 0}};
        long long wait = next_look - now();
        struct timespec limit = {0, wait > 0 ? wait : 0};
        checked(ppoll(fds, 2, &limit, NULL), "poll");
        while (fds[0].revents & POLLOUT && write(sender, chunk, CHUNK) > 0)
            ;
        if (fds[1].revents && receiver < 0)
            receiver = accept4(server, NULL, NULL, SOCK_NONBLOCK);
        else if (fds[1].revents)
            while (read(receiver, chunk, CHUNK) > 0)
                ;
    }
    fclose(out);
    fwrite(kept, 1, length, stdout);
    printf("[]\n");
    return 0;
}
