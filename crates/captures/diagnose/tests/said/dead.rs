//! A connection that is dead beside others of the same two hosts.

use crate::host::Host;

const CLIENT: usize = 0;
const SERVER: usize = 1;

/// A connection whose data the server never acknowledges, sent again at 200, 600, 1400, 3000 and 6200 ms; beside it another one of the two that the client opened before.
/// On that the client sends something at 230 ms, which the server acknowledges 20 ms later, if it does.
fn silent_port(acknowledges: bool) -> Host {
    let mut host = Host::default();
    let opened = |host: &mut Host, at_ms| {
        host.sends(at_ms, CLIENT, 2, 0);
        host.sends(at_ms + 20, SERVER, 0x12, 0);
        host.sends(at_ms + 20, CLIENT, 0x10, 0);
    };
    opened(&mut host, 0);
    let other = host.next;
    (host.connection, host.next) = (1, [0, 0]);
    opened(&mut host, 50);
    let stuck = host.next;
    host.sends(200, CLIENT, 0x18, 100);
    (host.connection, host.next) = (0, other);
    host.sends(230, CLIENT, 0x18, 100);
    if acknowledges {
        host.sends(250, SERVER, 0x10, 0);
    }
    host.connection = 1;
    for at_ms in [600, 1400, 3000, 6200] {
        host.next = stuck;
        host.sends(at_ms, CLIENT, 0x18, 100);
    }
    host
}

#[test]
fn a_host_that_answers_on_another_connection_is_not_gone() {
    let dead = |acknowledges| {
        let found = silent_port(acknowledges).diagnosis().findings;
        let one = found.into_iter().find(|one| one.code == "W406" && one.finding.subject.contains(":40001"));
        let finding = one.unwrap().finding;
        (finding.says.contains("only this port is silent"), finding.remedy.contains("a host that is gone"))
    };
    assert_eq!(dead(true), (true, false));
    assert_eq!(dead(false), (false, true));
}
