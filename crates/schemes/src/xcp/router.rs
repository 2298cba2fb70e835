//! XCP 3.5: the router of one interface. No state per flow.

use multihop_core::{Cx, Leaving, Packet, Params, Stamp, Time, TxDone};

use crate::parts::explicit::header::{PATH_HEADER_LEN, PathHeader, read};
use crate::parts::explicit::interval::{Closed, Intervals, Queue};
use crate::parts::explicit::parameters::{ALPHA, BETA};
use crate::parts::explicit::share::{Division, MILLION, Shares, millionths, saturated};

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// α and β, in millionths.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    /// Of the spare bandwidth.
    pub alpha: i64,
    /// Of the persistent queue.
    pub beta: i64,
}

impl Gains {
    /// With the parameters [`ALPHA`] and [`BETA`] of XCP.
    pub fn new(params: &Params) -> Self {
        Gains { alpha: millionths(params.get(ALPHA)), beta: millionths(params.get(BETA)) }
    }
}

/// A router.
pub struct Router {
    gains: Gains,
    division: Division,
    /// C, in bytes per second.
    capacity: u64,
    intervals: Intervals,
}

/// XCP 3.5, equation 1: Φ = α · d · S − β · Q in millionths of a byte. S is what the link could carry
/// besides what has come; `capacity` is in bytes per second.
pub fn aggregate(gains: Gains, capacity: u64, closed: &Closed) -> i64 {
    let could = i128::from(capacity) * i128::from(closed.length.nanos()) * i128::from(MILLION);
    let came = i128::from(closed.sums.arrived()) * i128::from(MILLION);
    let spare = could / SECOND - came;
    let queue = i128::from(gains.beta) * i128::from(closed.queue.0);
    saturated(spare * i128::from(gains.alpha) / i128::from(MILLION) - queue)
}

impl Router {
    /// For an interface with the rate of the data frames.
    pub fn new(params: &Params) -> Self {
        Router {
            gains: Gains::new(params),
            division: Division::new(params),
            capacity: params.link.data_rate.0 / 8,
            intervals: Intervals::new(params, Queue::Interface),
        }
    }
}

impl Stamp for Router {
    type Note = ();

    fn on_enqueue(&mut self, cx: &mut Cx, packet: &mut Packet) {
        self.intervals.on_arrival(cx.now, packet);
    }

    fn on_forward(&mut self, cx: &mut Cx, packet: &mut Packet, (): (), leaving: Leaving) {
        self.intervals.on_departure(cx.now, packet, leaving.bytes_behind);
        let Some(header) = read(cx, packet) else { return };
        let Some(flow) = header.flow else { return };
        let passing = self.intervals.passing(flow, packet.len(), 1);
        let feedback = self.intervals.feed(&passing, header.feedback);
        PathHeader { feedback, ..header }.write(packet);
    }

    fn on_tx_done(&mut self, _cx: &mut Cx, done: &TxDone) {
        self.intervals.on_done(&done.packet);
    }

    fn header_len(&self) -> usize {
        PATH_HEADER_LEN
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if let Some(closed) = self.intervals.close(cx.now) {
            let aggregate = aggregate(self.gains, self.capacity, &closed);
            let shares = Shares::new(aggregate, closed.sums, closed.length, self.division);
            self.intervals.begin(cx.now, shares);
        }
    }

    fn deadline(&self) -> Time {
        self.intervals.deadline()
    }
}
