//! The calculator of air time: what one exchange takes, and what it is made of.

use airloom_rate::{
    Code, Eht, Field, GuardInterval, He, Ht, Padding, Preamble, Punctured, Rate, Training, Width,
};
use airloom_scenario::{AggregatingRates, Band, Format, Standard};
use airloom_sim::{BitRate, Duration};
use airloom_wifi::frame_size::{DATA_OVERHEAD, FCS_BYTES, PLAIN_DATA_OVERHEAD};
use airloom_wifi::{AirtimeEstimate, Exchange, Phy};
use serde::{Deserialize, Serialize};

/// What is asked, as people write it; what is left out has the value that is usual with the standard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// "802.11a", b, g, n, ac, ax or be.
    pub standard: String,
    /// "2.4 GHz", "5 GHz" or "6 GHz".
    pub band: Option<String>,
    /// Megahertz.
    pub width: Option<i64>,
    /// Mbit/s, below 802.11n.
    pub rate: Option<f64>,
    /// The preamble of 802.11b, "long" or "short".
    pub preamble: Option<String>,
    /// Modulation and coding scheme, from 802.11n on.
    pub mcs: Option<i64>,
    /// Spatial streams.
    pub streams: Option<i64>,
    /// Microseconds.
    pub guard_interval: Option<f64>,
    /// The size of long training fields from 802.11ax on: 1, 2 or 4.
    pub ltf: Option<i64>,
    /// The packet extension from 802.11ax on, in microseconds.
    pub packet_extension: Option<f64>,
    /// The nominal packet padding from 802.11ax on, in microseconds, from which the packet extension follows.
    pub padding: Option<f64>,
    /// What of the width is left out, in megahertz, in 802.11be.
    pub punctured: Option<i64>,
    /// The code of VHT, "bcc" or "ldpc".
    pub code: Option<String>,
    /// Bytes of an MPDU with one packet, its MAC header and FCS.
    pub mpdu: i64,
    /// MPDUs in the PPDU.
    pub count: i64,
    /// Packets in each MPDU, an A-MSDU if they are several; from 802.11n on.
    pub msdus_per_amsdu: Option<i64>,
    /// Whether RTS and CTS come first.
    pub rts: bool,
    /// Slots after SIFS before backoff begins.
    pub aifsn: Option<i64>,
    /// The contention window in slots.
    pub cw_min: Option<i64>,
}

/// What an exchange takes.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The rate as people call it.
    pub rate: String,
    /// Mbit/s of the data's rate.
    pub rate_mbps: f64,
    /// Bytes of the PSDU: MPDUs, and where they are aggregated delimiters and padding.
    pub psdu_bytes: u32,
    /// Bytes of IP packets in it.
    pub payload_bytes: u32,
    /// Microseconds of the PPDU with the data.
    pub ppdu_us: f64,
    /// Microseconds of the whole exchange: AIFS, mean backoff, what comes first, data, SIFS, response.
    pub exchange_us: f64,
    /// Mbit/s of IP packets if one exchange follows the other.
    pub goodput_mbps: f64,
    /// Microseconds that Linux expects of each packet as it reckons airtime queue limits.
    pub expected_us: u32,
    /// What the PPDU is made of.
    pub ppdu: Vec<ToldField>,
    /// What the exchange is made of.
    pub exchange: Vec<ToldPart>,
}

/// A field of the PPDU.
#[derive(Clone, Debug, Serialize)]
pub struct ToldField {
    /// What the standard calls it.
    pub name: &'static str,
    /// Microseconds of all of them.
    pub us: f64,
    /// Microseconds of one.
    pub each_us: f64,
    /// How many there are in a row.
    pub times: u64,
}

/// A part of the exchange.
#[derive(Clone, Debug, Serialize)]
pub struct ToldPart {
    /// What it is.
    pub name: &'static str,
    /// Microseconds.
    pub us: f64,
    /// The rate of a frame in Mbit/s.
    pub rate_mbps: Option<f64>,
}

