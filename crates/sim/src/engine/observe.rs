//! What those who watch are told.

use multihop_core::{
    AirTime, DropCause, Duration, Event, FlowId, Gauge, HandOver, Medium, NodeId, Packet,
    RadioTotals, Tag, Time, Timer, TxDone,
};
use multihop_trace::{AIR_INTERVAL, Costly, Observation, ProtocolEvent, Reach};

use super::Engine;

/// How often, while nodes move, it is found out anew who senses whom: at the speed of a car, a
/// node moves 2 m in that time.
const RENEWAL: Duration = Duration::from_millis(100);

impl<M: Medium + ?Sized> Engine<'_, M> {
    /// The run begins.
    pub(super) fn tell_start(&mut self) {
        if self.observers.wants(Costly::Receptions) {
            self.medium.watch_receptions(self.observers.wants(Costly::Sensed));
        }
        self.medium.begin();
        if self.observers.wants(Costly::Air) {
            (0..self.nodes.len() as u32).for_each(|node| self.medium.watch_air(NodeId(node)));
            self.tell_air_times();
            (0..self.nodes.len() as u32).for_each(|node| self.follow_listening(NodeId(node)));
            self.stop = self.stop.min(self.air_due);
        }
        if self.observers.wants(Costly::Timers) {
            self.timers = vec![[Time::NEVER; Timer::ALL.len()]; self.nodes.len()];
            (0..self.nodes.len() as u32).for_each(|node| self.tell_timers(NodeId(node)));
        }
        if self.observers.wants(Costly::Sensing) {
            self.tell_sensing();
        }
        if self.setup.warmup == Time::ZERO {
            self.tell_measuring();
        }
    }

    /// Who senses whom now; next time when nodes may have moved far enough to matter.
    fn tell_sensing(&mut self) {
        let sensing = self.medium.sensing(self.now);
        self.observers.tell(self.now, Observation::Sensing(&sensing));
        self.sensing_due = if self.medium.is_moving() { self.now + RENEWAL } else { Time::NEVER };
    }

    /// When the parts of `node` want to be woken, where that has changed.
    #[cold]
    pub(super) fn tell_timers(&mut self, node: NodeId) {
        let before = &mut self.timers[node.index()];
        let deadlines = self.nodes[node.index()].deadlines();
        if *before == deadlines {
            return;
        }
        let before = std::mem::replace(before, deadlines);
        for ((timer, before), due) in Timer::ALL.iter().zip(before).zip(deadlines) {
            if before != due {
                self.observers.tell(self.now, Observation::Timer { node, timer: *timer, due });
            }
        }
    }

    /// What radios have done with their time up to now.
    pub(super) fn tell_air_times(&mut self) {
        if !self.medium.shares_air() {
            return;
        }
        let nodes = (0..self.nodes.len() as u32).map(NodeId);
        let times: Vec<AirTime> = nodes.map(|node| self.medium.air(node, self.now)).collect();
        self.observers.tell(self.now, Observation::Air(&times));
        self.air_due = self.now + AIR_INTERVAL;
    }

    /// The warm-up is over.
    pub(super) fn tell_measuring(&mut self) {
        let warmup = self.setup.warmup;
        let radios = self.radio_totals(warmup);
        self.observers.tell(warmup, Observation::MeasuringBegins(&radios));
    }

    /// What has become of frames up to now, if somebody asks for it.
    pub(super) fn tell_receptions(&mut self, which: HandOver) {
        let (now, observers) = (self.now, &mut self.observers);
        self.medium.receptions(now, which, &mut |known| observers.tell_receptions(now, known));
    }

    /// The run is over.
    pub(super) fn tell_end(&mut self) {
        if self.air_due != Time::NEVER {
            self.tell_air_times();
        }
        self.tell_receptions(HandOver::All);
        let (radios, wakes) = (self.radio_totals(self.now), self.steps);
        self.observers.tell(self.now, Observation::End { radios: &radios, wakes });
    }

    fn radio_totals(&self, now: Time) -> Vec<RadioTotals> {
        (0..self.nodes.len() as u32).map(|node| self.medium.totals(NodeId(node), now)).collect()
    }

    pub(super) fn dropped(&mut self, node: NodeId, packet: &Packet, cause: DropCause) {
        self.observers.tell(self.now, Observation::Drop { node, packet, cause });
    }

    pub(super) fn on_event(&mut self, node: NodeId, event: Event, tag: Tag) {
        let source = self.source_of(node, event.flow).map(|index| index as u32);
        let told = ProtocolEvent { node, event, tag, source, reason: None };
        self.observers.tell_event(self.now, told);
    }

    /// The source at `node` whose flow is `flow`.
    pub(super) fn source_of(&self, node: NodeId, flow: FlowId) -> Option<usize> {
        let address = self.setup.addresses.address(node);
        if flow.source == address { self.source_of.get(&flow).copied() } else { None }
    }

    pub(super) fn on_gauge(&mut self, node: NodeId, flow: FlowId, gauge: Gauge) {
        if let Some(index) = self.source_of(node, flow) {
            let source = index as u32;
            self.observers.tell(self.now, Observation::Gauge { node, flow, source, gauge });
        }
    }

    /// Routing at `node` takes the link to `next` for broken. It is mistaken if `next` is in
    /// range: the medium was busy, and the route is as good as before.
    pub(super) fn link_broken(&mut self, node: NodeId, next: NodeId) {
        let next = self.setup.addresses.number(next);
        let in_range = self.medium.in_range(node, next, self.now);
        let reach = if in_range { Reach::InRange } else { Reach::OutOfRange };
        self.observers.tell(self.now, Observation::LinkBroken { node, next, reach });
    }

    pub(super) fn service_started(&mut self, node: NodeId, packet: &Packet) {
        if self.now >= self.sensing_due {
            self.tell_sensing();
        }
        self.observers.tell(self.now, Observation::ServiceStart { node, packet });
    }

    pub(super) fn service_ended(&mut self, node: NodeId, done: &TxDone) {
        if self.now >= self.sensing_due {
            self.tell_sensing();
        }
        self.observers.tell(self.now, Observation::ServiceEnd { node, done });
    }
}
