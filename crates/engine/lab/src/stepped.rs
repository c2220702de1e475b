//! A run in steps: it stops at the end of each bin of its series, tells what was measured in it, and goes on as somebody decides.

use crate::memory;
use crate::metrics::{Keep, Recorder, SeriesRow};
use crate::run::{Error, is_simulated};
use crate::summary::Summary;
use airloom_scenario::Scenario;
use airloom_sim::{Duration, Time};
use airloom_world::{ChangeError, World};
use std::cell::RefCell;
use std::rc::Rc;

/// What comes after a step.
#[derive(Clone, Debug)]
pub enum Next {
    /// The next step, in the world as it is.
    On,
    /// The next step, in the world of this scenario from now on.
    Become(Box<Scenario>),
    /// The end, though the scenario lasts longer.
    End,
}

/// Somebody who decides after each step.
pub trait Decides {
    /// What comes next, with what was measured in the step that ends now; nothing at the beginning.
    fn next(&mut self, now: Time, rows: Vec<SeriesRow>) -> Next;

    /// The world cannot become that of the scenario that was wished; it is asked again.
    fn refused(&mut self, why: ChangeError);
}

/// Runs `scenario` step by step and gives its summary, over as long as it lasted; none if no step was taken.
///
/// # Errors
/// [`Error::TooLarge`] and [`Error::Program`] before anything runs.
pub fn run_stepped(scenario: &Scenario, decides: &mut impl Decides) -> Result<Option<Summary>, Error> {
    is_simulated(scenario)?;
    memory::check(scenario).map_err(Error::TooLarge)?;
    let rows = Rc::new(RefCell::new(Vec::new()));
    let mut kept = Shared(Rc::clone(&rows));
    let mut world = World::with_walks(scenario, Recorder::new(scenario, &mut kept));
    let mut current = scenario.clone();
    loop {
        match decides.next(world.now(), rows.take()) {
            Next::On => {}
            Next::Become(after) => {
                if let Err(why) = world.change(&current, &after) {
                    decides.refused(why);
                    continue;
                }
                current = *after;
            }
            Next::End => break,
        }
        if world.now() == world.end() {
            break;
        }
        let until = (world.now() + scenario.record.every).min(world.end());
        world.step(until);
        world.probe().reach(until);
    }
    let lasted = world.now().since(Time::ZERO);
    let flows = world.flows_since(Time::ZERO + scenario.warm_up.unwrap_or_default());
    let was = Scenario { duration: lasted, ..current };
    Ok((lasted > Duration::ZERO).then(|| world.into_probe().finish(&was, &flows)))
}

/// Rows that are taken out as soon as they are there.
struct Shared(Rc<RefCell<Vec<SeriesRow>>>);

impl Keep for Shared {
    fn keep(&mut self, bin: &mut Vec<SeriesRow>) {
        self.0.borrow_mut().append(bin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run;
    use airloom_scenario::load;

    /// Plays what is given, and keeps what it was told.
    struct Player {
        plays: Vec<Next>,
        told: Vec<(Time, Vec<SeriesRow>)>,
        refusals: Vec<ChangeError>,
    }

    impl Decides for Player {
        fn next(&mut self, now: Time, rows: Vec<SeriesRow>) -> Next {
            self.told.push((now, rows));
            self.plays.pop().unwrap_or(Next::On)
        }

        fn refused(&mut self, why: ChangeError) {
            self.refusals.push(why);
        }
    }

    fn scenario(more: &[(&str, &str)]) -> Scenario {
        let text = include_str!("../../../../examples/download.toml");
        let settings = [("duration", "3 s"), ("record.every", "0.5 s")].iter().chain(more);
        let settings: Vec<_> = settings.map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        load(text, "download.toml", &settings, None).unwrap_or_else(|error| panic!("{error}"))
    }

    fn played(plays: Vec<Next>) -> (Player, Option<Summary>) {
        let mut player = Player { plays, told: Vec::new(), refusals: Vec::new() };
        let summary = run_stepped(&scenario(&[]), &mut player).unwrap_or_else(|error| panic!("{error}"));
        (player, summary)
    }

    #[test]
    fn steps_without_a_change_are_the_run() {
        let whole = run(&scenario(&[]), &mut |_| true).unwrap_or_else(|error| panic!("{error}"));
        let (player, summary) = played(Vec::new());
        assert_eq!(player.told.len(), 7, "the beginning and six steps");
        let rows: Vec<_> = player.told.iter().flat_map(|(_, rows)| rows.clone()).collect();
        assert_eq!(rows, whole.series.rows);
        let text = |summary: Summary| summary.to_document().to_string();
        assert_eq!(summary.map(text), Some(text(whole.summary)));
    }

    #[test]
    fn every_step_tells_of_itself_alone() {
        let (player, _) = played(Vec::new());
        assert!(player.told[0].1.is_empty());
        for (now, rows) in &player.told[1..] {
            assert!(!rows.is_empty());
            let start = now.as_secs_f64() - 0.5;
            assert!(rows.iter().all(|row| (row.time - start).abs() < 1e-9), "{start}");
        }
    }

    #[test]
    fn a_change_holds_from_its_step_on_and_an_end_ends() {
        let far = Next::Become(Box::new(scenario(&[("station.0.distance", "40 m")])));
        let (player, summary) = played(vec![Next::End, Next::On, far, Next::On]);
        let told: Vec<_> = player.told.iter().map(|(now, _)| now.as_secs_f64()).collect();
        assert_eq!(told, [0.0, 0.5, 1.0, 1.5]);
        assert!(summary.is_some_and(|summary| summary.to_document()["duration_s"] == 1.5));
    }

    #[test]
    fn what_is_fixed_is_refused_and_asked_again() {
        let other = Next::Become(Box::new(scenario(&[("seed", "9")])));
        let (player, summary) = played(vec![Next::End, other]);
        assert!(summary.is_none());
        assert_eq!(player.refusals, [ChangeError::Fixed]);
        assert_eq!(player.told.len(), 2, "nothing was run");
    }
}
