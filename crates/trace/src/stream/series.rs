//! Flows and nodes in intervals of 100 ms, or longer ones where those would be too many.

use multihop_core::{AirTime, Bytes, Duration, FrameClass, Packet, Tag, Time};

use super::queues::Lengths;
use super::tables::{Interval, nanos};
use crate::observer::AIR_INTERVAL;

/// Of how many packets of all flows it is known when they were offered, and when they were sent: of those that
/// are lost, nobody says so.
const MOST_UNDER_WAY: usize = 1 << 16;
/// Of how many of one flow at least, and at most.
const OF_A_FLOW: (usize, usize) = (1 << 8, 1 << 12);

/// As many rows as a replay can keep: of long runs and large networks intervals are longer.
const MOST_ROWS: u64 = 500_000;

/// How long intervals of a run until `end` are, with so many rows in each: 100 ms, or 1, 2 or 5 times a power of ten.
fn interval(rows: usize, end: Time) -> Duration {
    let all = end.nanos() / AIR_INTERVAL.nanos() * rows as u64;
    let mut steps = (0..19).flat_map(|power| [1, 2, 5].map(|step| step * 10_u64.pow(power)));
    AIR_INTERVAL * steps.find(|times| all / times <= MOST_ROWS).unwrap_or(1)
}

/// When something first happened to the last packets of a flow, by their numbers modulo a power of two.
#[derive(Clone, Default)]
struct Firsts(Vec<Option<(u32, Time)>>);

impl Firsts {
    fn place(&mut self, number: u32) -> Option<&mut Option<(u32, Time)>> {
        let last = self.0.len().checked_sub(1)?;
        Some(&mut self.0[number as usize & last])
    }

    /// It happens to the packet `number`; the last `most` packets are remembered.
    fn on_packet(&mut self, number: u32, at: Time, most: usize) {
        if self.0.is_empty() {
            self.0.resize(most, None);
        }
        if let Some(place) = self.place(number)
            && place.is_none_or(|(known, _)| known != number)
        {
            *place = Some((number, at));
        }
    }

    /// The packet `number` has arrived. Returns when it first happened to it.
    fn on_delivered(&mut self, number: u32) -> Option<Time> {
        let place = self.place(number)?;
        place.take_if(|(known, _)| *known == number).map(|(_, at)| at)
    }
}

/// A sum of times in s, and of how many.
#[derive(Clone, Copy, Default)]
struct Sum(f64, u32);

impl Sum {
    fn add(&mut self, time: Duration) {
        self.0 += time.seconds();
        self.1 += 1;
    }

    /// NaN of none.
    fn mean(self) -> f64 {
        self.0 / f64::from(self.1)
    }
}

/// One flow.
#[derive(Clone, Copy, Default)]
struct Flow {
    /// Bytes.
    delivered: u64,
    /// Bytes.
    sent: u64,
    network_delays: Sum,
    end_to_end_delays: Sum,
    window: Option<f64>,
}

/// What has happened since the last interval, and what lasts.
pub(super) struct Meters {
    nodes: u32,
    /// By source.
    flows: Vec<Flow>,
    /// By source: when the application offered packets.
    offered: Vec<Firsts>,
    /// By source: when it began to send them.
    sent: Vec<Firsts>,
    /// How many packets of each.
    remembered: usize,
    begin: Time,
    /// How long intervals are.
    interval: Duration,
    /// What radios had done until then, and now; nothing on wires.
    air: (Vec<AirTime>, Vec<AirTime>),
}

impl Meters {
    /// Nothing has happened yet to `nodes` nodes and `flows` flows, in a run until `end`.
    pub fn new(nodes: usize, flows: usize, end: Time) -> Self {
        Meters {
            nodes: nodes as u32,
            flows: vec![Flow::default(); flows],
            offered: vec![Firsts::default(); flows],
            sent: vec![Firsts::default(); flows],
            remembered: (MOST_UNDER_WAY / flows.max(1))
                .next_power_of_two()
                .clamp(OF_A_FLOW.0, OF_A_FLOW.1),
            begin: Time::ZERO,
            interval: interval(nodes + flows, end),
            air: (Vec::new(), Vec::new()),
        }
    }

    /// The application offers the packet `tag`.
    pub fn on_offered(&mut self, at: Time, tag: Tag) {
        if let Some(offered) = self.offered.get_mut(tag.source as usize) {
            offered.on_packet(tag.number, at, self.remembered);
        }
    }

    /// The source of a flow sends `frame`.
    pub fn on_sent(&mut self, at: Time, class: FrameClass, packet: &Packet) {
        if class != FrameClass::Data || !packet.tag.is_data() {
            return;
        }
        let source = packet.tag.source as usize;
        if let Some((flow, sent)) = self.flows.get_mut(source).zip(self.sent.get_mut(source)) {
            sent.on_packet(packet.tag.number, at, self.remembered);
            flow.sent += u64::from(packet.payload.len().0);
        }
    }

    /// The application got the packet `tag`. Returns its network delay.
    pub fn on_delivered(&mut self, at: Time, tag: Tag, payload: Bytes) -> Option<Duration> {
        let flow = self.flows.get_mut(tag.source as usize)?;
        flow.delivered += u64::from(payload.0);
        if let Some(offered) = self.offered[tag.source as usize].on_delivered(tag.number) {
            flow.end_to_end_delays.add(at.since(offered));
        }
        let delay = at.since(self.sent[tag.source as usize].on_delivered(tag.number)?);
        flow.network_delays.add(delay);
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
        self.begin + self.interval
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
            network_delay_s: f64::NAN,
            end_to_end_delay_s: f64::NAN,
            queue: f64::NAN,
            window: f64::NAN,
            rate_bit_s: f64::NAN,
            air_sending: f64::NAN,
            air_receiving: f64::NAN,
            air_busy: f64::NAN,
        };
        for (number, flow) in (0..).zip(&mut self.flows) {
            let Flow { delivered, sent, network_delays, end_to_end_delays, window } = *flow;
            *flow = Flow { window, ..Flow::default() };
            write(Interval {
                flow: number,
                goodput_bit_s: delivered as f64 * 8.0 / seconds,
                network_delay_s: network_delays.mean(),
                end_to_end_delay_s: end_to_end_delays.mean(),
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

#[cfg(test)]
mod tests;
