//! Methods that the engine calls, with the arguments that they name, and the objects that have them.

use super::{raised, refused};
use airloom_sim::Time;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
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

/// What Python calls to make an object, and which of its methods are hooks.
pub(super) struct Class<F: 'static> {
    name: String,
    make: Py<PyAny>,
    hooks: Vec<Wanted<F>>,
}

impl<F> Class<F> {
    /// `make` gives an object; `hooks` are its methods by name, with the arguments that each wants.
    pub(super) fn new(
        seam: &Seam<F>,
        name: &str,
        make: Py<PyAny>,
        hooks: &[(String, Vec<String>)],
    ) -> PyResult<Arc<Self>> {
        let hooks = hooks.iter().map(|(hook, wants)| seam.known(hook, wants)).collect::<PyResult<_>>()?;
        Ok(Arc::new(Self { name: name.to_owned(), make, hooks }))
    }

    /// Whether it has this hook.
    pub(super) fn has(&self, name: &str) -> bool {
        self.hooks.iter().any(|(hook, _)| *hook == name)
    }

    /// A new object's hooks.
    fn bound(&self, py: Python<'_>) -> PyResult<Vec<Hook<F>>> {
        let object = self.make.call0(py)?;
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
    pub(super) fn new(class: Arc<Class<F>>) -> Self {
        let hooks = Python::attach(|py| {
            let bound = class.bound(py);
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
}
