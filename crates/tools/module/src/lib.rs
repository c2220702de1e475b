//! The module `airloom._engine` of the wheel: the Python face of what is built in, and of nothing else.

use pyo3::prelude::*;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    airloom_python::fill(module)
}
