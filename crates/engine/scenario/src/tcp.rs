//! A host's TCP, and what one flow may change of it.

use airloom_sim::{Bytes, Duration};
use airloom_tcp::congestion::OWN_CONTROLS;
use airloom_tcp::{
    Acks, Clocks, Config, Congestion, Growth, HeldSacks, HyStartLimits, LossRecovery, Offer, ReceiveSpace,
    RightSizing, SendSpace, SlowStart, SmallQueueLimits, Truesize, UnusedWindow, Validation,
};

use serde_json::{Value as Json, json};

use crate::link_rate::{LinkRate, LinkRateForm};
use crate::not_yet;
use crate::recovery::RecoveryTable;
use airloom_config::emit::Out;
use airloom_config::error::{Faults, likely};
use airloom_config::form::{
    Flag, Form, Measure, Optional, Or, Quantity, SmallSize, Words, count, or_off, size, small_size, time,
    words,
};
use airloom_config::record;
use airloom_config::record::{Layers, flat, nested};
use airloom_config::toml_tree::TomlNode;

const BUILT_IN: Words<Congestion> =
    words(Congestion::WORDS, &["bbr2", "vegas", "westwood", "prague", "dctcp"])
        .hinted(CONGESTION_HINTS)
        .otherwise(OWN);

/// A congestion control that is built in, or that the caller brought.
struct Control;

impl Form for Control {
    type Of = Congestion;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Congestion> {
        let own = found.first().and_then(|node| node.text()).and_then(|text| faults.own(&OWN_CONTROLS, text));
        own.map(Congestion::Own)
            .or_else(|| BUILT_IN.read_beside(&OWN_CONTROLS.names(), (faults, path, found)))
    }

    fn write(&self, value: &Congestion) -> Option<Out> {
        Some(Out::Text(value.name().to_owned()))
    }

    fn schema(&self) -> Json {
        let built_in = Congestion::WORDS.iter().map(|(word, _)| *word);
        json!({ "enum": built_in.chain(OWN_CONTROLS.names()).collect::<Vec<_>>() })
    }
}

const CONGESTION_HINTS: &[(&str, &str)] = &[
    ("reno", "what Linux calls `reno` is `newreno` here"),
    ("vegas", OF_THE_KERNEL),
    ("westwood", OF_THE_KERNEL),
    ("prague", OF_THE_KERNEL),
    ("dctcp", OF_THE_KERNEL),
    ("htcp", OF_THE_KERNEL),
    ("illinois", OF_THE_KERNEL),
    ("hybla", OF_THE_KERNEL),
    ("yeah", OF_THE_KERNEL),
    ("scalable", OF_THE_KERNEL),
    ("bbrv2", OWN),
    ("bbrv3", "did you mean `bbr3`?"),
];

const OF_THE_KERNEL: &str = "`airloom shell` gives programs the controls of this machine's kernel over the same air, as in \
                             airloom shell FILE --beside \"server=iperf3 -s\" -- iperf3 -c server -C NAME; \
                             `airloom schema flow.tcp.congestion` lists those of simulated hosts, and a class of your own joins them by \
                             `--with MODULE` (docs/own-congestion-control.md)";

const OWN: &str = "`airloom schema flow.tcp.congestion` lists those that are built in; one of your own is a class in a Python module: `--with MODULE` \
                   (docs/own-congestion-control.md), or a module or BPF program of the kernel under `airloom shell`";

/// A flow's changes written as a congestion control alone.
pub(crate) fn changes_in_short(text: &str) -> Option<String> {
    let word = likely(text, Congestion::WORDS.iter().map(|(word, _)| *word)).unwrap_or("newreno");
    Some(format!("write tcp = {{ congestion = \"{word}\" }}"))
}

const SLOW_START: Words<SlowStart> = words(SlowStart::WORDS, &["search"]);

const VALIDATION: Words<Validation> = words(Validation::WORDS, &[]);

const RIGHT_SIZING: Words<RightSizing> = words(RightSizing::WORDS, &[]);

const ON_OFF: Words<bool> = words(&[("off", false), ("on", true)], &[]);

/// Any buffer there is: a segment up to 1 GiB, the most that window scaling can advertise (RFC 7323 section 2.3).
const BUFFER: Quantity<Bytes> = size(Bytes(1460), Bytes(1 << 30));

