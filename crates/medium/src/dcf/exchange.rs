//! The exchange of frames around one data frame: RTS, CTS, data, link acknowledgment, and what
//! happens when one of them stays away (IEEE 802.11, 9.2.5.4 to 9.2.8), as ns-2 models it.

use multihop_core::{Duration, FrameClass, Outcome, Time};

use super::frame::{
    BLOCK_ACK, BLOCK_ACK_REQUEST, BROADCAST, Frame, FrameKind, NO_PACKET, NO_PAIR, OWN_LIMIT,
    OWN_RATE, PAIR, Profile,
};
use super::pending::{Current, ModeChoice, Response};
use super::ports::{Action, Ended, Job, Ports};
use super::receiver::Decoded;
use super::settings::Settings;
use super::station::{Rules, State, Station};

impl Station {
    /// Whether the station can take a frame.
    pub const fn is_free(&self) -> bool {
        self.own.exchange.is_free()
    }

    /// The node gives the station its next frame, which reaches it at `start`.
    pub fn offer<R: Rules>(&mut self, job: Job, start: Time, ports: &mut Ports<R>) {
        debug_assert!(self.is_free(), "one frame at a time waits below a node");
        self.catch_up(ports);
        let bytes = ports.profile.data_bytes_to(job.to, job.bytes);
        let rate = ports.profile.rate(job.to, job.rate);
        let adapts =
            self.own.rates.is_some() && job.rate == OWN_RATE && job.acknowledged && job.to != PAIR;
        self.own.exchange.sequence = self.own.exchange.sequence.wrapping_add(1);
        self.engaged = true;
        self.own.exchange.current = Some(Current {
            job,
            start,
            bytes,
            data_time: ports.profile.data(job.preamble + bytes, rate),
            mode: ports.profile.mode(rate),
            uses_rts: job.acknowledged && job.to != PAIR && ports.profile.needs_rts(bytes),
            cleared: false,
            attempts: 0,
            retries: 0,
            air_time: Duration::ZERO,
            choice: if adapts { ModeChoice::Due } else { ModeChoice::None },
            failures: 0,
            acknowledged: [false; 2],
        });
        if R::BATCHES && self.own.batch.is_some() {
            self.begin_batch(job, ports.profile, start);
        }
        self.contend_as(ports.profile.cw_min(job.cw_min), ports.profile.first(job.first));
        self.forget_ended_backoff::<R>(start, ports.profile);
        // A station that owes a response backs off after it.
        if self.own.exchange.respond_at == Time::NEVER || R::CONTENDS_OWING {
            R::want_medium(self, start, ports.profile);
        }
    }

    /// The node marks the waiting frame: its further attempts say so.
    pub fn mark(&mut self) {
        if let Some(current) = &mut self.own.exchange.current {
            current.job.marked = true;
        }
        self.mark_batch();
    }

    /// Take the waiting frame back, unless it has been on the air. The backoff goes on.
    pub fn withdraw(&mut self) -> Option<Job> {
        let current = self.own.exchange.current.filter(|current| current.attempts == 0)?;
        self.own.exchange.current = None;
        self.withdraw_batch();
        self.forget_undrawn_backoff();
        Some(current.job)
    }

