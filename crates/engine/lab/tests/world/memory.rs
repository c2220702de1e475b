//! The memory of a run is estimated before it starts.

use crate::scenarios::{around, good};
use airloom_lab::memory::{check, needed};
use airloom_lab::run::{Error, run, summarize};

const PINGS: &str = "[[station]]\nname = \"s\"\nhost = \"linux-3.13\"\nadapter = \"ath9k\"\nsnr = \"40 dB\"\ncount = 1000\n\
                     [[server]]\nname = \"server\"\nhost = \"linux-3.13\"\nlink = { rate = \"1 Gbit/s\", delay = \"1 ms\" }\n\
                     [[flow]]\nkind = \"ping\"\nfrom = \"s\"\nto = \"server\"\n";

#[test]
fn a_run_that_cannot_fit_says_so_before_it_starts() {
    let rare = good(&around(86_400, 100, &format!("{PINGS}interval = \"1 s\"\n")));
    let often = good(&around(86_400, 100, &format!("{PINGS}interval = \"1 ms\"\n")));
    assert!(
        (1.3e9..1.6e9).contains(&(needed(&rare).0 as f64)),
        "86.4 million round trips, {:?}",
        needed(&rare)
    );
    let message = check(&often).expect_err("no machine has 1.4 TB for this");
    assert!(message.starts_with("this run needs about 1382.4 GB of memory, and "), "{message}");
    for refused in [run(&often, &mut |_| true).err(), summarize(&often, &mut |_| true).err()] {
        assert!(matches!(refused, Some(Error::TooLarge(_))), "{refused:?}");
    }
}
