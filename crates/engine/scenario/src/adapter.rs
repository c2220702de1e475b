//! Wireless adapters with their drivers.

use airloom_rate::{GuardInterval, Ht, Padding, Rate, Width};
use airloom_sim::{BitRate, Duration};
use airloom_usb::Config as Usb;
use airloom_wifi::{
    Access, Adaptive, Aggregation, Ahead, Aql, Depth, DscpMap, Edca, Ladder, MinstrelHt, NullFrames, Reports,
    Retries, RtsRate, Turns,
};

use crate::air::Standard;
use crate::control_form::ControlForm;
use crate::edca::Categories;
use crate::format::Format;
use crate::front_end::FrontEnd;
use crate::kernel::{Kernel, KernelForm};
use crate::not_yet;
use crate::turns_form::TurnsForm;
use crate::usb::UsbTable;
use airloom_config::error::Faults;
use airloom_config::form::{
    Flag, Name, Optional, Or, count, level, or_off, packets, rate, small_size, time, words,
};
use airloom_config::record;
use airloom_config::record::{Layers, flat, nested};

record! {
    /// A wireless adapter and its driver.
    pub struct Adapter {
        /// The profile that gives the values of keys left out.
        profile: String = Name;
        /// Which Linux its driver is of.
        driver: DriverAge = flat::<DriverAge>();
        /// The newest amendment that it supports, such as "802.11b"; an adapter of 802.11n supports the older ones too.
        standard: Standard = words(Standard::WORDS, &["802.11be"]), default Standard::N80211;
        /// Whether it sends QoS data to stations that do so too; aggregation requires it.
        qos: bool = Flag, default true;
        /// What it can do at the rates of 802.11n and later.
        capabilities: Capabilities = flat::<Capabilities>();
        /// What it joins into one PPDU.
        aggregation: Aggregation = flat::<AggregationTable>();
        /// What it holds below the queue above.
        depth: Depth = flat::<DepthTable>();
        /// How its driver gives its receivers' queues their turns, where it forms PPDUs itself and shares no air time: "round", one PPDU each in
        /// turn; or as ath9k: "linux-3.2", a receiver sends until the hardware is full, and leaves the round as it has no more; "linux-3.15",
        /// one PPDU a turn, and each packet that finds the hardware full moves the list on by one (`ath_txq_schedule()`). Or the name of a scheduler
        /// of your own (docs/own-scheduler.md), which takes the place of shares of air time too.
        turns: Turns = TurnsForm, default Turns::Round;
        /// How its driver takes packets from mac80211's queues.
        pulling: Pulling = flat::<Pulling>();
        /// How often it sends what was not acknowledged.
        retries: Retries = flat::<RetriesTable>();
        /// How its driver chooses the rate of data frames, such as "minstrel", or "highest" for always the highest that
        /// both adapters have: a station's `rate` if left out.
        rate_control: Option<Adaptive> = Or("highest", ControlForm);
        /// When a rate control in the firmware changes the rate.
        firmware: Ladder = nested::<FirmwareTable>(), default Ladder::PLAIN;
        /// Which Minstrel-HT its driver has, by the Linux from which on it is like that: "linux-5.12", or "linux-3.13" for older ones. If left
        /// out, that of its host's Linux, at an access point of its `kernel`.
        minstrel: MinstrelHt = words(MinstrelHt::WORDS, &[]), default MinstrelHt::Linux3_13;
        /// How long the receiver's reorder buffer waits for a missing frame of an aggregate.
        reorder_timeout: Duration =
            time(Duration::from_micros(1), Duration::from_secs(10)), default Duration::from_millis(100);
        /// The transmitter's error vector magnitude, relative to the constellation; it adds to the noise.
        evm: f64 = level(-60.0, 0.0);
        /// What its radio sends with, and how noisy its receiver is.
        front_end: FrontEnd = flat::<FrontEnd>();
        /// How the null frame that announces power save is sent.
        null_frame: NullFrames = nested::<NullFrameTable>(), default NullFrames::PLAIN;
        /// How its best effort contends.
        best_effort: BestEffort = flat::<BestEffort>();
        /// How a packet's user priority follows from its DSCP: "rfc8325", as with Linux 6.8 and later, or "precedence", by the three
        /// highest bits, as with older ones and most other devices.
        dscp_map: Option<DscpMap> = Optional(words(DscpMap::WORDS, &[])), default None;
        /// The length of a PSDU above which RTS and CTS precede it, or off.
        rts_threshold: Option<u32> = or_off(small_size(0, 65_535));
        /// The rates of frames that carry no data.
        fixed_rates: FixedRates = flat::<FixedRates>();
        /// What its driver makes of the host's TCP.
        host_side: HostSide = flat::<HostSide>();
        /// The USB bus by which it is attached to the host, if it is.
        usb: Option<Usb> = Optional(nested::<UsbTable>()), default None;
    }
    elsewhere not_yet::key;
    check consistent;
}

