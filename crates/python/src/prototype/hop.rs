//! Hop protocols in Python.

use multihop_core::{
    Cx, Failed, FlowId, FrameClass, Heard, Hop, NodeId, Packet, RouteNews, Rx, Time, TxDone,
    TxRequest, Verdict,
};
use multihop_schemes::parts::fifo::is_acknowledgment;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::class::Class;
use super::context::Context;
use super::frame::{Received, Request, Sent};
use super::packet::{self, Flow};
use super::part::{Method, Part};
use super::words::{drop_cause, word};
use crate::words::CLASSES;

/// The hop protocol of one node. Methods that its class has from the base class alone are not called: what
/// they do is done here.
pub(super) struct PythonHop {
    part: Part,
    /// For how many packets it is responsible.
    held: usize,
    promiscuous: bool,
    watches_air: bool,
    on_enqueue: Method,
    on_heard: Method,
    on_tx_done: Method,
    poll_transmit: Method,
    admits: Option<Method>,
    has_room: Option<Method>,
    way: Option<Method>,
    frame_class: Option<Method>,
    on_consumed: Option<Method>,
    on_neighbour_lost: Option<Method>,
    on_route: Option<Method>,
    on_deadline: Method,
}

impl PythonHop {
    /// The one that `object` is, of this class.
    pub fn new(object: Bound<'_, PyAny>, class: &Class, what: &'static str) -> PyResult<Self> {
        let py = object.py();
        let promiscuous = object.getattr("promiscuous")?.extract()?;
        let watches_air = object.getattr("watches_air")?.extract()?;
        let part = Part::new(object, what)?;
        let method = |name| part.method(py, name);
        let own = |name| class.own(name).then(|| part.method(py, name)).transpose();
        Ok(PythonHop {
            held: 0,
            promiscuous,
            watches_air,
            on_enqueue: method("on_enqueue")?,
            on_heard: method("on_heard")?,
            on_tx_done: method("on_tx_done")?,
            poll_transmit: method("poll_transmit")?,
            admits: own("admits")?,
            has_room: own("has_room")?,
            way: own("way")?,
            frame_class: own("frame_class")?,
            on_consumed: own("on_consumed")?,
            on_neighbour_lost: own("on_neighbour_lost")?,
            on_route: own("on_route")?,
            on_deadline: method("on_deadline")?,
            part,
        })
    }

    /// In a call of `method` it has got rid of packets, `returned` of them by giving them back.
    fn settle(&mut self, cx: &Cx, method: &str, returned: usize) {
        let gone = self.part.gone() + returned;
        let Some(held) = self.held.checked_sub(gone) else {
            self.part.refuse(
                cx,
                method,
                "more packets have left than have come by on_enqueue: each leaves once, by \
                 context.release, context.drop, or being returned",
            );
        };
        self.held = held;
    }

    /// Ask about something; `None` if its class does not care.
    fn asked<R>(
        &self,
        method: Option<&Method>,
        call: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<R>,
    ) -> Option<R> {
        method.map(|method| self.part.ask(method, call))
    }
}

/// What a packet looks like to Python.
fn shown(packet: &Packet) -> packet::Packet {
    packet::Packet::new(packet.clone())
}

/// `True` or `False`; `"deliver"`; or the cause for which a packet is refused.
fn verdict(answer: &Bound<'_, PyAny>, heard: Heard) -> PyResult<Verdict> {
    if let Ok(false) = answer.extract::<bool>() {
        return Ok(Verdict::Done);
    }
    if heard == Heard::Overheard {
        return Err(PyValueError::new_err(
            "on_heard returns False for a frame that was for another node (frame.heard is \
             \"overheard\"): only its receiver takes the packet; send it to everyone, with \
             Request(packet, None), if several nodes may",
        ));
    }
    if let Ok(true) = answer.extract::<bool>() {
        return Ok(Verdict::Accept);
    }
    match answer.extract::<&str>() {
        Ok("deliver") => Ok(Verdict::Deliver),
        Ok(cause) => Ok(Verdict::Refuse(drop_cause(cause)?)),
        Err(_) => Err(PyTypeError::new_err(
            "on_heard returns True (this node takes the packet), \"deliver\" (it takes it, and does not \
             forward it), False, or the cause for which it is refused",
        )),
    }
}

