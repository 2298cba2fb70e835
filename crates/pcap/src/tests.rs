//! What stands in a capture, read back.

use multihop_core::{
    AddressTable, Aggregate, Bytes, Decoded, Duration, Fate, FlowId, FrameClass, LossCause, Mpdu,
    NodeId, Packet, Payload, Reception, Tag, Time, Transmission,
};
use multihop_trace::{Observation, Observer};
use pcap_file::pcapng::{Block, PcapNgReader};

use crate::{Capture, Link};

const A: NodeId = NodeId(1);
const B: NodeId = NodeId(2);

fn at(us: u64) -> Time {
    Time::ZERO + Duration::from_micros(us)
}

fn packet() -> Packet {
    let tag = Tag { source: 0, number: 7 };
    Packet::new(FlowId::between(A, NodeId(9)), Payload::Virtual(512), tag)
}

fn data(number: u32, packet: &Packet) -> Transmission<'_> {
    Transmission {
        number,
        from: A,
        to: Some(B),
        class: FrameClass::Data,
        packet: Some(packet),
        bytes: Bytes(566),
        rate: multihop_core::Rate(0),
        air_time: Duration::from_micros(4720),
        wait: Duration::ZERO,
        reserved: Duration::from_micros(314),
        sequence: 5,
        aggregate: None,
    }
}

/// The packets of a capture: time in ns, bytes, length on the air, comment.
fn written(link: Link, tell: impl FnOnce(&mut Capture<&mut Vec<u8>>)) -> Vec<Written> {
    let mut file = Vec::new();
    let mut capture = Capture::new(&mut file, link, AddressTable::default()).expect("memory");
    tell(&mut capture);
    capture.finish().expect("memory takes everything");
    let mut reader = PcapNgReader::new(&file[..]).expect("it is a capture");
    let mut found = Vec::new();
    while let Some(block) = reader.next_block() {
        if let Block::EnhancedPacket(block) = block.expect("a block") {
            found.push(Written {
                at: block.timestamp.as_nanos(),
                length: block.original_len,
                comment: format!("{:?}", block.options),
                bytes: block.data.into_owned(),
            });
        }
    }
    found
}

struct Written {
    at: u128,
    length: u32,
    comment: String,
    bytes: Vec<u8>,
}

#[test]
fn a_data_frame_has_four_addresses_and_its_packet() {
    let packet = packet();
    let frames = written(Link::Air, |capture| {
        capture.observe(at(1500), &Observation::Transmission(data(3, &packet)));
        capture.observe(at(90_000), &Observation::Transmission(data(4, &packet)));
    });
    let mac = |number: u8| [2, 0, 0, 0, 0, number];
    let Written { at, length, comment, bytes } = &frames[0];
    assert_eq!(*at, 1_500_000);
    // radiotap, 30 bytes of MAC header, LLC and SNAP, network header
    assert_eq!((bytes.len(), *length), (17 + 30 + 8 + 20, 17 + 30 + 8 + 20 + 512));
    assert!(comment.contains("frame 3: data, flow 0, packet 7"), "{comment}");
    let frame = &bytes[17..];
    assert_eq!(frame[..4], [0x08, 0x03, 58, 1]);
    let addresses = [&frame[4..10], &frame[10..16], &frame[16..22], &frame[24..30]];
    assert_eq!(addresses, [mac(2), mac(1), mac(9), mac(1)]);
    assert_eq!(frame[38..], packet.network_header().emit());
    // The same number again: another attempt.
    assert_eq!(frames[1].bytes[18], 0x03 | 0x08);
}

#[test]
fn receptions_and_losses_stand_in_comments_those_that_could_not_be_otherwise_only_at_the_receiver()
{
    let packet = packet();
    let frames = written(Link::Air, |capture| {
        let frame = data(3, &packet);
        capture.observe(at(0), &Observation::Transmission(frame));
        assert_eq!(capture.deadline(), at(5720));
        let decoded = Fate::Decoded(Decoded::Overheard);
        for (node, fate, by) in [
            (NodeId(4), Fate::Sensed, None),
            (B, Fate::Lost(LossCause::Collision), Some(2)),
            (NodeId(5), Fate::Lost(LossCause::Transmitting), None),
            (NodeId(3), decoded, None),
            (NodeId(6), decoded, None),
        ] {
            let (end, certain) = (at(4720), at(100));
            let known = [Reception { frame: 3, node, end, certain, fate, by }];
            capture.observe(at(5000), &Observation::Receptions(&known));
        }
    });
    let comment = &frames[0].comment;
    assert!(comment.contains("packet 7\\nheard at n3, n6\\nlost at n2"), "{comment}");
    assert!(comment.contains("lost at n2: collision with frame 2"), "{comment}");
    assert!(comment.contains("lost at n5: transmitting"), "{comment}");
    assert!(!comment.contains("n4"), "{comment}");
}

