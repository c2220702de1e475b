//! What is to be said of several members of a group, said once.

use super::Warning;
use crate::model::Scenario;

/// Members that are named one by one, beside the first.
const NAMED: usize = 3;

/// These warnings with one in place of those that say the same of members of a group: it is that of the first member, and says of
/// which others it holds.
pub(super) fn once(scenario: &Scenario, warnings: Vec<Warning>) -> Vec<Warning> {
    let mut found: Vec<(Warning, Vec<&str>)> = Vec::new();
    for warning in warnings {
        let Some((member, _)) = member(scenario, &warning) else {
            found.push((warning, Vec::new()));
            continue;
        };
        match found.iter_mut().find(|(first, _)| are_alike(scenario, first, &warning)) {
            Some((first, members)) => {
                members.push(member);
                first.concerns.extend(warning.concerns);
            }
            None => found.push((warning, vec![member])),
        }
    }
    let said = |(mut warning, members): (Warning, Vec<&str>)| {
        if let Some((_, group)) = member(scenario, &warning) {
            warning.message.push_str(&also(scenario, group, &members[1..]));
        }
        warning
    };
    found.into_iter().map(said).collect()
}

/// The end of a sentence about a member of a group: of which others it holds too; nothing of one alone.
pub(super) fn also(scenario: &Scenario, group: &str, others: &[&str]) -> String {
    let stations = scenario.station.iter().filter(|one| one.group.as_deref() == Some(group)).count();
    let flows = scenario.flow.iter().filter(|one| one.group.as_deref() == Some(group)).count();
    match others.len() {
        0 => String::new(),
        more if more + 1 == stations.max(flows) => format!("; so it is with all {} of `{group}`", more + 1),
        more if more <= NAMED => format!("; so it is with `{}`", others.join("`, `")),
        more => {
            format!(
                "; so it is with `{}` and {} more of `{group}`",
                others[..NAMED].join("`, `"),
                more - NAMED
            )
        }
    }
}

/// The member of a group that a warning is about, and the group.
fn member<'a>(scenario: &'a Scenario, warning: &Warning) -> Option<(&'a str, &'a str)> {
    let (name, group) = match warning.place.item? {
        ("station", number) => scenario.station.get(number).map(|one| (&one.name, &one.group))?,
        ("flow", number) => scenario.flow.get(number).map(|one| (&one.name, &one.group))?,
        _ => return None,
    };
    Some((name, group.as_deref()?))
}

/// Whether two warnings say the same of members of one group, but for their names.
fn are_alike(scenario: &Scenario, one: &Warning, other: &Warning) -> bool {
    let (Some((name, group)), Some((other_name, other_group))) =
        (member(scenario, one), member(scenario, other))
    else {
        return false;
    };
    let nameless = |text: &str, name: &str| text.replace(&format!("`{name}`"), "``");
    let hint = |warning: &Warning, name: &str| warning.hint.as_deref().map(|hint| nameless(hint, name));
    group == other_group
        && one.place.keys == other.place.keys
        && nameless(&one.message, name) == nameless(&other.message, other_name)
        && hint(one, name) == hint(other, other_name)
}
