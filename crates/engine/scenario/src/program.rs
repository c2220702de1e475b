//! Real programs in place of a flow: no part of the simulation, but of what `airloom shell` runs over it.

use crate::flow::{FlowText, FlowWord};
use airloom_sim::Duration;

/// A program that sends from one host to another, and what answers it there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name of its flow.
    pub name: String,
    /// The host that it runs on.
    pub from: String,
    /// The host that it talks to.
    pub to: String,
    /// When it is started, from the beginning of the run.
    pub start: Duration,
    /// When it is ended, if it has not ended by itself.
    pub stop: Option<Duration>,
    /// The program, a line for a shell.
    pub command: String,
    /// What runs on the other host from the beginning, if anything.
    pub listen: Option<String>,
}

impl Program {
    /// The program of a flow; none of a flow that is simulated.
    pub(crate) fn of(text: &FlowText) -> Option<Self> {
        let FlowText { name, from, to, start, stop, command, listen, .. } = text;
        (text.kind == FlowWord::Command).then(|| Self {
            name: name.clone(),
            from: from.clone(),
            to: to.clone(),
            start: *start,
            stop: *stop,
            command: command.clone().unwrap_or_default(),
            listen: listen.clone(),
        })
    }

    /// The flow as it would be written.
    pub(crate) fn text(&self) -> FlowText {
        let Self { name, from, to, start, stop, command, listen } = self.clone();
        FlowText {
            name,
            group: None,
            kind: FlowWord::Command,
            from,
            to,
            start,
            stop,
            dscp: None,
            bytes: None,
            write: None,
            traffic: None,
            tcp: None,
            rate: None,
            spacing: None,
            jitter: None,
            interval: None,
            payload: None,
            command: Some(command),
            listen,
        }
    }
}