record! {
    /// Which Linux a driver is of.
    pub struct DriverAge {
        /// The Linux whose driver this is, such as "Linux 6.18": at an access point it decides what lies above the driver where `queue` is left
        /// out. At a station its host's does.
        kernel: Option<Kernel> = Optional(KernelForm), default None;
        /// From which Linux on its driver takes packets from mac80211's queues, such as "Linux 4.10": its interface has no other queue then. Left
        /// out if it never does.
        pulls_since: Option<Kernel> = Optional(KernelForm), default None;
    }
}

record! {
    /// What an adapter can do at the rates of 802.11n and later.
    pub struct Capabilities {
        /// The widest channel in which it sends and receives, "20 MHz" to "320 MHz"; the widest of its standard if left out. In a wider network
        /// frames to and from it have this width.
        width: Option<Width> = Optional(words(Width::WORDS, &[])), default None;
        /// Spatial streams, 1 to 4.
        streams: u8 = count(1, Ht::MOST_STREAMS), default 1;
        /// Whether it can send with the short guard interval of 802.11n and 802.11ac.
        short_gi: bool = Flag, default false;
        /// Whether it has low-density parity checks, which 802.11ac leaves open; 802.11n goes without here, and 802.11ax and 802.11be always have
        /// them.
        ldpc: bool = Flag, default true;
        /// How long its receiver may need for the end of a PPDU of 802.11ax or 802.11be: "0 us", "8 us" or "16 us", in 802.11be "20 us" too (nominal
        /// packet padding, IEEE 802.11ax-2021 table 27-46, 802.11be-2024 table 36-61).
        packet_padding: Padding = words(Padding::WORDS, &[]), default Padding::Us16;
    }
}

record! {
    /// What an adapter joins into A-MSDUs and A-MPDUs.
    pub(crate) struct AggregationTable for Aggregation {
        /// The most MPDUs under one BlockAck, in either direction: 64, up to 256 with 802.11ax, up to 1024 with 802.11be. Of two that differ the smaller one
        /// counts.
        block_ack_window: u16 = count(1, 1024), default 64;
        /// The most packets in an A-MSDU, several packets in one MPDU that are lost and sent again together; 1 for none. Packets that
        /// wait in the driver are joined while the rate is high enough (mac80211 `ieee80211_amsdu_aggregate()`).
        amsdu_packets as "amsdu_frames": u32 = count(1, 64), default 1;
        /// The longest MPDU that holds an A-MSDU, in either direction: "3895 B", "7991 B" or "11454 B" (IEEE 802.11-2020 9.4.2.157.2).
        /// Of two that differ the smaller one counts. With 802.11n it stands for A-MSDUs of 3839 and 7935 bytes, in MPDUs of 4095 at
        /// most.
        mpdu_bytes: u32 = small_size(3895, 11_454), default 11_454;
        /// The most MPDUs in an aggregate.
        ampdu_mpdus as "ampdu_frames": u32 = count(1, 1024), default 1;
        /// The longest aggregate in bytes: at most 65,535 in 802.11n, 1,048,575 in 802.11ac, 6,500,631 in 802.11ax and 15,523,200 in
        /// 802.11be (IEEE 802.11-2020 9.4.2.55.3 and 9.4.2.157.2, 802.11ax-2021 table 27-54, 802.11be-2024 table 36-75).
        ampdu_bytes: u32 = small_size(1, 15_523_200), default 65_535;
        /// The longest aggregate that it says it receives, in bytes: 2^13 - 1, 2^14 - 1 and so on (maximum A-MPDU length exponent, IEEE
        /// 802.11-2020 9.4.2.55.3). Others send it no longer ones. As long as its standard has if left out.
        ampdu_receive_bytes: Option<u32> = Optional(small_size(8191, 15_523_200)), default None;
        /// The longest airtime of an aggregate.
        ampdu_duration: Duration =
            time(Duration::from_micros(1), Duration::from_millis(10)), default Duration::from_millis(10);
        /// The least time from the start of one MPDU of an aggregate to the next (minimum MPDU start spacing).
        ampdu_spacing: Duration = time(Duration::ZERO, Duration::from_micros(16)), default Duration::ZERO;
    }
}

