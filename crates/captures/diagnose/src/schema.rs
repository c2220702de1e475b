//! The shapes of all that is printed for programs, as JSON Schema.

use crate::diagnosis::Diagnosis;
use crate::excerpt::Excerpt;
use crate::layers::Layers;
use crate::roams::Roams;
use crate::rule::Rule;
use schemars::Schema;
use schemars::generate::SchemaSettings;

/// A JSON Schema whose definitions are the shapes, with the meaning of each key: [`Diagnosis`], [`Layers`], [`Excerpt`], [`Rule`] and [`Roams`]
/// among them.
pub fn schema() -> Schema {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.subschema_for::<Layers>();
    generator.subschema_for::<Excerpt>();
    generator.subschema_for::<Rule>();
    generator.subschema_for::<Roams>();
    generator.into_root_schema_for::<Diagnosis>()
}
