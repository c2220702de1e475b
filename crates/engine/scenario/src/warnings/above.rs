//! Queues that no Linux has there: above drivers that take their packets from mac80211's own, and mac80211's above older ones.

use super::{Place, Warning};
use crate::adapter::Adapter;
use crate::kernel::Kernel;
use crate::model::Scenario;
use airloom_queue::Discipline;

/// A device, and what is above its driver.
struct Above<'a> {
    name: &'a str,
    adapter: &'a Adapter,
    kernel: Option<Kernel>,
    queue: &'a Discipline,
    /// What says which Linux it is.
    said_by: &'static str,
    list: &'static str,
    number: usize,
    keys: &'static [&'static str],
}

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let aps = scenario.ap.iter().enumerate().map(|(number, ap)| Above {
        name: &ap.name,
        adapter: &ap.adapter,
        kernel: ap.adapter.driver.kernel,
        queue: &ap.queue,
        said_by: "its adapter's `kernel`",
        list: "ap",
        number,
        keys: &["queue"],
    });
    let stations = scenario.station.iter().enumerate().map(|(number, station)| Above {
        name: &station.name,
        adapter: &station.adapter,
        kernel: station.host.kernel,
        queue: &station.host.queue,
        said_by: "its `host`",
        list: "station",
        number,
        keys: &["host", "queue"],
    });
    aps.chain(stations).filter_map(Above::warning).collect()
}

impl Above<'_> {
    fn warning(self) -> Option<Warning> {
        let (kernel, since) = (self.kernel?, self.adapter.driver.pulls_since?);
        let pulls = kernel >= since;
        let is_mac80211 = matches!(self.queue, Discipline::Mac80211(_));
        // A discipline that somebody brings is no Linux's anyway.
        if matches!(self.queue, Discipline::Own(_)) || is_mac80211 == pulls || self.adapter.usb.is_some() {
            return None;
        }
        let (linux, name, said_by) = (format!("{}.{}", since.major, since.minor), self.name, self.said_by);
        let (message, other) = if pulls {
            let what = "which takes its packets from mac80211's queues";
            let said = format!(
                "no Linux since {linux} has a `{}` above the driver of `{name}`, {what}: it has {kernel}",
                self.queue.word()
            );
            (said, "an older Linux".to_owned())
        } else {
            let said = format!(
                "no Linux before {linux} has mac80211's queues above the driver of `{name}`: it has {kernel}"
            );
            (said, format!("\"{since}\""))
        };
        let hint = format!("leave `queue` out for what {kernel} does; {other} is said by {said_by}");
        Some(Warning {
            message,
            hint: Some(hint),
            concerns: Vec::new(),
            place: Place::new(self.list, self.number, self.keys),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::load;

    fn told(ap: &str, station: &str) -> Vec<String> {
        let text = format!(
            r#"
            title = "a home"
            air = {{ standard = "802.11n", band = "5 GHz", width = "40 MHz" }}
            [[ap]]
            name = "ap"
            {ap}
            [[station]]
            name = "sta"
            distance = "5 m"
            {station}
            [[server]]
            name = "server"
            host = "linux-6.18"
            link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
            [[flow]]
            from = "sta"
            to = "server"
        "#
        );
        let scenario = load(&text, "home.toml", &[], None).unwrap();
        scenario.warnings().into_iter().map(|warning| warning.message).collect()
    }

    #[test]
    fn a_queue_that_no_linux_has_there_is_named() {
        let sound = r#"host = "linux-6.18"
            adapter = "ath9k""#;
        let old = r#"adapter = "ath9k"
            queue = { discipline = "fifo" }"#;
        assert!(told(old, sound).is_empty(), "Linux 3.2 had one");
        let new = r#"adapter = { profile = "ath9k", kernel = "Linux 4.10" }
            queue = { discipline = "codel" }"#;
        let [said] = &told(new, sound)[..] else { panic!() };
        assert!(said.starts_with("no Linux since 4.10 has a `codel` above the driver of `ap`"), "{said}");
        let station = |host: &str| {
            format!(
                r#"adapter = "ath9k"
            host = {{ profile = "{host}", queue = {{ discipline = "fifo" }} }}"#
            )
        };
        assert_eq!(told(old, &station("linux-6.18")).len(), 1);
        assert!(told(old, &station("linux-3.13")).is_empty());
        let early = r#"adapter = "ath9k"
            queue = { discipline = "mac80211" }"#;
        let [said] = &told(early, sound)[..] else { panic!() };
        assert!(
            said.starts_with("no Linux before 4.10 has mac80211's queues above the driver of `ap`"),
            "{said}"
        );
    }
}
