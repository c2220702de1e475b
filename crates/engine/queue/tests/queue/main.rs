//! Disciplines, and those that receive from them.

mod disciplines;
mod receivers;
