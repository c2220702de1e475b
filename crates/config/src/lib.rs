//! Files of settings: TOML as typed tables, with places, units, layers, likely words and a JSON Schema.
//!
//! A table is a struct whose fields are declared once by [`record!`](record): each with its type, its [`form`](form) (how it
//! is read, written and described) and its default. Tables are laid over one another ([`record::Layers`]); a
//! mistake knows its line and column ([`error`]) and says what to write instead. Nothing here knows a network.

pub mod emit;
pub mod error;
pub mod form;
pub mod node;
pub mod overrides;
pub mod quantity;
pub mod record;
