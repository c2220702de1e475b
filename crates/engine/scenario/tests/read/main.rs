//! Scenarios as they are read: shipped ones, any others, groups, defaults, warnings.

mod arbitrary;
mod defaults;
mod groups;
mod processor_time;
mod scenarios;
mod warnings;