#[test]
fn a_sealed_frame_says_only_who_sends_it_to_whom() {
    let packet = packet();
    let frames = written(Link::Air, |capture| {
        for number in [3, 4] {
            capture.transmitted(at(9_000 * number), &data(number as u32, &packet), Some(b"secret"));
        }
    });
    let (first, again) = (&frames[0].bytes[17..], &frames[1].bytes[17..]);
    assert_eq!((first[..2].to_vec(), again[..2].to_vec()), (vec![0x08, 0x40], vec![0x08, 0x48]));
    assert_eq!(first[4..16], [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]);
    assert_eq!((&first[24..], frames[0].length), (&b"secret"[..], 17 + 24 + 6));
}

#[test]
fn only_the_same_number_of_the_same_node_is_another_attempt() {
    let packet = packet();
    let rts = Transmission { class: FrameClass::RequestToSend, packet: None, ..data(0, &packet) };
    let bare = Transmission { sequence: 0, ..data(0, &packet) };
    let other = Transmission { from: B, to: Some(A), ..data(0, &packet) };
    let next = Transmission { sequence: 6, ..data(0, &packet) };
    let told =
        [rts, data(0, &packet), other, rts, data(0, &packet), next, data(0, &packet), bare, bare];
    let frames = written(Link::Air, |capture| {
        for (number, frame) in told.into_iter().enumerate() {
            let frame = Transmission { number: number as u32, ..frame };
            capture.observe(at(9_000 * number as u64), &Observation::Transmission(frame));
        }
    });
    // Behind radiotap and the byte that says what kind of frame it is.
    let again: Vec<bool> = frames.iter().map(|frame| frame.bytes[18] & 0x08 != 0).collect();
    // An RTS bears the number of the frame that it announces; a node's numbers are its own.
    assert_eq!(again, [false, false, false, false, true, false, false, false, false]);
}

/// Bytes of radiotap of 802.11n: the MCS, and of an A-MPDU its number.
#[test]
fn every_packet_of_an_a_mpdu_stands_in_a_capture() {
    let packet = packet();
    let behind =
        Mpdu { packet: packet.clone(), class: FrameClass::Data, bytes: Bytes(570), sequence: 6 };
    let joined = Aggregate { joined: vec![behind], came: 0 };
    let says = Aggregate { joined: Vec::new(), came: 0b101 };
    let rate = multihop_core::Rate(65_000_000);
    let several = Transmission { rate, aggregate: Some(&joined), ..data(3, &packet) };
    let alone = Transmission { rate: multihop_core::Rate(7_200_000), ..data(4, &packet) };
    let answer = Transmission {
        class: FrameClass::BlockAcknowledgment,
        packet: None,
        rate: multihop_core::Rate(24_000_000),
        aggregate: Some(&says),
        ..data(5, &packet)
    };
    let asks = Transmission { class: FrameClass::BlockAcknowledgmentRequest, number: 6, ..answer };
    let frames = written(Link::Air, |capture| {
        for (number, frame) in (0..).zip([several, alone, answer, asks]) {
            capture.observe(at(9_000 * number), &Observation::Transmission(frame));
        }
    });
    assert_eq!(frames.len(), 5);
    let [first, second, single, answer, asks] = &frames[..] else { panic!("five") };
    assert_eq!((first.at, second.at), (0, 0));
    for (found, number) in [(first, 5), (second, 6)] {
        assert_eq!(found.bytes[2..7], [28, 0, 0b11, 0, 0b1_1000]);
        assert_eq!(found.bytes[17..20], [0b111, 0, 7], "MCS 7 in 20 MHz");
        assert_eq!(found.bytes[20..28], [3, 0, 0, 0, 0, 0, 0, 0], "of frame 3");
        assert_eq!(found.bytes[28..30], [0x88, 0x03]);
        assert_eq!(found.bytes[28 + 22..28 + 24], [number << 4, 0]);
        // Four addresses, QoS, LLC and SNAP, and the packet.
        assert_eq!(found.length, 28 + 32 + 8 + 532);
    }
    assert_eq!(single.bytes[2..7], [20, 0, 0b11, 0, 0b1000]);
    assert_eq!(single.bytes[17..20], [0b111, 0b100, 0], "MCS 0 with the short guard interval");
    let body = &answer.bytes[17..];
    assert_eq!((body[0], body.len()), (0x94, 32 - 4));
    assert_eq!(body[16..28], [0x04, 0, 5 << 4, 0, 0b101, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((asks.bytes[17], asks.bytes.len()), (0x84, 17 + 24 - 4));
}

#[test]
fn wires_carry_bare_packets() {
    let packet = packet();
    let frames = written(Link::Packets, |capture| {
        let frame = Transmission { wait: Duration::from_micros(10), ..data(0, &packet) };
        capture.observe(at(5), &Observation::Transmission(frame));
    });
    assert_eq!((frames[0].at, frames[0].length), (15_000, 532));
    assert_eq!(frames[0].bytes, packet.network_header().emit());
}

/// A disk that is full.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_noticed() {
    let packet = packet();
    let mut capture = Capture::new(Full(100), Link::Air, AddressTable::default()).expect("room");
    for number in 0..100 {
        let frame = data(number, &packet);
        let now = at(u64::from(number) * 10_000);
        capture.observe(now, &Observation::Transmission(frame));
        capture.observe(now, &Observation::Receptions(&[]));
    }
    assert!(capture.has_failed());
    let error = capture.finish().expect_err("there was no room");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}