/// What one exchange takes.
///
/// # Errors
/// If the standard has no such rate or no such PPDU: what is wrong, and what to write.
pub fn answer(ask: &Ask) -> Result<Answer, String> {
    let standard = standard(&ask.standard)?;
    let rate = rate(ask, standard)?;
    let qos = rate.aggregates();
    let exchange = Exchange {
        phy: phy(ask, standard)?,
        rate,
        mpdu: within("--mpdu", ask.mpdu, 1, 11_454)?,
        msdus: within("--msdus-per-amsdu", ask.msdus_per_amsdu.unwrap_or(1), 1, 64)?,
        count: within("--count", ask.count, 1, 1024)?,
        aifsn: within("--aifsn", ask.aifsn.unwrap_or(if qos { 3 } else { 2 }), 1, 15)?,
        window: within(
            "--cw-min",
            ask.cw_min.unwrap_or(if standard == Standard::B80211 { 31 } else { 15 }),
            0,
            32_767,
        )?,
        rts: ask.rts,
        packet_extension: ask.packet_extension.map(extension).transpose()?,
    };
    let overhead = if qos { DATA_OVERHEAD } else { PLAIN_DATA_OVERHEAD };
    check(&exchange, standard.format(), overhead)?;
    Ok(told(&exchange, overhead))
}

fn told(exchange: &Exchange, overhead: u32) -> Answer {
    let us = |duration: Duration| duration.as_nanos() as f64 / 1000.0;
    let field = |field: Field| ToldField {
        name: field.name,
        us: us(field.duration()),
        each_us: us(field.each),
        times: field.times,
    };
    let parts = exchange.parts();
    let whole: Duration = parts.iter().map(|part| part.duration).sum();
    let payload = (exchange.mpdu - overhead) * exchange.msdus * u32::from(exchange.count);
    let mbps = |rate: Rate| rate.bit_rate().as_mbps_f64();
    Answer {
        rate: exchange.rate.to_string(),
        rate_mbps: mbps(exchange.rate),
        psdu_bytes: exchange.psdu(),
        payload_bytes: payload,
        ppdu_us: us(exchange.ppdu()),
        exchange_us: us(whole),
        goodput_mbps: f64::from(payload) * 8.0 / us(whole),
        expected_us: AirtimeEstimate::of(exchange.rate).expected(exchange.mpdu - FCS_BYTES, true),
        ppdu: exchange.fields().into_iter().map(field).collect(),
        exchange: parts
            .into_iter()
            .map(|part| ToldPart { name: part.name, us: us(part.duration), rate_mbps: part.rate.map(mbps) })
            .collect(),
    }
}

/// A whole number of an option.
fn within<T: TryFrom<i64>>(option: &str, value: i64, least: i64, most: i64) -> Result<T, String> {
    let fits =
        Some(value).filter(|value| (least..=most).contains(value)).and_then(|value| T::try_from(value).ok());
    fits.ok_or_else(|| format!("{option} {value}: needs a whole number from {least} to {most}"))
}

fn standard(text: &str) -> Result<Standard, String> {
    let named = Standard::ALL
        .into_iter()
        .find(|standard| [standard.name(), &standard.name()["802.11".len()..]].contains(&text));
    named.ok_or_else(|| {
        let names = Standard::ALL.map(Standard::name).join(", ");
        format!("--standard cannot be \"{text}\": write one of {names}")
    })
}

/// Timing and basic rates.
fn phy(ask: &Ask, standard: Standard) -> Result<Phy, String> {
    let usual = match standard {
        _ if ask.width == Some(Width::Mhz320.mhz().into()) => Band::Ghz6,
        _ if standard.is_in(Band::Ghz5) => Band::Ghz5,
        _ => Band::Ghz2,
    };
    let band = ask.band.as_deref().map_or(Ok(usual), |text| word("--band", Band::WORDS, text))?;
    if !standard.is_in(band) {
        return Err(format!("there is no {} at {}", standard.name(), band.name()));
    }
    if ask.width == Some(Width::Mhz320.mhz().into()) && band != Band::Ghz6 {
        return Err(format!(
            "there are no 320 MHz at {}: they are at 6 GHz (802.11be-2024 36.3.23)",
            band.name()
        ));
    }
    Ok(standard.timing(band))
}

