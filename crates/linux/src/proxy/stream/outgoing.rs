//! The direction to the other side: what is under way, and what of it has arrived.

use std::collections::VecDeque;

use multihop_core::{Duration, Numbering, Serial, Time};

use super::super::segment::{Kind, Segment, WINDOW};

/// RFC 9002, 6.1.1: so many later ones tell that one is lost.
const REORDERING: u64 = 3;

/// A segment on its way.
struct UnderWay {
    kind: Kind,
    data: Vec<u8>,
    /// When it was last sent, and which of all sendings that was; `None` if it is to be sent.
    sent: Option<(Time, u64)>,
    arrived: bool,
}

/// What goes to the other side.
#[derive(Default)]
pub struct Outgoing {
    under_way: VecDeque<UnderWay>,
    /// The number of the first of them.
    first: u64,
    /// The number up to which the other side has room.
    room_until: u64,
    ended: bool,
    sendings: u64,
    /// The newest sending that has arrived.
    newest_arrived: u64,
}

/// What an acknowledgment says that was not known.
#[derive(Default)]
pub struct News {
    /// How long it took until it was answered, counted from the sending that it answers.
    pub round_trip: Option<Duration>,
    /// Whether there is any.
    pub progress: bool,
}

impl Outgoing {
    /// Of a stream that begins with an OPEN, which nothing may overtake.
    pub fn opening() -> Self {
        let mut outgoing = Outgoing { room_until: 1, ..Outgoing::default() };
        outgoing.push(Kind::Open, Vec::new());
        outgoing
    }

    /// The stream begins in the middle.
    #[cfg(test)]
    pub fn begin_at(&mut self, number: u64) {
        (self.first, self.room_until) = (number, number + self.room_until);
    }

    /// How many segments are under way.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.under_way.len()
    }

    /// Whether everything has arrived.
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Whether the OPEN has not arrived yet.
    pub fn is_opening(&self) -> bool {
        self.under_way.front().is_some_and(|first| first.kind == Kind::Open)
    }

    /// Whether its END has arrived, and everything before.
    pub fn is_done(&self) -> bool {
        self.ended && self.is_empty()
    }

    /// Whether there is room for data.
    pub fn has_room(&self) -> bool {
        let next = self.first + self.under_way.len() as u64;
        !self.ended && next < self.room_until && self.under_way.len() < WINDOW as usize
    }

    /// Whether the other side has no room for a byte more.
    pub fn is_shut_out(&self) -> bool {
        !self.ended && self.is_empty() && self.room_until <= self.first
    }

    /// These bytes are to be sent.
    pub fn write(&mut self, data: &[u8]) {
        self.push(Kind::Data, data.to_vec());
    }

    /// Nothing more is to be sent.
    pub fn end(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            self.push(Kind::End, Vec::new());
        }
    }

    fn push(&mut self, kind: Kind, data: Vec<u8>) {
        self.under_way.push_back(UnderWay { kind, data, sent: None, arrived: false });
    }

    /// Forget everything.
    pub fn clear(&mut self) {
        self.under_way.clear();
    }

    /// Whether a segment waits for its first sending, or the next one.
    pub fn has_news(&self) -> bool {
        self.under_way.iter().any(UnderWay::is_to_be_sent)
    }

    /// Whether none of what is under way was sent yet.
    pub fn is_all_new(&self) -> bool {
        self.under_way.iter().all(UnderWay::is_to_be_sent)
    }

    /// The next segment of stream number `stream` to send.
    pub fn poll(&mut self, now: Time, stream: u32) -> Option<Segment> {
        let at = self.under_way.iter().position(UnderWay::is_to_be_sent)?;
        self.sendings += 1;
        let segment = &mut self.under_way[at];
        segment.sent = Some((now, self.sendings));
        let Serial(number) = Numbering::default().write(self.first + at as u64);
        let sending = self.sendings as u16;
        let data = segment.data.clone();
        Some(Segment { number, sending, data, ..Segment::bare(segment.kind, stream) })
    }

    /// Nothing was heard for long: the oldest segment is sent again. Whether there is one.
    pub fn repeat_oldest(&mut self) -> bool {
        let oldest = self.under_way.iter_mut().find(|segment| !segment.arrived);
        oldest.is_some_and(|oldest| {
            oldest.sent = None;
            true
        })
    }

    /// The sending of which these are the last bits; 0 if there was none.
    fn sending(&self, bits: u16) -> u64 {
        let behind = u64::from((self.sendings as u16).wrapping_sub(bits));
        self.sendings.saturating_sub(behind)
    }

    /// The other side says what it has got. What is older than what is known says nothing.
    pub fn on_acknowledgment(&mut self, now: Time, segment: &Segment) -> News {
        let mut news = News::default();
        let known = self.first..=self.first + self.under_way.len() as u64;
        let next = Numbering::default().read(Serial(segment.next), self.first);
        let Some(next) = next.filter(|next| known.contains(next)) else { return news };
        self.room_until = self.room_until.max(next + u64::from(segment.window));
        let echo = self.sending(segment.echo);
        for (number, sent) in (self.first..).zip(&mut self.under_way) {
            if let Some((at, sending)) = sent.sent
                && sending == echo
            {
                self.newest_arrived = self.newest_arrived.max(echo);
                news.round_trip = Some(now.since(at)).filter(|_| !sent.arrived);
            }
            if !sent.arrived && segment.has(Numbering::default().write(number)) {
                (sent.arrived, news.progress) = (true, true);
            }
        }
        while self.first < next && self.under_way.pop_front().is_some() {
            self.first += 1;
        }
        for sent in self.under_way.iter_mut().filter(|sent| !sent.arrived) {
            if sent.sent.is_some_and(|(_, sending)| sending + REORDERING <= self.newest_arrived) {
                sent.sent = None;
            }
        }
        news
    }
}

impl UnderWay {
    const fn is_to_be_sent(&self) -> bool {
        !self.arrived && self.sent.is_none()
    }
}
