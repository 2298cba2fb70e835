//! What the MAC is given, and what it says.

use multihop_core::{ContentionClass, NodeId, Rate, Receiver, Rx, TxDone, TxRequest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::packet::Packet;

/// A frame that was heard.
#[pyclass(module = "multihop.prototype", frozen)]
pub struct Received {
    /// Who transmitted it.
    #[pyo3(get)]
    sender: u32,
    /// `for_me`, `overheard` or `broadcast`.
    #[pyo3(get)]
    heard: &'static str,
    #[pyo3(get)]
    rate_bit_s: u64,
    #[pyo3(get)]
    air_time_s: f64,
    #[pyo3(get)]
    packet: Py<Packet>,
}

impl Received {
    pub(super) fn new(py: Python<'_>, rx: &Rx) -> PyResult<Self> {
        let heard = match rx.heard {
            multihop_core::Heard::ForMe => "for_me",
            multihop_core::Heard::Overheard => "overheard",
            multihop_core::Heard::Broadcast => "broadcast",
        };
        let packet = Py::new(py, Packet::new(rx.packet.clone()))?;
        let (sender, rate_bit_s, air_time_s) = (rx.from.0, rx.rate.0, rx.air_time.seconds());
        Ok(Received { sender, heard, rate_bit_s, air_time_s, packet })
    }
}

/// A frame with which the MAC has finished.
#[pyclass(module = "multihop.prototype", frozen)]
pub struct Sent {
    /// Whom it was for; `None` if for everyone.
    #[pyo3(get)]
    to: Option<u32>,
    #[pyo3(get)]
    outcome: &'static str,
    #[pyo3(get)]
    service_s: f64,
    #[pyo3(get)]
    air_time_s: f64,
    #[pyo3(get)]
    attempts: u32,
    #[pyo3(get)]
    retries: u32,
    #[pyo3(get)]
    rate_bit_s: u64,
    #[pyo3(get)]
    packet: Py<Packet>,
}

impl Sent {
    pub(super) fn new(py: Python<'_>, done: &TxDone) -> PyResult<Self> {
        let to = match done.to {
            Receiver::Node(to) | Receiver::Pair([to, _]) => Some(to.0),
            Receiver::Broadcast => None,
        };
        Ok(Sent {
            to,
            outcome: done.outcome.name(),
            service_s: done.service.seconds(),
            air_time_s: done.air_time.seconds(),
            attempts: done.attempts,
            retries: done.retries,
            rate_bit_s: done.rate.0,
            packet: Py::new(py, Packet::new(done.packet.clone()))?,
        })
    }
}

/// A frame for the MAC.
#[pyclass(module = "multihop.prototype", frozen)]
pub struct Request(pub(super) TxRequest);

#[pymethods]
impl Request {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    #[pyo3(signature = (packet, to, *, rate_bit_s = None, cw_min = None, first = None, attempts = None))]
    fn of(
        packet: &Packet,
        to: Option<u32>,
        rate_bit_s: Option<u64>,
        cw_min: Option<u32>,
        first: Option<u32>,
        attempts: Option<u32>,
    ) -> PyResult<Self> {
        let counts = [("rate_bit_s", rate_bit_s), ("cw_min", cw_min.map(u64::from))];
        let counts = counts.into_iter().chain([("attempts", attempts.map(u64::from))]);
        for (name, count) in counts {
            if count == Some(0) {
                return Err(PyValueError::new_err(format!("{name} is at least 1, not 0")));
            }
        }
        let contention = match (cw_min, first, attempts) {
            (Some(cw_min), first, attempts) => {
                Some(ContentionClass { cw_min, first: first.unwrap_or(0), attempts })
            }
            (None, None, None) => None,
            _ => {
                let message = "first and attempts go with cw_min; give it, too, or none";
                return Err(PyValueError::new_err(message));
            }
        };
        let to = to.map_or(Receiver::Broadcast, |to| Receiver::Node(NodeId(to)));
        let rate = rate_bit_s.map(Rate);
        Ok(Request(TxRequest { rate, contention, ..TxRequest::new(to, packet.inner.clone()) }))
    }
}
