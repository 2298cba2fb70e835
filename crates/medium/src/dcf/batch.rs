//! Packets that a station has in hand for one neighbour, and sends in A-MPDUs (IEEE 802.11-2020, 10.12, 10.25): gathered
//! when the medium is won, answered by a block acknowledgment, and repeated one by one.
//!
//! - All packets that a neighbour acknowledges have numbers of their own, and the first without an answer and the last in hand are less
//!   than 64 apart. One packet goes as a frame of its own, which a link acknowledgment answers.
//! - A block acknowledgment that stays away is asked for (`BlockAckReq`) until it comes. What it says nothing of is repeated,
//!   and given up after as many attempts as any frame, or when its life is over; then the next frame for the neighbour is such a question, which
//!   says from which number on the station sends.
//! - The window of contention doubles after an answer that has not come, not after one with holes.
//!
//! The agreement that the standard asks for first (ADDBA) is there from the start, and costs nothing.

use multihop_core::{BatchRoom, Bytes, Duration, NodeId, Outcome, Time};

use super::aggregates::Part;
use super::exchange::repeats_while_it_lives;
use super::frame::{Frame, FrameKind, OWN_LIMIT, PAIR, Profile};
use super::in_hand::Mpdu;
use super::pending::{ModeChoice, Response};
use super::ports::{Action, Job, Ports, Waiting};
use super::receiver::Decoded;
use super::settings::Settings;
use super::station::{Rules, State, Station};
use super::window::{LONGEST, Place, Window};

impl Station {
    /// It sends packets in batches from now on, if the profile says so.
    pub(super) fn aggregate(&mut self, profile: &Profile) {
        self.own.batch = profile.aggregation().map(|_| Box::default());
    }

    /// The frame that was offered begins a batch, if such frames do.
    #[cold]
    pub(super) fn begin_batch(&mut self, job: Job, profile: &Profile, now: Time) {
        let Some(batch) = &mut self.own.batch else { return };
        if job.acknowledged && job.to != PAIR {
            batch.begin(job, profile.data_bytes(job.bytes), now);
        } else {
            batch.mpdus.clear();
        }
    }

    /// What may still join the packets in hand.
    pub fn room(&self, profile: &Profile) -> Option<BatchRoom> {
        let (batch, current) = (self.own.batch.as_ref()?, self.own.exchange.current.as_ref()?);
        let to = batch.mpdus.first()?.job.to;
        let first = batch.mpdus.iter().find_map(|mpdu| mpdu.number);
        let next = batch.peers.iter().find(|peer| peer.to == to).map_or(0, |peer| peer.next);
        let unnumbered = batch.mpdus.iter().filter(|mpdu| mpdu.number.is_none()).count() as u32;
        let span = first.map_or(0, |first| next.wrapping_sub(first)) + unnumbered;
        if span >= LONGEST {
            return None;
        }
        let count = batch.mpdus.len();
        let frame = profile.room(current.mode, batch.aggregated(count), count)?;
        let bytes = frame.0.checked_sub(profile.settings().header.0)?;
        Some(BatchRoom { to: NodeId(to), bytes: Bytes(bytes) })
    }

    /// One more packet goes with those in hand.
    pub fn join(&mut self, job: Job, profile: &Profile, now: Time) {
        if let Some(batch) = &mut self.own.batch {
            batch.push(job, profile.data_bytes(job.bytes), now);
        }
    }

    /// All that was to join has: the packets go.
    pub fn depart<R: Rules>(&mut self, ports: &mut Ports<R>) {
        if let Some(batch) = &mut self.own.batch {
            batch.gathered = true;
        }
        self.send_current(ports);
    }

