//! Random streams belong to entities: an idle station does not change the results of other stations.

use crate::scenarios::{good, upload};
use airloom_lab::metrics::{Series, SeriesRow};
use airloom_lab::run;
use airloom_lab::scenario::Scenario;

fn series(scenario: &Scenario) -> Series {
    run::run(scenario, &mut |_| true).expect("not interrupted").series
}

/// The rows of one entity, without its number.
fn of(series: &Series, name: &str) -> Vec<SeriesRow> {
    let entity = series.entities.iter().position(|e| e == name).expect("an entity");
    let rows = series.rows.iter().filter(|r| usize::from(r.entity) == entity);
    rows.map(|r| SeriesRow { entity: 0, ..*r }).collect()
}

#[test]
fn an_idle_station_changes_nothing_for_the_others() {
    let alone = upload(1);
    let mut text = alone.to_toml();
    text += r#"
[[station]]
name = "idle"
host = "linux-3.13"
adapter = "ath9k"
distance = "5 m"
"#;
    let (alone, accompanied) = (series(&alone), series(&good(&text)));
    for name in &alone.entities {
        assert!(!of(&alone, name).is_empty());
        assert!(of(&alone, name) == of(&accompanied, name), "the series of {name} changed");
    }
}
