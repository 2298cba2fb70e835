//! A-MPDUs on the air (IEEE 802.11-2020, 9.7): which packets they carry, and which of them their receiver has answered for.
//! A frame is copied at every station that it reaches, and names its A-MPDU by its sender, who has one at a time.

use multihop_core::{Bytes, FrameClass};

use super::frame::{Frame, FrameKind, PacketSlot, Profile};
use super::settings::Aggregation;
use super::window::LONGEST;

/// What goes before each MPDU of an A-MPDU, which begins at a multiple of the same length (9.7.1).
const DELIMITER: u32 = 4;

/// A packet of an A-MPDU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub packet: PacketSlot,
    pub class: FrameClass,
    /// Its frame's length, without delimiter and padding.
    pub bytes: Bytes,
    pub number: u32,
    pub marked: bool,
}

/// What a station has put on the air last.
#[derive(Clone, Debug, Default)]
pub(super) struct Sent {
    /// The packets of its A-MPDU.
    pub parts: Vec<Part>,
    /// What its block acknowledgment says, from the number on that stands in the frame.
    pub received: u64,
}

/// What each station has put on the air last.
#[derive(Debug)]
pub struct Aggregates(Vec<Sent>);

impl Aggregates {
    /// Of so many stations.
    pub fn new(stations: usize) -> Self {
        Aggregates(vec![Sent::default(); stations])
    }

    pub(super) fn of(&self, station: u32) -> &Sent {
        &self.0[station as usize]
    }

    pub(super) fn of_mut(&mut self, station: u32) -> &mut Sent {
        &mut self.0[station as usize]
    }
}

/// What an A-MPDU grows to by one more frame of so many bytes.
pub(super) fn grown(bytes: u32, frame: Bytes) -> u32 {
    bytes.next_multiple_of(DELIMITER) + DELIMITER + frame.0
}

/// How long an A-MPDU of these frames is; one alone goes without a delimiter.
pub(super) fn length(frames: impl ExactSizeIterator<Item = Bytes>) -> Bytes {
    let alone = frames.len() == 1;
    Bytes(frames.fold(0, |bytes, frame| if alone { frame.0 } else { grown(bytes, frame) }))
}

impl Part {
    /// It as a frame of its own, out of the one that carries it.
    pub fn frame(&self, aggregate: &Frame) -> Frame {
        let Part { packet, class, bytes, number, marked } = *self;
        Frame {
            kind: FrameKind::Data,
            packet,
            class,
            bytes,
            sequence: number,
            marked,
            ..*aggregate
        }
    }

    /// Where each of the `parts` begins and ends, as shares of the whole.
    pub fn shares(parts: &[Part]) -> impl Iterator<Item = (f64, f64)> {
        let all = f64::from(length(parts.iter().map(|part| part.bytes)).0);
        let mut at = 0;
        parts.iter().map(move |part| {
            let begin = at;
            at = grown(at, part.bytes);
            (f64::from(begin) / all, f64::from(at) / all)
        })
    }
}

impl Profile {
    /// How far this station aggregates packets, if it does.
    pub fn aggregation(&self) -> Option<Aggregation> {
        self.settings().aggregation
    }

    /// The longest frame that may join an A-MPDU of so many bytes and packets in a `mode` of 802.11n.
    pub(super) fn room(&self, mode: super::phy::Mode, bytes: u32, count: usize) -> Option<Bytes> {
        let Aggregation { longest, largest, .. } =
            self.aggregation().filter(|_| mode.ht().is_some())?;
        let fits = self.settings().longest_frame(mode, longest).0.min(largest.0);
        let room = fits.checked_sub(grown(bytes, Bytes(0)))?;
        (count < LONGEST as usize).then_some(Bytes(room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ns-3.37: 41 frames of 1066 B are 43,950 B.
    #[test]
    fn frames_stand_behind_delimiters_and_padding() {
        let frames = |count| length(std::iter::repeat_n(Bytes(1066), count));
        assert_eq!(frames(1), Bytes(1066));
        assert_eq!(frames(2), Bytes(1072 + 1070));
        assert_eq!(frames(41), Bytes(43_950));
    }

    #[test]
    fn parts_share_the_time_by_their_length() {
        let part = |bytes| Part {
            packet: 0,
            class: FrameClass::Data,
            bytes: Bytes(bytes),
            number: 0,
            marked: false,
        };
        let shares: Vec<_> = Part::shares(&[part(96), part(46)]).collect();
        assert_eq!(shares, [(0.0, 100.0 / 150.0), (100.0 / 150.0, 1.0)]);
    }
}
