pub mod airtime; pub mod error; pub mod rate; pub mod contention; pub mod reorder;
