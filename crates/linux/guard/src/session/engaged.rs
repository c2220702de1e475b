//! What goes on in a desktop's session that scans would disturb, from the pieces of news about it.

use std::collections::BTreeMap;

/// Casts that are remembered at once: a person has one or two.
const CASTS: usize = 64;

/// Something that happened in the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// So many games have asked GameMode for its services.
    Games(i32),
    /// A program has the screen cast, or controlled from afar.
    CastStarted {
        /// The portal's session, as the path of its object.
        session: String,
        /// The program, by its unique name on the bus.
        client: String,
    },
    /// The cast has come to its end.
    CastEnded {
        /// The portal's session.
        session: String,
    },
    /// A program has left the bus.
    Left {
        /// Its name.
        client: String,
    },
}

/// What goes on.
#[derive(Debug, Default)]
pub(super) struct Engaged {
    games: i32,
    /// The portal's sessions, with their programs.
    casts: BTreeMap<String, String>,
}

impl Engaged {
    /// Whether there is anything.
    pub(super) fn goes_on(&self) -> bool {
        self.games > 0 || !self.casts.is_empty()
    }

    /// Takes news.
    pub(super) fn take(&mut self, event: Event) {
        match event {
            Event::Games(games) => self.games = games,
            Event::CastStarted { session, client } => {
                if self.casts.len() < CASTS {
                    self.casts.insert(session, client);
                }
            }
            Event::CastEnded { session } => drop(self.casts.remove(&session)),
            Event::Left { client } => self.casts.retain(|_, of| *of != client),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(events: &[Event]) -> bool {
        let mut engaged = Engaged::default();
        events.iter().for_each(|event| engaged.take(event.clone()));
        engaged.goes_on()
    }

    fn started(session: &str) -> Event {
        Event::CastStarted { session: session.into(), client: ":1.7".into() }
    }

    #[test]
    fn games_go_on_while_gamemode_has_clients() {
        assert!(!after(&[]));
        assert!(after(&[Event::Games(2), Event::Games(1)]));
        assert!(!after(&[Event::Games(1), Event::Games(0)]));
    }

    #[test]
    fn a_cast_goes_on_until_it_is_closed_or_its_program_leaves() {
        let (closed, left) =
            (Event::CastEnded { session: "/s/1".into() }, Event::Left { client: ":1.7".into() });
        assert!(after(&[started("/s/1"), started("/s/2"), closed.clone()]));
        assert!(!after(&[started("/s/1"), closed]));
        assert!(!after(&[started("/s/1"), started("/s/2"), left]));
        assert!(after(&[started("/s/1"), Event::Left { client: ":1.8".into() }]));
    }

    #[test]
    fn it_does_not_grow() {
        let mut engaged = Engaged::default();
        (0..10_000).for_each(|n| engaged.take(started(&format!("/s/{n}"))));
        assert_eq!(engaged.casts.len(), CASTS);
    }
}
