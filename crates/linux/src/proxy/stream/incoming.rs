//! The direction from the other side: what has come, and when that is answered.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{Duration, Numbering, Serial, Time};

use super::super::segment::{Kind, Segment, WINDOW};

/// As soon as so many segments have come without an answer, there is one: answers cost air time, too.
const ANSWER_AFTER: u32 = 8;

/// Or after so long.
pub const ANSWER_DELAY: Duration = Duration::from_millis(200);

/// What comes from the other side.
pub struct Incoming {
    next: u64,
    /// What came before its turn.
    early: BTreeMap<u64, (Kind, Vec<u8>)>,
    /// What the application has not taken.
    ready: VecDeque<Vec<u8>>,
    ended: bool,
    /// The sending of the segment that came last.
    echo: u16,
    unanswered: u32,
    answer_at: Time,
    /// Whether the window that was announced last was small.
    announced_small: bool,
}

impl Incoming {
    /// Nothing has come.
    pub const fn new() -> Self {
        Incoming {
            next: 0,
            early: BTreeMap::new(),
            ready: VecDeque::new(),
            ended: false,
            echo: 0,
            unanswered: 0,
            answer_at: Time::NEVER,
            announced_small: false,
        }
    }

    /// How many segments wait for the application, and before their turn.
    #[cfg(test)]
    pub fn held(&self) -> (usize, usize) {
        (self.ready.len(), self.early.len())
    }

    /// What the application gets next.
    pub fn ready(&self) -> Option<&[u8]> {
        self.ready.front().map(Vec::as_slice)
    }

    /// The application has taken so many bytes of that.
    pub fn take(&mut self, now: Time, bytes: usize) {
        let Some(front) = self.ready.front_mut() else { return };
        front.drain(..bytes);
        if front.is_empty() {
            self.ready.pop_front();
            // who waits for room learns of it
            if self.announced_small && self.window() >= WINDOW / 2 {
                self.answer_at = now;
            }
        }
    }

    /// Whether nothing more comes, and the application has got everything.
    pub fn is_at_end(&self) -> bool {
        self.ended && self.ready.is_empty()
    }

    /// Forget everything.
    pub fn clear(&mut self) {
        *self = Incoming::new();
    }

    /// When the other side is answered.
    pub const fn answer_at(&self) -> Time {
        self.answer_at
    }

    /// The other side asks.
    pub fn answer_now(&mut self, now: Time) {
        self.answer_at = now;
    }

    /// The stream begins in the middle.
    #[cfg(test)]
    pub fn begin_at(&mut self, number: u64) {
        self.next = number;
    }

    fn window(&self) -> u32 {
        WINDOW.saturating_sub(self.ready.len() as u32)
    }

    /// A segment that has a number. What comes a second time, or is beyond what there is room for, is not kept.
    pub fn on_numbered(&mut self, now: Time, segment: &Segment) {
        let number = Numbering::default().read(Serial(segment.number), self.next);
        let number = number.unwrap_or(u64::MAX);
        self.echo = segment.sending;
        let odd = number != self.next || segment.kind != Kind::Data;
        if number.checked_sub(self.next).is_some_and(|behind| behind < self.window().into()) {
            self.early.entry(number).or_insert((segment.kind, segment.data.clone()));
        }
        while let Some((kind, data)) = self.early.remove(&self.next) {
            self.next += 1;
            match kind {
                Kind::Data => self.ready.push_back(data),
                Kind::End => self.ended = true,
                _ => {}
            }
        }
        self.unanswered += 1;
        let soon = odd || self.unanswered >= ANSWER_AFTER;
        self.answer_at = self.answer_at.min(if soon { now } else { now + ANSWER_DELAY });
    }

    /// Say in `segment` what has come: the other side is answered with it.
    pub fn answer(&mut self, segment: Segment) -> Segment {
        (self.unanswered, self.answer_at) = (0, Time::NEVER);
        let window = self.window();
        self.announced_small = window < WINDOW / 2;
        let bit = |number: &u64| 1 << (number - self.next - 1);
        let received = self.early.keys().map(bit).fold(0, |bits, bit: u64| bits | bit);
        let (window, echo) = (window as u8, self.echo);
        let Serial(next) = Numbering::default().write(self.next);
        Segment { window, next, received, echo, ..segment }
    }
}