    /// The medium is this station's: send its frame, or first the RTS.
    pub(super) fn send_current<R: Rules>(&mut self, ports: &mut Ports<R>) {
        let current = &self.own.exchange.current;
        let is_due = current.is_some_and(|current| current.choice == ModeChoice::Due);
        let chosen = if is_due { self.choose_mode(ports.now) } else { None };
        let profile = ports.profile;
        if let (Some(mode), Some(current)) = (chosen, &mut self.own.exchange.current) {
            current.take_mode(mode, profile);
        }
        let (mut sends, mut number) = (FrameKind::Data, None);
        if R::BATCHES && self.own.batch.is_some() {
            let Some(kind) = self.prepare_batch(ports) else { return };
            (sends, number) = (kind, self.batch_number());
        }
        let Some(current) = &mut self.own.exchange.current else { return };
        let job = current.job;
        let answer = match sends {
            FrameKind::Data => profile.ack(current.mode),
            _ => profile.block_ack(current.mode),
        };
        let (kind, state, air_time, timeout) = if current.uses_rts && !current.cleared {
            (FrameKind::Rts, State::AwaitsCts, profile.rts, profile.cts_timeout())
        } else if job.acknowledged && job.to == PAIR {
            let timeout = profile.pair_timeout(current.data_time, current.mode);
            (FrameKind::Data, State::AwaitsAcks, current.data_time, timeout)
        } else if job.acknowledged {
            let air_time = match sends {
                FrameKind::BlockAckRequest => profile.block_ack_request(current.mode),
                _ => current.data_time,
            };
            let is_alone = sends == FrameKind::Data;
            let state = if is_alone { State::AwaitsAck } else { State::AwaitsBlockAck };
            (sends, state, air_time, profile.ack_timeout(air_time, answer))
        } else {
            (FrameKind::UnacknowledgedData, State::Sends, current.data_time, current.data_time)
        };
        let (reserved, bytes) = match kind {
            FrameKind::Rts => {
                (profile.rts_reserves(current.data_time, answer), profile.settings().rts)
            }
            FrameKind::Data if job.to == PAIR => {
                (profile.pair_reserves(current.mode), current.bytes)
            }
            FrameKind::BlockAckRequest => (profile.data_reserves(answer), BLOCK_ACK_REQUEST),
            FrameKind::Data | FrameKind::Aggregate => {
                (profile.data_reserves(answer), current.bytes)
            }
            _ => (Duration::ZERO, current.bytes),
        };
        current.attempts += 1;
        current.air_time += air_time;
        let sequence = number.unwrap_or(self.own.exchange.sequence);
        let mode = match kind {
            FrameKind::Rts => profile.rts_mode,
            FrameKind::BlockAckRequest => profile.ack_mode(current.mode),
            _ => current.mode,
        };
        let Job { to, pair, packet, marked, .. } = job;
        let frame = Frame {
            kind,
            class: kind.class(job.class),
            from: self.own.me,
            to,
            pair,
            air_time,
            reserved,
            bytes,
            mode,
            packet,
            sequence,
            marked,
        };
        if number.is_some() {
            self.note_batch(&frame, ports);
        }
        self.transmit(state, timeout, frame, ports);
    }

    /// A frame was decoded.
    pub(super) fn on_decoded<R: Rules>(&mut self, decoded: &Decoded, ports: &mut Ports<R>) {
        let Decoded { frame, power, .. } = *decoded;
        let mine = frame.to == self.own.me;
        if self.own.rates.is_some() {
            self.learn_signal(frame.from, ports.profile.above_noise(power));
        }
        match frame.kind {
            FrameKind::Rts if mine => self.on_rts(&frame, ports),
            FrameKind::Cts if mine => self.on_cts(ports),
            FrameKind::Ack if mine => self.on_ack(ports),
            FrameKind::Data if mine => self.on_data(decoded, ports),
            FrameKind::Aggregate if mine => self.on_aggregate(decoded, ports),
            FrameKind::BlockAckRequest if mine => self.on_block_ack_request(&frame, ports),
            FrameKind::BlockAck if mine => self.on_block_ack(&frame, ports),
            FrameKind::Aggregate if self.overhears() => {
                for frame in self.surviving(&frame, ports) {
                    ports.act(self.own.me, Action::Receive { frame, power });
                }
            }
            FrameKind::Data if frame.to == PAIR && frame.is_for(self.own.me) => {
                self.on_data_for_two(decoded, ports);
            }
            FrameKind::Data | FrameKind::UnacknowledgedData
                if mine || self.overhears() || frame.to == BROADCAST =>
            {
                ports.act(self.own.me, Action::Receive { frame, power });
            }
            _ => {}
        }
    }

    fn on_rts<R: Rules>(&mut self, frame: &Frame, ports: &mut Ports<R>) {
        if self.own.state == State::Idle && self.own.exchange.response.is_none() {
            let reserved = ports.profile.cts_reserves(frame.reserved);
            let Profile { cts: air_time, cts_mode: mode, .. } = *ports.profile;
            let response =
                Response { kind: FrameKind::Cts, to: frame.from, air_time, mode, reserved };
            self.own.exchange.response = Some(response);
            self.resume(ports);
        }
    }

