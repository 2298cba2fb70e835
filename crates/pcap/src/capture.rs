//! The observer that writes a capture.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::io::Write;

use multihop_core::{
    AddressTable, Duration, Fate, FrameClass, Mpdu, NodeId, Reception, Tag, Time, Transmission,
};
use multihop_trace::{Costly, Observation, Observer};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::{DataLink, PcapError};

use crate::ieee80211::{self, Bytes};

/// What becomes of a frame is known so long after its end: light has gone 300 km.
const SETTLED: Duration = Duration::from_millis(1);

/// Resolution of times: 10^-9 s.
const NANOSECONDS: u8 = 9;

/// What carries the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The air: 802.11 behind a radiotap header.
    Air,
    /// Wires, and radios whose frames have another form: bare IPv4.
    Packets,
}

/// A frame of which it is not yet known what becomes of it everywhere.
struct Pending {
    number: u32,
    at: Time,
    settled: Time,
    bytes: Bytes,
    /// The packets behind the first, if it carries several.
    joined: Vec<Bytes>,
    /// What it is, in a line.
    title: String,
    /// Who has decoded it.
    heard: Vec<String>,
    /// Who has not, and why: a line each.
    lost: Vec<String>,
}

impl Pending {
    fn comment(&self) -> String {
        let mut lines = vec![self.title.clone()];
        if !self.heard.is_empty() {
            lines.push(format!("heard at {}", self.heard.join(", ")));
        }
        lines.extend_from_slice(&self.lost);
        lines.join("\n")
    }
}

