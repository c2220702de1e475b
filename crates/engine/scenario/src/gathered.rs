//! The members of groups written as one station with a `count`, and their flows as one flow: what
//! [`expand`](crate::station_groups::expand) undoes.

use crate::flow::FlowText;
use crate::station::StationText;

/// Stations beside each other that differ in their number alone, as one.
pub(crate) fn stations(all: &[StationText]) -> Vec<StationText> {
    let mut written = Vec::new();
    let mut rest = all;
    while let Some(first) = rest.first() {
        let members = first.group.as_deref().map_or(0, |group| {
            let member = |number| StationText { name: format!("{group}{number}"), ..first.clone() };
            (1_u64..).zip(rest).take_while(|&(number, station)| *station == member(number)).count()
        });
        written.push(match &first.group {
            Some(group) if members > 0 => {
                StationText { name: group.clone(), count: Some(members as u64), group: None, ..first.clone() }
            }
            _ => first.clone(),
        });
        rest = rest.get(members.max(1)..).unwrap_or_default();
    }
    written
}

/// Flows beside each other that differ in the numbers of their station and of their name alone, as one from or to all
/// stations of a group among these.
pub(crate) fn flows(all: &[FlowText], stations: &[StationText]) -> Vec<FlowText> {
    let mut written = Vec::new();
    let mut rest = all;
    while let Some(first) = rest.first() {
        let (flow, members) = gathered(rest, stations).unwrap_or((first.clone(), 1));
        written.push(flow);
        rest = rest.get(members..).unwrap_or_default();
    }
    written
}

/// The first flows of these as one, and how many they are; none if they are not those of a whole group.
fn gathered(flows: &[FlowText], stations: &[StationText]) -> Option<(FlowText, usize)> {
    let first = flows.first()?;
    let of = |end: &str| stations.iter().find(|one| one.count.is_some() && format!("{}1", one.name) == end);
    let (from, to) = match (of(&first.from), of(&first.to)) {
        (Some(group), _) => (Some(group), None),
        (None, to) => (None, to),
    };
    let group = from.or(to)?;
    let members = flows.get(..usize::try_from(group.count?).ok()?)?;
    let own_name = first.name.strip_suffix('1').filter(|name| {
        let mut numbered = (1_u64..).zip(members);
        !name.is_empty() && numbered.all(|(number, flow)| flow.name == format!("{name}{number}"))
    });
    let end = |own: &String, is_group: bool, text: String| if is_group { text } else { own.clone() };
    let with = |name: &str, text: &str| FlowText {
        name: name.to_owned(),
        from: end(&first.from, from.is_some(), text.to_owned()),
        to: end(&first.to, to.is_some(), text.to_owned()),
        ..first.clone()
    };
    let mut numbered = (1_u64..).zip(members);
    let alike = numbered.all(|(number, flow)| *flow == with(&flow.name, &format!("{}{number}", group.name)));
    let one = FlowText { group: None, ..with(own_name.unwrap_or_default(), &group.name) };
    alike.then_some((one, members.len()))
}
