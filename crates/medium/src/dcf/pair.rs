//! Frames for two receivers: the first acknowledges after a short interframe space, as every receiver
//! does, and the second another such space after that. Nothing of it is in IEEE 802.11, whose rules for
//! everything else stay: a second address in the header, a duration field that covers both
//! acknowledgments, and one in the first that covers the second (ADR 0065).
//!
//! While nobody has acknowledged, the frame is tried again as any other. Once one has, the MAC is done: what
//! the other one needs is no longer this frame, and its owner knows what is.

use multihop_core::{Duration, Outcome, Time};

use super::frame::FrameKind;
use super::pending::Response;
use super::ports::{Action, Ports};
use super::receiver::Decoded;
use super::station::{Rules, State, Station};

impl Station {
    /// A data frame for this station and another one. It is never announced by an RTS.
    #[cold]
    pub(super) fn on_data_for_two<R: Rules>(&mut self, decoded: &Decoded, ports: &mut Ports<R>) {
        let Decoded { frame, power, .. } = *decoded;
        if self.own.exchange.response.is_some() {
            return; // no room for another response
        }
        let follows = ports.profile.second_acknowledgment(frame.mode);
        let is_second = frame.pair[0] != self.own.me;
        let reserved = if is_second { Duration::ZERO } else { follows };
        self.own.exchange.response =
            Some(Response::acknowledgment(ports.profile, &frame, reserved));
        if self.own.timer == Time::NEVER {
            self.resume(ports);
        } else {
            // It is not what the station awaits, whose attempt has failed.
            self.on_timer(ports);
        }
        if is_second {
            self.own.exchange.respond_at += follows;
        }
        if self.own.exchange.take(frame.from, frame.sequence) {
            ports.act(self.own.me, Action::Receive { frame, power });
        }
    }

    /// The node declines what it has just heard: it gets no acknowledgment, and if it comes again it is new.
    pub fn decline<R: Rules>(&mut self, ports: &mut Ports<R>) {
        let is_owed = |response: &Response| response.kind == FrameKind::Ack;
        let Some(response) = self.own.exchange.response.filter(is_owed) else { return };
        self.own.exchange.untake(response.to);
        self.untake_numbered(response.to);
        self.own.exchange.response = None;
        self.own.exchange.respond_at = Time::NEVER;
        self.contend(ports);
    }

    /// A link acknowledgment for this station, which did not wait for that of one receiver. It does not
    /// say who sends it: the time does.
    #[cold]
    pub(super) fn on_ack_of_two<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if self.own.state != State::AwaitsAcks {
            return;
        }
        let Some(current) = &mut self.own.exchange.current else { return };
        let first = ports.profile.ack_timeout(Duration::ZERO, ports.profile.ack(current.mode));
        let place = usize::from(ports.now > self.own.transmits_until + first);
        current.acknowledged[place] = true;
        if place == 1 {
            self.finish_pair(ports);
            self.resume(ports);
        }
    }

    /// The second acknowledgment has not come.
    #[cold]
    pub(super) fn on_pair_timeout<R: Rules>(&mut self, ports: &mut Ports<R>) {
        self.finish_pair(ports);
    }

    /// Nothing more comes from the receivers.
    fn finish_pair<R: Rules>(&mut self, ports: &mut Ports<R>) {
        self.own.timer = Time::NEVER;
        let outcome = match self.own.exchange.current.map(|current| current.acknowledged) {
            Some([true, true]) => Outcome::Acknowledged,
            Some([true, false]) => Outcome::FirstAcknowledged,
            Some([false, true]) => Outcome::SecondAcknowledged,
            Some([false, false]) | None => return self.retry(false, ports),
        };
        self.succeed(outcome, false, ports);
    }
}
