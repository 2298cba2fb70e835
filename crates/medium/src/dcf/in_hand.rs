//! Packets that a station has in hand for one neighbour, and what it knows of its neighbours' batches.

use multihop_core::{Bytes, Duration, Outcome, Time};

use super::aggregates::{grown, length};
use super::frame::Profile;
use super::pending::Current;
use super::ports::{Ended, Job};
use super::rates::MOST_NEIGHBOURS;
use super::window::Window;

/// What a station sends in batches, and what it has of its neighbours' batches.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The packets in hand, in their order; none while the station's frame goes alone.
    pub(super) mpdus: Vec<Mpdu>,
    /// How many of them, from the first on, the frame on the air or before it carries.
    pub(super) sent: usize,
    /// Whether others were asked to join for the attempt to come.
    pub(super) gathered: bool,
    /// Whether the attempt asks for a block acknowledgment.
    pub(super) asks: bool,
    pub(super) peers: Vec<Peer>,
    pub(super) windows: Vec<(u32, Window)>,
    /// When the last A-MPDU for this station ended.
    pub(super) received: Option<Time>,
    /// The block acknowledgment that is owed: from which number on, and what has come.
    pub(super) owed: (u32, u64),
    /// How many answers have not come since a link acknowledgment has.
    pub(super) missed: u32,
}

/// A packet in hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mpdu {
    pub(super) job: Job,
    pub(super) bytes: Bytes,
    /// Since when it is in hand.
    pub(super) since: Time,
    /// Its number, once it was about to go.
    pub(super) number: Option<u32>,
    pub(super) attempts: u32,
    pub(super) retries: u32,
    pub(super) air_time: Duration,
}

/// A neighbour to which packets go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    pub(super) to: u32,
    /// The number of the next packet.
    pub(super) next: u32,
    /// Whether it may wait for numbers that do not come any more.
    pub(super) waits: bool,
}

impl Batch {
    /// The packets in hand begin with this one.
    pub(super) fn begin(&mut self, job: Job, bytes: Bytes, now: Time) {
        (self.sent, self.gathered, self.asks) = (0, false, false);
        self.mpdus.clear();
        self.push(job, bytes, now);
    }

    pub(super) fn push(&mut self, job: Job, bytes: Bytes, since: Time) {
        let (number, air_time) = (None, Duration::ZERO);
        self.mpdus.push(Mpdu { job, bytes, since, number, attempts: 0, retries: 0, air_time });
    }

    pub(super) fn peer(&mut self, to: u32) -> &mut Peer {
        let at = self.peers.iter().position(|peer| peer.to == to).unwrap_or_else(|| {
            self.peers.push(Peer { to, next: 0, waits: false });
            self.peers.len() - 1
        });
        &mut self.peers[at]
    }

    pub(super) fn window(&mut self, from: u32, first: u32) -> &mut Window {
        let at = self.windows.iter().position(|(node, _)| *node == from).unwrap_or_else(|| {
            if self.windows.len() == MOST_NEIGHBOURS {
                self.windows.remove(0);
            }
            self.windows.push((from, Window::at(first)));
            self.windows.len() - 1
        });
        &mut self.windows[at].1
    }

    /// How long an A-MPDU of the first `count` is.
    pub(super) fn length(&self, count: usize) -> Bytes {
        length(self.mpdus[..count].iter().map(|mpdu| mpdu.bytes))
    }

    /// How many may go in one frame.
    pub(super) fn fitting(&self, current: &Current, profile: &Profile) -> usize {
        let mut count = 1;
        while let Some(next) = self.mpdus.get(count)
            && profile
                .room(current.mode, self.aggregated(count), count)
                .is_some_and(|room| next.bytes <= room)
        {
            count += 1;
        }
        count
    }

    /// How long the first `count` are with delimiters, even if there is one.
    pub(super) fn aggregated(&self, count: usize) -> u32 {
        let frames = self.mpdus[..count].iter();
        frames.fold(0, |bytes, mpdu| grown(bytes, mpdu.bytes))
    }

    /// Numbers for the first `count`. Returns the first.
    pub(super) fn number(&mut self, count: usize) -> u32 {
        let to = self.mpdus[0].job.to;
        let mut next = self.peer(to).next;
        for mpdu in &mut self.mpdus[..count] {
            if mpdu.number.is_none() {
                mpdu.number = Some(next);
                next = next.wrapping_add(1);
            }
        }
        self.peer(to).next = next;
        self.first(to)
    }

    /// The first number in hand, or that of the next packet.
    pub(super) fn first(&mut self, to: u32) -> u32 {
        let known = self.mpdus.first().and_then(|mpdu| mpdu.number);
        known.unwrap_or_else(|| self.peer(to).next)
    }

    /// What is forgotten in a restart: all but the numbers, of which some will not come.
    pub(super) fn restart(&mut self) {
        // A peer may have had none of them yet, and then hears from where they go on.
        let peers = self.peers.iter().map(|peer| Peer { waits: true, ..*peer }).collect();
        *self = Batch { peers, ..Batch::default() };
    }
}

impl Mpdu {
    pub(super) fn ended(self, outcome: Outcome, batch: u32) -> Ended {
        let Mpdu { job, attempts, retries, air_time, .. } = self;
        Ended { outcome, attempts, retries, air_time, batch, job }
    }
}
