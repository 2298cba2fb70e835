//! Which packets are answered, and with what.

use super::*;

const HERE: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const ASKS: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const HERE6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0x0A00, 2);
const ASKS6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0x0A00, 1);

fn packet(protocol: u8, behind: &[u8]) -> Vec<u8> {
    packet4((ASKS, Ipv4Addr::new(10, 0, 0, 4)), protocol, 0, behind)
}

fn packet6(protocol: u8, behind: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x60, 0, 0, 0];
    bytes.extend((behind.len() as u16).to_be_bytes());
    bytes.extend([protocol, 1]);
    bytes.extend(ASKS6.octets());
    bytes.extend(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0x0A00, 4).octets());
    bytes.extend(behind);
    bytes
}

#[test]
fn an_answer_quotes_what_it_answers() {
    let asked = packet(17, &[7; 1_000]);
    let answer = answer(HERE.into(), Reason::TimeExceeded, &asked).expect("it is one");
    assert_eq!(answer.len(), LONGEST4);
    let headers = IpPacket::of(&answer).expect("it is a packet");
    assert_eq!((headers.source, headers.destination), (HERE.into(), ASKS.into()));
    assert_eq!((checksum(&answer[..20]), checksum(&answer[20..])), (0, 0));
    assert_eq!(answer[20..22], [11, 0]);
    assert_eq!(answer[28..], asked[..LONGEST4 - 28]);
}

#[test]
fn an_answer_of_ipv6_counts_addresses_in_its_checksum() {
    let asked = packet6(17, &[7; 1_400]);
    let answer = answer(HERE6.into(), Reason::TooBig(1_280), &asked).expect("it is one");
    assert_eq!(answer.len(), LONGEST6);
    let headers = IpPacket::of(&answer).expect("it is a packet");
    assert_eq!((headers.source, headers.destination), (HERE6.into(), ASKS6.into()));
    let len = u32::from(u16::from_be_bytes([answer[4], answer[5]]));
    let counted = [&answer[8..40], &len.to_be_bytes(), &[0, 0, 0, 58], &answer[40..]].concat();
    assert_eq!(checksum(&counted), 0);
    assert_eq!((&answer[40..42], &answer[44..48]), (&[2, 0][..], &[0, 0, 5, 0][..]));
    assert_eq!(answer[48..], asked[..LONGEST6 - 48]);
}

#[test]
fn what_is_too_big_is_told_how_big_it_may_be() {
    let asked = packet(17, &[0; 100]);
    let answer = answer(HERE.into(), Reason::TooBig(576), &asked).expect("it is one");
    assert_eq!(answer[20..22], [3, 4]);
    assert_eq!(answer[24..28], [0, 0, 2, 64]);
}

#[test]
fn answers_fragments_and_groups_are_not_answered() {
    let of = |packet: &[u8]| answer(HERE.into(), Reason::Unreachable, packet);
    assert!(of(&packet(1, &[8, 0, 0, 0])).is_some(), "an echo");
    assert_eq!(of(&packet(1, &[3, 1, 0, 0])), None, "an answer");
    assert_eq!(of(&packet(1, &[])), None, "who knows?");
    let mut later = packet(17, &[0; 8]);
    later[7] = 1;
    assert_eq!(of(&later), None, "a later fragment");
    let mut nobody = packet(17, &[0; 8]);
    nobody[12..16].fill(0);
    assert_eq!(of(&nobody), None, "of nobody");
    let mut group = packet(17, &[0; 8]);
    group[16] = 224;
    assert_eq!(of(&group), None, "to a group");
    for len in 0..28 {
        assert_eq!(of(&packet(17, &[0; 8])[..len]), None, "{len}");
    }
    assert_eq!(of(&packet6(17, &[0; 8])), None, "of the other kind");
}

#[test]
fn the_same_holds_for_ipv6() {
    let of = |packet: &[u8]| answer(HERE6.into(), Reason::Unreachable, packet);
    assert!(of(&packet6(58, &[128, 0, 0, 0])).is_some(), "an echo");
    assert_eq!(of(&packet6(58, &[1, 3, 0, 0])), None, "an answer");
    assert_eq!(of(&packet6(58, &[])), None, "who knows?");
    let fragment = |offset: u8| packet6(44, &[17, 0, 0, offset, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert!(of(&fragment(0)).is_some());
    assert_eq!(of(&fragment(8)), None, "a later fragment");
    let mut nobody = packet6(17, &[0; 8]);
    nobody[8..24].fill(0);
    assert_eq!(of(&nobody), None, "of nobody");
    let mut group = packet6(17, &[0; 8]);
    group[24] = 0xff;
    assert_eq!(of(&group), None, "to a group");
}
