//! From what Python says of a scheme to one that scenarios can name.

use std::sync::{Arc, PoisonError, RwLock};

use multihop_core::{
    Capability, Duration, End, FlowId, Heeded, Hop, Param, ParamKind, Params, Plot, Scheme,
    Transport,
};
use multihop_scenario::Registry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::class::Class;
use super::control;
use super::hop::PythonHop;
use super::packet::Flow;
use super::params;
use super::part::raise;
use super::transport::{self, PythonTransport};
use crate::extension;

/// The schemes that were registered, the last of each name.
static REGISTERED: RwLock<Vec<&'static Scheme>> = RwLock::new(Vec::new());

/// What scenarios can name: the schemes that are built in, and these.
pub fn registry() -> Registry {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().copied().fold(extension::registry(), Registry::with_scheme)
}

/// Scenarios cannot name this scheme any more. Runs that do go on.
#[pyfunction]
#[pyo3(name = "unregister_prototype")]
pub fn unregister(name: &str) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.retain(|known| known.name != name);
}

/// Do the work of a run while other threads use Python; but with a scheme in Python that would be a matter of waiting
/// for each other at each call: four runs took 6.4 s on two threads, and 2.7 s on one.
pub fn beside<T: Send>(py: Python<'_>, schemes: &[&Scheme], work: impl FnOnce() -> T + Send) -> T {
    let in_rust = schemes.iter().all(|scheme| extension::scheme(scheme.name).is_some());
    if in_rust { py.detach(work) } else { work() }
}

/// Scenarios can name this scheme from now on, in place of one that was registered under this name before.
///
/// Everything that it does not bring itself is that of its base. What is wrong with single values, Python has checked.
#[pyfunction]
#[pyo3(name = "register_prototype")]
pub fn register(description: &Bound<'_, PyAny>) -> PyResult<()> {
    let (name, base) = (text(description, "name")?, text(description, "base")?);
    if extension::scheme(name).is_some() {
        return Err(PyValueError::new_err(format!("'{name}' is built in; take another name")));
    }
    let base = extension::scheme(base)
        .ok_or_else(|| PyValueError::new_err(format!("there is no scheme '{base}'")))?;
    let declared = declared(description, base)?;
    let scheme: &'static Scheme = Box::leak(Box::new(Scheme {
        name,
        title: text(description, "title")?,
        paper: text(description, "paper")?,
        plot: Plot { color: text(description, "color")?, marker: text(description, "marker")? },
        counters: base.counters,
        does_itself: does_itself(description, base)?,
        requires: requires(description, base)?,
        params: declared,
        hop: match class(description, "hop")? {
            Some(class) => Box::leak(Box::new(hop(name, declared, class))),
            None => base.hop,
        },
        ..with_ends(description, Scheme { name, params: declared, ..*base })?
    }));
    unregister(scheme.name);
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(scheme);
    Ok(())
}

/// A text, which lives as long as the program, as every scheme does.
fn text(of: &Bound<'_, PyAny>, name: &str) -> PyResult<&'static str> {
    Ok(leaked(of.getattr(name)?.extract()?))
}

fn leaked(text: String) -> &'static str {
    text.leak()
}

fn number(of: &Bound<'_, PyAny>, name: &str) -> PyResult<f64> {
    of.getattr(name)?.extract()
}

