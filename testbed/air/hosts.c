// Hosts on simulated air: each is a namespace with a device, whose other end the world holds; the flows between them are this
// kernel's. In the words of testbed/kernel's program, whose parts serve here.
//
// It reads a cell: lines `host NAME`, in the order in which the world has them; `flow FROM TO ADDRESS CONTROL START`, with the
// address of the second and seconds; `seconds N`, how long it takes. World and flows begin at a full second of the clock, on
// which a tick falls too. It prints what testbed/kernel/flows.c does.
#define main carried
#include "../kernel/flows.c"
#undef main
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

// The hosts go before the world, which is late meanwhile and counts it: a host has a processor of its own, and reads what has
// arrived before the next packet comes. All other programs come after both.
enum { HOSTS = 8, NAME = 16, HOST_PRIORITY = 20, WORLD_PRIORITY = 10 };

struct host {
    char name[NAME], device[NAME];
    int listener;
};

struct transfer {
    int from, to;
    char address[NAME], control[NAME];
    double start;
};

static struct host hosts[HOSTS];
static struct transfer transfers[MOST];
static struct flow flows[MOST];
static int all_hosts, all_flows;

static int named(const char *name) {
    for (int i = 0; i < all_hosts; i++)
        if (!strcmp(hosts[i].name, name))
            return i;
    printf("FAIL no host %s\n", name);
    exit(1);
}

// Reads the cell: how long it takes, in seconds.
static double cell(FILE *file) {
    char line[128], from[NAME], to[NAME];
    double seconds = 0;
    while (fgets(line, sizeof line, file)) {
        struct transfer *one = &transfers[all_flows];
        if (all_hosts < HOSTS && sscanf(line, "host %15s", hosts[all_hosts].name) == 1) {
            all_hosts++;
        } else if (all_flows < MOST && sscanf(line, "flow %15s %15s %15s %15s %lf", from, to, one->address,
                                              one->control, &one->start) == 5) {
            one->from = named(from);
            one->to = named(to);
            all_flows++;
        } else if (sscanf(line, "seconds %lf", &seconds) != 1) {
            printf("FAIL %s", line);
            exit(1);
        }
    }
    return seconds;
}

// The other end of the device that the host has already.
static int device(void) {
    struct ifreq request = {.ifr_name = "air0", .ifr_flags = IFF_TUN | IFF_NO_PI};
    int fd = checked(open("/dev/net/tun", O_RDWR | O_NONBLOCK), "/dev/net/tun");
    checked(ioctl(fd, TUNSETIFF, &request), "TUNSETIFF");
    return fd;
}

static void go_before_others(pid_t process, int priority) {
    struct sched_param given = {priority};
    checked(sched_setscheduler(process, SCHED_FIFO, &given), "SCHED_FIFO");
}

// Begins the world with the words for it, which are followed by a pipe's end and the devices.
static pid_t world(char **words, int count) {
    char stop[NAME], *all[8 + HOSTS] = {"/world/loader", "--library-path", "/world", "/world/airloom-air"};
    int last = 4, end[2];
    checked(pipe(end), "pipe");
    snprintf(stop, sizeof stop, "%d", end[0]);
    for (int i = 0; i < count; i++)
        all[last++] = words[i];
    all[last++] = stop;
    for (int i = 0; i < all_hosts; i++)
        all[last++] = hosts[i].device;
    fflush(stdout);
    pid_t child = checked(fork(), "fork");
    if (child)
        return child;
    go_before_others(0, WORLD_PRIORITY);
    execv(all[0], all);
    _exit(checked(-1, all[0]));
}

// Takes a connection: whose receiver it is tells the sender's port.
static void accepted(int listener) {
    struct sockaddr_in peer, own;
    socklen_t length = sizeof peer;
    int s = checked(accept4(listener, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK), "accept");
    for (int i = 0; i < all_flows; i++) {
        length = sizeof own;
        if (flows[i].sender >= 0 && !getsockname(flows[i].sender, (struct sockaddr *)&own, &length) &&
            own.sin_port == peer.sin_port && own.sin_addr.s_addr == peer.sin_addr.s_addr)
            flows[i].receiver = s;
    }
}