    /// What of a batch goes with the attempt to come; `None` if others have to be asked first whether they join. What goes
    /// alone is a usual frame.
    #[cold]
    pub(super) fn prepare_batch<R: Rules>(&mut self, ports: &mut Ports<R>) -> Option<FrameKind> {
        let own = &mut *self.own;
        let (Some(batch), Some(current)) = (&mut own.batch, &mut own.exchange.current) else {
            return Some(FrameKind::Data);
        };
        if batch.mpdus.is_empty() {
            return Some(FrameKind::Data);
        }
        let to = current.job.to;
        if !current.cleared {
            batch.asks |= batch.peer(to).waits;
            if batch.asks {
                current.uses_rts = false;
                return Some(FrameKind::BlockAckRequest);
            }
            if !batch.gathered && current.mode.ht().is_some() {
                ports.wins = true;
                return None;
            }
            batch.gathered = false;
            batch.sent = batch.fitting(current, ports.profile);
            batch.number(batch.sent);
            current.job = Job { rate: current.job.rate, ..batch.mpdus[0].job };
            current.bytes = batch.length(batch.sent);
            let rate = ports.profile.rate(to, current.job.rate);
            current.data_time = ports.profile.data(current.job.preamble + current.bytes, rate);
            current.uses_rts = ports.profile.needs_rts(current.bytes);
        }
        Some(if batch.sent > 1 { FrameKind::Aggregate } else { FrameKind::Data })
    }

    /// The number of the frame to come: of its first packet, where it is of a batch.
    pub(super) fn batch_number(&mut self) -> Option<u32> {
        let batch = self.own.batch.as_mut()?;
        let to = batch.mpdus.first()?.job.to;
        Some(batch.first(to))
    }

    /// A frame of the batch goes on the air.
    #[cold]
    pub(super) fn note_batch<R: Rules>(&mut self, frame: &Frame, ports: &mut Ports<R>) {
        let Some(batch) = self.own.batch.as_mut().filter(|batch| !batch.mpdus.is_empty()) else {
            return;
        };
        let sent = batch.sent.max(1);
        let is_data = frame.kind.is_data();
        for mpdu in &mut batch.mpdus[..sent] {
            mpdu.air_time += Duration::from_nanos(frame.air_time.nanos() / sent as u64);
            mpdu.attempts += u32::from(is_data);
        }
        if frame.kind == FrameKind::Aggregate
            && let Some(aggregates) = &mut ports.aggregates
        {
            let part = |mpdu: &Mpdu| Part {
                packet: mpdu.job.packet,
                class: mpdu.job.class,
                bytes: mpdu.bytes,
                number: mpdu.number.unwrap_or(0),
                marked: mpdu.job.marked,
            };
            let carried = &mut aggregates.of_mut(self.own.me).parts;
            carried.clear();
            carried.extend(batch.mpdus[..sent].iter().map(part));
        }
    }

    /// Whether the frame in hand is of a batch.
    pub(super) fn has_batch<R: Rules>(&self) -> bool {
        R::BATCHES && self.own.batch.as_ref().is_some_and(|batch| !batch.mpdus.is_empty())
    }

    /// The neighbour has answered for so many packets, or for all that were on the air, and has got those for which `has` is
    /// true of their numbers.
    #[cold]
    pub(super) fn on_batch_answer<R: Rules>(
        &mut self,
        about: Option<usize>,
        has: impl Fn(u32) -> bool,
        ports: &mut Ports<R>,
    ) {
        self.own.timer = Time::NEVER;
        (self.own.exchange.short_retries, self.own.exchange.long_retries) = (0, 0);
        self.reset_window();
        self.settle_batch(about, has, ports);
        self.back_off::<R>(ports.now);
        self.resume(ports);
    }