fn io_error(error: PcapError) -> io::Error {
    match error {
        PcapError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

/// An observer that writes everything that is transmitted, once, with what became of it.
pub struct Capture<W: Write> {
    writer: PcapNgWriter<W>,
    link: Link,
    addresses: AddressTable,
    pending: VecDeque<Pending>,
    /// The sequence number of every node's last frame with a packet.
    sequences: BTreeMap<NodeId, u32>,
    failed: Option<io::Error>,
}

impl<W: Write> Capture<W> {
    /// A capture of a run of nodes with these `addresses`, into `out`.
    ///
    /// # Errors
    /// If `out` takes nothing.
    pub fn new(out: W, link: Link, addresses: AddressTable) -> io::Result<Self> {
        let mut writer = PcapNgWriter::new(out).map_err(io_error)?;
        let (linktype, name) = match link {
            Link::Air => (DataLink::IEEE802_11_RADIOTAP, "air"),
            Link::Packets => (DataLink::IPV4, "packets"),
        };
        let interface = InterfaceDescriptionBlock {
            linktype,
            snaplen: 0,
            options: vec![
                InterfaceDescriptionOption::IfName(Cow::Borrowed(name)),
                InterfaceDescriptionOption::IfTsResol(NANOSECONDS),
            ],
        };
        writer.write_pcapng_block(interface).map_err(io_error)?;
        let (pending, sequences) = (VecDeque::new(), BTreeMap::new());
        Ok(Capture { writer, link, addresses, pending, sequences, failed: None })
    }

    /// Write what is left.
    ///
    /// # Errors
    /// The first that occurred in the run, or now.
    pub fn finish(mut self) -> io::Result<()> {
        self.settle(Time::NEVER);
        match self.failed {
            Some(error) => Err(error),
            None => self.writer.get_mut().flush(),
        }
    }

    /// Where it is written to.
    pub fn out(&mut self) -> &mut W {
        self.writer.get_mut()
    }

    /// When more is known of a frame that is to be written.
    pub fn deadline(&self) -> Time {
        self.pending.front().map_or(Time::NEVER, |frame| frame.settled)
    }

    /// Whether it could not write, and will write nothing more.
    pub const fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Write the frames of which everything is known at `now`, in their order.
    fn settle(&mut self, now: Time) {
        while self.failed.is_none()
            && self.pending.front().is_some_and(|frame| frame.settled <= now)
            && let Some(frame) = self.pending.pop_front()
        {
            let mut comment = Some(frame.comment());
            for bytes in core::iter::once(frame.bytes).chain(frame.joined) {
                let comment = comment.take().map(Cow::Owned).map(EnhancedPacketOption::Comment);
                let block = EnhancedPacketBlock {
                    interface_id: 0,
                    timestamp: std::time::Duration::from_nanos(frame.at.nanos()),
                    original_len: bytes.length,
                    data: Cow::Owned(bytes.captured),
                    options: comment.into_iter().collect(),
                };
                let failed = self.writer.write_pcapng_block(block).map_err(io_error).err();
                self.failed = self.failed.take().or(failed);
            }
        }
    }

    /// `frame` is transmitted. If it is `sealed`, these bytes stand in it instead of its packet, which nobody
    /// without the network's key can read.
    pub fn transmitted(&mut self, told: Time, frame: &Transmission, sealed: Option<&[u8]>) {
        if self.has_failed() {
            return;
        }
        if self.link == Link::Packets {
            // Nobody tells what becomes of a frame.
            self.settle(told);
        }
        let at = told + frame.wait;
        let bytes = match (self.link, frame.packet, sealed) {
            (Link::Packets, Some(packet), _) => ieee80211::packet(packet),
            (_, _, Some(body)) => {
                let again = self.is_again(frame);
                ieee80211::sealed(at, frame, body, again)
            }
            _ => {
                let again = self.is_again(frame);
                ieee80211::frame(at, frame, &self.addresses, again)
            }
        };
        let joined = frame.joined().iter().map(|mpdu| {
            let Mpdu { packet, class, bytes, sequence } = mpdu;
            let (packet, class, bytes, sequence) = (Some(packet), *class, *bytes, *sequence);
            let alone = Transmission { packet, class, bytes, sequence, ..*frame };
            ieee80211::frame(at, &alone, &self.addresses, false)
        });
        self.pending.push_back(Pending {
            number: frame.number,
            at,
            settled: at + frame.air_time + SETTLED,
            joined: joined.collect(),
            bytes,
            title: title(frame),
            heard: Vec::new(),
            lost: Vec::new(),
        });
    }

    /// What became of a frame stands in its comment.
    fn on_reception(&mut self, reception: &Reception) {
        let Reception { frame, node, fate, by, .. } = *reception;
        let first = self.pending.front().map_or(0, |held| held.number);
        let Some(pending) = self.pending.get_mut(frame.wrapping_sub(first) as usize) else {
            return;
        };
        match fate {
            Fate::Decoded(_) => pending.heard.push(node.to_string()),
            Fate::Lost(cause) => {
                let with = by.map_or_else(String::new, |by| format!(" with frame {by}"));
                pending.lost.push(format!("lost at {node}: {}{with}", cause.name()));
            }
            // it could not have been otherwise
            Fate::Sensed => {}
        }
    }

    /// Whether the frame's packet has been on the air from the same node just before.
    fn is_again(&mut self, frame: &Transmission) -> bool {
        // An RTS has the number of the frame that it announces.
        if frame.sequence == 0 || frame.class == FrameClass::RequestToSend {
            return false;
        }
        self.sequences.insert(frame.from, frame.sequence) == Some(frame.sequence)
    }
}

/// What a frame is, in a line.
fn title(frame: &Transmission) -> String {
    let (number, class) = (frame.number, frame.class.name());
    match frame.tag() {
        Some(tag) if tag.is_data() => {
            format!("frame {number}: {class}, flow {}, packet {}", tag.source, tag.number)
        }
        Some(tag) if tag.source != Tag::NONE.source => {
            format!("frame {number}: {class}, flow {}", tag.source)
        }
        _ => format!("frame {number}: {class}"),
    }
}

impl<W: Write> Observer for Capture<W> {
    fn wants(&self, costly: Costly) -> bool {
        costly == Costly::Receptions
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::Transmission(frame) => self.transmitted(at, &frame, None),
            Observation::Receptions(known) => {
                for reception in known {
                    self.on_reception(reception);
                }
                self.settle(at);
            }
            _ => {}
        }
    }
}
