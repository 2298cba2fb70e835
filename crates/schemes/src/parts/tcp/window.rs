//! RFC 5681, 2 and 3.1: how much may be on its way.

use multihop_core::{Cx, FlowId, Gauge};

/// A reason to send less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// RFC 5681, 3.2: ssthresh and cwnd become half the window.
    Half,
    /// RFC 5681, 3.1: ssthresh becomes half the window, and cwnd the loss window.
    ToOne,
    /// RFC 5681, 4.1: the connection was idle: cwnd becomes one segment, and ssthresh stays.
    Restart,
}

/// The windows, in segments.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// cwnd. It grows also while `limit` is what limits the sender, as in ns-2.
    cwnd: f64,
    /// ssthresh.
    pub threshold: u32,
    /// The receiver's window.
    limit: u32,
    /// RFC 5681, 3.2: by how much the window is inflated for segments that have left the network.
    pub inflation: u32,
}

impl Window {
    /// One segment, until the first one is acknowledged.
    pub fn new(limit: u32, threshold: u32) -> Self {
        Window { cwnd: 1.0, threshold, limit, inflation: 0 }
    }

    /// cwnd.
    pub const fn cwnd(&self) -> f64 {
        self.cwnd
    }

    /// The receiver's window.
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// How many segments may be on their way.
    pub fn segments(&self) -> u32 {
        (self.cwnd as u32).saturating_add(self.inflation).min(self.limit)
    }

    /// Show cwnd.
    pub fn show(&self, cx: &mut Cx, flow: FlowId) {
        cx.gauge(flow, Gauge::Window((self.cwnd * 1_000.0).round() as u32));
    }

    /// Set cwnd, and show it if it changes.
    pub fn set(&mut self, cx: &mut Cx, flow: FlowId, cwnd: f64) {
        if (self.cwnd - cwnd).abs() > 0.0 {
            self.cwnd = cwnd;
            self.show(cx, flow);
        }
    }

    /// RFC 5681, 3.1: slow start below the threshold, congestion avoidance above it.
    pub fn open(&mut self, cx: &mut Cx, flow: FlowId) {
        let slow_start = self.cwnd < f64::from(self.threshold);
        let more = if slow_start { 1.0 } else { 1.0 / self.cwnd };
        self.set(cx, flow, self.cwnd + more);
    }

    /// Close the window. Deviation from RFC 5681, 3.1: half of the window and not of the flight
    /// size, and ssthresh is rounded down, as in ns-2.
    pub fn cut(&mut self, cx: &mut Cx, flow: FlowId, cut: Cut) {
        let half = (self.cwnd + f64::from(self.inflation)).min(f64::from(self.limit)) / 2.0;
        if cut != Cut::Restart {
            self.threshold = half as u32;
        }
        self.threshold = self.threshold.max(2);
        self.set(cx, flow, if cut == Cut::Half { half } else { 1.0 });
    }
}
