//! Files of settings: TOML as typed tables, with positions, units, layers, suggestions and a JSON Schema.
//!
//! A table is a struct whose fields are declared once by [`record!`]: each with its type, its [`form`] (how it
//! is read, written and described) and its default. Tables are laid over one another ([`record::Layers`]); a
//! mistake has its line and column ([`error`]) and says what to write instead. Nothing here is about networks.
//!
//! ```
//! use airloom_config::emit;
//! use airloom_config::error::{At, Faults, Source};
//! use airloom_config::form::{Name, count};
//! use airloom_config::record::{Record, known, read_layers};
//! use airloom_config::{record, toml_tree};
//!
//! record! {
//!     /// A bell.
//!     pub struct Bell {
//!         /// What it is called.
//!         name: String = Name;
//!         /// How often it rings.
//!         rings: u32 = count(1, 12), default 3;
//!     }
//! }
//!
//! let read = |text| {
//!     let faults = Faults::default();
//!     let table = toml_tree::parse(&faults, Source::File, text).expect("TOML");
//!     let unknown = known(&faults, "", &table, &Bell::keys(), Bell::elsewhere);
//!     let bell = read_layers::<Bell>(&faults, At::TOP, "", vec![&table], unknown);
//!     match faults.all().next() {
//!         None => Ok(bell.expect("no mistake")),
//!         Some(fault) => Err(fault.hint.unwrap_or(fault.message)),
//!     }
//! };
//! let bell = read("name = \"noon\"").expect("the default is three rings");
//! assert_eq!(emit::document(&Bell::write(&bell)), "name = \"noon\"\nrings = 3\n");
//! assert_eq!(read("name = \"noon\"\nring = 4"), Err("did you mean `rings`?".to_owned()));
//! ```

pub mod brought;
pub mod emit;
pub mod error;
pub mod form;
pub mod overrides;
pub mod quantity;
pub mod record;
mod syntax;
pub mod toml_tree;