record! {
    /// What an adapter and its driver hold at most.
    pub(crate) struct DepthTable for Depth {
        /// How many aggregates the hardware's queue holds.
        hardware_queue: u32 = count(1, 1000);
        /// How many packets the driver holds before it stops the queue above.
        driver_limit: u32 = packets(1, 100_000);
    }
}

record! {
    /// How a driver takes packets from mac80211's queues.
    pub struct Pulling {
        /// When its driver takes packets from mac80211's queues: "ppdu", as it forms a PPDU, what that has room for; or for firmware that
        /// forms PPDUs, up to `driver_limit` and `aql`: "report", as packets come and as PPDUs are reported, or "arrival", as packets
        /// come alone.
        pull: PullTime = words(PullTime::WORDS, &[]), default PullTime::Ppdu;
        /// Airtime queue limits, if its driver asks mac80211 for them: "off", or a table, `{}` for Linux's limits.
        aql: Option<Aql> = or_off(nested::<AqlTable>()), default None;
        /// How late firmware's reports of packets reach its driver: "off" if each comes as the exchange ends, or a table.
        reports: Option<Reports> = or_off(nested::<ReportsTable>()), default None;
    }
}

record! {
    /// How often an adapter sends a frame that is not acknowledged.
    pub(crate) struct RetriesTable for Retries {
        /// How often an MPDU of an aggregate is retransmitted before it is given up.
        limit as "retry_limit": u32 = count(1, 255), default 7;
        /// Whether each attempt that hardware repeats by itself, since nothing answered, counts against `retry_limit`;
        /// otherwise all attempts at a PPDU until hardware hands it back are one (ath9k until Linux 3.10,
        /// `ath_tx_set_retry()`).
        counts_hardware as "count_hardware_retries": bool = Flag, default true;
        /// Whether there are fewer retransmissions on a slow link: 2 up to 25 Mbit/s, 5 up to 50, 8 up to 100.
        limit_by_rate as "retry_limit_by_rate": bool = Flag, default false;
        /// Attempts at a frame that travels alone, or at an RTS, before the frame is given up: dot11ShortRetryLimit
        /// (IEEE 802.11-2020 annex C).
        short_limit as "short_retry_limit": u32 = count(1, 255), default 7;
        /// Attempts at a frame that travels alone and is longer than the RTS threshold: dot11LongRetryLimit.
        long_limit as "long_retry_limit": u32 = count(1, 255), default 4;
    }
}

record! {
    /// How an adapter's best effort contends.
    pub struct BestEffort {
        /// The least contention window, in slots, or "standard": 31 with 802.11b alone, 15 otherwise (IEEE 802.11-2020
        /// 18.4.5).
        cw_min: Option<u32> = Or("standard", count(0, 32_767));
        /// The greatest contention window, in slots.
        cw_max: u32 = count(0, 32_767);
        /// The arbitration interframe space, in slots after SIFS.
        aifsn: u32 = count(1, 15);
    }
}

record! {
    /// The rates of frames that carry no data.
    pub struct FixedRates {
        /// The rate of control frames (ack, block ack, RTS, CTS) and of null frames; or "basic": control frames follow
        /// the cell's basic rates, and null frames have the rate of beacons.
        control_rate: Option<BitRate> = Or("basic", rate(BitRate::from_mbps(1), BitRate::from_mbps(54)));
        /// Where control frames follow the basic rates, the rate of those that nothing elicits, RTS, a CTS to itself and BlockAck requests:
        /// "basic", the highest basic rate that is not above that of the data, or "lowest", beside data from 802.11n on the lowest rate of the
        /// band.
        rts_rate: RtsRate = words(RtsRate::WORDS, &[]), default RtsRate::Basic;
        /// The rate of beacons, or "lowest" for the lowest basic rate.
        management_rate: Option<BitRate> = Or("lowest", rate(BitRate::from_mbps(1), BitRate::from_mbps(54)));
    }
}

