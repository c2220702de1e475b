//! What a diagnosis tells of what captures have, whether a rule finds something or not.

pub(crate) mod captures;
pub(crate) mod flows;
pub(crate) mod links;
pub(crate) mod stations;