// Begins the flows whose time has come.
static void begin(double at) {
    for (int i = 0; i < all_flows; i++)
        if (flows[i].sender < 0 && at >= transfers[i].start) {
            enter(hosts[transfers[i].from].name);
            flows[i].sender = connecting(transfers[i].address, transfers[i].control);
        }
}

// When the next flow begins that has not begun yet, in seconds.
static double next_start(void) {
    double next = 1e9;
    for (int i = 0; i < all_flows; i++)
        if (flows[i].sender < 0 && transfers[i].start < next)
            next = transfers[i].start;
    return next;
}

// Writes and reads what there is; waits for so many nanoseconds at most.
static void carry(long long wait) {
    static char chunk[CHUNK];
    struct pollfd fds[HOSTS + 2 * MOST];
    struct timespec limit = {0, wait > 0 ? wait : 0};
    for (int i = 0; i < all_hosts; i++)
        fds[i] = (struct pollfd){hosts[i].listener, POLLIN, 0};
    // A negative descriptor is none.
    struct pollfd *senders = &fds[all_hosts], *receivers = &senders[all_flows];
    for (int i = 0; i < all_flows; i++) {
        senders[i] = (struct pollfd){flows[i].sender, POLLOUT, 0};
        receivers[i] = (struct pollfd){flows[i].receiver, POLLIN, 0};
    }
    checked(ppoll(fds, all_hosts + 2 * all_flows, &limit, NULL), "poll");
    // Less than was asked for is all that there is.
    for (int i = 0; i < all_flows; i++) {
        while (senders[i].revents & POLLOUT && write(flows[i].sender, chunk, CHUNK) == CHUNK)
            ;
        for (ssize_t n = CHUNK; receivers[i].revents && n == CHUNK;)
            if ((n = read(flows[i].receiver, chunk, CHUNK)) > 0)
                flows[i].bytes += n;
    }
    for (int i = 0; i < all_hosts; i++)
        if (fds[i].revents)
            accepted(hosts[i].listener);
}

int main(int count, char **words) {
    if (count != 4) {
        printf("FAIL hosts SCENARIO SETTINGS SEED\n");
        return 1;
    }
    double seconds = cell(stdin);
    char *kept = NULL;
    size_t length = 0;
    FILE *trace = getenv("trace") ? open_memstream(&kept, &length) : NULL;
    for (int i = 0; i < all_flows; i++)
        flows[i].sender = flows[i].receiver = -1;
    for (int i = 0; i < all_hosts; i++) {
        enter(hosts[i].name);
        snprintf(hosts[i].device, NAME, "%d", device());
        hosts[i].listener = listening();
    }
    long long zero = wait_for(0), next_sample = zero, end = zero + seconds * SECOND;
    pid_t child = world(words + 1, count - 1);
    go_before_others(0, HOST_PRIORITY);
    for (long long t = now(); t < end; t = now()) {
        begin((t - zero) * 1e-9);
        if (t >= next_sample) {
            for (int i = 0; i < all_flows; i++)
                if (flows[i].sender >= 0) {
                    sample(&flows[i]);
                    if (trace)
                        traced(trace, i, (t - zero) * 1e-9, &flows[i].info);
                }
            while (next_sample <= t)
                next_sample += BETWEEN_SAMPLES;
        }
        long long next = zero + next_start() * SECOND;
        carry((next < next_sample ? next : next_sample) - now());
    }
    if (trace) {
        fclose(trace);
        fwrite(kept, 1, length, stdout);
    }
    for (int i = 0; i < all_flows; i++) {
        printf("%s{\"bytes\": %lld", i ? ", " : "[", flows[i].bytes);
        print_mean("cwnd", flows[i].cwnd, flows[i].samples);
        print_mean("srtt_ms", flows[i].srtt_ms, flows[i].samples);
        printf(", \"retransmissions\": %u}", flows[i].info.tcpi_total_retrans);
    }
    printf("]\n");
    fflush(stdout);
    waitpid(child, NULL, 0);
    return 0;
}