/// A small queue: from one segment's worth up to the largest buffer.
const SMALL_QUEUE: Quantity<Bytes> = size(Bytes(1), Bytes(1 << 30));

/// A maximum segment size: from the least that every host must take, less headers (RFC 9293 section 3.7.1), to what
/// Ethernet carries.
const MSS: SmallSize = small_size(88, 1460);

/// The least retransmission timeout: up to the greatest it may be at all (RFC 6298 rule 2.5).
const RTO_MIN: Quantity<Duration> = time(Duration::from_millis(1), Duration::from_secs(60));

record! {
    /// A host's TCP as a table.
    pub(crate) struct TcpTable for Config {
        /// What it offers as a connection opens.
        offer: Offer = flat::<OfferTable>();
        /// How its congestion window begins and grows.
        growth: Growth = flat::<GrowthTable>();
        /// What becomes of a window that the application does not fill.
        unused_window: UnusedWindow = flat::<UnusedWindowTable>();
        /// How much lies below TCP.
        small_queue: SmallQueueLimits = flat::<SmallQueueTable>();
        /// Its send buffer.
        send: SendSpace = flat::<SendSpaceTable>();
        /// Whether a partial segment waits while another is unacknowledged (Nagle's algorithm).
        nagle: bool = Flag, default true;
        /// Its receive buffer, and the window that it offers.
        receive: ReceiveSpace = flat::<ReceiveSpaceTable>();
        /// When it acknowledges.
        acks: Acks = flat::<AcksTable>();
        /// How long it holds acknowledgements back while data waits out of order.
        held_sacks: HeldSacks = flat::<HeldSacksTable>();
        /// How it detects losses, and which reactions it undoes if there were none.
        recovery: LossRecovery = nested::<RecoveryTable>(), default LossRecovery::PLAIN;
        /// Its clocks and timeouts.
        clocks: Clocks = flat::<ClocksTable>();
        /// The memory that packets take in a socket's buffers.
        truesize: Truesize = flat::<TruesizeTable>();
    }
    check buffers;
}

record! {
    /// What it offers as a connection opens.
    struct OfferTable for Offer {
        /// The most payload of a segment that the host offers and sends, before timestamps are subtracted.
        mss: u32 = MSS, default 1460;
        /// Whether selective acknowledgements are offered (RFC 2018).
        sack: bool = Flag;
        /// Whether timestamps are offered (RFC 7323).
        timestamps: bool = Flag;
        /// Whether duplicates are reported to the sender (D-SACK, RFC 2883).
        duplicate_sack: bool = Flag, default true;
        /// The window scale offered, as a shift (RFC 7323).
        window_scale: u8 = count(0, 14), default 7;
        /// Whether explicit congestion notification is offered (RFC 3168), "on" or "off".
        ecn: bool = ON_OFF, default false;
    }
}

record! {
    /// How its congestion window begins and grows.
    struct GrowthTable for Growth {
        /// The initial congestion window in segments.
        initial_window: u32 = count(1, 1000);
        /// The slow-start threshold before the first loss in segments, or "unset".
        initial_ssthresh: Option<u32> = Or("unset", count(2, 1_000_000)), default None;
        /// The congestion control.
        congestion: Congestion = Control;
        /// When slow start ends before a loss; "linux" is HyStart with CUBIC, and "standard" with any other control.
        slow_start: SlowStart = SLOW_START;
        /// Whether slow start goes one segment past the threshold, and uses up the acknowledgement that ends it.
        slow_start_past_threshold: bool = Flag, default true;
        /// When HyStart ends slow start.
        hystart: HyStartLimits = flat::<HyStartTable>();
        /// CUBIC's window grows by at most one segment for this many acknowledged.
        cubic_fastest: u32 = count(1, 100), default 1;
        /// Whether slow start adds one segment per acknowledgement rather than per segment acknowledged.
        slow_start_by_acks: bool = Flag, default false;
        /// Whether NewReno, past slow start, counts the segments that are acknowledged rather than the
        /// acknowledgements.
        count_segments: bool = Flag, default false;
        /// Whether the window grows by all segments that an acknowledgement reports, selectively acknowledged ones among
        /// them, once it is known what is lost.
        grow_by_delivered: bool = Flag, default false;
    }
}