record! {
    /// What a driver makes of the host's TCP.
    pub struct HostSide {
        /// What its driver makes of the `small_queue_shift` of a host that has one (`sk_pacing_shift_update`); nothing if left
        /// out.
        small_queue_shift: Option<u32> = Optional(count(0, 30)), default None;
        /// Whether its driver hands up what arrives together by NAPI, so that segments of a flow are merged (GRO) and acknowledged once:
        /// ath10k, ath11k, mt76 and iwlwifi do, ath9k does not.
        gro: bool = Flag, default false;
    }
}

airloom_sim::kinds! {
    /// When a driver takes packets from mac80211's queues.
    pub enum PullTime {
        /// As it forms a PPDU, as much as that has room for.
        Ppdu = "ppdu",
        /// For its firmware, as packets come and as PPDUs are reported.
        Report = "report",
        /// For its firmware, as packets come.
        Arrival = "arrival",
    }
}

record! {
    /// How much air time mac80211 lets a driver hold, by its own estimate: each category of a receiver apart.
    pub(crate) struct AqlTable for Aql {
        /// What may be pending for a receiver in a category, whatever is pending for others: `aql_txq_limit_low`.
        low: Duration = time(LEAST_LIMIT, MOST_LIMIT), default Aql::LINUX.low;
        /// What may be pending for a receiver in a category while less than the threshold is pending: `aql_txq_limit_high`.
        high: Duration = time(LEAST_LIMIT, MOST_LIMIT), default Aql::LINUX.high;
        /// How much may be pending for all before the low limit applies: `aql_threshold`.
        threshold: Duration = time(LEAST_LIMIT, MOST_LIMIT), default Aql::LINUX.threshold;
    }
}

record! {
    /// When the interrupt comes by which a driver learns of the packets that its firmware has finished with.
    pub(crate) struct ReportsTable for Reports {
        /// As soon as so many packets are reported.
        packets: u32 = packets(1, 100_000);
        /// This long after the first of them.
        delay: Duration = time(Duration::from_micros(1), Duration::from_secs(1));
    }
}

record! {
    /// How the null frame that announces power save to the access point, before the radio leaves, is sent.
    pub(crate) struct NullFrameTable for NullFrames {
        /// How often it is sent at most.
        attempts: u32 = count(1, 255);
        /// After how many attempts RTS precedes it.
        rts_after: u32 = count(0, 255);
        /// For this long after the first attempt no frame is acknowledged when the radio is about to leave.
        deaf_before_leaving: Duration = time(Duration::ZERO, Duration::from_millis(100));
        /// The same time when the radio has just come back.
        deaf_after_return: Duration = time(Duration::ZERO, Duration::from_millis(100));
    }
}

record! {
    /// When a rate control in the firmware changes the rate.
    pub(crate) struct FirmwareTable for Ladder {
        /// Acknowledged attempts in a row that lead to the highest rate.
        successes: u32 = count(1, 1_000);
        /// Failed attempts in a row at the highest rate that lead to the next.
        highest_failures: u32 = count(1, 255);
        /// Failed attempts in a row at that one which lead to the lowest.
        next_failures: u32 = count(1, 255);
    }
}

/// The lengths that a longest MPDU may have (IEEE 802.11-2020 9.4.2.157.2).
const MPDU_BYTES: [u32; 3] = [3895, 7991, 11_454];
/// Bounds of a limit on pending air time.
const LEAST_LIMIT: Duration = Duration::from_micros(1);
const MOST_LIMIT: Duration = Duration::from_secs(10);

impl Adapter {
    /// The widest channel in which it sends and receives.
    pub fn widest(&self) -> Width {
        self.capabilities.width.into_iter().fold(self.standard.widest(), Width::min)
    }

