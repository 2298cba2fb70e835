//! Transports in Python.

use multihop_core::{Cx, Message, Packet, RouteNews, Time, Transport};
use pyo3::prelude::*;

use super::class::Class;
use super::header::TRANSPORT;
use super::hop::told;
use super::packet;
use super::part::{Method, Part};

/// Whether a transport in Python has sent `packet`.
pub(super) fn carries(packet: &Packet) -> bool {
    packet.headers.get(TRANSPORT).is_some()
}

/// One end of a flow.
pub(super) struct PythonTransport {
    part: Part,
    on_message: Method,
    on_packet: Method,
    poll_send: Method,
    give_up: Method,
    wants_message: Option<Method>,
    on_route: Option<Method>,
    on_deadline: Method,
}

impl PythonTransport {
    /// The one that `object` is, of this class.
    pub fn new(object: Bound<'_, PyAny>, class: &Class, what: &'static str) -> PyResult<Self> {
        let py = object.py();
        let part = Part::new(object, what)?;
        let method = |name| part.method(py, name);
        let own = |name| class.own(name).then(|| part.method(py, name)).transpose();
        Ok(PythonTransport {
            on_message: method("on_message")?,
            on_packet: method("on_packet")?,
            poll_send: method("poll_send")?,
            give_up: method("give_up")?,
            wants_message: own("wants_message")?,
            on_route: own("on_route")?,
            on_deadline: method("on_deadline")?,
            part,
        })
    }
}

/// A packet that goes on its way: its header says whose it is, also if there is nothing else to say.
fn named(mut packet: Packet) -> Packet {
    if !carries(&packet) {
        packet.headers.set(TRANSPORT, &[]);
    }
    packet
}

/// A packet that Python returns, or nothing.
fn packet(answer: &Bound<'_, PyAny>) -> PyResult<Option<Packet>> {
    let packet: Option<Py<packet::Packet>> = answer.extract()?;
    Ok(packet.map(|packet| packet.borrow(answer.py()).inner.clone()))
}

impl Transport for PythonTransport {
    fn wants_message(&self, room: bool) -> bool {
        let Some(method) = &self.wants_message else { return false };
        self.part.ask(method, |method| method.call1((room,))?.extract())
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.part.call(cx, &self.on_message, |method, context| {
            method.call1((context, packet::Message(message))).map(drop)
        });
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.part.call(cx, &self.on_packet, |method, context| {
            method.call1((context, packet::Packet::new(packet))).map(drop)
        });
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        if let Some(method) = &self.on_route {
            self.part.call(cx, method, told(news));
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.part.on_deadline(cx, &self.on_deadline);
    }

    fn deadline(&self) -> Time {
        self.part.deadline()
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        self.part.call(cx, &self.poll_send, |method, context| {
            Ok(packet(&method.call1((context,))?)?.map(named))
        })
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.part.ask(&self.give_up, |method| packet(&method.call0()?))
    }

    /// A simulation does not ask: its own books are complete.
    fn backlog(&self) -> usize {
        0
    }
}
