//! How the access categories contend, where a scenario changes it.

use airloom_config::error::Faults;
use airloom_config::form::{Optional, count, time};
use airloom_config::record;
use airloom_config::record::{Layers, nested};
use airloom_sim::Duration;
use airloom_wifi::{Access, Category, Edca};

/// The longest TXOP limit that the QoS Control field tells: 255 times 32 us (802.11-2020 9.2.4.5.5).
const LONGEST: Duration = Duration::from_micros(8160);

record! {
    /// How one category contends.
    pub struct Contention {
        /// The arbitration interframe space, in slots after SIFS (`aifs` of hostapd).
        aifsn: Option<u32> = Optional(count(1, 15)), default None;
        /// The least contention window, in slots.
        cw_min: Option<u32> = Optional(count(0, 32_767)), default None;
        /// The greatest contention window, in slots.
        cw_max: Option<u32> = Optional(count(0, 32_767)), default None;
        /// How long it may keep the medium for several PPDUs; one PPDU with its response at "0 s" (`burst` and `txop_limit` of
        /// hostapd).
        txop_limit: Option<Duration> = Optional(time(Duration::ZERO, LONGEST)), default None;
    }
    check windows;
}

record! {
    /// How the categories contend, each as by default where it is left out.
    pub struct Categories {
        /// Voice, AC_VO.
        vo: Option<Contention> = Optional(nested::<Contention>()), default None;
        /// Video, AC_VI.
        vi: Option<Contention> = Optional(nested::<Contention>()), default None;
        /// Best effort, AC_BE, instead of what the adapters say.
        be: Option<Contention> = Optional(nested::<Contention>()), default None;
        /// Background, AC_BK.
        bk: Option<Contention> = Optional(nested::<Contention>()), default None;
    }
}

fn windows(of: &Contention, faults: &Faults, layers: &Layers<'_>) {
    for (key, window) in [("cw_min", of.cw_min), ("cw_max", of.cw_max)] {
        if let Some(window) = window.filter(|window| !(window + 1).is_power_of_two()) {
            let hint = "a contention window is 2^n - 1, such as 15 or 1023".to_owned();
            faults.fail(layers.place(key), format!("`{key}` cannot be {window}"), Some(hint));
        }
    }
}

impl Categories {
    /// What changes of `edca`.
    pub(crate) fn over(&self, mut edca: Edca) -> Edca {
        let changes = [&self.vo, &self.vi, &self.be, &self.bk];
        for (category, change) in Category::ALL.into_iter().zip(changes) {
            let Some(Contention { aifsn, cw_min, cw_max, txop_limit }) = *change else { continue };
            let Access { aifsn: n, cw_min: least, cw_max: most, txop } = edca[category];
            edca[category] = Access {
                aifsn: aifsn.unwrap_or(n),
                cw_min: cw_min.unwrap_or(least),
                cw_max: cw_max.unwrap_or(most),
                txop: txop_limit.unwrap_or(txop),
            };
        }
        edca
    }
}
