//! The stations of all nodes on one channel.

use std::collections::VecDeque;
use std::rc::Rc;

use multihop_core::{
    AddressTable, AirTime, Below, DropCause, FrameClass, FrameId, Medium, NodeId, Outcome, Power,
    RadioTotals, Report, Time, Told, Transmission, TxDone, TxRequest, Woken, Word,
};
use multihop_setup::Setup;

use super::event::Event;
use super::frame::Frame;
use super::modulation::LONGEST_FRAME;
use super::settings::Settings;
use super::station::{Ports, Station, Watch};
use super::{FRAME_TOO_LONG, OVER_DUTY_CYCLE};
use crate::channel::Channel;
use crate::scale::Scale;

/// The stations of all nodes on one channel.
pub struct Stations {
    addresses: AddressTable,
    channel: Channel,
    scale: Scale,
    settings: Settings,
    all: Vec<Station>,
    /// The frame that was put on the air last.
    sent: Option<Rc<Frame>>,
    /// How many were.
    transmitted: u32,
    events: VecDeque<(NodeId, Event)>,
    watch: Watch,
}

/// Borrows the field, and what calls to stations get.
macro_rules! ports {
    ($self:ident, $below:expr) => {
        &mut Ports {
            now: $below.now,
            settings: &$self.settings,
            events: &mut $self.events,
            watch: $self.watch,
        }
    };
}

impl Stations {
    /// The stations of a run.
    ///
    /// # Panics
    /// If it has no radio.
    pub fn new(setup: &Setup) -> Self {
        let radio = setup.medium.radio().expect("such a MAC goes over the radio");
        let settings = Settings::new(&setup.medium.values);
        let station = |number| {
            let address = setup.addresses.address(number);
            Station::new(number, address, setup.seed, &settings)
        };
        Stations {
            addresses: setup.addresses.clone(),
            channel: Channel::new(&setup.nodes, radio.clone(), setup.seed),
            scale: Scale::of(&radio.propagation),
            all: (0..setup.nodes.len() as u32).map(NodeId).map(station).collect(),
            settings,
            sent: None,
            transmitted: 0,
            events: VecDeque::new(),
            watch: Watch::Off,
        }
    }

    fn reschedule(&self, node: NodeId, below: &mut Below) {
        below.wakes.set_below(node, self.all[node.index()].deadline());
    }

    /// Why a frame is not taken.
    fn refusal(&mut self, node: NodeId, request: &TxRequest, now: Time) -> Option<&'static Word> {
        if self.settings.frame(request.packet.len()) > LONGEST_FRAME {
            Some(&FRAME_TOO_LONG)
        } else if !self.all[node.index()].may_send(now) {
            Some(&OVER_DUTY_CYCLE)
        } else {
            None
        }
    }

    /// The frame ends before it was on the air: its packet is dropped.
    fn refuse(&mut self, node: NodeId, request: &TxRequest, cause: &'static Word) {
        let done = request.clone().done(Outcome::Sent, self.settings.rate());
        let done = TxDone { attempts: 0, ..done };
        self.events.push_back((node, Event::Keeps(done.packet.tag)));
        self.events.push_back((node, Event::Drops(done.clone(), cause)));
        self.events.push_back((node, Event::Done(done)));
    }
}

/// `power` on a scale, in dBm.
fn in_dbm(scale: Scale, power: f64) -> f64 {
    30.0 + match scale {
        Scale::Watts => Scale::Decibel.of_watts(power),
        Scale::Decibel => power,
    }
}

impl Medium for Stations {
    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        self.channel.neighbours()
    }

    fn is_free(&self, node: NodeId) -> bool {
        self.all[node.index()].is_free()
    }

    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        if let Some(cause) = self.refusal(node, request, below.now) {
            self.refuse(node, request, cause);
            return self.events.len();
        }
        let times = (below.now, below.now + below.lag);
        self.all[node.index()].offer(request, class, times, &self.settings);
        self.reschedule(node, below);
        0
    }

    fn withdraw(&mut self, node: NodeId, _: FrameId, below: &mut Below) -> Option<TxDone> {
        let done = self.all[node.index()].withdraw(below.now, &self.settings)?;
        self.reschedule(node, below);
        Some(done)
    }

    fn mark(&mut self, node: NodeId, _: FrameId) {
        self.all[node.index()].mark();
    }

    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> Woken {
        let on_air = self.all[node.index()].on_deadline(ports!(self, below));
        self.reschedule(node, below);
        Woken { on_air, wins: false, reports: self.events.len() }
    }

    fn transmit(&mut self, node: NodeId, below: &mut Below) -> usize {
        let frame = Rc::new(self.all[node.index()].frame(self.transmitted, &self.settings));
        self.transmitted = self.transmitted.wrapping_add(1);
        self.sent = Some(Rc::clone(&frame));
        let ports = ports!(self, below);
        let (all, scale) = (&mut self.all, self.scale);
        self.channel.arrivals(&*frame, below.now, |arrival| {
            let station = &mut all[arrival.to.index()];
            if station.is_off {
                return;
            }
            let power = in_dbm(scale, arrival.power);
            let incoming = Station::incoming(&frame, power, arrival.start, arrival.spoiled);
            station.arrive(incoming, ports);
            below.wakes.set_below(arrival.to, station.deadline());
        });
        self.events.len()
    }

    fn transmission(&self) -> Transmission<'_> {
        let frame = self.sent.as_ref().expect("a frame was put on the air");
        frame.transmission(&self.addresses)
    }

    fn poll_report(&mut self, _now: Time, told: &mut Told) -> (NodeId, Report) {
        let (node, event) = self.events.pop_front().expect("there is a report");
        let report = match event {
            Event::Received(known) => Report::Received(known),
            Event::Hears(rx) => {
                told.heard = rx;
                Report::Hears
            }
            Event::Done(done) => {
                told.done = done;
                Report::Done
            }
            Event::Keeps(tag) => Report::Keeps(tag),
            Event::Drops(done, cause) => {
                told.done = done;
                Report::Drops(DropCause::Declared(cause))
            }
        };
        (node, report)
    }

    fn restart(&mut self, node: NodeId, below: &mut Below) -> Vec<TxDone> {
        let had = self.all[node.index()].restart(below.now, &self.settings);
        self.all.iter_mut().for_each(|station| station.on_cut_off(node, below.now));
        self.reschedule(node, below);
        had.into_iter().collect()
    }

    fn switch(&mut self, node: NodeId, power: Power, below: &mut Below) -> Vec<TxDone> {
        self.all[node.index()].is_off = power == Power::Off;
        self.restart(node, below)
    }

    fn set_promiscuous(&mut self, node: NodeId, on: bool) {
        self.all[node.index()].promiscuous = on;
    }

    fn air(&mut self, node: NodeId, now: Time) -> AirTime {
        self.all[node.index()].air(now)
    }

    fn totals(&self, node: NodeId, now: Time) -> RadioTotals {
        let station = &self.all[node.index()];
        let air = station.air(now);
        RadioTotals {
            transmitting: air.sending,
            receiving: air.receiving + air.sensed,
            losses: station.losses(),
        }
    }

    fn watch_receptions(&mut self, sensed: bool) {
        self.watch = if sensed { Watch::Sensed } else { Watch::Decodable };
    }

    fn is_moving(&self) -> bool {
        self.channel.is_moving()
    }

    fn sensing(&mut self, now: Time) -> Vec<Vec<NodeId>> {
        self.channel.sensing(now)
    }

    fn in_range(&self, node: NodeId, other: NodeId, now: Time) -> bool {
        self.channel.in_range(node, other, now)
    }
}