    /// What has become of the packets of the batch that were on the air, or of so many of them.
    fn settle_batch<R: Rules>(
        &mut self,
        about: Option<usize>,
        has: impl Fn(u32) -> bool,
        ports: &mut Ports<R>,
    ) {
        let own = &mut *self.own;
        let (Some(batch), Some(current)) = (&mut own.batch, &mut own.exchange.current) else {
            return;
        };
        let settings = ports.profile.settings();
        let usual =
            if current.uses_rts { settings.long_retry_limit } else { settings.short_retry_limit };
        let (shared, rate, now) = (batch.sent.max(1) as u32, current.job.rate, ports.now);
        let (mut tried, mut got, mut gave_up) = (false, false, false);
        let adapts = current.choice != ModeChoice::None;
        let life = settings.lifetime;
        let mut rest = Vec::with_capacity(batch.mpdus.len());
        let missed = batch.missed;
        for (at, mut mpdu) in batch.mpdus.drain(..).enumerate() {
            let is_about_it = mpdu.attempts > 0 && about.is_none_or(|about| at < about);
            let Some(number) = mpdu.number.filter(|_| is_about_it) else {
                rest.push(mpdu);
                continue;
            };
            let has = has(number);
            (tried, got) = (true, got || has);
            if adapts && let Some(rates) = &mut own.rates {
                current.learn(rates, has, now);
            }
            let is_over = match life {
                _ if mpdu.job.attempts != OWN_LIMIT => mpdu.attempts >= mpdu.job.attempts,
                None => mpdu.attempts >= usual,
                // what went alone has a limit, too, of answers that have not come
                Some(_) if about == Some(1) => missed >= usual,
                Some(life) => mpdu.since + life <= now,
            };
            let outcome = if has { Outcome::Acknowledged } else { Outcome::Failed };
            if has || is_over {
                gave_up |= !has;
                // what went alone ends the count, whatever has become of it
                if about == Some(1) {
                    batch.missed = 0;
                }
                mpdu.job.rate = rate;
                ports.act(own.me, Action::Done(mpdu.ended(outcome, shared)));
            } else {
                mpdu.retries += 1;
                rest.push(mpdu);
            }
        }
        batch.mpdus = rest;
        (batch.sent, batch.asks, batch.gathered) = (0, false, false);
        batch.peer(current.job.to).waits |= gave_up;
        current.cleared = false;
        if adapts {
            current.failures = if got { 0 } else { current.failures + u32::from(tried) };
            current.choice = ModeChoice::Due;
        }
        match batch.mpdus.first() {
            Some(first) => current.job = Job { rate, ..first.job },
            None => own.exchange.current = None,
        }
    }

    /// By ns-3's rules: after how many RTS without an answer to give up a frame whose life is not over. It asks whether
    /// the data behind them has failed too often, and of a batch it counts the answers that have not come since one to a packet that went alone has (3.37:
    /// `FrameExchangeManager::DoCtsTimeout` and `WifiRemoteStationManager::NeedRetransmission`).
    pub(super) fn rts_limit<R: Rules>(&self, settings: &Settings) -> u32 {
        let missed = if self.has_batch::<R>() { self.own.batch.as_ref() } else { None };
        let fails = missed.is_some_and(|batch| batch.missed >= settings.long_retry_limit);
        if fails { 1 } else { u32::MAX }
    }

    /// Packets whose life is over end, where they have one. Returns whether others wait for an answer.
    #[cold]
    pub(super) fn expire_batch<R: Rules>(&mut self, ports: &mut Ports<R>) -> bool {
        let own = &mut *self.own;
        let life = ports.profile.settings().lifetime;
        let (Some(life), Some(batch), Some(current)) =
            (life, &mut own.batch, &mut own.exchange.current)
        else {
            return true;
        };
        let (mut skips, rate, now) = (false, current.job.rate, ports.now);
        let lives = |mpdu: &Mpdu| mpdu.job.attempts != OWN_LIMIT || mpdu.since + life > now;
        let (shared, sent) = (batch.sent.max(1) as u32, batch.sent.min(batch.mpdus.len()));
        batch.sent = batch.mpdus[..sent].iter().filter(|mpdu| lives(mpdu)).count();
        batch.mpdus.retain(|mpdu| {
            let lives = lives(mpdu);
            if !lives {
                let mut mpdu = *mpdu;
                mpdu.job.rate = rate;
                skips |= mpdu.number.is_some();
                ports.act(own.me, Action::Done(mpdu.ended(Outcome::Failed, shared)));
            }
            lives
        });
        batch.peer(current.job.to).waits |= skips;
        match batch.mpdus.first() {
            Some(first) => current.job = Job { rate, ..first.job },
            None => own.exchange.current = None,
        }
        batch.mpdus.iter().any(|mpdu| mpdu.number.is_some())
    }

