//! RFC 2018: selective acknowledgments, the receiver's half of SACK.

use core::ops::Range;
use std::collections::VecDeque;

use multihop_core::Time;

use super::control::{Answer, Arrival, ReceiverControl};
use super::options::{HeaderOption, LONGEST, Options};
use super::policy::Policy;
use super::received::Received;

/// RFC 2018, 3: how many blocks an acknowledgment reports at most.
pub const MOST_BLOCKS: usize = 3;

/// Length of a block in bytes.
const BLOCK_LEN: usize = 4;

/// Segments beyond the cumulative acknowledgment that have arrived without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// How far the first lies above the acknowledgment's sequence number.
    pub distance: u16,
    /// How many; at least one.
    pub len: u16,
}

/// RFC 2018, 3: what has arrived out of order, the newest first. Each block is a distance and a length of
/// two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    blocks: [Block; MOST_BLOCKS],
    count: usize,
}

impl Blocks {
    /// Report one more.
    ///
    /// # Panics
    /// If there are [`MOST_BLOCKS`].
    pub fn push(&mut self, block: Block) {
        self.blocks[self.count] = block;
        self.count += 1;
    }

    /// The blocks of an acknowledgment with this sequence number, as ranges of segments.
    pub fn ranges(&self, sequence: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        self.blocks[..self.count].iter().map(move |block| {
            let start = sequence + u64::from(block.distance);
            start..start + u64::from(block.len)
        })
    }
}

impl HeaderOption for Blocks {
    const KIND: u8 = 1;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        for (block, place) in self.blocks[..self.count].iter().zip(body.chunks_exact_mut(BLOCK_LEN))
        {
            place[..2].copy_from_slice(&block.distance.to_be_bytes());
            place[2..].copy_from_slice(&block.len.to_be_bytes());
        }
        BLOCK_LEN * self.count
    }

    fn parse(body: &[u8]) -> Option<Self> {
        let (read, rest) = body.as_chunks::<BLOCK_LEN>();
        if !rest.is_empty() || !(1..=MOST_BLOCKS).contains(&read.len()) {
            return None;
        }
        let mut blocks = Blocks::default();
        for [d0, d1, l0, l1] in read {
            let distance = u16::from_be_bytes([*d0, *d1]);
            let len = u16::from_be_bytes([*l0, *l1]);
            blocks.push(Block { distance, len });
        }
        blocks.blocks[..blocks.count].iter().all(|block| block.len > 0).then_some(blocks)
    }
}

/// A receiver that reports what has arrived behind a gap, as often as its policy acknowledges.
#[derive(Clone)]
pub struct Selective {
    policy: Policy,
    /// One segment of each block that was reported, the newest first.
    reported: VecDeque<u64>,
}

impl Selective {
    /// With this policy.
    pub fn new(policy: Policy) -> Self {
        Selective { policy, reported: VecDeque::new() }
    }
}

impl ReceiverControl for Selective {
    fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Answer {
        if arrival.received.is_held(arrival.sequence) {
            self.reported.push_front(arrival.sequence);
        }
        self.policy.on_segment(now, arrival)
    }

    /// RFC 2018, 4: the block with the segment that has just arrived comes first.
    fn on_acknowledge(&mut self, _now: Time, received: &Received, options: &mut Options) {
        let mut blocks = Blocks::default();
        let mut starts = Vec::new();
        self.reported.retain(|one| {
            if starts.len() == MOST_BLOCKS || !received.is_held(*one) {
                return false;
            }
            let Range { start, end } = received.around(*one);
            if starts.contains(&start) {
                return false;
            }
            let distance = (start - received.expected()) as u16;
            blocks.push(Block { distance, len: (end - start) as u16 });
            starts.push(start);
            true
        });
        if blocks.count > 0 {
            options.put(&blocks);
        }
    }
}
