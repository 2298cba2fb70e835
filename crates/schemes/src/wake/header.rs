//! What every data frame says (rule 3).
//!
//! W: the packet goes in a wave, and relays hold it. Need and period in units of 32 us, at most 2.097 s: a longer one is written as that.

use multihop_core::{Duration, HEADER_PREFIX, NextHeader, Packet, WireError, header};

/// The header's number.
pub const WAKE: NextHeader = NextHeader::hop(2);

header! {
    /// The fields on the air.
    #[derive(Clone, Copy)]
    pub(super) struct Fields, FORMAT = "wake" "WAKE", WAKE, None => {
        to_go: u8 = "to_go" 8 "hops to the destination; 255: not known",
        wave: bool = "wave" 1 "it goes in a wave: relays hold it",
        left: u8 = "left" 7 "packets of the train that follow this one; 127: the packet goes first",
        sequence: u16 = "sequence" 16 "which packet of the flow it is",
        need: u16 = "need" 16 "the period that the flow needs, in units of 32 us",
        period: u16 = "period" 16 "the period that the path can bear, in units of 32 us",
    }
}

/// Length of the header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + Fields::LEN;

/// The unit of times.
const UNIT: Duration = Duration::from_micros(32);

/// The longest time that can be written down.
pub const LONGEST: Duration = Duration::from_micros(32 * 0xFFFF);

/// What is written for a distance that is not known.
const UNKNOWN: u8 = u8::MAX;

/// What is written in place of `left` for a packet that goes first. No train is that long.
const GOES_FIRST: u8 = 127;

/// The header of every WAKE frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Hops from the sender of this frame to the destination, if it knows.
    pub to_go: Option<u8>,
    /// Whether it goes in a wave: relays hold it (rule 2).
    pub in_wave: bool,
    /// Packets of the train that follow this one, at most 126; none if it goes first.
    pub left: u8,
    /// Whether it is one of the first packets after a silence: other flows keep clear of it (rule 9).
    pub goes_first: bool,
    /// Which packet of the flow it is: two that follow each other have different numbers.
    pub sequence: u16,
    /// The period that the flow needs at the sender.
    pub need: Duration,
    /// The period that the path can bear from the sender on.
    pub period: Duration,
}

impl Header {
    pub(super) fn fields(&self) -> Fields {
        let units = |span: Duration| (span.min(LONGEST) / UNIT) as u16;
        Fields {
            to_go: self.to_go.map_or(UNKNOWN, |hops| hops.min(UNKNOWN - 1)),
            wave: self.in_wave,
            left: if self.goes_first { GOES_FIRST } else { self.left.min(GOES_FIRST - 1) },
            sequence: self.sequence,
            need: units(self.need),
            period: units(self.period),
        }
    }

    pub(super) fn of_fields(fields: Fields) -> Self {
        let Fields { to_go, wave, left, sequence, need, period } = fields;
        let goes_first = left == GOES_FIRST;
        Header {
            to_go: (to_go != UNKNOWN).then_some(to_go),
            in_wave: wave,
            left: if goes_first { 0 } else { left },
            goes_first,
            sequence,
            need: UNIT * need.into(),
            period: UNIT * period.into(),
        }
    }

    /// What it says on the air.
    pub fn emit(&self) -> [u8; HEADER_LEN - HEADER_PREFIX] {
        self.fields().emit()
    }

    /// Read what [`Header::emit`] writes.
    ///
    /// # Errors
    /// If `body` has another length.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        Fields::parse(body).map(Header::of_fields)
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(WAKE).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(WAKE, &self.emit());
    }
}
