//! The facts of a diagnosis: they are there whether a rule finds something or not.

pub(crate) mod captures;
pub(crate) mod flows;
pub(crate) mod links;
pub(crate) mod stations;
