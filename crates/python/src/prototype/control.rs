//! Congestion controls of TCP in Python.

use std::collections::BTreeMap;
use std::sync::Arc;

use multihop_core::{Cx, Duration, End, FlowId, Params, Time, Transport};
use multihop_schemes::parts::pacer::Allowance;
use multihop_schemes::parts::tcp;
use multihop_schemes::parts::tcp::CongestionControl;
use multihop_schemes::parts::tcp::connection::{Connection, DUPLICATES};
use multihop_schemes::parts::tcp::header::Ack;
use multihop_schemes::parts::tcp::newreno::NewReno;
use multihop_schemes::parts::tcp::options::Options;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::class::Class;
use super::packet::Flow;
use super::params;
use super::part::{Method, Part, raise};

/// What makes a congestion control.
type Make = dyn Fn() -> PythonControl + Send + Sync;

/// One end of a TCP connection whose congestion control `make` makes.
pub(super) fn transport(
    params: &Params,
    flow: FlowId,
    end: End,
    make: impl Fn() -> PythonControl + Send + Sync + 'static,
) -> Box<dyn Transport> {
    if end == End::Destination {
        // The receiver knows nothing of it.
        return tcp::transport(params, flow, end, NewReno::default());
    }
    let make: Arc<Make> = Arc::new(make);
    let control = PythonControl { again: Some(Arc::clone(&make)), ..make() };
    tcp::transport(params, flow, end, control)
}

/// A connection's windows, as a congestion control sees and sets them.
#[pyclass(module = "multihop.prototype")]
pub struct Tcp {
    #[pyo3(get)]
    flow: Flow,
    #[pyo3(get, set)]
    window: f64,
    #[pyo3(get)]
    window_before: f64,
    #[pyo3(get, set)]
    threshold: u32,
    #[pyo3(get, set)]
    pace_s: f64,
    #[pyo3(get)]
    acknowledged: u64,
    #[pyo3(get)]
    in_flight: u64,
    #[pyo3(get)]
    round_trip_s: Option<f64>,
}

impl Tcp {
    /// What was set, where it makes sense.
    fn checked(&self) -> PyResult<(f64, u32, Duration)> {
        // not a number is neither
        if !(self.window >= 1.0 && self.window.is_finite()) {
            let message = format!("tcp.window is {}; it is at least 1 segment", self.window);
            return Err(PyValueError::new_err(message));
        }
        if !(self.pace_s >= 0.0 && self.pace_s.is_finite()) {
            let message = format!("tcp.pace_s is {}; it is a time in seconds", self.pace_s);
            return Err(PyValueError::new_err(message));
        }
        Ok((self.window, self.threshold, Duration::from_seconds(self.pace_s)))
    }
}

/// What Python says of a window.
struct Rule {
    part: Part,
    /// From one packet to the next.
    pace: Duration,
}

/// Recovers from losses as `NewReno` does; how the window opens and closes, Python may say.
pub(super) struct PythonControl {
    rule: Rule,
    newreno: NewReno,
    flow: Flow,
    on_ack: Option<Method>,
    on_loss: Option<Method>,
    on_retransmission_timeout: Option<Method>,
    on_deadline: Method,
    /// When segments were sent that are not acknowledged; `None` if more than once.
    sent: BTreeMap<u64, Option<Time>>,
    /// What makes the one of the next connection.
    again: Option<Arc<Make>>,
}

impl PythonControl {
    /// The one of `flow` that `object` is, of this class.
    pub fn new(
        object: Bound<'_, PyAny>,
        flow: FlowId,
        class: &Class,
        what: &'static str,
    ) -> PyResult<Self> {
        let py = object.py();
        let part = Part::new(object, what)?;
        let own = |name| class.own(name).then(|| part.method(py, name)).transpose();
        Ok(PythonControl {
            newreno: NewReno::default(),
            flow: Flow(flow),
            on_ack: own("on_ack")?,
            on_loss: own("on_loss")?,
            on_retransmission_timeout: own("on_retransmission_timeout")?,
            on_deadline: part.method(py, "on_deadline")?,
            sent: BTreeMap::new(),
            again: None,
            rule: Rule { part, pace: Duration::ZERO },
        })
    }

