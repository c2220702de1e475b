//! Rules that had too little to look at do not count as rules that looked.

use crate::host::Host;
use airloom_diagnose::RULES;

/// Questions of 100 octets and their answers, 30 ms later, in one connection.
fn asked(times: u32) -> Host {
    let mut host = Host::default();
    host.sends(0, 0, 2, 0);
    host.sends(20, 1, 0x12, 0);
    host.sends(20, 0, 0x10, 0);
    for turn in 1..=times {
        host.sends(200 * turn, 0, 0x18, 100);
        host.sends(200 * turn + 30, 1, 0x18, 100);
        host.sends(200 * turn + 31, 0, 0x10, 0);
    }
    host
}

/// The rules that cannot tell, and why.
fn cannot_tell(host: Host) -> Vec<(&'static str, String)> {
    host.diagnosis().abstained.into_iter().map(|one| (one.code, one.because)).collect()
}

#[test]
fn a_rule_with_less_than_it_takes_to_find_something_has_not_looked() {
    let silent = cannot_tell(asked(11));
    let looked: Vec<_> =
        RULES.iter().map(|rule| rule.code).filter(|code| silent.iter().all(|(one, _)| one != code)).collect();
    assert_eq!(looked, ["W303", "W306", "W404", "W406", "W407", "W408"], "{silent:#?}");
    // That of the handshake is one more.
    let because = |code| &silent.iter().find(|(one, _)| *one == code).unwrap().1;
    assert_eq!(
        because("W109"),
        "too little data: of single packets between two hosts 12 round trips at most, of 20 that it takes"
    );
    assert_eq!(because("W301"), "too little data: no flow of 100 kB or more");
    assert_eq!(because("W307"), "too little data: no packet with more than 1160 octets of payload");
    // With more of them it has.
    assert!(cannot_tell(asked(40)).iter().all(|(code, _)| *code != "W109"));
}
