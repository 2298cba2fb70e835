//! Flows and nodes in intervals of 100 ms.

use std::collections::BTreeMap;

use multihop_core::{AirTime, Bytes, Duration, FrameClass, Tag, Time, Transmission};

use super::queues::Lengths;
use super::tables::{Interval, nanos};
use crate::observer::AIR_INTERVAL;

/// Of how many packets that were sent and not delivered the time is known. Of those that are lost
/// nobody says so.
const MOST_UNDER_WAY: usize = 1 << 16;

/// One flow.
#[derive(Clone, Copy, Default)]
struct Flow {
    /// Bytes.
    delivered: u64,
    /// Bytes.
    sent: u64,
    /// Sum in s and number.
    delays: (f64, u32),
    window: Option<f64>,
}

fn key(tag: Tag) -> (u32, u32) {
    (tag.source, tag.number)
}

/// What has happened since the last interval, and what lasts.
pub(super) struct Meters {
    nodes: u32,
    /// By source.
    flows: Vec<Flow>,
    /// When a packet's source first began to send it, by source and number.
    first_sent: BTreeMap<(u32, u32), Time>,
    begin: Time,
    /// What radios had done until then, and now; nothing on wires.
    air: (Vec<AirTime>, Vec<AirTime>),
}

impl Meters {
    /// Nothing has happened yet to `nodes` nodes and `flows` flows.
    pub fn new(nodes: usize, flows: usize) -> Self {
        Meters {
            nodes: nodes as u32,
            flows: vec![Flow::default(); flows],
            first_sent: BTreeMap::new(),
            begin: Time::ZERO,
            air: (Vec::new(), Vec::new()),
        }
    }

    /// The source of a flow sends `frame`.
    pub fn on_sent(&mut self, at: Time, frame: &Transmission) {
        let Some(packet) = frame.packet.filter(|_| frame.class == FrameClass::Data) else { return };
        if !packet.tag.is_data() {
            return;
        }
        self.first_sent.entry(key(packet.tag)).or_insert(at);
        if self.first_sent.len() > MOST_UNDER_WAY {
            self.first_sent.pop_first();
        }
        if let Some(flow) = self.flows.get_mut(packet.tag.source as usize) {
            flow.sent += u64::from(packet.payload.len().0);
        }
    }

    /// The application got the packet `tag`. Returns its delay.
    pub fn on_delivered(&mut self, at: Time, tag: Tag, payload: Bytes) -> Option<Duration> {
        let flow = self.flows.get_mut(tag.source as usize)?;
        flow.delivered += u64::from(payload.0);
        let delay = at.since(self.first_sent.remove(&key(tag))?);
        flow.delays.0 += delay.seconds();
        flow.delays.1 += 1;
        Some(delay)
    }

    /// The window of a flow is another one.
    pub fn on_window(&mut self, source: u32, window: f64) {
        if let Some(flow) = self.flows.get_mut(source as usize) {
            flow.window = Some(window);
        }
    }

    /// Radios have spent their time like that.
    pub fn on_air(&mut self, times: &[AirTime]) {
        self.air.1 = times.to_vec();
    }

    /// When the interval ends.
    pub fn end(&self) -> Time {
        self.begin + AIR_INTERVAL
    }

    /// The interval ends `now`.
    pub fn close(&mut self, now: Time, lengths: &Lengths, mut write: impl FnMut(Interval)) {
        let seconds = now.since(self.begin).seconds();
        if seconds == 0.0 {
            return;
        }
        let blank = Interval {
            time_ns: nanos(self.begin),
            node: -1,
            flow: -1,
            goodput_bit_s: f64::NAN,
            delay_s: f64::NAN,
            queue: f64::NAN,
            window: f64::NAN,
            rate_bit_s: f64::NAN,
            air_sending: f64::NAN,
            air_receiving: f64::NAN,
            air_busy: f64::NAN,
        };
        for (number, flow) in (0..).zip(&mut self.flows) {
            let Flow { delivered, sent, delays, window } = *flow;
            *flow = Flow { window, ..Flow::default() };
            write(Interval {
                flow: number,
                goodput_bit_s: delivered as f64 * 8.0 / seconds,
                delay_s: delays.0 / f64::from(delays.1),
                window: window.unwrap_or(f64::NAN),
                rate_bit_s: sent as f64 * 8.0 / seconds,
                ..blank.clone()
            });
        }
        let (before, after) = &mut self.air;
        before.resize(after.len(), AirTime::default());
        for node in 0..self.nodes {
            let mut row = Interval { queue: f64::from(lengths.at(node)), ..blank.clone() };
            row.node = node.cast_signed();
            let times = before.get(node as usize).zip(after.get(node as usize));
            if let Some(spent) = times.map(|(before, after)| *after - *before) {
                row.air_sending = spent.sending.seconds() / seconds;
                row.air_receiving = spent.receiving.seconds() / seconds;
                row.air_busy = spent.busy().saturating_sub(spent.deaf()).seconds() / seconds;
            }
            write(row);
        }
        before.clone_from(after);
        self.begin = now;
    }
}
