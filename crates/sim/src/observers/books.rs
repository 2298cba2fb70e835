//! The books: where every packet is, how it ended, and how long it took.
//!
//! Copies of a packet multiply: a next hop accepts it while its sender, whose acknowledgment
//! got lost, still tries. The books count the copies of every packet. A packet is delivered
//! when its first copy reaches the application, and lost when the last one is gone; the cause
//! is that of the copy that was given up last. So for every source
//! sent = delivered + lost (by cause) + still inside. A packet for several nodes is delivered when the first of
//! them has it.

use std::collections::VecDeque;

use multihop_core::{Bytes, DropCause, Duration, Tag, Time, Word};
use multihop_trace::RetransmissionReason;

use super::age::Age;

/// Where one packet is.
#[derive(Clone, Copy, Debug)]
struct PacketAccount {
    offered: Time,
    /// When a transport that keeps its packets first let a copy go.
    segment_sent: Time,
    /// Start of the source's first MAC transmission for it.
    first_sent: Time,
    copies: u16,
    delivered: bool,
    /// Its last copy has gone, and none has been delivered. It stays lost whatever comes then.
    lost: bool,
    /// Why the last copy that was given up was given up.
    cause: Option<DropCause>,
    /// The farthest node of the route that has taken it, counted from the source.
    received_at: u8,
    /// The farthest node of the route that has put a frame about it on the air, plus one.
    sent_from: u8,
}

/// What was measured of one source's packets within the measuring time.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Packets that the application wanted to send.
    pub offered: u64,
    /// Packets lost, by cause.
    pub lost: Lost,
    /// Those of them that were lost before they had left the source: its buffer or queue was full.
    pub refused: u64,
    /// Packets delivered.
    pub delivered: u64,
    /// Their payload.
    pub bytes: u64,
    /// The hops that they took.
    pub hops: u64,
    /// Their payload times the hops that it took.
    pub hop_bytes: u64,
    /// How long each of them took.
    pub delays: Vec<Delays>,
    /// Sum of their delays in s from the first sending by their transport, and how many had one.
    pub segment_delay: (f64, u64),
}

/// How many packets were lost, by cause.
#[derive(Clone, Debug, Default)]
pub struct Lost {
    /// By the cause's place.
    common: [u64; DropCause::COMMON.len()],
    /// For causes that parts declare.
    declared: Vec<(&'static Word, u64)>,
}

impl Lost {
    fn count_one(&mut self, cause: DropCause) {
        let DropCause::Declared(word) = cause else {
            self.common[usize::from(cause.place().unwrap_or_default())] += 1;
            return;
        };
        match self.declared.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => self.declared.push((word, 1)),
        }
    }

    /// For this cause.
    pub fn count(&self, cause: DropCause) -> u64 {
        let DropCause::Declared(word) = cause else {
            return cause.place().map_or(0, |place| self.common[usize::from(place)]);
        };
        self.declared.iter().find(|(known, _)| *known == word).map_or(0, |(_, count)| *count)
    }

    /// The causes that parts have declared and said.
    pub fn declared(&self) -> impl Iterator<Item = &'static Word> {
        self.declared.iter().map(|(word, _)| *word)
    }
}

/// How long a packet took to its destination, in s.
#[derive(Clone, Copy, Debug)]
pub struct Delays {
    /// From the start of the source's first MAC transmission to reception (CXCC 7.1).
    pub network: f32,
    /// From the application that offered it to the one that got it.
    pub end_to_end: f32,
}

/// What was delivered within one interval of the series.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interval {
    /// Packets.
    pub delivered: u64,
    /// Their payload.
    pub bytes: u64,
    /// Sum of their network delays in s.
    pub network_delay: f64,
    /// Sum of their end-to-end delays in s.
    pub end_to_end_delay: f64,
}

/// The books of one source.
#[derive(Clone, Debug, Default)]
pub struct Account {
    base: u32,
    entries: VecDeque<PacketAccount>,
    /// What was measured.
    pub measured: Measured,
    /// What was delivered when, over the whole run.
    pub series: Vec<Interval>,
    /// When the first packet was offered, and when the last one was delivered.
    pub first_offer: Option<Time>,
    pub last_delivery: Option<Time>,
    /// How old the newest delivered message was while measuring.
    pub age: Age,
    /// Packets offered in the whole run.
    pub offered: u64,
    /// Packets delivered in the whole run.
    pub delivered: u64,
    /// Copies delivered after the first.
    pub duplicates: u64,
    /// Packets lost in the whole run.
    pub lost: u64,
}