/// A class, if there is one.
fn class(of: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Class>> {
    let found = of.getattr(name)?;
    if found.is_none() { Ok(None) } else { Class::new(&found).map(Some) }
}

/// Its parameters, behind those of its base.
fn declared(description: &Bound<'_, PyAny>, base: &Scheme) -> PyResult<&'static [Param]> {
    // what queues of Python do with packets, its transport may heed
    let heeded = |heeded| if matches!(heeded, Heeded::Never(_)) { Heeded::Always } else { heeded };
    let own = |param: &Param| Param { heeded: heeded(param.heeded), ..*param };
    let mut all: Vec<Param> = base.params.iter().map(own).collect();
    for param in description.getattr("params")?.try_iter()? {
        all.push(param_of(&param?)?);
    }
    Ok(all.leak())
}

/// A parameter, as Python describes it: times in seconds.
fn param_of(described: &Bound<'_, PyAny>) -> PyResult<Param> {
    let (default, least) = (number(described, "default")?, number(described, "least")?);
    let most = number(described, "most")?;
    let kind = match text(described, "kind")? {
        "switch" => ParamKind::Switch(default > 0.0),
        "count" => {
            let [default, min, max] = [default, least, most].map(|number| number as u32);
            ParamKind::Count { default, min, max }
        }
        "time" => {
            let [default, min, max] = [default, least, most].map(Duration::from_seconds);
            ParamKind::Span { default, min, max }
        }
        _ => ParamKind::Number { default, min: least, max: most },
    };
    let (name, about) = (text(described, "name")?, text(described, "about")?);
    let unit = text(described, "unit")?;
    Ok(Param::new(name, unit, about, kind))
}

/// What it does itself: over the reduced CSMA, which has no link acknowledgments, it has its own.
fn does_itself(description: &Bound<'_, PyAny>, base: &Scheme) -> PyResult<&'static [Capability]> {
    let given = description.getattr("mac")?;
    if given.is_none() {
        return Ok(base.does_itself);
    }
    Ok(if given.eq("csma")? { &[Capability::LinkAcknowledgment] } else { &[] })
}

/// What it cannot do without.
fn requires(description: &Bound<'_, PyAny>, base: &Scheme) -> PyResult<&'static [Capability]> {
    let mut all = base.requires.to_vec();
    if description.getattr("overhears")?.is_truthy()? {
        all.push(Capability::Overhearing);
    }
    if description.getattr("watches_air")?.is_truthy()? {
        all.push(Capability::AirTime);
    }
    Ok(all.leak())
}

/// The same scheme with the ends that Python gives it, if it does.
fn with_ends(description: &Bound<'_, PyAny>, scheme: Scheme) -> PyResult<Scheme> {
    let Scheme { name, params, .. } = scheme;
    let halves = class(description, "source")?.zip(class(description, "destination")?);
    if let Some(halves) = halves {
        let transport = Box::leak(Box::new(ends(name, params, halves)));
        return Ok(Scheme { transport, carries: transport::carries, ..scheme });
    }
    Ok(match class(description, "control")? {
        Some(class) => {
            Scheme { transport: Box::leak(Box::new(connection(name, params, class))), ..scheme }
        }
        None => scheme,
    })
}

/// What makes hop protocols of this class.
fn hop(
    name: &str,
    declared: &'static [Param],
    class: Class,
) -> impl Fn(&Params) -> Box<dyn Hop> + Send + Sync {
    let what = leaked(format!("the hop protocol of '{name}'"));
    move |params| {
        Python::attach(|py| {
            let shown = params::Params::new(declared, params.clone());
            let object = class.made(py, what, |class| class.call1((shown,)));
            let made = PythonHop::new(object, &class, what);
            Box::new(made.unwrap_or_else(|error| raise(py, error, what)))
        })
    }
}

/// What makes the ends of flows of these classes.
fn ends(
    name: &str,
    declared: &'static [Param],
    (source, destination): (Class, Class),
) -> impl Fn(&Params, FlowId, End) -> Box<dyn Transport> + Send + Sync {
    let [at_source, at_destination] =
        ["source", "destination"].map(|end| leaked(format!("the {end} of '{name}'")));
    move |params, flow, end| {
        let (class, what) = match end {
            End::Source => (&source, at_source),
            End::Destination => (&destination, at_destination),
        };
        Python::attach(|py| {
            let shown = params::Params::new(declared, params.clone());
            let object = class.made(py, what, |class| class.call1((shown, Flow(flow))));
            let made = PythonTransport::new(object, class, what);
            Box::new(made.unwrap_or_else(|error| raise(py, error, what)))
        })
    }
}

/// What makes the ends of TCP connections with a congestion control of this class.
fn connection(
    name: &str,
    declared: &'static [Param],
    class: Class,
) -> impl Fn(&Params, FlowId, End) -> Box<dyn Transport> + Send + Sync {
    let what = leaked(format!("the congestion control of '{name}'"));
    let class = Arc::new(class);
    move |params, flow, end| {
        let own = params.clone();
        let shown = move || params::Params::new(declared, own.clone());
        control::transport(params, flow, end, control::maker(what, &class, shown, flow))
    }
}
