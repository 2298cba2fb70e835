//! Bytes that could be anything, for every parser that meets the air or a socket.

use multihop_core::{Duration, Heard, NodeId, Rate, Receiver, Time};
use multihop_linux::ether::message::{FromEther, Reception, ToEther};
use multihop_linux::icmp::{self, Reason};
use multihop_linux::ip::{IpPacket, Prefix, Prefix6, mark_congestion};
use multihop_linux::node::announcement::Announcement;
use multihop_linux::node::membership::Membership;
use multihop_linux::node::wire::Framed;
use multihop_linux::proxy::segment::{Segment, carried};
use multihop_linux::proxy::stream::Stream;
use multihop_linux::roster::{Clear, Identity, Signatory};
use multihop_linux::seal::{NetworkKey, OVERHEAD, Seal};

/// Read `data` as everything that it could be.
pub fn drive(data: &[u8]) {
    if let Ok(message) = ToEther::parse(data) {
        assert_eq!(ToEther::parse(&message.emit()), Ok(message));
    }
    if let Ok(message) = FromEther::parse(data) {
        assert!(FromEther::parse(&message.emit()).is_ok());
    }
    if let Ok(framed) = Framed::parse(data) {
        assert_eq!(Framed::parse(&framed.emit()), Ok(framed));
    }
    drive_packets(data);
    if let Ok(announcement) = Announcement::parse(data) {
        assert_eq!(announcement.emit(), data);
    }
    drive_rosters(data);
    assert!(carried(data, 4_747).is_none_or(|(_, behind)| behind.len() < data.len()));
    drive_streams(data);
    let key = NetworkKey([7; 32]);
    let mut here = Seal::new(&key, NodeId(1), 1, [1; 4]);
    let mut there = Seal::new(&key, NodeId(2), 1, [2; 4]);
    let heard = |frame: &[u8]| Reception {
        from: NodeId(1),
        heard: Heard::ForMe,
        rate: Rate(1_000_000),
        signal: None,
        air_time: Duration::ZERO,
        marked: false,
        frame: frame.to_vec(),
    };
    assert!(there.open(&heard(data)).is_err(), "nobody has sealed it");
    let mut frame = here.close(Receiver::Node(NodeId(2)), data);
    assert_eq!(frame.len(), data.len() + OVERHEAD);
    for (at, byte) in frame.iter_mut().zip(data) {
        *at ^= byte;
    }
    let changed = data.iter().take(frame.len()).any(|byte| *byte != 0);
    assert_eq!(there.open(&heard(&frame)).is_err(), changed);
}

/// An IP packet that could be anything, and what its sender is told.
fn drive_packets(data: &[u8]) {
    let Some(packet) = IpPacket::of(data) else { return };
    assert!((20..=data.len()).contains(&packet.behind));
    assert!(!packet.is_of_link(data) || packet.source.is_ipv4() || packet.behind < data.len());
    let mut marked = data.to_vec();
    assert!(!mark_congestion(&mut marked) || IpPacket::of(&marked) == Some(packet));
    let here = Prefix::DEFAULT.address(NodeId(1));
    for me in [here.into(), Prefix6::link_local(here).into()] {
        for reason in [Reason::TimeExceeded, Reason::Unreachable, Reason::TooBig(1_280)] {
            if let Some(answer) = icmp::answer(me, reason, data) {
                let told = IpPacket::of(&answer).expect("it is a packet");
                assert_eq!((told.source, told.destination), (me, packet.source));
                assert!(icmp::answer(me, reason, &answer).is_none(), "an answer has none");
            }
        }
    }
}

/// A node that hears frames about rosters that could be anything.
fn drive_rosters(data: &[u8]) {
    if let Ok(said) = Clear::parse(data) {
        assert_eq!(said.emit(), data);
    }
    let authority = Signatory::new(&[1; 32]).authority();
    let mut node = Membership::new(NodeId(1), Identity::new(&[2; 32]), authority, 1);
    for (at, kind) in (0..).zip([1, 2, 1, 2]) {
        let now = Time::ZERO + Duration::from_millis(1_000 * at);
        let frame = [&[0xFF; 4][..], &[kind], data].concat();
        for frame in [data, &frame] {
            assert_ne!(node.on_frame(now, frame), Ok(true), "the authority has not signed it");
        }
        assert!(node.bring(now, data).is_err());
        if let Some(frame) = node.poll(now) {
            assert!(matches!(Clear::parse(&frame), Ok(Clear::Summary(_))), "it has no part");
        }
    }
    assert!(!node.has_key() && node.known().parts().len() == 0);
}

/// Both ends of a stream, told segments that could be anything.
fn drive_streams(data: &[u8]) {
    let segments: Vec<Segment> =
        data.chunks(30).filter_map(|part| Segment::parse(part).ok()).collect();
    let Some(first) = segments.first() else { return };
    assert_eq!(Segment::parse(&first.emit()).as_ref(), Ok(first));
    for mut stream in
        [Stream::open(first.stream, 80, Time::ZERO), Stream::accept(first, Time::ZERO)]
    {
        for (at, segment) in (0..).zip(&segments) {
            let now = Time::ZERO + Duration::from_millis(1_000 * at);
            stream.on_segment(now, segment);
            if stream.has_room() {
                stream.write(b"some bytes");
            }
            for _ in 0..100 {
                let Some(said) = stream.poll(now) else { break };
                assert_eq!(Segment::parse(&said.emit()), Ok(said));
            }
            while let Some(len) = stream.ready().map(<[u8]>::len) {
                stream.take(now, len);
            }
        }
    }
}