    /// The shortest guard interval with which it can send in this format.
    pub fn shortest_guard(&self, format: Format) -> GuardInterval {
        match format {
            Format::Ht | Format::Vht if self.capabilities.short_gi => GuardInterval::Ns400,
            _ => GuardInterval::Ns800,
        }
    }

    /// How each category contends with this adapter, one that has these rates below HT: best effort as the adapter says, others
    /// as `others` does, and all with what changes.
    pub fn edca(&self, rates: &[Rate], others: Edca, changes: Option<&Categories>) -> Edca {
        let only_dsss = rates.iter().all(|rate| matches!(rate, Rate::Dsss(_)));
        // aCWmin(0) and aCWmin(1) (IEEE 802.11-2020 18.4.5).
        let BestEffort { cw_min, cw_max, aifsn } = self.best_effort;
        let cw_min = cw_min.unwrap_or(if only_dsss { 31 } else { 15 });
        let edca = others.with_best_effort(Access::new(aifsn, cw_min, cw_max));
        changes.map_or(edca, |changes| changes.over(edca))
    }
}

impl Pulling {
    /// How the driver pulls ahead of its firmware; none if it pulls as it forms a PPDU.
    pub fn ahead(&self) -> Option<Ahead> {
        let ahead = |on_report| Ahead { on_report, aql: self.aql, reports: self.reports };
        match self.pull {
            PullTime::Ppdu => None,
            PullTime::Report => Some(ahead(true)),
            PullTime::Arrival => Some(ahead(false)),
        }
    }
}

fn consistent(adapter: &Adapter, faults: &Faults, layers: &Layers<'_>) {
    let (contends, joins, pulling) = (&adapter.best_effort, &adapter.aggregation, &adapter.pulling);
    let blame = |a: &str, b: &str| layers.place(a).min(layers.place(b));
    for (key, window) in [("cw_min", contends.cw_min), ("cw_max", Some(contends.cw_max))] {
        if let Some(window) = window.filter(|window| !(window + 1).is_power_of_two()) {
            let hint = "a contention window is 2^n - 1, such as 15 or 1023".to_owned();
            faults.fail(layers.place(key), format!("`{key}` cannot be {window}"), Some(hint));
        }
    }
    let (mpdus, bytes) = adapter.standard.format().unwrap_or(Format::Ht).largest_aggregate();
    let given = [
        ("block_ack_window", joins.block_ack_window.into(), mpdus),
        ("ampdu_frames", joins.ampdu_mpdus, mpdus),
        ("ampdu_bytes", joins.ampdu_bytes, bytes),
    ];
    for (key, _, most) in given.into_iter().filter(|&(_, is, most)| is > most) {
        let message = format!("`{key}` is {most} at most with {}", adapter.standard.name());
        faults.fail(layers.place(key), message, Some(format!("write {key} = {most} or less")));
    }
    if !MPDU_BYTES.contains(&joins.mpdu_bytes) {
        let hint = "an adapter has MPDUs of up to 3895, 7991 or 11454 bytes".to_owned();
        let message = format!("`mpdu_bytes` cannot be {}", joins.mpdu_bytes);
        faults.fail(layers.place("mpdu_bytes"), message, Some(hint));
    }
    if pulling.aql.is_some() && pulling.pull == PullTime::Ppdu {
        let message = "`aql` limits nothing where a driver takes what it sends".to_owned();
        let hint = "add pull = \"report\" for a driver whose firmware forms PPDUs".to_owned();
        faults.fail(blame("aql", "pull"), message, Some(hint));
    }
    if pulling.reports.is_some() && pulling.pull == PullTime::Ppdu {
        let message = "`reports` delays nothing where a driver takes what it sends".to_owned();
        let hint = "add pull = \"report\" for a driver whose firmware forms PPDUs".to_owned();
        faults.fail(blame("reports", "pull"), message, Some(hint));
    }
    if contends.cw_min.is_some_and(|least| least > contends.cw_max) {
        let (least, most) = (contends.cw_min.unwrap_or_default(), contends.cw_max);
        let hint = "write a lower `cw_min` or a higher `cw_max`".to_owned();
        let message = format!("`cw_min`, {least}, is above `cw_max`, {most}");
        faults.fail(blame("cw_min", "cw_max"), message, Some(hint));
    }
}