    /// What Python is shown.
    fn shown(&self, tcp: &Connection, before: f64) -> Tcp {
        Tcp {
            flow: self.flow,
            window: tcp.window.cwnd(),
            window_before: before,
            threshold: tcp.window.threshold,
            pace_s: self.rule.pace.seconds(),
            acknowledged: 0,
            in_flight: tcp.sent - tcp.unacknowledged,
            round_trip_s: None,
        }
    }

    /// How long ago the segment before `next` was sent, if it was sent once; forget all before.
    fn round_trip(&mut self, now: Time, next: u64) -> Option<f64> {
        let later = self.sent.split_off(&next);
        let acknowledged = std::mem::replace(&mut self.sent, later);
        let (_, sent) = acknowledged.last_key_value()?;
        sent.map(|sent| now.since(sent).seconds())
    }
}

/// A connection begins again with what it began with.
impl Clone for PythonControl {
    fn clone(&self) -> Self {
        let make = self.again.as_ref().expect("it is set where a connection gets it");
        PythonControl { again: Some(Arc::clone(make)), ..make() }
    }
}

impl Rule {
    /// Call a method, if it has one of its own, and do to the window what it wants.
    fn tell(&mut self, method: Option<&Method>, shown: Tcp, (tcp, cx): (&mut Connection, &mut Cx)) {
        let Some(method) = method else { return };
        let (window, threshold, pace) = self.part.call(cx, method, |method, context| {
            let shown = Py::new(method.py(), shown)?;
            method.call1((context, &shown))?;
            shown.borrow(method.py()).checked()
        });
        tcp.window.threshold = threshold;
        tcp.set_cwnd(cx, window);
        self.pace = pace;
    }
}

impl CongestionControl for PythonControl {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        let acknowledged = ack.sequence - tcp.unacknowledged;
        let round_trip_s = self.round_trip(cx.now, ack.sequence);
        if self.newreno.recovers(tcp, cx, ack) {
            return;
        }
        tcp.keeps_window = self.on_ack.is_some();
        tcp.new_ack_opens(cx, ack);
        // The first is that of the SYN, and an echoed mark has closed the window.
        if ack.sequence > 1 && !tcp.echoes(ack) {
            let shown = Tcp { acknowledged, round_trip_s, ..self.shown(tcp, tcp.window.cwnd()) };
            self.rule.tell(self.on_ack.as_ref(), shown, (tcp, cx));
        }
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        let is_loss = tcp.duplicates + 1 == DUPLICATES && tcp.is_new_loss();
        let before = tcp.window.cwnd();
        self.newreno.on_duplicate_ack(tcp, cx, ack);
        if is_loss {
            let shown = self.shown(tcp, before);
            self.rule.tell(self.on_loss.as_ref(), shown, (tcp, cx));
        }
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let before = tcp.window.cwnd();
        self.newreno.on_retransmission_timeout(tcp, cx);
        let shown = self.shown(tcp, before);
        self.rule.tell(self.on_retransmission_timeout.as_ref(), shown, (tcp, cx));
    }

    fn on_transmit(&mut self, now: Time, sequence: u64, _options: &mut Options) {
        let once = !self.sent.contains_key(&sequence);
        self.sent.insert(sequence, once.then_some(now));
    }

    fn on_standby(&mut self) {
        self.sent.values_mut().for_each(|sent| *sent = None);
    }

    fn on_deadline(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        let shown = self.shown(tcp, tcp.window.cwnd());
        self.rule.tell(Some(&self.on_deadline), shown, (tcp, cx));
        self.rule.part.expect_moved(cx, &self.on_deadline);
    }

    fn deadline(&self, _tcp: &Connection) -> Time {
        self.rule.part.deadline()
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        Allowance { window: tcp.window.segments(), pace: self.rule.pace }
    }
}

/// What makes the congestion control of one connection of this class.
pub(super) fn maker(
    what: &'static str,
    class: &Arc<Class>,
    params: impl Fn() -> params::Params + Send + Sync + 'static,
    flow: FlowId,
) -> impl Fn() -> PythonControl + Send + Sync + 'static {
    let class = Arc::clone(class);
    move || {
        Python::attach(|py| {
            let object = class.made(py, what, |class| class.call1((params(),)));
            let made = PythonControl::new(object, flow, &class, what);
            made.unwrap_or_else(|error| raise(py, error, what))
        })
    }
}
