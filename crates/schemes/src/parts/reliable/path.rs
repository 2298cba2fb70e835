//! What routers write into every packet.

use multihop_core::{HEADER_PREFIX, NextHeader, Packet, WireError, header, header_words};

/// The header's number.
pub const ATP_PATH: NextHeader = NextHeader::path(0);

/// Length of the header in bytes.
pub const PATH_HEADER_LEN: usize = HEADER_PREFIX + PathHeader::LEN;

header_words! {
    /// What a router has to know of a packet.
    #[derive(Default)]
    pub enum PathKind {
        /// Any packet.
        #[default]
        Any = 0 "any",
        /// A probe, for which idle nodes project the contention of the flow that it announces.
        Probe = 1 "probe",
    }
}

header! {
    /// The header that routers write. The delay is zero while no node has known its own.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct PathHeader, PATH_FORMAT = "atp_path" "ATP, routers", ATP_PATH, None => {
        kind: PathKind = "kind" 8 "what the packet is",
        zero 8,
        delay_us: u32 = "delay_us" 32 "D, the largest delay of the nodes on the way in microseconds",
    }
}

impl PathHeader {
    /// The header with which a packet starts.
    pub const fn new(kind: PathKind) -> Self {
        PathHeader { kind, delay_us: 0 }
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(ATP_PATH).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(ATP_PATH, &self.emit());
    }
}
