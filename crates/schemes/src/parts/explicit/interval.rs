//! XCP 3.5; WXCP 3.3: one control interval after another, as long as there is traffic.
//!
//! An interval lasts as long as the mean round trip of the one before. It ends by the clock; one in which
//! nothing came or went, and the MAC had nothing, is the last, and the next packet begins another. After a long silence nothing that
//! was known counts.

use multihop_core::{Bytes, Duration, Packet, Params, Time};

use super::parameters::{FORGET_AFTER, INITIAL_INTERVAL, LEAST_INTERVAL, LONGEST_INTERVAL};
use super::share::{Passing, Shares, Sums};

/// How a packet found the station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// In an interval.
    Running,
    /// Silent since a short time: an interval begins.
    Paused,
    /// Silent since long: an interval begins, and nothing is known.
    Forgotten,
}

/// An interval that is over.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    /// How long it was.
    pub length: Duration,
    /// What has passed.
    pub sums: Sums,
    /// The least that has waited in the queue: its persistent length.
    pub queue: Bytes,
}

/// What counts as waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// What waits in the interface queue.
    Interface,
    /// The packet in the MAC, too.
    WithMac,
}

/// The control intervals of a station.
#[derive(Clone, Debug)]
pub struct Intervals {
    initial: Duration,
    least: Duration,
    longest: Duration,
    forget_after: Duration,
    queue: Queue,
    /// When the present one began, and when it ends; `None` in silence.
    running: Option<(Time, Time)>,
    /// When the last packet came or went.
    last: Option<Time>,
    /// The mean round trip of the last interval that had one.
    round_trip: Option<Duration>,
    /// Whether anything came or went in the present one.
    busy: bool,
    /// Whether the MAC has a packet.
    in_mac: bool,
    sums: Sums,
    /// What waits now, and the least since the interval began.
    waiting: Bytes,
    least_waiting: Bytes,
    shares: Shares,
}

impl Intervals {
    /// With the parameters of intervals.
    pub fn new(params: &Params, queue: Queue) -> Self {
        Intervals {
            initial: params.get(INITIAL_INTERVAL),
            least: params.get(LEAST_INTERVAL),
            longest: params.get(LONGEST_INTERVAL),
            forget_after: params.get(FORGET_AFTER),
            queue,
            running: None,
            last: None,
            round_trip: None,
            busy: false,
            in_mac: false,
            sums: Sums::default(),
            waiting: Bytes(0),
            least_waiting: Bytes(0),
            shares: Shares::default(),
        }
    }

    /// A packet passes: as the sums take it.
    pub fn passing(
        &self,
        flow: super::header::FlowState,
        length: Bytes,
        throughput: u32,
    ) -> Passing {
        Passing::new(flow, length.0, throughput, self.longest)
    }

    /// Something comes or goes.
    fn touch(&mut self, now: Time) -> Found {
        let before = self.last.replace(now);
        if self.running.is_some() {
            self.busy = true;
            return Found::Running;
        }
        let forgotten = before.is_none_or(|at| now.since(at) > self.forget_after);
        if forgotten {
            self.round_trip = None;
            self.waiting = Bytes(0);
        }
        self.begin(now, Shares::default());
        self.busy = true;
        if forgotten { Found::Forgotten } else { Found::Paused }
    }

    /// `packet` comes to the queue.
    pub fn on_arrival(&mut self, now: Time, packet: &Packet) -> Found {
        let found = self.touch(now);
        self.sums.on_arrival(packet.len().0);
        self.waiting += packet.len();
        found
    }

    /// A packet leaves the queue for the MAC, and so much waits on.
    pub fn on_departure(&mut self, now: Time, packet: &Packet, behind: Bytes) -> Found {
        let found = self.touch(now);
        self.in_mac = true;
        let below = if self.queue == Queue::WithMac { packet.len() } else { Bytes(0) };
        self.wait(behind + below);
        found
    }

    /// The MAC has finished with `packet`.
    pub fn on_done(&mut self, packet: &Packet) {
        self.in_mac = false;
        if self.queue == Queue::WithMac {
            self.wait(Bytes(self.waiting.0.saturating_sub(packet.len().0)));
        }
    }

    /// So much waits now.
    fn wait(&mut self, waiting: Bytes) {
        self.waiting = waiting;
        self.least_waiting = self.least_waiting.min(waiting);
    }

    /// What leaves can get feedback, and `asked` stands in its header: what is to stand there.
    pub fn feed(&mut self, packet: &Passing, asked: i32) -> i32 {
        self.sums.add(packet);
        self.shares.take(packet, asked)
    }

    /// When the present one ends.
    pub fn deadline(&self) -> Time {
        self.running.map_or(Time::NEVER, |(_, ends)| ends)
    }

    /// The present one, if its time is over. In one that was silent, nothing is left to be said.
    pub fn close(&mut self, now: Time) -> Option<Closed> {
        let (began, _) = self.running.take_if(|(_, ends)| *ends <= now)?;
        if let Some(mean) = self.sums.mean_round_trip() {
            self.round_trip = Some(mean);
        }
        let (sums, queue) = (self.sums, self.least_waiting);
        (self.busy || self.in_mac).then(|| Closed { length: now.since(began), sums, queue })
    }

    /// Another one begins, in which that may be handed out.
    pub fn begin(&mut self, now: Time, shares: Shares) {
        let length = self.round_trip.unwrap_or(self.initial).clamp(self.least, self.longest);
        self.running = Some((now, now + length));
        self.busy = false;
        self.sums = Sums::default();
        self.least_waiting = self.waiting;
        self.shares = shares;
    }
}