/// The books of all sources.
#[derive(Clone, Debug)]
pub struct Books {
    pub accounts: Vec<Account>,
    measure_from: Time,
    interval: Duration,
}

impl Books {
    /// Empty books for `sources` sources; measuring begins at `measure_from`, and the series
    /// has one entry per `interval`.
    pub fn new(sources: usize, measure_from: Time, interval: Duration) -> Self {
        Books { accounts: vec![Account::default(); sources], measure_from, interval }
    }

    fn entry(&mut self, tag: Tag) -> Option<&mut PacketAccount> {
        self.accounts.get_mut(tag.source as usize)?.entry(tag.number)
    }

    /// The application wants to send the packet `tag`; packets come in order of their numbers.
    pub fn offer(&mut self, tag: Tag, now: Time) {
        let account = &mut self.accounts[tag.source as usize];
        account.offered += 1;
        account.first_offer.get_or_insert(now);
        account.measured.offered += u64::from(now >= self.measure_from);
        account.entries.push_back(PacketAccount {
            offered: now,
            segment_sent: Time::NEVER,
            first_sent: Time::NEVER,
            copies: 1,
            delivered: false,
            lost: false,
            cause: None,
            received_at: 0,
            sent_from: 0,
        });
    }

    /// The node that is `position` hops from the source puts a frame about the packet on air.
    pub fn sent(&mut self, tag: Tag, position: u8, now: Time) {
        if let Some(entry) = self.entry(tag) {
            if position == 0 {
                entry.first_sent = entry.first_sent.min(now);
            }
            entry.sent_from = entry.sent_from.max(position + 1);
        }
    }

    /// The node that is `position` hops from the source has taken a copy; at the source, which has
    /// the packet, its transport lets one go.
    pub fn accepted(&mut self, tag: Tag, position: u8, now: Time) {
        if let Some(entry) = self.entry(tag) {
            if position == 0 {
                entry.segment_sent = entry.segment_sent.min(now);
            }
            entry.copies = entry.copies.saturating_add(1);
            entry.received_at = entry.received_at.max(position);
        }
    }

    /// A node's copy is gone because the next hop has taken one.
    pub fn released(&mut self, tag: Tag, now: Time) {
        self.close_copy(tag, None, now);
    }

    /// A copy was given up.
    pub fn dropped(&mut self, tag: Tag, cause: DropCause, now: Time) {
        self.close_copy(tag, Some(cause), now);
    }

    /// A copy was handed on in a frame without acknowledgment, which every radio has had by `now`: whoever has
    /// taken the packet has a copy.
    pub fn landed(&mut self, tag: Tag, now: Time) {
        if let Some(entry) = self.entry(tag) {
            entry.cause.get_or_insert(DropCause::NotReceived);
        }
        self.close_copy(tag, None, now);
    }

    /// A copy is under way on wires, where it is in nobody's hands.
    pub fn in_transit(&mut self, tag: Tag) {
        if let Some(entry) = self.entry(tag) {
            entry.copies += 1;
        }
    }

    /// A copy has reached the application, over so many hops.
    pub fn delivered(&mut self, tag: Tag, payload: Bytes, hops: u64, now: Time) {
        let measuring = now >= self.measure_from;
        let account = &mut self.accounts[tag.source as usize];
        let at = tag.number.wrapping_sub(account.base) as usize;
        match account.entries.get_mut(at).filter(|entry| !entry.delivered && !entry.lost) {
            Some(entry) => {
                entry.delivered = true;
                account.delivered += 1;
                account.last_delivery = Some(now);
                account.age.on_delivery(now, self.measure_from, entry.offered);
                let network = now.since(entry.first_sent).seconds();
                let end_to_end = now.since(entry.offered).seconds();
                let slot = (now.since(Time::ZERO) / self.interval) as usize;
                if slot >= account.series.len() {
                    account.series.resize(slot + 1, Interval::default());
                }
                let interval = &mut account.series[slot];
                interval.delivered += 1;
                interval.bytes += u64::from(payload.0);
                interval.network_delay += network;
                interval.end_to_end_delay += end_to_end;
                if measuring {
                    let measured = &mut account.measured;
                    measured.delivered += 1;
                    measured.bytes += u64::from(payload.0);
                    measured.hops += hops;
                    measured.hop_bytes += u64::from(payload.0) * hops;
                    let delays = Delays { network: network as f32, end_to_end: end_to_end as f32 };
                    measured.delays.push(delays);
                    if entry.segment_sent < Time::NEVER {
                        measured.segment_delay.0 += now.since(entry.segment_sent).seconds();
                        measured.segment_delay.1 += 1;
                    }
                }
            }
            None => account.duplicates += 1,
        }
        self.close_copy(tag, None, now);
    }

