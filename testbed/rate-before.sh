# What comes before the flows of tests/kernel/two_uploads.py, within the first program of testbed/air: hosts as ns-2 has them, and a
# daemon that is told the rates as the world has them.
for host in S1 S2 server; do
    ip -n $host route replace 10.0.0.0/16 dev air0 advmss 1000
    set_in $host net.ipv4.tcp_timestamps=0
    # A window of 20 segments, beside the room that the kernel takes for its own.
    set_in $host net.ipv4.tcp_rmem="4096 47200 47200"
done
interface() { echo "$(stat -L -c %i "/run/netns/$1") $(ip -n "$1" -o link show dev air0 | cut -d: -f1)"; }
first=$(interface S1)
second=$(interface S2)
mkfifo /run/rates
/rate/loader --library-path /rate /rate/airloom-rate feed $options </run/rates &
exec 9>/run/rates
echo "$first 11000000" >&9
echo "$second 11000000" >&9
sleep 2
sysctl -qw net.ipv4.tcp_allowed_congestion_control="reno cubic airloom_reno airloom_cubic"
uptime=$(cut -d' ' -f1 /proc/uptime)
# The world begins with the next full second but one, and the first station falls 20 s later.
sleep "0.$(printf %02d $(((200 - 1${uptime#*.}) % 100)))"
(sleep 21; echo "$first 1000000" >&9) &
