//! The list of all adaptive rate controls. Each is declared here once, and explained in its own file.

use super::{RateControl, Setup};
use airloom_rate::Rate;
use airloom_sim::{Defaults, Walk};

/// Declares rate controls: each with its word in a scenario, its file and its parameters.
macro_rules! rate_controls {
    ( $( $(#[doc = $doc:literal])* $word:literal: $file:ident::$name:ident; )* ) => {
        $( pub use super::$file::$name; )*

        airloom_sim::algorithms! {
            /// An adaptive rate control, and its parameters.
            pub enum Adaptive {
                $( $(#[doc = $doc])* $word: $name; )*
            }
            visited by Walk;
        }

        impl Adaptive {
            /// The rates that it chooses from, and the control that chooses.
            pub(super) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
                match self {
                    $( Self::$name(of) => of.control(setup), )*
                }
            }
        }
    };
}

rate_controls! {
    /// Linux's Minstrel-HT.
    "minstrel": minstrel::Minstrel;
    /// Up after successes in a row, down after failures in a row.
    "arf": arf::Arf;
    /// ARF that requires more successes each time going up fails.
    "aarf": aarf::Aarf;
    /// As the firmware of an early adapter does.
    "firmware": firmware::Firmware;
    /// A decision once in a period, by credits.
    "onoe": onoe::Onoe;
}

impl Adaptive {
    /// The rate control called `word` with its defaults, if there is one.
    pub fn plain(word: &str) -> Option<Self> {
        Self::walk(word, None, &mut Defaults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate_control::{Ladder, MinstrelHt};
    use airloom_rate::{Dsss, Preamble, Speed};
    use airloom_sim::{Index, Stream};

    #[test]
    fn every_control_has_its_word_and_its_defaults_and_chooses_from_the_rates() {
        let rates = Speed::ALL.map(|speed| Rate::Dsss(Dsss::new(speed, Preamble::Long)));
        for word in Adaptive::WORDS {
            let adaptive = Adaptive::plain(word).expect("each parameter has a default");
            assert_eq!(adaptive.word(), *word);
            for minstrel in MinstrelHt::ALL {
                let (firmware, chance) = (Ladder::PLAIN, Stream::new(1, "sta", "rate"));
                let (found, control) =
                    adaptive.control(Setup { rates: &rates, firmware, minstrel, chance, seed: 1 });
                assert_eq!(found, rates, "{word}");
                assert!(control.choose(None).rates().all(|rate| rate.place() < rates.len()), "{word}");
                assert_eq!(control.choose(None).rate(0), control.preferred(), "{word}");
            }
        }
        assert_eq!(Adaptive::plain("none such"), None);
    }
}
