//! Echoes: every frame names the last packets that its node has received. Not in the paper, where the frame that passes a
//! packet on is its only implicit acknowledgment; see [`super::lora`].

use std::collections::VecDeque;

use multihop_core::{FlowId, NodeId, WireError};

/// How many echoes a header has at most.
pub(super) const MOST: usize = 8;

/// Bytes of a hash.
const HASH_LEN: usize = 2;

/// Of how many flows a node remembers the last packet, to name it.
const MOST_REMEMBERED: usize = 256;

/// Bytes behind the fields of a header with so many echoes: a byte with a bit for each of them, the first is the highest, and
/// the hashes.
pub(super) const fn length(echoes: usize) -> usize {
    if echoes == 0 { 0 } else { 1 + HASH_LEN * echoes }
}

/// An echo on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo {
    /// Which packet: a hash of it.
    pub hash: u16,
    /// Whether its node has passed it on, or consumed it; if not, it has received it.
    pub passed_on: bool,
}

/// A short name of a packet. A source numbers the packets of all its flows together.
pub(super) const fn hash(source: NodeId, sequence: u32) -> u16 {
    let name = (source.0 as u64) << 32 | sequence as u64;
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): neighbouring numbers lie far apart
    (name.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16
}

/// Read what stands behind the fields of a header.
///
/// # Errors
/// If it is cut off, or has too many echoes.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Echo>, WireError> {
    let Some((passed_on, hashes)) = bytes.split_first() else { return Ok(Vec::new()) };
    let (hashes, cut) = hashes.as_chunks::<HASH_LEN>();
    if !cut.is_empty() || hashes.is_empty() || hashes.len() > MOST {
        return Err(WireError::Field { name: "echoes", value: bytes.len() as u32 });
    }
    let echo = |(at, hash): (usize, &[u8; HASH_LEN])| Echo {
        hash: u16::from_be_bytes(*hash),
        passed_on: passed_on << at & 0x80 != 0,
    };
    Ok(hashes.iter().enumerate().map(echo).collect())
}

/// Write them.
pub(super) fn emit(echoes: &[Echo]) -> Vec<u8> {
    if echoes.is_empty() {
        return Vec::new();
    }
    let bit = |(at, echo): (usize, &Echo)| if echo.passed_on { 0x80 >> at } else { 0 };
    let mut bytes = vec![echoes.iter().enumerate().fold(0, |bits, one| bits | bit(one))];
    bytes.extend(echoes.iter().flat_map(|echo| echo.hash.to_be_bytes()));
    bytes
}

/// The last packet of a flow that this node has received.
#[derive(Clone, Copy, Debug)]
struct Received {
    flow: FlowId,
    sequence: u32,
    passed_on: bool,
    /// How many frames are still to name it once it was passed on.
    left: u32,
}

impl Received {
    /// Whether the next frame is to name it: while it waits here, all are.
    const fn is_open(&self) -> bool {
        !self.passed_on || self.left > 0
    }

    fn echo(&self) -> Echo {
        Echo { hash: hash(self.flow.source, self.sequence), passed_on: self.passed_on }
    }
}

/// What the frames of a node have to name.
#[derive(Debug, Default)]
pub(super) struct Echoes {
    /// How many a frame names at most; 0 switches them off.
    most: usize,
    /// How many frames name a packet that was passed on.
    times: u32,
    /// One packet of each flow, the newest last.
    received: VecDeque<Received>,
}

impl Echoes {
    /// At most so many in a frame, each in so many frames once it was passed on.
    pub(super) fn new(most: usize, times: u32) -> Self {
        Echoes { most: most.min(MOST), times, received: VecDeque::new() }
    }

    /// Whether frames have echoes.
    pub(super) const fn are_on(&self) -> bool {
        self.most > 0
    }

    /// Of how many flows a packet is remembered.
    pub(super) fn len(&self) -> usize {
        self.received.len()
    }

    /// Bytes that they add to a frame at most.
    pub(super) const fn most_bytes(&self) -> usize {
        length(self.most)
    }

    /// A packet was received, or has gone on: the next frames are to say so.
    pub(super) fn note(&mut self, flow: FlowId, sequence: u32, passed_on: bool) {
        if !self.are_on() {
            return;
        }
        self.received.retain(|known| known.flow != flow);
        if self.received.len() >= MOST_REMEMBERED {
            self.received.pop_front();
        }
        self.received.push_back(Received { flow, sequence, passed_on, left: self.times });
    }

    /// A frame of this node has passed the packet on, if it was one that it had received.
    pub(super) fn pass_on(&mut self, flow: FlowId, sequence: u32) {
        let is_it = |known: &&Received| known.flow == flow && known.sequence == sequence;
        if self.received.iter().find(is_it).is_some_and(|known| !known.passed_on) {
            self.note(flow, sequence, true);
        }
    }

    /// The neighbour has sent a packet again that was received: it does not know.
    pub(super) fn repeat(&mut self, flow: FlowId, sequence: u32) {
        let times = self.times;
        let is_it = |known: &&mut Received| known.flow == flow && known.sequence == sequence;
        if let Some(known) = self.received.iter_mut().find(is_it) {
            known.left = times;
        }
    }

    /// Whether the next frame can say that this packet was passed on.
    pub(super) fn will_say(&self, flow: FlowId, sequence: u32) -> bool {
        self.received.iter().any(|known| {
            known.flow == flow && known.sequence == sequence && known.passed_on && known.left > 0
        })
    }

    /// What a frame about packet `sequence` of `flow` names: packets for which an answer is `due` first, then those that were
    /// passed on, and the newest of them first.
    pub(super) fn to_name(
        &self,
        flow: FlowId,
        sequence: u32,
        due: impl Fn(FlowId, u32) -> bool,
    ) -> Vec<Echo> {
        let about = |known: &&Received| known.flow == flow && known.sequence == sequence;
        let mut open: Vec<_> =
            self.received.iter().rev().filter(|known| known.is_open() && !about(known)).collect();
        open.sort_by_key(|known| (!due(known.flow, known.sequence), !known.passed_on));
        open.into_iter().take(self.most).map(Received::echo).collect()
    }

    /// A frame with these echoes was sent.
    pub(super) fn sent(&mut self, echoes: &[Echo]) {
        for known in &mut self.received {
            if known.passed_on && echoes.contains(&known.echo()) {
                known.left = known.left.saturating_sub(1);
            }
        }
        self.received.retain(Received::is_open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let echoes: Vec<_> =
            (0..8).map(|at| Echo { hash: 0x1234 + at, passed_on: at % 3 == 0 }).collect();
        for len in 0..=MOST {
            let bytes = emit(&echoes[..len]);
            assert_eq!(bytes.len(), length(len));
            assert_eq!(parse(&bytes).as_deref(), Ok(&echoes[..len]));
        }
        assert!(parse(&[0]).is_err() && parse(&[0, 1]).is_err(), "cut off");
        assert!(parse(&[0; length(MOST + 1)]).is_err(), "too many");
    }

    #[test]
    fn packets_of_one_source_have_names_of_their_own() {
        let mut names: Vec<_> = (0..2_000).map(|sequence| hash(NodeId(7), sequence)).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() > 1_980, "{}", names.len());
    }

    #[test]
    fn there_is_a_bound() {
        let mut echoes = Echoes::new(4, 2);
        for node in 0..2 * MOST_REMEMBERED as u32 {
            echoes.note(FlowId::between(NodeId(node), NodeId(9_999)), 0, false);
        }
        assert_eq!(echoes.len(), MOST_REMEMBERED);
    }
}