    /// The answer to a frame of a batch has not come.
    #[cold]
    pub(super) fn on_batch_unanswered<R: Rules>(&mut self, ports: &mut Ports<R>) {
        let mut waits = true;
        if let Some(batch) = &mut self.own.batch {
            batch.missed += 1;
        }
        if self.own.state == State::AwaitsAck {
            self.settle_batch(Some(1), |_| false, ports);
        } else {
            self.own.exchange.short_retries += 1;
            let limit = ports.profile.settings().short_retry_limit;
            let limited = !repeats_while_it_lives::<R>(ports.profile.settings());
            if limited && self.own.exchange.short_retries > limit {
                self.own.exchange.short_retries = 0;
                self.reset_window();
                R::give_up(self, ports.now);
                return self.end_batch(Outcome::Failed, ports);
            }
            waits = self.expire_batch(ports);
            let own = &mut *self.own;
            if let (Some(batch), Some(current)) = (&mut own.batch, &mut own.exchange.current) {
                batch.asks = true;
                current.cleared = false;
            }
        }
        if self.is_free() || !waits {
            if let Some(batch) = &mut self.own.batch {
                batch.missed = 0;
            }
            self.reset_window();
            R::give_up(self, ports.now);
        } else {
            self.widen_window(ports.profile);
            self.back_off::<R>(ports.now);
        }
    }

    /// All packets of the batch end so.
    #[cold]
    pub(super) fn end_batch<R: Rules>(&mut self, outcome: Outcome, ports: &mut Ports<R>) {
        let own = &mut *self.own;
        let (Some(batch), Some(current)) = (&mut own.batch, own.exchange.current.take()) else {
            return;
        };
        let shared = batch.mpdus.len() as u32;
        let mut skips = false;
        for mut mpdu in batch.mpdus.drain(..) {
            skips |= mpdu.number.is_some();
            mpdu.job.rate = current.job.rate;
            ports.act(own.me, Action::Done(mpdu.ended(outcome, shared)));
        }
        batch.peer(current.job.to).waits |= skips;
    }

    /// The node restarts, or takes its frame back: the packets in hand behind the first.
    pub fn abandon_batch(&mut self) -> Vec<Job> {
        let Some(batch) = &mut self.own.batch else { return Vec::new() };
        let jobs = batch.mpdus.iter().skip(1).map(|mpdu| mpdu.job).collect();
        batch.restart();
        jobs
    }

    /// The frame that waits is taken back, before others have joined it.
    pub(super) fn withdraw_batch(&mut self) {
        if let Some(batch) = &mut self.own.batch {
            batch.mpdus.clear();
        }
    }

    /// The node has marked the frame that waits.
    pub(super) fn mark_batch(&mut self) {
        if let Some(batch) = &mut self.own.batch
            && let Some(first) = batch.mpdus.first_mut()
        {
            first.job.marked = true;
        }
    }

    // ---- at the receiver ----------------------------------------------------------------

    /// A data frame of a neighbour that numbers its packets was decoded.
    #[cold]
    pub(super) fn take_numbered<R: Rules>(
        &mut self,
        frame: &Frame,
        power: f64,
        ports: &mut Ports<R>,
    ) {
        let (me, from, number) = (self.own.me, frame.from, frame.sequence);
        let Some(batch) = &mut self.own.batch else { return };
        let window = batch.window(from, number);
        window.move_to(Window::start_for(number), |number| release(ports, (me, from), number));
        match window.take(number) {
            Place::Again => {}
            Place::Ahead => {
                ports.act(me, Action::Waiting(Waiting::Hold { frame: *frame, power }));
            }
            Place::Next => ports.act(me, Action::Receive { frame: *frame, power }),
        }
        while let Some(number) = window.pop() {
            release(ports, (me, from), number);
        }
    }

