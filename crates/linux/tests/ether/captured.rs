//! What a capture of the medium says, read back.

use multihop_core::{Duration, NodeId, Time};
use multihop_linux::seal::{NetworkKey, Seal};
use pcap_file::pcapng::{Block, PcapNgReader};

use crate::applications::datagram;
use crate::world::{World, chain};

/// Frames: their bytes behind radiotap, and their comments.
fn read(bytes: &[u8]) -> Vec<(Vec<u8>, String)> {
    let mut reader = PcapNgReader::new(bytes).expect("it is a capture");
    let mut frames = Vec::new();
    while let Some(block) = reader.next_block() {
        if let Block::EnhancedPacket(block) = block.expect("it is whole") {
            assert_eq!(block.original_len as usize, block.data.len());
            frames.push((block.data[17..].to_vec(), format!("{:?}", block.options)));
        }
    }
    frames
}

#[test]
fn every_frame_is_captured_with_its_bytes_and_what_became_of_it() {
    let mut world = World::new(&chain(4, "name = \"cxcc\""));
    assert!(world.air.take_captured(world.now).is_empty(), "nobody wants to know");
    let mut capture = world.air.begin_capture();
    assert_eq!(world.air.begin_capture(), capture, "for somebody else");
    for round in 0..20 {
        world.send(0, &datagram(0, 4, round, 300));
        world.send(4, &datagram(4, 0, round, 300));
        world.run(Time::ZERO + Duration::from_millis(20 * u64::from(round)));
        capture.extend(world.air.take_captured(world.now));
    }
    world.run(Time::ZERO + Duration::from_millis(5_000));
    assert!(world.air.capture_deadline() < world.now, "there is more");
    capture.extend(world.air.take_captured(world.now));
    assert_eq!(world.air.capture_deadline(), Time::NEVER);
    assert_eq!(world.delivered[&4].len(), 20);

    let frames = read(&capture);
    let transmitted: u64 = (0..5).map(|node| world.air.counts(NodeId(node)).transmitted).sum();
    assert_eq!(frames.len() as u64, transmitted);
    // as an application has sent it, in every frame that carries it
    for packet in &world.delivered[&4] {
        let carries = |frame: &&(Vec<u8>, String)| frame.0.ends_with(packet);
        assert!(frames.iter().filter(carries).count() >= 4, "once for each hop at least");
    }
    let with = |word: &str| frames.iter().filter(|frame| frame.1.contains(word)).count();
    assert!(with("heard at n1") > 20, "{frames:?}");
    assert!(with("lost at n") > 0, "both directions collide at times");
    assert!(with("collision with frame") > 0);

    world.air.end_capture();
    world.send(0, &datagram(0, 4, 99, 300));
    world.run(Time::ZERO + Duration::from_millis(6_000));
    assert!(world.air.take_captured(world.now).is_empty(), "nobody wants to know any more");
}

#[test]
fn what_nobody_can_read_is_captured_as_such() {
    use multihop_core::{FrameClass, Receiver};
    use multihop_linux::ether::message::{Offer, ToEther};
    let mut world = World::new(&chain(1, "name = \"cxcc\""));
    let mut capture = world.air.begin_capture();
    let frame = Seal::new(&NetworkKey([7; 32]), NodeId(0), 1, [1; 4])
        .close(Receiver::Node(NodeId(1)), &[0; 60]);
    let offer = Offer {
        to: Receiver::Node(NodeId(1)),
        rate: None,
        contention: None,
        class: FrameClass::Data,
        frame: frame.clone(),
    };
    world.air.tell(world.now, NodeId(0), ToEther::Offer(offer));
    world.run_beside(Time::ZERO + Duration::from_millis(100), NodeId(0));
    capture.extend(world.air.take_captured(world.now));
    let frames = read(&capture);
    let [(bytes, comment), ..] = &frames[..] else { panic!("nothing was captured") };
    assert_eq!(bytes[..2], [0x08, 0x40], "data, protected");
    assert_eq!(bytes[24..], frame);
    assert!(comment.contains("frame 0: data\\nheard at n1"), "{comment}");
}
