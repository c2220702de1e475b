//! `main` of our programs for Linux: the command line is read, what it asks for is done, and one line says why something was not.

use crate::print;
use std::process::{ExitCode, Termination};

/// A program, as it speaks of itself.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name, with which its messages begin.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What `--help` prints.
    pub help: &'static str,
}

/// What a command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked<C> {
    /// What the program does, and how it is asked.
    Help,
    /// Its version.
    Version,
    /// One of its commands.
    For(C),
}

/// Why a program did not do what it was asked for, in one line.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line, a line of input or the configuration is wrong, and has to be changed: exit code 2.
    Mistake(String),
    /// The system would not have it: exit code 1.
    Trouble(String),
}

/// An error in plain text is trouble.
impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Trouble(message)
    }
}

impl Program {
    /// Reads this process's command line and performs what it asks for; gives the exit code that this comes to.
    pub fn run<C, T: Termination>(
        self,
        read: impl FnOnce(lexopt::Parser) -> Result<Asked<C>, lexopt::Error>,
        perform: impl FnOnce(C) -> Result<T, Failure>,
    ) -> ExitCode {
        let done = match read(lexopt::Parser::from_env()) {
            Ok(Asked::Help) => print::answer(self.help).map(Termination::report).map_err(Failure::Trouble),
            Ok(Asked::Version) => print::answer(&format!("{} {}\n", self.name, self.version))
                .map(Termination::report)
                .map_err(Failure::Trouble),
            Ok(Asked::For(command)) => perform(command).map(Termination::report),
            Err(error) => Err(Failure::Mistake(error.to_string())),
        };
        done.unwrap_or_else(|failure| self.failed(failure))
    }

    fn failed(self, failure: Failure) -> ExitCode {
        let (code, message) = match failure {
            Failure::Mistake(message) => (2, message),
            Failure::Trouble(message) => (1, message),
        };
        print::complain(&format!("{}: {message}", self.name));
        ExitCode::from(code)
    }
}
