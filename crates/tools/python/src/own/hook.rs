//! Methods that the engine calls, with the arguments that they name, and the objects that have them.

use super::{raised, refused};
use airloom_sim::{Making, ParameterValue, Time};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use std::sync::Arc;

/// An argument of a hook: its name, and its value for Python, of the facts `F` that are known as a hook is called.
pub(super) struct Argument<F> {
    pub(super) name: &'static str,
    pub(super) value: for<'py> fn(Python<'py>, &F) -> Bound<'py, PyAny>,
}

/// The hooks of a kind of class, and what each may be told.
pub(super) struct Seam<F: 'static> {
    pub(super) hooks: &'static [(&'static str, &'static [&'static str])],
    pub(super) arguments: &'static [Argument<F>],
}

/// A hook that a class has, and the arguments that it wants.
type Wanted<F> = (&'static str, Vec<&'static Argument<F>>);

impl<F> Seam<F> {
    /// The names of hooks, each with what it may be told.
    pub(super) fn names(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        self.hooks.iter().map(|(name, may)| (*name, may.to_vec())).collect()
    }

    /// A hook and its arguments, as the engine knows them.
    fn known(&self, hook: &str, wants: &[String]) -> PyResult<Wanted<F>> {
        let Some((name, may)) = self.hooks.iter().find(|(name, _)| *name == hook) else {
            return Err(refused(format!("there is no hook `{hook}`")));
        };
        let argument = |want: &String| {
            let known = may.contains(&want.as_str());
            let found = self.arguments.iter().find(|one| known && one.name == want);
            found.ok_or_else(|| {
                refused(format!("`{hook}` has no argument `{want}`; there are {}", may.join(", ")))
            })
        };
        Ok((name, wants.iter().map(argument).collect::<PyResult<_>>()?))
    }
}

/// A class as Python brings it.
pub(super) struct Brought {
    /// The name by which scenarios know it.
    pub(super) name: String,
    /// Makes an object, from a seed and the values of its parameters by name.
    pub(super) make: Py<PyAny>,
    /// Its methods by name, with the arguments that each wants.
    pub(super) hooks: Vec<(String, Vec<String>)>,
    /// Its parameters with their defaults.
    pub(super) parameters: Vec<(String, Parameter)>,
}

/// The value of a parameter.
pub(crate) struct Parameter(ParameterValue);

impl<'a, 'py> FromPyObject<'a, 'py> for Parameter {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // In Python true and false are whole numbers too.
        Ok(Self(if let Ok(flag) = value.cast::<PyBool>() {
            ParameterValue::Flag(flag.is_true())
        } else if value.is_instance_of::<PyInt>() {
            ParameterValue::Whole(value.extract()?)
        } else if value.is_instance_of::<PyFloat>() {
            ParameterValue::Real(value.extract()?)
        } else {
            ParameterValue::Text(value.extract()?)
        }))
    }
}

/// What Python calls to make an object, and which of its methods are hooks.
pub(super) struct Class<F: 'static> {
    pub(super) name: String,
    parameters: Vec<(String, Parameter)>,
    make: Py<PyAny>,
    hooks: Vec<Wanted<F>>,
}

impl<F> Class<F> {
    /// One whose hooks are those of a seam.
    pub(super) fn new(seam: &Seam<F>, brought: Brought) -> PyResult<Arc<Self>> {
        let Brought { name, make, hooks, parameters } = brought;
        let hooks = hooks.iter().map(|(hook, wants)| seam.known(hook, wants)).collect::<PyResult<_>>()?;
        Ok(Arc::new(Self { name, parameters, make, hooks }))
    }

    /// Its parameters with their defaults.
    pub(super) fn parameters(&self) -> Vec<(&str, ParameterValue)> {
        self.parameters.iter().map(|(name, default)| (name.as_str(), default.0.clone())).collect()
    }

    /// Whether it has this hook.
    pub(super) fn has(&self, name: &str) -> bool {
        self.hooks.iter().any(|(hook, _)| *hook == name)
    }

    /// A new object's hooks.
    fn bound(&self, py: Python<'_>, making: &Making) -> PyResult<Vec<Hook<F>>> {
        let values = PyDict::new(py);
        for (name, value) in making.values() {
            match value {
                ParameterValue::Flag(value) => values.set_item(name, value)?,
                ParameterValue::Whole(value) => values.set_item(name, value)?,
                ParameterValue::Real(value) => values.set_item(name, value)?,
                ParameterValue::Text(value) => values.set_item(name, value)?,
            }
        }
        let object = self.make.call1(py, (making.seed, values))?;
        let hook = |(name, wants): &Wanted<F>| {
            let named = |one: &&'static Argument<F>| (PyString::intern(py, one.name).unbind(), *one);
            Ok(Hook { name, method: object.getattr(py, *name)?, wants: wants.iter().map(named).collect() })
        };
        self.hooks.iter().map(hook).collect()
    }
}

/// A method of an object, and what it wants to be told.
struct Hook<F: 'static> {
    name: &'static str,
    method: Py<PyAny>,
    wants: Vec<(Py<PyString>, &'static Argument<F>)>,
}

impl<F> Hook<F> {
    fn call<'py>(&self, py: Python<'py>, facts: &F) -> PyResult<Bound<'py, PyAny>> {
        let told = PyDict::new(py);
        for (name, one) in &self.wants {
            told.set_item(name.bind(py), (one.value)(py, facts))?;
        }
        self.method.bind(py).call((), Some(&told))
    }
}

/// An object of a class, for as long as it raises nothing.
pub(super) struct Object<F: 'static> {
    pub(super) class: Arc<Class<F>>,
    /// None once something was raised: the run is about to end.
    hooks: Option<Vec<Hook<F>>>,
}

impl<F> Object<F> {
    /// A new one.
    pub(super) fn new(class: &Arc<Class<F>>, making: &Making) -> Self {
        let class = Arc::clone(class);
        let hooks = Python::attach(|py| {
            let bound = class.bound(py, making);
            bound.map_err(|error| raised::keep(py, error, "__init__", &class.name, Time::ZERO)).ok()
        });
        Self { class, hooks }
    }

    /// Calls a hook, if the class has it, and gives what it answers; `heard` may find that to be wrong.
    pub(super) fn call<T>(
        &mut self,
        name: &str,
        now: Time,
        facts: &F,
        heard: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        let hook = self.hooks.as_ref()?.iter().find(|hook| hook.name == name)?;
        let said = Python::attach(|py| {
            let said = hook.call(py, facts).and_then(|said| heard(&said));
            said.map_err(|error| raised::keep(py, error, name, &self.class.name, now))
        });
        if said.is_err() {
            self.hooks = None;
        }
        said.ok()
    }

    /// Calls a hook whose answer does not count: it has to be none.
    pub(super) fn tell(&mut self, name: &str, now: Time, facts: &F) {
        self.call(name, now, facts, |said| match said.is_none() {
            true => Ok(()),
            false => Err(refused(format!("it decides nothing, so it returns nothing, not {}", said.repr()?))),
        });
    }
}