/// Nothing, a packet that is given up, or the destination of one that is kept.
fn failed(answer: &Bound<'_, PyAny>) -> PyResult<Option<Failed>> {
    if answer.is_none() {
        return Ok(None);
    }
    if let Ok(packet) = answer.cast::<packet::Packet>() {
        return Ok(Some(Failed::GivenUp(packet.borrow().inner.clone())));
    }
    match answer.extract::<u32>() {
        Ok(destination) => Ok(Some(Failed::Kept(NodeId(destination)))),
        Err(_) => Err(PyTypeError::new_err(
            "on_tx_done returns None, a packet that it gives up, or the destination of one that it \
             keeps although the link has failed",
        )),
    }
}

impl Hop for PythonHop {
    fn admits(&self, flow: FlowId) -> bool {
        self.asked(self.admits.as_ref(), |admits| admits.call1((Flow(flow),))?.extract())
            .unwrap_or(true)
    }

    fn has_room(&self, flow: FlowId) -> bool {
        self.asked(self.has_room.as_ref(), |has_room| has_room.call1((Flow(flow),))?.extract())
            .unwrap_or_else(|| self.admits(flow))
    }

    fn promiscuous(&self) -> bool {
        self.promiscuous
    }

    fn watches_air(&self) -> bool {
        self.watches_air
    }

    fn way(&self, packet: &Packet) -> Option<NodeId> {
        let next = self
            .asked(self.way.as_ref(), |way| way.call1((shown(packet),))?.extract::<Option<u32>>());
        next.flatten().map(NodeId)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.part.call(cx, &self.on_enqueue, |method, context| {
            method.call1((context, packet::Packet::new(packet), next.0)).map(drop)
        });
        self.held += 1;
        self.settle(cx, self.on_enqueue.name, 0);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        let verdict = self.part.call(cx, &self.on_heard, |method, context| {
            verdict(&method.call1((context, Received::new(method.py(), rx)?))?, rx.heard)
        });
        self.settle(cx, self.on_heard.name, 0);
        verdict
    }

    fn on_consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        if let Some(method) = &self.on_consumed {
            self.part.call(cx, method, |method, context| {
                method.call1((context, shown(packet), from.0)).map(drop)
            });
            self.settle(cx, "on_consumed", 0);
        }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let failed = self.part.call(cx, &self.on_tx_done, |method, context| {
            failed(&method.call1((context, Sent::new(method.py(), done)?))?)
        });
        let returned = matches!(failed, Some(Failed::GivenUp(_)));
        self.settle(cx, self.on_tx_done.name, usize::from(returned));
        failed
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        let Some(method) = &self.on_neighbour_lost else { return Vec::new() };
        let lost: Vec<Packet> = self.part.call(cx, method, |method, context| {
            let packets: Vec<Py<packet::Packet>> = method.call1((context, next.0))?.extract()?;
            Ok(packets.iter().map(|packet| packet.borrow(method.py()).inner.clone()).collect())
        });
        self.settle(cx, "on_neighbour_lost", lost.len());
        lost
    }

    fn on_route(&mut self, cx: &mut Cx, news: RouteNews) {
        if let Some(method) = &self.on_route {
            self.part.call(cx, method, told(news));
            self.settle(cx, "on_route", 0);
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.part.on_deadline(cx, &self.on_deadline);
        self.settle(cx, self.on_deadline.name, 0);
    }

    fn deadline(&self) -> Time {
        self.part.deadline()
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        let request = self.part.call(cx, &self.poll_transmit, |method, context| {
            let request: Option<Py<Request>> = method.call1((context,))?.extract()?;
            Ok(request.map(|request| request.get().0.clone()))
        });
        self.settle(cx, self.poll_transmit.name, 0);
        request
    }

    fn backlog(&self) -> usize {
        self.held
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        let named = self.asked(self.frame_class.as_ref(), |method| {
            let name = method.call1((shown(packet),))?;
            word("class of frames", &CLASSES, FrameClass::name, name.extract()?)
        });
        named.unwrap_or_else(|| {
            if is_acknowledgment(packet) {
                FrameClass::TransportAcknowledgment
            } else {
                FrameClass::Data
            }
        })
    }
}

/// The call that tells of a route: its destination, and over how many hops, or `None` if it is lost.
pub(super) fn told(
    news: RouteNews,
) -> impl for<'py> FnOnce(&Bound<'py, PyAny>, Bound<'py, Context>) -> PyResult<()> {
    let hops = match news {
        RouteNews::Found { hops, .. } | RouteNews::Changed { hops, .. } => Some(hops),
        RouteNews::Lost(_) => None,
    };
    let destination = news.destination().0;
    move |method, context| method.call1((context, destination, hops)).map(drop)
}
