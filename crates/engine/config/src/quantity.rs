//! Numbers with units: `"120 s"`, `"300 Mbit/s"`, `"128 KiB"`, read and written without rounding.

/// A dimension and its units, each with its size in units of the smallest.
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    /// The dimension, as said in messages.
    pub what: &'static str,
    /// A good value, for hints.
    pub example: &'static str,
    /// Unit and size in base units, smallest first.
    pub units: &'static [(&'static str, u64)],
    /// The unit suggested for a bare number.
    pub usual: &'static str,
}

/// Time, in nanoseconds.
pub const TIME: Dimension = Dimension {
    what: "a time",
    example: "120 s",
    units: &[
        ("us", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("min", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ],
    usual: "s",
};

/// Data rate, in bits per second.
pub const RATE: Dimension = Dimension {
    what: "a data rate",
    example: "300 Mbit/s",
    units: &[("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)],
    usual: "Mbit/s",
};

/// Amount of data, in bytes.
pub const SIZE: Dimension = Dimension {
    what: "an amount of data",
    example: "128 KiB",
    units: &[
        ("B", 1),
        ("kB", 1_000),
        ("KiB", 1 << 10),
        ("MB", 1_000_000),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
    ],
    usual: "B",
};

/// A number of packets.
pub const PACKETS: Dimension = Dimension {
    what: "a number of packets",
    example: "1000 packets",
    units: &[("packets", 1)],
    usual: "packets",
};

/// Decibels.
pub const LEVEL: Dimension =
    Dimension { what: "a ratio in dB", example: "35 dB", units: &[("dB", 1)], usual: "dB" };

/// Decibels over a milliwatt.
pub const POWER: Dimension =
    Dimension { what: "a power in dBm", example: "-60 dBm", units: &[("dBm", 1)], usual: "dBm" };

/// Metres.
pub const LENGTH: Dimension =
    Dimension { what: "a distance", example: "3 m", units: &[("m", 1)], usual: "m" };

/// Metres per second.
pub const SPEED: Dimension =
    Dimension { what: "a speed", example: "1.4 m/s", units: &[("m/s", 1)], usual: "m/s" };

/// All units, to distinguish a wrong unit from a misspelt one.
const ALL: &[&Dimension] = &[&TIME, &RATE, &SIZE, &PACKETS, &LEVEL, &POWER, &LENGTH, &SPEED, &FREQUENCY];

/// Frequencies are read as words (`"5 GHz"`); the units are known here for messages.
const FREQUENCY: Dimension =
    Dimension { what: "a frequency", example: "40 MHz", units: &[("MHz", 1), ("GHz", 1_000)], usual: "MHz" };

/// A number as written: sign, digits without the point, digits after the point.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    /// Whether a minus stands before it.
    pub negative: bool,
    /// The digits and the point.
    pub digits: &'a str,
}

/// Why a text is not a quantity of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// There is no number at the beginning.
    NoNumber,
    /// The number has a comma, which may stand for a point or part thousands.
    Comma,
    /// A number without a unit.
    NoUnit,
    /// A unit of another dimension.
    OtherDimension(&'static str),
    /// An unknown unit; perhaps a known one was meant.
    UnknownUnit(Option<&'static str>),
    /// Below zero.
    Negative,
    /// Not a whole number of the smallest unit.
    TooFine,
    /// Too large to be represented.
    TooLarge,
}

/// Units that others have, each as so many of one that there is.
const CONVERTED: &[(&str, f64, &str)] = &[
    ("km", 1_000.0, "m"),
    ("cm", 0.01, "m"),
    ("mm", 0.001, "m"),
    ("ft", 0.3048, "m"),
    ("feet", 0.3048, "m"),
    ("km/h", 1.0 / 3.6, "m/s"),
    ("mph", 0.44704, "m/s"),
    ("kB/s", 8.0, "kbit/s"),
    ("MB/s", 8.0, "Mbit/s"),
    ("GB/s", 8.0, "Gbit/s"),
    ("ns", 0.001, "us"),
    ("d", 24.0, "h"),
    ("day", 24.0, "h"),
    ("days", 24.0, "h"),
    ("TB", 1_000_000.0, "MB"),
    ("TiB", 1_024.0, "GiB"),
    ("GB", 1_000.0, "MB"),
];

/// The same quantity in a unit of this dimension, if it is in one that others have.
pub fn converted(dimension: &Dimension, text: &str) -> Option<String> {
    let (number, unit) = split(text)?;
    let &(_, factor, ours) = CONVERTED
        .iter()
        .find(|(theirs, _, ours)| *theirs == unit && dimension.units.iter().any(|(name, _)| name == ours))?;
    let size = number.digits.parse::<f64>().ok()? * factor;
    let written = format!("{size:.4}");
    let digits = written.trim_end_matches('0').trim_end_matches('.');
    Some(format!("{}{digits} {ours}", if number.negative { "-" } else { "" }))
}

/// A number with one comma in it, with a point there and without it, each with its unit; none if there is no such number.
pub fn with_comma(text: &str) -> Option<(String, String)> {
    let (before, after) = text.trim().split_once(',')?;
    let digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count();
    let whole = !before.is_empty() && digits(before) == before.len() && digits(after) > 0;
    let several = after.contains(',');
    (whole && !several).then(|| (format!("{before}.{after}"), format!("{before}{after}")))
}

/// Splits `"0.25 ms"` into number and unit.
pub fn split(text: &str) -> Option<(Number<'_>, &str)> {
    let text = text.trim();
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (digits, unit) = rest.split_at(end);
    let points = digits.matches('.').count();
    let sound = points <= 1 && digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.ends_with('.');
    sound.then_some((Number { negative, digits }, unit.trim_start()))
}

/// The same, or what is wrong with the number.
fn parted(text: &str) -> Result<(Number<'_>, &str), Flaw> {
    match with_comma(text) {
        Some(_) => Err(Flaw::Comma),
        None => split(text).ok_or(Flaw::NoNumber),
    }
}

/// How many base units of `dimension` the unit holds.
fn factor(dimension: &Dimension, unit: &str) -> Result<u64, Flaw> {
    if unit.is_empty() {
        return Err(Flaw::NoUnit);
    }
    let unit = if unit == "packet" { "packets" } else { unit };
    if let Some((_, factor)) = dimension.units.iter().find(|(name, _)| *name == unit) {
        return Ok(*factor);
    }
    if unit == "m" && dimension.what == TIME.what {
        return Err(Flaw::UnknownUnit(long_name(unit)));
    }
    if let Some(other) = ALL.iter().find(|d| d.units.iter().any(|(name, _)| *name == unit)) {
        return Err(Flaw::OtherDimension(other.what));
    }
    if CONVERTED.iter().any(|(name, ..)| *name == unit) {
        return Err(Flaw::UnknownUnit(None));
    }
    let names = || dimension.units.iter().map(|(name, _)| *name);
    let alike = names().find(|n| n.eq_ignore_ascii_case(unit));
    Err(Flaw::UnknownUnit(alike.or_else(|| long_name(unit).filter(|u| names().any(|n| n == *u)))))
}

/// Units as people also write them.
fn long_name(unit: &str) -> Option<&'static str> {
    Some(match unit.to_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" => "s",
        "msec" | "millisecond" | "milliseconds" => "ms",
        "usec" | "µs" | "μs" | "microsecond" | "microseconds" => "us",
        "m" | "mins" | "minute" | "minutes" => "min",
        "hour" | "hours" | "hr" => "h",
        "bps" | "b/s" => "bit/s",
        "kbps" | "kb/s" => "kbit/s",
        "mbps" | "mb/s" => "Mbit/s",
        "gbps" | "gb/s" => "Gbit/s",
        "byte" | "bytes" => "B",
        "k" | "kib" => "KiB",
        "mib" => "MiB",
        "g" | "gb" => "GiB",
        "packet" | "pkt" | "pkts" | "p" => "packets",
        "meter" | "meters" | "metre" | "metres" => "m",
        "decibel" | "db" => "dB",
        "dbm" => "dBm",
        _ => return None,
    })
}

/// Reads a quantity as a whole number of base units.
pub fn whole(dimension: &Dimension, text: &str) -> Result<u64, Flaw> {
    let (number, unit) = parted(text)?;
    let factor = factor(dimension, unit)?;
    let (integral, fraction) = number.digits.split_once('.').unwrap_or((number.digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let integral = integral.trim_start_matches('0');
    if integral.len() > 20 {
        return Err(Flaw::TooLarge);
    }
    if fraction.len() > 15 {
        return Err(Flaw::TooFine);
    }
    let digits = |d: &str| d.bytes().fold(0u128, |n, b| n * 10 + u128::from(b - b'0'));
    // At most 10^20 * 2^42 and 10^15 * 2^42: far below 2^128.
    let high = digits(integral) * u128::from(factor);
    let low = digits(fraction) * u128::from(factor);
    let scale = 10u128.pow(fraction.len() as u32);
    if !low.is_multiple_of(scale) {
        return Err(Flaw::TooFine);
    }
    let total = high + low / scale;
    if number.negative && total > 0 {
        return Err(Flaw::Negative);
    }
    u64::try_from(total).map_err(|_| Flaw::TooLarge)
}

/// Reads a quantity of a dimension with one unit as a real number, negative ones too.
pub fn real(dimension: &Dimension, text: &str) -> Result<f64, Flaw> {
    let (number, unit) = parted(text)?;
    factor(dimension, unit)?;
    let size: f64 = number.digits.parse().map_err(|_| Flaw::NoNumber)?;
    if !size.is_finite() {
        return Err(Flaw::TooLarge);
    }
    Ok(if number.negative { -size } else { size })
}

/// Writes base units in the largest of `units` that needs at most three decimals, exactly.
pub fn written(units: &[(&str, u64)], amount: u64) -> String {
    let fits =
        |factor: u64| amount >= factor && (u128::from(amount) * 1000).is_multiple_of(u128::from(factor));
    let (name, factor) = units.iter().rev().find(|(_, f)| fits(*f)).unwrap_or(&units[0]);
    let thousandths = u128::from(amount) * 1000 / u128::from(*factor);
    let (integral, fraction) = (thousandths / 1000, thousandths % 1000);
    let mut number = integral.to_string();
    if fraction > 0 {
        number += format!(".{fraction:03}").trim_end_matches('0');
    }
    format!("{number} {name}")
}

/// The units in which times are written: no minutes or hours, which would not show thousandths well.
pub const TIMES_WRITTEN: &[(&str, u64)] = &[("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];

/// The units in which sizes are written: binary only, and whole ones.
pub fn size_written(bytes: u64) -> String {
    match bytes {
        n if n > 0 && n.is_multiple_of(1 << 30) => format!("{} GiB", n >> 30),
        n if n > 0 && n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n > 0 && n.is_multiple_of(1 << 10) => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    }
}
