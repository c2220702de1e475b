//! Frequency bands.

airloom_sim::kinds! {
    /// The band.
    pub enum Band {
        /// 2.4 GHz.
        Ghz2 = "2.4 GHz",
        /// 5 GHz.
        Ghz5 = "5 GHz",
        /// 6 GHz.
        Ghz6 = "6 GHz",
    }
}

impl Band {
    /// Its names elsewhere: a frequency of it, or a name without its space.
    pub(crate) const OTHER_NAMES: &[(&str, &str)] = &[
        ("2.4", GHZ2),
        ("2.4GHz", GHZ2),
        ("2.45 GHz", GHZ2),
        ("5", GHZ5),
        ("5GHz", GHZ5),
        ("5.0 GHz", GHZ5),
        ("5.2 GHz", GHZ5),
        ("5.5 GHz", GHZ5),
        ("5.8 GHz", GHZ5),
        ("6", GHZ6),
        ("6E", GHZ6),
        ("6GHz", GHZ6),
        ("6.0 GHz", GHZ6),
    ];
}

const GHZ2: &str = "did you mean `2.4 GHz`?";
const GHZ5: &str = "did you mean `5 GHz`?";
const GHZ6: &str = "did you mean `6 GHz`?";
