//! The layouts of headers are those that are written.

use std::fmt::Write as _;

use multihop_core::{Duration, FlowId, HeaderFormat, Holds, NextHeader, NodeId, Packet};
use multihop_schemes::hxh::Range;
use multihop_schemes::parts::tcp::options::Options;
use multihop_schemes::parts::{acknowledged, explicit, reliable, tcp};
use multihop_schemes::{cxcc, ezflow, flush, headers, hxh, wake};
use multihop_testkit::{fields, packet};

/// The page of all headers, which `MULTIHOP_PIN=1 cargo test -p multihop-schemes --test layouts` writes.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides/headers.md");

const INTRODUCTION: &str = "\
# Headers

The layouts of all headers and messages behind the network header, as the [code](../../crates/core/src/format.rs) declares
them. A test writes this page. All numbers are big-endian. Each header begins with a byte for what follows it and one for its
length, which the pictures leave out; messages of routing and address resolution do not.
";

fn section(layout: &HeaderFormat) -> String {
    let length = layout.bits() / 8;
    let rest = if layout.rest.is_empty() { "" } else { " and more" };
    let mut text = format!("\n## {}\n\n`{}`, number {}", layout.title, layout.name, layout.kind.0);
    if let Some(message) = layout.message {
        write!(text, ", type {message}").expect("a string takes all");
    }
    write!(text, ", {length} B{rest}.\n\n```text\n{}```\n\n", layout.picture())
        .expect("a string takes all");
    text.push_str("| field | bits | meaning |\n|---|---|---|\n");
    for field in layout.fields.iter().filter(|field| !field.name.is_empty()) {
        let words = match field.holds {
            Holds::Word(words) => {
                let words: Vec<_> = words.iter().map(|(at, word)| format!("{at} {word}")).collect();
                format!(": {}", words.join(", "))
            }
            _ => String::new(),
        };
        writeln!(text, "| `{}` | {} | {}{words} |", field.name, field.bits, field.about)
            .expect("a string takes all");
    }
    text
}

#[test]
fn the_page_of_headers_is_what_the_code_declares() {
    let all = headers().into_iter().chain(multihop_routing::headers());
    let sections = all.chain([&multihop_node::ARP_FORMAT]).map(section);
    let page = sections.fold(String::from(INTRODUCTION), |page, section| page + &section);
    if std::env::var_os("MULTIHOP_PIN").is_some() {
        std::fs::write(PAGE, &page).expect("the folder is there");
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written == page,
        "MULTIHOP_PIN=1 cargo test -p multihop-schemes --test layouts writes it"
    );
}

/// Fields fill whole bytes, and what a header of zeros or ones says is written as it was read.
#[test]
fn every_header_reads_what_it_writes() {
    let all: Vec<_> = headers().into_iter().chain(multihop_routing::headers()).collect();
    for layout in &all {
        assert_eq!(layout.bits() % 8, 0, "{}", layout.name);
        assert!((layout.rewrite)(&[]).is_none(), "{}: nothing is no header", layout.name);
    }
    let bodies = (0..64).flat_map(|len| [vec![0_u8; len], vec![1; len]]);
    let bodies: Vec<_> = bodies.collect();
    let is_read =
        |layout: &&&HeaderFormat| bodies.iter().any(|body| (layout.rewrite)(body).is_some());
    let read = all.iter().filter(is_read).count();
    assert!(2 * read > all.len(), "{read} of {} are read", all.len());
}

const SEQUENCE: u32 = 0x0102_0304;

fn written(kind: NextHeader, write: impl FnOnce(&mut Packet)) -> Vec<(&'static str, u32)> {
    let mut packet = packet(FlowId::between(NodeId(1), NodeId(2)), 0);
    write(&mut packet);
    let layout: &HeaderFormat =
        headers().into_iter().find(|layout| layout.kind == kind).expect("it is in the list");
    fields(layout, packet.headers.get(kind).expect("it was written"))
}

#[test]
fn of_hop_protocols() {
    let header = cxcc::Header { kind: cxcc::Kind::Nack, payload_len: 513, sequence: SEQUENCE };
    assert_eq!(
        written(cxcc::CXCC, |packet| header.write(packet)),
        [("kind", 3), ("payload", 513), ("sequence", SEQUENCE)]
    );
    let header = hxh::Header {
        asks: true,
        buffer: 11,
        ack: 12,
        range: Some(Range { first: SEQUENCE - 9, len: 3 }),
        incarnation: 13,
        ..hxh::Header::new(hxh::Kind::Data, SEQUENCE)
    };
    assert_eq!(
        written(hxh::HXH, |packet| header.write(packet, 40)),
        [
            ("kind", 1),
            ("request", 1),
            ("buffer", 11),
            ("range_length", 3),
            ("ack", 12),
            ("sequence", SEQUENCE),
            ("range_back", 9),
            ("incarnation", 13),
        ]
    );
}

