//! What a method is called with.

use multihop_core::{Cx, Duration, EventKind, FrameId, Gauge};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::packet::{Flow, Packet};
use super::params::AirTime;
use super::words::{drop_cause, word};
use crate::words::EVENTS;

/// The time, the node, its randomness, and a place for what the part wants done. It counts only
/// while its method is called: then it holds the node's own, and else one that nobody looks at.
#[pyclass(module = "multihop.prototype")]
pub struct Context {
    cx: Cx,
    open: bool,
}

impl Context {
    pub(super) const fn new(idle: Cx) -> Self {
        Context { cx: idle, open: false }
    }

    /// A method is called.
    pub(super) fn enter(&mut self, cx: &mut Cx) {
        std::mem::swap(&mut self.cx, cx);
        self.open = true;
    }

    /// It has ended.
    pub(super) fn leave(&mut self, cx: &mut Cx) {
        std::mem::swap(&mut self.cx, cx);
        self.open = false;
    }

    fn here(&mut self) -> PyResult<&mut Cx> {
        if self.open {
            return Ok(&mut self.cx);
        }
        Err(PyRuntimeError::new_err(
            "this context is that of a call that has ended; use the one that each method gets",
        ))
    }
}

#[pymethods]
impl Context {
    #[getter]
    fn now_s(&mut self) -> PyResult<f64> {
        Ok(self.here()?.now.seconds())
    }

    #[getter]
    fn node(&mut self) -> PyResult<u32> {
        Ok(self.here()?.me.0)
    }

    #[getter]
    fn incarnation(&mut self) -> PyResult<u16> {
        Ok(self.here()?.incarnation)
    }

    #[getter]
    fn air(&mut self) -> PyResult<AirTime> {
        Ok(AirTime(self.here()?.air))
    }

    fn random(&mut self) -> PyResult<f64> {
        Ok(self.here()?.rng.unit())
    }

    fn deliver(&mut self, packet: &Packet) -> PyResult<()> {
        self.here()?.deliver(packet.inner.clone());
        Ok(())
    }

    fn drop(&mut self, packet: &Packet, cause: &str) -> PyResult<()> {
        let cause = drop_cause(cause)?;
        self.here()?.drop(packet.inner.clone(), cause);
        Ok(())
    }

    fn release(&mut self, packet: &Packet) -> PyResult<()> {
        self.here()?.release(&packet.inner);
        Ok(())
    }

    fn copy(&mut self, packet: &Packet) -> PyResult<()> {
        self.here()?.copy(packet.inner.tag);
        Ok(())
    }

    fn withdraw(&mut self) -> PyResult<()> {
        self.here()?.withdraw(FrameId::ONLY);
        Ok(())
    }

    fn mark(&mut self) -> PyResult<()> {
        self.here()?.mark(FrameId::ONLY);
        Ok(())
    }

    #[pyo3(signature = (kind, packet, sequence = 0))]
    fn trace(&mut self, kind: &str, packet: &Packet, sequence: u32) -> PyResult<()> {
        let kind = word("event", &EVENTS, EventKind::name, kind)?;
        let (flow, tag) = (packet.inner.flow, packet.inner.tag);
        self.here()?.trace(kind, flow, sequence, tag);
        Ok(())
    }

    fn show_window(&mut self, flow: &Flow, packets: f64) -> PyResult<()> {
        // a cast of what is no window at all saturates
        let gauge = Gauge::Window((packets * 1_000.0).round() as u32);
        self.here()?.gauge(flow.0, gauge);
        Ok(())
    }

    fn show_round_trip(&mut self, flow: &Flow, seconds: f64) -> PyResult<()> {
        self.here()?.gauge(flow.0, Gauge::RoundTrip(Duration::from_seconds(seconds.max(0.0))));
        Ok(())
    }

    fn show_acknowledged(&mut self, flow: &Flow, packets: u32) -> PyResult<()> {
        self.here()?.gauge(flow.0, Gauge::Acknowledged(packets));
        Ok(())
    }
}