record! {
    /// When HyStart ends slow start.
    struct HyStartTable for HyStartLimits {
        /// HyStart ends slow start when the delay has grown by one n-th of the least round trip; this is n.
        hystart_part: u32 = count(1, 1000), default 16;
        /// Whether HyStart takes a round's delay from all samples of the round rather than from the first eight.
        hystart_all_samples: bool = Flag, default false;
        /// HyStart ends slow start when ACKs have come in one train for half of the least round trip and this.
        hystart_train_margin: Duration = time(Duration::ZERO, Duration::from_millis(100)), default Duration::ZERO;
    }
}

record! {
    /// What becomes of a window that the application does not fill.
    struct UnusedWindowTable for UnusedWindow {
        /// What happens to a congestion window that the application does not fill.
        window_validation: Validation = VALIDATION;
        /// Whether such a window decays with time rather than staying as it is (`tcp_slow_start_after_idle`).
        slow_start_after_idle: bool = Flag, default true;
    }
}

record! {
    /// How much lies below TCP.
    struct SmallQueueTable for SmallQueueLimits {
        /// The most data of one socket below TCP, in queue and driver (TCP small queues), or "off".
        small_queue: Option<Bytes> = or_off(SMALL_QUEUE);
        /// The small queue is also limited to what the pacing rate sends in a second, shifted right by this many bits
        /// (`sk_pacing_shift`), or "off".
        small_queue_shift: Option<u32> = or_off(count(0, 30)), default None;
        /// Whether what is paced leaves in bursts of several segments, which the device divides, rather than one by one.
        bursts: bool = Flag, default false;
    }
}

record! {
    /// Its send buffer.
    struct SendSpaceTable for SendSpace {
        /// The initial send buffer, in bytes of memory.
        send_buffer_initial: Bytes = BUFFER;
        /// The most that the send buffer grows to, in bytes of memory.
        send_buffer_max: Bytes = BUFFER;
        /// How much memory the send buffer has for each segment of the window, or "as much as it takes" (`skb_truesize`).
        send_buffer_segment: Option<u32> = Or("as much as it takes", small_size(1, 1 << 20)), default None;
        /// Whether the send buffer grows whenever less than a window is in flight, be it between two segments that are sent.
        send_buffer_between_segments: bool = Flag, default false;
    }
}

record! {
    /// Its receive buffer, and the window that it offers.
    struct ReceiveSpaceTable for ReceiveSpace {
        /// The initial receive buffer, in bytes of memory.
        receive_buffer_initial: Bytes = BUFFER;
        /// The most that the receive buffer grows to, in bytes of memory.
        receive_buffer_max: Bytes = BUFFER;
        /// How the receive buffer and the window grow with what is read.
        right_sizing: RightSizing = RIGHT_SIZING, default RightSizing::TwiceRead;
        /// All of the receive buffer except 1/2^n of it is offered as window; this is n. All of it if zero
        /// (`tcp_adv_win_scale`).
        receive_window_share: u32 = count(0, 14), default 1;
        /// The first receive window in segments.
        initial_receive_window: u32 = count(1, 1000), default 20;
    }
}

record! {
    /// When it acknowledges.
    struct AcksTable for Acks {
        /// How many acknowledgements are not delayed when data begins to arrive, and after losses.
        quick_acks: u32 = count(0, 1000), default 16;
        /// Whether a full segment that ends a write of the peer, and so has the PSH bit, is acknowledged at once.
        ack_pushed: bool = Flag, default false;
        /// The least time that an acknowledgement is held back, or zero for one to every segment; at most 500 ms
        /// (RFC 1122 section 4.2.3.2).
        delayed_ack: Duration = time(Duration::ZERO, Duration::from_millis(500)), default Duration::from_millis(40);
    }
}

record! {
    /// How long it holds acknowledgements back while data waits out of order.
    struct HeldSacksTable for HeldSacks {
        /// How long acknowledgements are held back while data waits out of order, but for the first three to each hole; none
        /// is if zero.
        sack_delay: Duration = time(Duration::ZERO, Duration::from_millis(500)), default Duration::ZERO;
        /// How much later than that the timer may be.
        sack_slack: Duration = time(Duration::ZERO, Duration::from_millis(500)), default Duration::ZERO;
        /// How many of them are held back at most.
        sacks_held: u32 = count(0, 255), default 44;
    }
}