    fn on_cts<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if self.own.state != State::AwaitsCts {
            return;
        }
        self.own.timer = Time::NEVER;
        self.own.exchange.short_retries = 0;
        if let Some(current) = &mut self.own.exchange.current {
            current.cleared = true;
        }
        self.resume(ports);
    }

    fn on_data<R: Rules>(&mut self, decoded: &Decoded, ports: &mut Ports<R>) {
        let Decoded { frame, power, .. } = *decoded;
        let answer = Response::acknowledgment(ports.profile, &frame, Duration::ZERO);
        if !self.owe(&frame, answer, ports) {
            return;
        }
        if R::BATCHES && self.own.batch.is_some() {
            self.take_numbered(&frame, power, ports);
        } else if self.own.exchange.take(frame.from, frame.sequence) {
            ports.act(self.own.me, Action::Receive { frame, power });
        }
    }

    /// The station owes this answer to `frame`, if it has room for it.
    pub(super) fn owe<R: Rules>(
        &mut self,
        frame: &Frame,
        answer: Response,
        ports: &mut Ports<R>,
    ) -> bool {
        let needs_cts = R::AWAITS_DATA && ports.profile.needs_rts(frame.bytes);
        // A station that waits for data has no room for another response but to that.
        let takes_place = self.own.state == State::AwaitsData && needs_cts;
        if takes_place {
            self.own.timer = Time::NEVER;
        } else if self.own.exchange.response.is_some() {
            return false; // no room for another response
        } else if needs_cts {
            return false;
        }
        self.own.exchange.response = Some(answer);
        if self.own.timer == Time::NEVER {
            self.resume(ports);
        } else if R::ACKNOWLEDGING_ENDS_ATTEMPT {
            // It is not what the station awaits, whose attempt has failed. Else the answer goes when its time is over.
            self.on_timer(ports);
        }
        true
    }

    fn on_ack<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if self.own.state != State::AwaitsAck {
            return self.on_ack_of_two(ports);
        }
        if self.has_batch::<R>() {
            return self.on_batch_answer(Some(1), |_| true, ports);
        }
        self.own.timer = Time::NEVER;
        self.learn_outcome_if_adapting(true, ports.now);
        let long = self.own.exchange.current.is_some_and(|current| current.uses_rts);
        self.succeed(Outcome::Acknowledged, long, ports);
        self.resume(ports);
    }

    /// The frame needs no further attempt.
    pub(super) fn succeed<R: Rules>(&mut self, outcome: Outcome, long: bool, ports: &mut Ports<R>) {
        *self.retries(long) = 0;
        self.reset_window();
        self.back_off::<R>(ports.now);
        self.done(outcome, ports);
    }

    /// What the station waited for has not come, or its frame is sent.
    pub(super) fn on_timer<R: Rules>(&mut self, ports: &mut Ports<R>) {
        self.own.timer = Time::NEVER;
        match self.own.state {
            State::AwaitsCts => self.retry(false, ports),
            State::AwaitsBlockAck => self.on_batch_unanswered(ports),
            State::AwaitsAck if self.has_batch::<R>() => self.on_batch_unanswered(ports),
            State::AwaitsAck => {
                self.learn_outcome_if_adapting(false, ports.now);
                let long = self.own.exchange.current.is_some_and(|current| current.uses_rts);
                self.retry(long, ports);
            }
            State::AwaitsAcks => self.on_pair_timeout(ports),
            State::AwaitsData => self.own.exchange.response = None,
            State::Sends => {
                self.reset_window();
                self.back_off::<R>(ports.now);
                self.done(Outcome::Sent, ports);
            }
            State::Idle => {}
        }
        self.resume(ports);
    }

    /// A short interframe space has passed: send the response, or the data after the CTS.
    pub(super) fn on_respond<R: Rules>(&mut self, ports: &mut Ports<R>) {
        self.own.exchange.respond_at = Time::NEVER;
        let may = self.is_idle(ports.now) || R::may_respond(self, ports.now, ports.profile);
        match self.own.exchange.response {
            // A link acknowledgment is sent on any medium.
            Some(response) if may || response.kind.acknowledges() => {
                self.send_response(response, ports);
            }
            Some(_) => {
                self.own.exchange.response = None;
                self.contend(ports);
            }
            None if may => self.send_current(ports),
            None => {
                if let Some(current) = &mut self.own.exchange.current {
                    current.cleared = false;
                }
                self.widen_window(ports.profile);
                self.contend(ports);
            }
        }
    }

    fn send_response<R: Rules>(&mut self, response: Response, ports: &mut Ports<R>) {
        let profile = ports.profile;
        let Response { kind, to, air_time, mode, reserved } = response;
        let is_block = kind == FrameKind::BlockAck;
        let sequence = if is_block { self.send_block_acknowledgment(ports) } else { 0 };
        let frame = Frame {
            kind,
            class: kind.class(FrameClass::Control),
            from: self.own.me,
            to,
            pair: NO_PAIR,
            air_time,
            reserved,
            bytes: if is_block { BLOCK_ACK } else { profile.settings().cts_ack },
            mode,
            packet: NO_PACKET,
            sequence,
            marked: false,
        };
        if kind == FrameKind::Cts && R::AWAITS_DATA {
            self.transmit(State::AwaitsData, profile.data_timeout(reserved), frame, ports);
        } else {
            // The station waits for nothing: it is idle again once the response is sent, and needs no timer for that.
            self.own.exchange.response = None;
            self.transmit(State::Idle, frame.air_time, frame, ports);
            self.contend(ports);
        }
    }

    fn retries(&mut self, long: bool) -> &mut u32 {
        if long {
            &mut self.own.exchange.long_retries
        } else {
            &mut self.own.exchange.short_retries
        }
    }

    /// No answer: try again with a wider window, or give up. RTS and unannounced data count as
    /// short frames, data behind an RTS as long ones.
    pub(super) fn retry<R: Rules>(&mut self, long: bool, ports: &mut Ports<R>) {
        let settings = ports.profile.settings();
        let is_rts = self.own.state == State::AwaitsCts;
        let limit =
            match self.own.exchange.current.map_or(OWN_LIMIT, |current| current.job.attempts) {
                OWN_LIMIT if long => settings.long_retry_limit,
                OWN_LIMIT if is_rts && repeats_while_it_lives::<R>(settings) => {
                    self.rts_limit::<R>(settings)
                }
                OWN_LIMIT => settings.short_retry_limit,
                attempts => attempts,
            };
        *self.retries(long) = self.retries(long).saturating_add(1);
        if *self.retries(long) >= limit || self.has_outlived::<R>(settings, ports.now) {
            *self.retries(long) = 0;
            self.reset_window();
            R::give_up(self, ports.now);
            self.done(Outcome::Failed, ports);
        } else {
            if self.has_batch::<R>() {
                self.expire_batch(ports);
            }
            if let Some(current) = &mut self.own.exchange.current {
                current.cleared = false;
                current.retries += 1;
            }
            self.widen_window(ports.profile);
            self.back_off::<R>(ports.now);
        }
    }

    /// Whether the life of a frame is over that goes alone; packets of a batch have one each.
    fn has_outlived<R: Rules>(&self, settings: &Settings, now: Time) -> bool {
        let (Some(life), Some(current)) = (settings.lifetime, &self.own.exchange.current) else {
            return false;
        };
        current.job.attempts == OWN_LIMIT && current.start + life <= now && !self.has_batch::<R>()
    }

    fn done<R: Rules>(&mut self, outcome: Outcome, ports: &mut Ports<R>) {
        if self.has_batch::<R>() {
            return self.end_batch(outcome, ports);
        }
        if let Some(current) = self.own.exchange.current.take() {
            let Current { job, attempts, retries, air_time, .. } = current;
            let ended = Ended { outcome, attempts, retries, air_time, batch: 1, job };
            ports.act(self.own.me, Action::Done(ended));
        }
    }

    /// The exchange goes on after a short gap, or the medium is free for everyone.
    pub(super) fn resume<R: Rules>(&mut self, ports: &mut Ports<R>) {
        let cleared = self.own.exchange.current.is_some_and(|current| current.cleared);
        if self.own.exchange.response.is_some() || cleared && !self.is_backing_off() {
            self.own.exchange.respond_at = ports.now + ports.profile.sifs;
        } else {
            self.contend(ports);
        }
        self.release_medium(ports.now);
    }

    fn learn_outcome_if_adapting(&mut self, acknowledged: bool, now: Time) {
        let current = &self.own.exchange.current;
        if current.is_some_and(|current| current.choice != ModeChoice::None) {
            self.learn_outcome(acknowledged, now);
        }
    }

    /// A waiting frame needs a backoff.
    pub(super) fn contend<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if let Some(current) = &self.own.exchange.current {
            self.back_off::<R>(ports.now.max(current.start));
        }
    }
}

/// Whether RTS and questions for block acknowledgments go on as long as what they are for lives.
pub(super) const fn repeats_while_it_lives<R: Rules>(settings: &Settings) -> bool {
    !R::LIMITS_RTS && settings.lifetime.is_some()
}
