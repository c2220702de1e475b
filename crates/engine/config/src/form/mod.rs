//! How a value is written in a file: one definition that reads it, writes it and describes it to editors.

mod number;
mod quantity;
mod shape;
mod text;

pub use number::{Flag, count, real};
pub use quantity::{
    Measure, Packets, Quantity, RealQuantity, SmallSize, distance, level, packets, power, rate, size,
    small_size, speed, time,
};
pub use shape::{Form, List, Optional, Or, Short, last, or_off, unexpected};
pub use text::{Name, Prose, Words, words};
