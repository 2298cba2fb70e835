//! 3.4, 3.5: the sender. Its window follows the feedback; its states are those of figure 1.

use multihop_core::{Cx, Duration, Packet, Params, Time};

use super::discovery::Discovery;
use super::parameters::{DISCOVERY_WINDOW, LOSS_DISCOVERY, TOLERABLE_BURST};
use super::state::{State, Trigger};
use super::words;
use crate::parts::explicit::on_new_ack;
use crate::parts::explicit::window::{ExplicitWindow, keep_one};
use crate::parts::pacer::{Allowance, Pacer};
use crate::parts::tcp::CongestionControl;
use crate::parts::tcp::connection::{Cause, Connection, DUPLICATES};
use crate::parts::tcp::header::Ack;
use crate::parts::tcp::newreno::NewReno;
use crate::parts::tcp::options::Options;

/// The sender's half.
#[derive(Clone)]
pub struct Wxcp {
    /// `W_min`; `None` without loss discovery.
    discovers_below: Option<u32>,
    /// `B_t`.
    tolerable_burst: u32,
    newreno: NewReno,
    window: ExplicitWindow,
    state: State,
    discovery: Discovery,
    pacer: Pacer,
    /// When the last packet left.
    sent: Time,
    /// The first segment that was paced out.
    paced: u64,
}

impl Wxcp {
    /// With the parameters of WXCP.
    pub fn new(params: &Params) -> Self {
        Wxcp {
            discovers_below: params.get(LOSS_DISCOVERY).then(|| params.get(DISCOVERY_WINDOW)),
            tolerable_burst: params.get(TOLERABLE_BURST),
            newreno: NewReno::default(),
            window: ExplicitWindow::new(params),
            state: State::default(),
            discovery: Discovery::default(),
            pacer: Pacer::default(),
            sent: Time::ZERO,
            paced: 0,
        }
    }

    /// Its state.
    pub const fn state(&self) -> State {
        self.state
    }

    /// `trigger` happens. Whether it matters.
    fn step(&mut self, trigger: Trigger) -> bool {
        let Some(next) = self.state.after(trigger) else { return false };
        self.state = next;
        if !matches!(next, State::Pacing | State::LossDiscovery) {
            self.pacer.restart();
        }
        true
    }

    /// From one packet to the next.
    fn pace(&self, tcp: &Connection) -> Duration {
        match (self.state, tcp.timer.round_trip()) {
            (State::LossDiscovery, _) => self.discovery.pace(),
            // 3.5: "paced out with rate cwnd / rtt, where ... rtt represents the last RTT sample"
            (State::Pacing, Some(known)) => known.last.scaled(1.0 / Self::cwnd(tcp)),
            _ => Duration::ZERO,
        }
    }

    /// cwnd as far as the receiver's window lets it count, at least one packet.
    fn cwnd(tcp: &Connection) -> f64 {
        tcp.window.cwnd().min(tcp.window.limit().into()).max(1.0)
    }

    /// 3.5: `W_a`, how much the window lets out now.
    fn available(tcp: &Connection) -> u64 {
        (tcp.unacknowledged + u64::from(tcp.window.segments())).saturating_sub(tcp.next)
    }

    /// The loss discovery timer runs with the retransmission timer, on the same clock, for SRTT: so it does
    /// not run out while "RTT over the path does not increase dramatically" (3.4).
    fn discovery_timer(&self, tcp: &Connection) -> Time {
        let started = tcp.timer.started();
        let waits = matches!(self.state, State::WindowControl | State::Pacing);
        match tcp.timer.round_trip() {
            Some(known) if waits && tcp.timer.runs() && self.discovery.is_due(started) => {
                started + tcp.timer.ticked(known.smoothed)
            }
            _ => Time::NEVER,
        }
    }

    /// 3.4: "the current congestion window size is checked."
    fn on_discovery_timer(&mut self, tcp: &Connection, cx: &mut Cx) {
        self.discovery.on_timer(tcp.timer.started());
        let small = self.discovers_below.is_some_and(|least| tcp.window.cwnd() < f64::from(least));
        let outstanding = tcp.unacknowledged < tcp.sent;
        let Some(known) = tcp.timer.round_trip().filter(|_| small && outstanding) else { return };
        if self.step(Trigger::DiscoveryTimer) {
            tcp.note(cx, &words::LOSS_DISCOVERY);
            self.discovery.begin(known.smoothed, Self::cwnd(tcp));
            self.pacer.on_sent(self.sent, self.discovery.pace());
        }
    }
}

impl CongestionControl for Wxcp {
    fn on_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        let recovers = on_new_ack(&mut self.newreno, &mut self.window, tcp, cx, ack);
        match self.state {
            State::FastRecovery if recovers => {}
            State::FastRecovery => {
                self.step(Trigger::Recovered);
            }
            State::Pacing if ack.sequence <= self.paced => {}
            State::Pacing => {
                self.step(Trigger::PacedAcknowledged);
            }
            _ => {
                self.step(Trigger::NewAcknowledgment);
            }
        }
    }

    fn on_duplicate_ack(&mut self, tcp: &mut Connection, cx: &mut Cx, ack: &Ack) {
        self.newreno.on_duplicate_ack(tcp, cx, ack);
        self.window.on_duplicate(tcp, cx);
        if tcp.duplicates == DUPLICATES && tcp.cause == Cause::Duplicates {
            self.step(Trigger::ThirdDuplicate);
        }
    }

    fn on_retransmission_timeout(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        if tcp.unacknowledged < tcp.sent {
            self.step(Trigger::RetransmissionTimer);
        }
        self.newreno.on_retransmission_timeout(tcp, cx);
        keep_one(tcp, cx);
    }

    fn on_transmit(&mut self, now: Time, _sequence: u64, _options: &mut Options) {
        self.sent = now;
    }

    fn on_departure(&mut self, tcp: &Connection, packet: &mut Packet) {
        self.window.write(tcp, packet);
        if self.state == State::LossDiscovery {
            self.discovery.on_sent();
        }
        self.pacer.on_sent(self.sent, self.pace(tcp));
    }

    fn on_arrival(&mut self, cx: &mut Cx, packet: &Packet) {
        self.window.read(cx, packet);
    }

    fn on_deadline(&mut self, tcp: &mut Connection, cx: &mut Cx) {
        self.pacer.on_deadline(cx.now);
        if self.discovery_timer(tcp) <= cx.now {
            self.on_discovery_timer(tcp, cx);
        }
    }

    fn deadline(&self, tcp: &Connection) -> Time {
        self.discovery_timer(tcp).min(self.pacer.deadline())
    }

    fn allowance(&self, tcp: &Connection) -> Allowance {
        Allowance::window(match (self.state, self.discovers_below) {
            (State::LossDiscovery, Some(least)) => least.min(tcp.window.limit()),
            (State::TimeoutWait, _) => 0,
            _ => tcp.window.segments(),
        })
    }

    fn next_segment(&mut self, tcp: &mut Connection, now: Time) -> Option<u64> {
        if self.state == State::WindowControl
            && tcp.timer.round_trip().is_some()
            && Self::available(tcp) >= u64::from(self.tolerable_burst)
            && self.step(Trigger::Burst)
        {
            self.paced = tcp.next;
        }
        let Allowance { window, .. } = self.allowance(tcp);
        if self.state == State::LossDiscovery && tcp.next >= tcp.unacknowledged + u64::from(window)
        {
            self.step(Trigger::EnoughInserted);
            return None;
        }
        if !self.pacer.permits(now) {
            return None;
        }
        tcp.next_in(window)
    }
}