    /// The destination has got another copy of a data packet, and its transport does not hand it on.
    pub fn repeated(&mut self, tag: Tag) {
        self.accounts[tag.source as usize].duplicates += u64::from(tag.is_data());
    }

    /// The run ends.
    pub fn end(&mut self, now: Time) {
        for account in &mut self.accounts {
            account.age.hold(now, self.measure_from);
        }
    }

    /// Why the node at `position` on its route retransmits the packet.
    pub fn reason(&self, tag: Tag, position: u8) -> RetransmissionReason {
        let account = self.accounts.get(tag.source as usize);
        let entry = account.and_then(|account| {
            let at = tag.number.checked_sub(account.base)?;
            account.entries.get(at as usize)
        });
        let Some(entry) = entry else { return RetransmissionReason::LostAcknowledgment };
        if entry.received_at <= position {
            RetransmissionReason::LostData
        } else if entry.sent_from >= position + 2 {
            RetransmissionReason::LostAcknowledgment
        } else {
            RetransmissionReason::EarlyTimeout
        }
    }

    fn close_copy(&mut self, tag: Tag, cause: Option<DropCause>, now: Time) {
        let measuring = now >= self.measure_from;
        let Some(account) = self.accounts.get_mut(tag.source as usize) else { return };
        let Some(entry) = account.entry(tag.number) else { return };
        // A scheme that lets one packet go twice, and another one never, still has the other one.
        let Some(copies) = entry.copies.checked_sub(1) else { return };
        entry.copies = copies;
        entry.cause = cause.or(entry.cause);
        let (lost, cause) = (copies == 0 && !entry.delivered && !entry.lost, entry.cause);
        entry.lost |= lost;
        let at_source = entry.received_at == 0;
        if lost {
            // Its last keeper took it for passed on, and nobody has it: a scheme was misled.
            let cause = cause.unwrap_or(DropCause::Duplicate);
            account.lost += 1;
            let full = matches!(cause, DropCause::SourceBufferFull | DropCause::QueueFull);
            if measuring {
                account.measured.lost.count_one(cause);
            }
            account.measured.refused += u64::from(measuring && at_source && full);
        }
        while account.entries.front().is_some_and(|entry| entry.copies == 0) {
            account.entries.pop_front();
            account.base += 1;
        }
    }
}

impl Measured {
    /// Packets lost, for whatever cause.
    pub fn lost(&self) -> u64 {
        self.lost.common.iter().chain(self.lost.declared.iter().map(|(_, count)| count)).sum()
    }
}

impl Account {
    /// Where packet `number` is.
    fn entry(&mut self, number: u32) -> Option<&mut PacketAccount> {
        self.entries.get_mut(number.checked_sub(self.base)? as usize)
    }

    /// Whether a packet of the source was in the network, or wanted to be, while it was measured.
    pub fn is_measured(&self) -> bool {
        let Measured { offered, delivered, .. } = self.measured;
        offered > 0 || delivered > 0 || self.measured.lost() > 0 || self.inside() > 0
    }

    /// How long `packets` packets, the whole transfer, took from the first offer to the last
    /// delivery; nothing until all are delivered.
    pub fn completion(&self, packets: u32) -> Option<Duration> {
        let whole = self.delivered == u64::from(packets);
        let (first, last) = self.first_offer.zip(self.last_delivery)?;
        whole.then(|| last.since(first))
    }

    /// Packets that are neither delivered nor lost.
    pub fn inside(&self) -> u64 {
        let is_inside =
            |entry: &&PacketAccount| entry.copies > 0 && !entry.delivered && !entry.lost;
        self.entries.iter().filter(is_inside).count() as u64
    }
}
