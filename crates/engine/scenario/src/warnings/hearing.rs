//! Stations of one network that do not hear each other where they stand, though no `hidden_from` says so.

use super::{Place, Warning};
use crate::model::Scenario;
use crate::station::Station;
use airloom_observe::NodeId;

const HINT: &str = "if that is meant, `hidden_from` says so; else place them nearer to each other";

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let Some(place) = scenario.place() else { return Vec::new() };
    let (said, found) = (scenario.hidden(), place.hidden());
    let named = |name: &String| scenario.flow.iter().any(|flow| [&flow.from, &flow.to].contains(&name));
    let busy: Vec<(usize, NodeId, &Station)> = scenario
        .stations()
        .enumerate()
        .map(|(number, (id, station))| (number, id, station))
        .filter(|(_, _, station)| named(&station.name))
        .collect();
    let mut pairs = busy.iter().flat_map(|one| busy.iter().map(move |other| (one, other))).filter(
        |((_, one, here), (_, other, there))| {
            one < other
                && here.ap == there.ap
                && found[*one].contains(other)
                && found[*other].contains(one)
                && !said[*one].contains(other)
        },
    );
    let Some(((number, _, one), (_, _, other))) = pairs.next() else { return Vec::new() };
    let more = match pairs.count() {
        0 => String::new(),
        1 => ", nor does one other pair".to_owned(),
        more => format!(", nor do {more} other pairs"),
    };
    vec![Warning {
        message: format!(
            "`{}` and `{}` do not hear each other where they stand{more}: what they send at the same time collides at their access point",
            one.name, other.name
        ),
        hint: Some(HINT.to_owned()),
        concerns: vec![one.name.clone(), other.name.clone()],
        place: Place::new("station", *number, &["position"]),
    }]
}

#[cfg(test)]
mod tests {
    use crate::load;

    fn told(second: &str, more: &str) -> Vec<String> {
        let text = format!(
            r#"
            title = "a hall"
            air = {{ standard = "802.11a", band = "5 GHz", width = "20 MHz" }}
            ap = [{{ name = "ap", adapter = "dcf", position = ["0 m", "0 m"] }}]
            [[station]]
            name = "left"
            host = "linux-6.18"
            adapter = "dcf"
            position = ["-30 m", "0 m"]
            [[station]]
            name = "right"
            host = "linux-6.18"
            adapter = "dcf"
            position = ["{second}", "0 m"]
            {more}
            [[server]]
            name = "server"
            host = "linux-6.18"
            link = {{ rate = "1 Gbit/s", delay = "1 ms" }}
            [[flow]]
            from = "left"
            to = "server"
            [[flow]]
            from = "right"
            to = "server"
        "#
        );
        let scenario = load(&text, "hall.toml", &[], None).unwrap();
        scenario.warnings().into_iter().map(|warning| warning.message).collect()
    }

    #[test]
    fn stations_at_both_ends_of_a_hall_are_named() {
        let [told] = &told("30 m", "")[..] else { panic!() };
        assert!(told.starts_with("`left` and `right` do not hear each other where they stand: "), "{told}");
        let third = r#"
            [[station]]
            name = "right2"
            host = "linux-6.18"
            adapter = "dcf"
            position = ["31 m", "0 m"]"#;
        let beside = third.to_owned() + "\n[[flow]]\nfrom = \"right2\"\nto = \"server\"";
        assert!(
            self::told("30 m", &beside)[0].contains("stand, nor does one other pair: "),
            "left and right2"
        );
        assert!(self::told("-20 m", "").is_empty(), "they are near");
        assert!(self::told("30 m", r#"hidden_from = ["left"]"#).is_empty(), "that is meant");
    }
}