record! {
    /// Its clocks and timeouts.
    struct ClocksTable for Clocks {
        /// The least retransmission timeout.
        rto_min: Duration = RTO_MIN;
        /// The retransmission timeout before the round-trip time is known.
        rto_initial: Duration = RTO_MIN, default Duration::from_secs(1);
        /// The granularity of round-trip times: the period of the kernel's timer tick, or zero for exact ones.
        tick: Duration = time(Duration::ZERO, Duration::from_secs(1));
        /// The tick of the clock on which timers expire, but for those of pacing and of acknowledgements held back; zero for
        /// timers that are exact.
        timer_tick: Duration = time(Duration::ZERO, Duration::from_millis(100)), default Duration::ZERO;
    }
}

record! {
    /// The memory that packets take in a socket's buffers.
    struct TruesizeTable for Truesize {
        /// The memory that a full segment takes in a socket's buffer.
        skb_truesize: u32 = small_size(1, 1 << 20);
        /// The memory that a bare acknowledgement takes in a socket's buffer.
        ack_truesize: u32 = small_size(1, 1 << 20);
    }
}

fn buffers(tcp: &Config, faults: &Faults, layers: &Layers<'_>) {
    for (initial, max, key) in [
        (tcp.send.send_buffer_initial, tcp.send.send_buffer_max, "send_buffer"),
        (tcp.receive.receive_buffer_initial, tcp.receive.receive_buffer_max, "receive_buffer"),
    ] {
        if initial > max {
            // The mistake is reported at the value in the file, not at the one of the profile.
            let (a, b) = (format!("{key}_initial"), format!("{key}_max"));
            let at = layers.place(&a).min(layers.place(&b));
            let hint = format!("write a lower `{a}` or a higher `{b}`");
            let message = format!("`{a}`, {}, is above `{b}`, {}", initial.written(), max.written());
            faults.fail(at, message, Some(hint));
        }
    }
}

/// Defines what a flow may change: keys of its host's TCP, each with its part of the configuration and its form, and the rate of
/// the link.
macro_rules! changes {
    ($( $(#[doc = $doc:literal])* $part:ident.$field:ident : $type:ty = $form:expr; )*) => {
        record! {
            /// What one flow changes of the TCP of the host that sends it.
            pub struct FlowTcp {
                $( $(#[doc = $doc])* $field: Option<$type> = Optional($form), default None; )*
                /// How it learns the rate of its own radio link.
                link_rate: Option<LinkRate> = Optional(LinkRateForm), default None;
            }
            elsewhere not_yet::key;
        }

        impl FlowTcp {
            /// Nothing changed.
            pub const UNCHANGED: Self = Self { $( $field: None, )* link_rate: None };

            /// The sending host's TCP with this flow's changes. A buffer begins no larger than it may become.
            pub fn over(&self, host: &Config) -> Config {
                let mut tcp = *host;
                $( tcp.$part.$field = self.$field.unwrap_or(host.$part.$field); )*
                tcp.send.send_buffer_initial = tcp.send.send_buffer_initial.min(tcp.send.send_buffer_max);
                tcp
            }
        }
    };
}

changes! {
    /// The congestion control.
    growth.congestion: Congestion = Control;
    /// When slow start ends before a loss.
    growth.slow_start: SlowStart = SLOW_START;
    /// The most payload of a segment.
    offer.mss: u32 = MSS;
    /// The initial congestion window in segments.
    growth.initial_window: u32 = count(1, 1000);
    /// The most data of the socket below TCP, or "off".
    small_queue.small_queue: Option<Bytes> = or_off(SMALL_QUEUE);
    /// The most that the send buffer grows to, in bytes of memory.
    send.send_buffer_max: Bytes = BUFFER;
    /// What happens to a congestion window that the application does not fill.
    unused_window.window_validation: Validation = VALIDATION;
    /// The least retransmission timeout.
    clocks.rto_min: Duration = RTO_MIN;
}