#[test]
fn of_wake() {
    let (need, period) = (Duration::from_micros(320), Duration::from_micros(640));
    let header = wake::Header {
        to_go: None,
        in_wave: true,
        left: 2,
        goes_first: false,
        sequence: 0x0102,
        need,
        period,
    };
    assert_eq!(
        written(wake::WAKE, |packet| header.write(packet)),
        [
            ("to_go", 255),
            ("wave", 1),
            ("left", 2),
            ("sequence", 0x0102),
            ("need", 10),
            ("period", 20)
        ]
    );
}

#[test]
fn of_two_packets_of_wake() {
    let packet_of = |from: u32, to: u32, sequence: u16| {
        let mut packet = packet(FlowId::between(NodeId(from), NodeId(to)), 0);
        let (need, period) = (Duration::from_micros(320), Duration::from_micros(640));
        let header = wake::Header {
            to_go: Some(3),
            in_wave: true,
            left: 2,
            goes_first: false,
            sequence,
            need,
            period,
        };
        header.write(&mut packet);
        packet
    };
    let both = wake::encode([&packet_of(1, 2, 0x0102), &packet_of(4, 5, 0x0304)]);
    let headers = both.expect("they can be coded").headers;
    assert_eq!(
        written(wake::WAKE_CODED, |packet| packet.headers = headers),
        [
            ("to_go", 3),
            ("wave", 1),
            ("left", 2),
            ("sequence", 0x0102),
            ("need", 10),
            ("period", 20),
            ("next", 253),
            ("length", 512),
            ("second_source", 0x0A00_0004),
            ("second_destination", 0x0A00_0005),
            ("second_label", 0),
            ("second_ttl", 64),
            ("second_next", 253),
            ("second_length", 512),
            ("second_to_go", 3),
            ("second_wave", 1),
            ("second_left", 2),
            ("second_sequence", 0x0304),
            ("second_need", 10),
            ("second_period", 20),
        ]
    );
}

#[test]
fn of_ez_flow_and_flush() {
    let number = |packet: &mut Packet| packet.headers.set(ezflow::EZFLOW, &[1, 2]);
    assert_eq!(written(ezflow::EZFLOW, number), [("number", 0x0102)]);
    let units = |count| Duration::from_micros(32) * count;
    let header = flush::Header { delivery: units(1), interference: units(2), interval: units(3) };
    assert_eq!(
        written(flush::FLUSH, |packet| header.write(packet)),
        [("delivery", 1), ("interference", 2), ("interval", 3)]
    );
}

#[test]
fn of_stations() {
    let header = reliable::PathHeader { kind: reliable::PathKind::Probe, delay_us: 77 };
    assert_eq!(
        written(reliable::ATP_PATH, |packet| header.write(packet)),
        [("kind", 1), ("delay_us", 77)]
    );
    let flow = Some(explicit::header::FlowState { round_trip_us: 5, window: 6 });
    let header = explicit::header::PathHeader { flow, feedback: -7, reverse: 8 };
    assert_eq!(
        written(explicit::header::XCP_PATH, |packet| header.write(packet)),
        [
            ("format", 1),
            ("round_trip_us", 5),
            ("window", 6),
            ("feedback", 7u32.wrapping_neg()),
            ("reverse", 8),
        ]
    );
}

#[test]
fn of_transports() {
    let header = tcp::header::Header {
        kind: tcp::header::Kind::Ack,
        echo: true,
        reduced: false,
        sequence: SEQUENCE,
        options: Options::default(),
    };
    assert_eq!(
        written(tcp::header::TCP, |packet| header.write(packet, 20)),
        [("reduced", 0), ("echo", 1), ("kind", 2), ("sequence", SEQUENCE)]
    );
    let (kind, room) = (reliable::Kind::Feedback, 99);
    let header = reliable::Header { kind, room, sequence: SEQUENCE, serial: 4, interval_us: 5 };
    assert_eq!(
        written(reliable::ATP, |packet| header.write(packet, &[])),
        [("kind", 2), ("room", 99), ("sequence", SEQUENCE), ("serial", 4), ("interval_us", 5)]
    );
    let number = |packet: &mut Packet| packet.headers.set(acknowledged::UDP_ACK, &[1, 2]);
    assert_eq!(written(acknowledged::UDP_ACK, number), [("number", 0x0102)]);
}