    /// An A-MPDU for this station was decoded, or some of it.
    #[cold]
    pub(super) fn on_aggregate<R: Rules>(&mut self, decoded: &Decoded, ports: &mut Ports<R>) {
        let Decoded { frame, power, .. } = *decoded;
        if !self.owe(&frame, Response::block_acknowledgment(ports.profile, &frame), ports) {
            return;
        }
        if let Some(batch) = &mut self.own.batch {
            batch.window(frame.from, frame.sequence);
            batch.received = Some(decoded.end);
        }
        for part in self.surviving(&frame, ports) {
            self.take_numbered(&part, power, ports);
        }
        self.write_block_acknowledgment(&frame);
    }

    /// A neighbour asks for a block acknowledgment, and says from which number on it sends.
    #[cold]
    pub(super) fn on_block_ack_request<R: Rules>(&mut self, frame: &Frame, ports: &mut Ports<R>) {
        if !self.owe(frame, Response::block_acknowledgment(ports.profile, frame), ports) {
            return;
        }
        let (me, from) = (self.own.me, frame.from);
        if let Some(batch) = &mut self.own.batch {
            let window = batch.window(from, frame.sequence);
            window.move_to(frame.sequence, |number| release(ports, (me, from), number));
            while let Some(number) = window.pop() {
                release(ports, (me, from), number);
            }
        }
        self.write_block_acknowledgment(frame);
    }

    fn write_block_acknowledgment(&mut self, frame: &Frame) {
        if let Some(batch) = &mut self.own.batch {
            let bits = batch.window(frame.from, frame.sequence).bits(frame.sequence);
            batch.owed = (frame.sequence, bits);
        }
    }

    /// The block acknowledgment goes on the air: from which number on.
    pub(super) fn send_block_acknowledgment<R: Rules>(&self, ports: &mut Ports<R>) -> u32 {
        let (start, bits) = self.own.batch.as_ref().map_or((0, 0), |batch| batch.owed);
        if let Some(aggregates) = &mut ports.aggregates {
            aggregates.of_mut(self.own.me).received = bits;
        }
        start
    }

    /// A block acknowledgment for this station.
    #[cold]
    pub(super) fn on_block_ack<R: Rules>(&mut self, frame: &Frame, ports: &mut Ports<R>) {
        let to = self.own.exchange.current.map(|current| current.job.to);
        if self.own.state != State::AwaitsBlockAck || to != Some(frame.from) {
            return;
        }
        let Some(aggregates) = &ports.aggregates else { return };
        let (start, bits) = (frame.sequence, aggregates.of(frame.from).received);
        if let Some(batch) = &mut self.own.batch {
            batch.peer(frame.from).waits = false;
        }
        let has = |number: u32| bits.checked_shr(number.wrapping_sub(start)).unwrap_or(0) & 1 == 1;
        self.on_batch_answer(None, has, ports);
    }

    /// Those packets of an A-MPDU that the radio has decoded, each as a frame.
    #[cold]
    pub(super) fn surviving<R: Rules>(&self, frame: &Frame, ports: &Ports<R>) -> Vec<Frame> {
        let Some(aggregates) = &ports.aggregates else { return Vec::new() };
        let carried = aggregates.of(frame.from).parts.iter().enumerate();
        let survives = |at: usize| self.own.survivors >> at & 1 == 1;
        carried.filter(|(at, _)| survives(*at)).map(|(_, part)| part.frame(frame)).collect()
    }

    /// The last packet of `from` was not taken after all.
    pub(super) fn untake_numbered(&mut self, from: u32) {
        if let Some(batch) = &mut self.own.batch
            && let Some((_, window)) = batch.windows.iter_mut().find(|(node, _)| *node == from)
        {
            window.untake();
        }
    }
}

/// A packet of `from` that was kept at the station `me` goes up.
fn release<R>(ports: &mut Ports<R>, (me, from): (u32, u32), number: u32) {
    ports.act(me, Action::Waiting(Waiting::Release { from, number }));
    ports.act(me, Action::Waiting(Waiting::Forget { from, number }));
}