/// The rate that is asked for.
fn rate(ask: &Ask, standard: Standard) -> Result<Rate, String> {
    let name = standard.name();
    let Some(format) = standard.format() else {
        let foreign = [
            ("--mcs", ask.mcs.is_some()),
            ("--streams", ask.streams.is_some()),
            ("--width", ask.width.is_some()),
        ];
        if let Some((option, _)) = foreign.into_iter().find(|(_, given)| *given) {
            return Err(format!("{option} is of 802.11n and later: {name} has --rate, in Mbit/s"));
        }
        return legacy(ask, standard);
    };
    if ask.rate.is_some() {
        return Err(format!("--rate is of 802.11a, b and g: {name} has --mcs and --streams"));
    }
    let Some(mcs) = ask.mcs else {
        return Err(format!("--mcs is missing: {name} has 0 to {}", format.highest_mcs(4)));
    };
    if let Some(what) = Eht::left_out(mcs).filter(|_| format == Format::Eht) {
        return Err(format!("--mcs {mcs}: it is {what}, which is not modelled: {name} has 0 to 13 here"));
    }
    let mcs = within("--mcs", mcs, 0, format.highest_mcs(Ht::MOST_STREAMS).into())?;
    let mhz = ask.width.unwrap_or(20);
    let width = Width::ALL.into_iter().find(|width| i64::from(width.mhz()) == mhz);
    let Some(width) = width.filter(|width| *width <= format.widest()) else {
        return Err(format!("--width {mhz}: {name} has channels of 20 to {} MHz", format.widest().mhz()));
    };
    let fast = AggregatingRates {
        format,
        streams: 1,
        width,
        guard: GuardInterval::Ns800,
        code: ask.code.as_deref().map_or(Ok(Code::LowDensity), |text| word("--code", Code::WORDS, text))?,
        padding: padding(ask, format)?,
    };
    let guard = guard(ask, format)?;
    let streams = ask.streams.or((format != Format::Ht).then_some(1));
    let streams = streams.map(|n| within("--streams", n, 1, Ht::MOST_STREAMS.into())).transpose()?;
    let rate = fast.rate(mcs, streams, Some(guard));
    let rate = rate.ok_or_else(|| {
        let streams = streams.unwrap_or(1);
        if format == Format::Ht {
            let own = mcs / Ht::first_mcs(2) + 1;
            return format!(
                "--mcs {mcs} of {name} has {}, not {streams}: leave --streams out",
                of_streams(own)
            );
        }
        format!("{name} has no MCS {mcs} with {} in {mhz} MHz", of_streams(streams))
    })?;
    if ask.punctured.is_some() && format != Format::Eht {
        return Err(format!("--punctured is of 802.11be, not of {name}"));
    }
    match rate {
        Rate::He(he) => {
            let he = He { training: training(ask)?.unwrap_or(he.training), ..he };
            he.exists().then_some(Rate::He(he)).ok_or_else(|| no_training(name, he.training, he.guard))
        }
        Rate::Eht(eht) => {
            let eht = Eht { training: training(ask)?.unwrap_or(eht.training), ..eht };
            if !eht.exists() {
                return Err(no_training(name, eht.training, eht.guard));
            }
            punctured(ask, eht).map(Rate::Eht)
        }
        _ if ask.ltf.is_some() || ask.packet_extension.is_some() || ask.padding.is_some() => Err(format!(
            "--ltf, --packet-extension and --padding are of 802.11ax and 802.11be, not of {name}"
        )),
        _ => Ok(rate),
    }
}

fn legacy(ask: &Ask, standard: Standard) -> Result<Rate, String> {
    let preamble = ask
        .preamble
        .as_deref()
        .map_or(Ok(Preamble::Long), |text| word("--preamble", Preamble::WORDS, text))?;
    let Some(mbps) = ask.rate else {
        return Err(format!("--rate is missing: a rate of {} in Mbit/s", standard.name()));
    };
    let rate = Rate::legacy(BitRate::from_bps((mbps * 1e6).round().max(0.0) as u64), preamble);
    let fits = |rate: &Rate| match rate {
        Rate::Dsss(_) => matches!(standard, Standard::B80211 | Standard::G80211),
        _ => standard != Standard::B80211,
    };
    rate.filter(fits).ok_or_else(|| format!("--rate {mbps}: {} has no such rate", standard.name()))
}

/// How many streams, in words.
fn of_streams(streams: u8) -> String {
    format!("{streams} stream{}", if streams == 1 { "" } else { "s" })
}

/// One of some words.
fn word<T: Copy>(option: &str, words: &[(&str, T)], text: &str) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let known: Vec<_> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        format!("{option} cannot be \"{text}\": write {}", known.join(", "))
    })
}

fn guard(ask: &Ask, format: Format) -> Result<GuardInterval, String> {
    let us = |guard: &GuardInterval| guard.duration().as_nanos() as f64 / 1000.0;
    let asked = ask.guard_interval.unwrap_or(0.8);
    let found = format.guards().iter().copied().find(|guard| (us(guard) - asked).abs() < 1e-9);
    found.ok_or_else(|| {
        let known: Vec<_> = format.guards().iter().map(|guard| us(guard).to_string()).collect();
        format!("--guard-interval {asked}us: {} has {} us", Standard::with(format).name(), known.join(", "))
    })
}

