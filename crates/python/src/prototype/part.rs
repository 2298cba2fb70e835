//! A part of a node whose methods are Python's, and what becomes of their exceptions.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use multihop_core::{Cx, Duration, Effect, NodeId, Purpose, Rng, Schedule, Time};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use super::context::Context;

/// So many calls of one part at one moment are a loop that never ends.
const MOST_AT_ONCE: u32 = 1_000_000;

/// An exception on its way through the engine, which knows no errors of protocols.
struct Raised(PyErr);

/// The exception ends the run; `place` says where it came from.
#[cold]
pub(super) fn raise(py: Python<'_>, error: PyErr, place: &str) -> ! {
    // a note that cannot be added is not worth another error
    let _ = error.value(py).call_method1("add_note", (place,));
    resume_unwind(Box::new(Raised(error)))
}

/// Do something with nodes. The exception of a scheme in Python ends it.
///
/// # Errors
/// With that exception.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Raised>() {
        Ok(raised) => raised.0,
        Err(payload) => resume_unwind(payload),
    })
}

/// A method of an object, and its name.
pub(super) struct Method {
    bound: Py<PyAny>,
    pub name: &'static str,
}

/// An object of Python that is a part of a node.
pub(super) struct Part {
    object: Py<PyAny>,
    /// What its methods are called with.
    context: Py<Context>,
    /// The scheme, and what of it this is.
    what: &'static str,
    /// The name of its class.
    class: String,
    deadline: Time,
    /// Of how many packets it has got rid in its last call: released or dropped.
    gone: usize,
    /// When it was called last, and how often at that moment.
    called: (Time, u32),
}

impl Part {
    /// The part that `object` is.
    pub fn new(object: Bound<'_, PyAny>, what: &'static str) -> PyResult<Self> {
        let py = object.py();
        let idle = Cx::new(NodeId(0), Rng::stream(0, NodeId(0), Purpose::Protocol));
        let context = Py::new(py, Context::new(idle))?;
        let deadline = deadline(&object)?;
        let (gone, called) = (0, (Time::ZERO, 0));
        let class = object.get_type().name()?.to_string();
        Ok(Part { object: object.unbind(), context, what, class, deadline, gone, called })
    }

    /// Its method `name`.
    pub fn method(&self, py: Python<'_>, name: &'static str) -> PyResult<Method> {
        Ok(Method { bound: self.object.getattr(py, name)?, name })
    }

    /// When it wants to be told that its time has come.
    pub const fn deadline(&self) -> Time {
        self.deadline
    }

    /// Call a method that may do something.
    pub fn call<R>(
        &mut self,
        cx: &mut Cx,
        method: &Method,
        call: impl for<'py> FnOnce(&Bound<'py, PyAny>, Bound<'py, Context>) -> PyResult<R>,
    ) -> R {
        Python::attach(|py| {
            let before = self.enter(py, cx, method);
            let answer = call(method.bound.bind(py), self.context.bind(py).clone());
            self.leave(py, cx, before);
            let answer = answer.and_then(|answer| self.look(py).map(|()| answer));
            answer.unwrap_or_else(|error| raise(py, error, &self.place(cx, method.name)))
        })
    }

    /// A call begins. Returns how many effects there are before.
    fn enter(&mut self, py: Python<'_>, cx: &mut Cx, method: &Method) -> usize {
        let (last, count) = self.called;
        self.called = (cx.now, if last == cx.now { count + 1 } else { 1 });
        if self.called.1 > MOST_AT_ONCE {
            self.refuse(cx, method.name, "a million calls at one moment: this would never end");
        }
        let before = cx.effects.len();
        self.context.bind(py).borrow_mut().enter(cx);
        before
    }

    /// It has ended.
    fn leave(&mut self, py: Python<'_>, cx: &mut Cx, before: usize) {
        self.context.bind(py).borrow_mut().leave(cx);
        let is_end = |effect: &&Effect| matches!(effect, Effect::Release(_) | Effect::Drop(..));
        self.gone = cx.effects[before..].iter().filter(is_end).count();
    }

    /// See what deadline the object has now.
    fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        self.deadline = deadline(self.object.bind(py))?;
        Ok(())
    }

    /// Of how many packets it has got rid in its last call.
    pub const fn gone(&self) -> usize {
        self.gone
    }

    /// Where something was wrong.
    fn place(&self, cx: &Cx, method: &str) -> String {
        let (Part { what, class, .. }, now) = (self, cx.now.seconds());
        format!("{what}: {class}.{method} at node {}, {now:.9} s", cx.me.0)
    }

    /// Tell it that its time has come.
    pub fn on_deadline(&mut self, cx: &mut Cx, method: &Method) {
        self.call(cx, method, |method, context| method.call1((context,)).map(drop));
        self.expect_moved(cx, method);
    }

    /// A deadline that has come and stays would come again for ever.
    pub fn expect_moved(&self, cx: &Cx, method: &Method) {
        if self.deadline <= cx.now {
            self.refuse(
                cx,
                method.name,
                "deadline_s has come and was not moved; set it to a later time, or to math.inf",
            );
        }
    }

    /// What it does cannot be.
    pub fn refuse(&self, cx: &Cx, method: &str, message: &'static str) -> ! {
        Python::attach(|py| raise(py, PyRuntimeError::new_err(message), &self.place(cx, method)))
    }

    /// Ask a method something.
    pub fn ask<R>(
        &self,
        method: &Method,
        call: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<R>,
    ) -> R {
        Python::attach(|py| {
            call(method.bound.bind(py)).unwrap_or_else(|error| {
                raise(py, error, &format!("{}: {}.{}", self.what, self.class, method.name))
            })
        })
    }
}

/// The attribute `deadline_s`.
fn deadline(object: &Bound<'_, PyAny>) -> PyResult<Time> {
    let seconds: f64 = object.getattr(pyo3::intern!(object.py(), "deadline_s"))?.extract()?;
    if seconds.is_nan() || seconds < 0.0 {
        let message = format!("deadline_s is {seconds}; it is a time of the run, or math.inf");
        return Err(PyValueError::new_err(message));
    }
    if seconds >= Schedule::HORIZON.seconds() {
        return Ok(Time::NEVER);
    }
    // Not before: who compares `now_s` with what it had set shall find that the time has come.
    let mut at = Time::ZERO + Duration::from_seconds(seconds);
    while at.seconds() < seconds {
        at += Duration::from_nanos(1);
    }
    Ok(at)
}
