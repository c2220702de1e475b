//! The bus: ceilings counted on paper, and what holds of any transfer.

mod ceilings;
mod properties;