fn padding(ask: &Ask, format: Format) -> Result<Padding, String> {
    let Some(us) = ask.padding else { return Ok(Padding::Us16) };
    let all = Padding::WORDS;
    let words = if format == Format::Eht { all } else { &all[..all.len() - 1] };
    word("--padding", words, &format!("{us} us"))
}

/// The long training fields that are asked for.
fn training(ask: &Ask) -> Result<Option<Training>, String> {
    ask.ltf.map(|times| word("--ltf", Training::WORDS, &format!("{times}x"))).transpose()
}

fn no_training(name: &str, training: Training, guard: GuardInterval) -> String {
    let micros = guard.duration().as_nanos() as f64 / 1000.0;
    format!("no PPDU of {name} has {} long training fields and {micros} us", training.name())
}

/// An EHT rate with what is left out of its width.
fn punctured(ask: &Ask, eht: Eht) -> Result<Eht, String> {
    let Some(mhz) = ask.punctured else { return Ok(eht) };
    let with = |punctured: Punctured| Eht { punctured, ..eht };
    let known: Vec<_> = Punctured::WORDS.iter().filter(|&&(_, what)| with(what).exists()).collect();
    let found = known.iter().find(|(word, _)| *word == format!("{mhz} MHz"));
    found.map(|&&(_, what)| with(what)).ok_or_else(|| {
        let words: Vec<_> = known.iter().map(|(word, _)| *word).collect();
        format!(
            "--punctured {mhz}: of {} to one user {} may be left out (802.11be-2024 table 36-30)",
            eht.width.name(),
            words.join(", ")
        )
    })
}

/// A time that fits a packet extension.
fn extension(us: f64) -> Result<Duration, String> {
    match [0.0, 4.0, 8.0, 12.0, 16.0, 20.0].contains(&us) {
        true => Ok(Duration::from_micros(us as u64)),
        false => Err(format!("--packet-extension {us}us: it lasts 0, 4, 8, 12, 16 or, in 802.11be, 20 us")),
    }
}

/// Whether such a PPDU may be sent.
fn check(exchange: &Exchange, format: Option<Format>, overhead: u32) -> Result<(), String> {
    let Exchange { mpdu, count, .. } = *exchange;
    // Lengths of 12 bits in SIGNAL, PLCP header and delimiters of 802.11n, of 14 bits in those of VHT, HE and EHT (802.11-2020 17.3.4.3,
    // 16.2.3.5, 9.7.1; table 9-34 for the longest MPDU of VHT).
    let longest = if format.is_some_and(|format| format > Format::Ht) { 11_454 } else { 4095 };
    let (most, psdu) = format.map_or((1, longest), Format::largest_aggregate);
    let name = format.map_or_else(
        || "a frame below 802.11n".to_owned(),
        |format| format!("an A-MPDU of {}", Standard::with(format).name()),
    );
    if !(overhead + 1..=longest).contains(&mpdu) {
        return Err(format!(
            "--mpdu {mpdu}: MAC header, LLC and FCS take {overhead} bytes, and an MPDU has {longest} at most here"
        ));
    }
    if exchange.msdus > 1 && format.is_none() {
        return Err("--msdus-per-amsdu is of 802.11n and later".to_owned());
    }
    if exchange.amsdu() > longest {
        let fits =
            (1..exchange.msdus).rev().find(|&msdus| Exchange { msdus, ..*exchange }.amsdu() <= longest);
        return Err(format!(
            "--msdus-per-amsdu {}: the MPDU would have {} bytes, and {longest} at most are allowed here; {} fit",
            exchange.msdus,
            exchange.amsdu(),
            fits.unwrap_or(1)
        ));
    }
    if !(1..=most).contains(&count.into()) {
        return Err(format!("--count {count}: {name} has 1 to {most} MPDUs under one acknowledgment"));
    }
    if exchange.psdu() > psdu {
        return Err(format!("{count} MPDUs take {} bytes; {name} has {psdu} at most", exchange.psdu()));
    }
    match exchange.rate.longest() {
        Some(longest) if exchange.ppdu() > longest => {
            let fits = (1..count).rev().find(|&count| Exchange { count, ..*exchange }.ppdu() <= longest);
            let hint = fits.map_or_else(String::new, |count| format!("; --count {count} fits"));
            let micros = exchange.ppdu().as_micros();
            Err(format!(
                "the PPDU would last {micros} us, and {} at most is allowed{hint}",
                longest.as_micros()
            ))
        }
        _ => Ok(()),
    }
}
