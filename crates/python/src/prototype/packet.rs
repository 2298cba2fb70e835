//! What travels: flows, what applications send, packets.

use multihop_core::{FlowId, HEADER_PREFIX, LONGEST_HEADER, NextHeader, Payload};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::header::{HOP, TRANSPORT};

/// A flow.
#[pyclass(module = "multihop.prototype", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flow(pub(super) FlowId);

#[pymethods]
impl Flow {
    #[getter]
    fn source(&self) -> u32 {
        self.0.source.0
    }

    #[getter]
    fn destination(&self) -> u32 {
        self.0.destination.0
    }

    #[getter]
    fn is_reverse(&self) -> bool {
        self.0.is_reverse()
    }

    fn reverse(&self) -> Flow {
        Flow(self.0.reverse())
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}

/// What an application sends.
#[pyclass(module = "multihop.prototype", frozen)]
pub struct Message(pub(super) multihop_core::Message);

#[pymethods]
impl Message {
    #[getter]
    fn length(&self) -> u32 {
        self.0.payload.len().0
    }
}

/// A packet.
#[pyclass(module = "multihop.prototype")]
pub struct Packet {
    pub(super) inner: multihop_core::Packet,
}

impl Packet {
    pub(super) const fn new(inner: multihop_core::Packet) -> Self {
        Packet { inner }
    }

    fn header<'py>(&self, py: Python<'py>, kind: NextHeader) -> Option<Bound<'py, PyBytes>> {
        self.inner.headers.get(kind).map(|bytes| PyBytes::new(py, bytes))
    }

    fn set_header(&mut self, kind: NextHeader, bytes: Option<&[u8]>) -> PyResult<()> {
        const MOST: usize = LONGEST_HEADER - HEADER_PREFIX;
        match bytes {
            Some(bytes) if bytes.len() > MOST => {
                let message = format!("a header has at most {MOST} B, not {}", bytes.len());
                return Err(PyValueError::new_err(message));
            }
            Some(bytes) => self.inner.headers.set(kind, bytes),
            None => self.inner.headers.remove(kind),
        }
        Ok(())
    }
}

#[pymethods]
impl Packet {
    #[new]
    fn of(flow: Flow, message: &Message) -> Self {
        let multihop_core::Message { payload, tag } = message.0.clone();
        Packet::new(multihop_core::Packet::new(flow.0, payload, tag))
    }

    /// A packet of the transport back to where this one comes from.
    #[pyo3(signature = (length = 0))]
    fn answer(&self, length: u32) -> Self {
        let (flow, tag) = (self.inner.flow.reverse(), self.inner.tag.control());
        Packet::new(multihop_core::Packet::new(flow, Payload::Virtual(length), tag))
    }

    fn copy(&self) -> Self {
        Packet::new(self.inner.clone())
    }

    #[getter]
    fn flow(&self) -> Flow {
        Flow(self.inner.flow)
    }

    #[getter]
    fn length(&self) -> u32 {
        self.inner.len().0
    }

    #[getter]
    fn payload(&self) -> u32 {
        self.inner.payload.len().0
    }

    #[getter]
    fn ttl(&self) -> u8 {
        self.inner.ttl
    }

    #[getter]
    fn hops(&self) -> u8 {
        self.inner.hops()
    }

    #[getter]
    fn congestion_experienced(&self) -> bool {
        self.inner.congestion_experienced
    }

    #[setter]
    fn set_congestion_experienced(&mut self, marked: bool) {
        self.inner.congestion_experienced = marked;
    }

    #[getter]
    fn hop_header<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.header(py, HOP)
    }

    #[setter]
    fn set_hop_header(&mut self, bytes: Option<&[u8]>) -> PyResult<()> {
        self.set_header(HOP, bytes)
    }

    #[getter]
    fn transport_header<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.header(py, TRANSPORT)
    }

    #[setter]
    fn set_transport_header(&mut self, bytes: Option<&[u8]>) -> PyResult<()> {
        self.set_header(TRANSPORT, bytes)
    }

    fn __repr__(&self) -> String {
        format!("<packet {}, {}>", self.inner.flow, self.inner.len())
    }
}
