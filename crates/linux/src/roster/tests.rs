//! Rosters that are made, read, changed and made up.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const EDITION: Edition = Edition { number: 7, draw: 9 };

fn authority() -> Signatory {
    Signatory::new(&[1; 32])
}

fn identity(node: u32) -> Identity {
    let mut secret = [2; 32];
    secret[..4].copy_from_slice(&node.to_be_bytes());
    Identity::new(&secret)
}

fn made(edition: Edition, nodes: impl IntoIterator<Item = u32>) -> Vec<Vec<u8>> {
    let members: Vec<_> =
        nodes.into_iter().map(|node| (NodeId(node), identity(node).public())).collect();
    let key = NetworkKey([3; 32]);
    let draft = Draft { edition, grace_s: 60, key: &key, members: &members };
    draft.sign(&authority()).expect("they have public keys")
}

fn key(parts: &[Vec<u8>], node: u32, identity: &Identity) -> Option<Result<[u8; 32], NotMine>> {
    let mut parts = parts.iter().map(|part| Part::parse(part).expect("it is one"));
    let key = parts.find_map(|part| part.key(NodeId(node), identity));
    key.map(|key| key.map(|key| key.0))
}

#[test]
fn every_member_reads_the_key_and_nobody_else() {
    let parts = made(EDITION, 0..20);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [752, 752, 416]);
    assert_eq!(parts[0].len(), LONGEST_PART);
    for (index, part) in parts.iter().enumerate() {
        let part = Part::parse(part).expect("it is one");
        assert!(part.is_signed(&authority().authority()));
        assert_eq!((part.edition, part.grace_s), (EDITION, 60));
        assert_eq!((usize::from(part.index), part.count), (index, 3));
    }
    for node in 0..20 {
        assert_eq!(key(&parts, node, &identity(node)), Some(Ok([3; 32])));
        assert_eq!(key(&parts, node, &identity(20)), Some(Err(NotMine)), "it is another's");
    }
    assert_eq!(key(&parts, 20, &identity(20)), None);
    let all = parts.concat();
    assert!(!all.windows(8).any(|part| part == [3; 8]), "the key is nowhere in it");
    assert_ne!(made(EDITION, 0..1), made(EDITION, 0..1), "each entry has a key of its own");
}

#[test]
fn a_part_that_is_changed_or_of_another_authority_is_not_signed() {
    let [part] = &made(EDITION, [5])[..] else { panic!("it fits into one") };
    let authority = authority().authority();
    for bit in 0..part.len() * 8 {
        let mut changed = part.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let is_taken = Part::parse(&changed).is_ok_and(|part| part.is_signed(&authority));
        assert!(!is_taken, "bit {bit}");
    }
    for len in 0..part.len() {
        let is_taken = Part::parse(&part[..len]).is_ok_and(|part| part.is_signed(&authority));
        assert!(!is_taken, "{len}");
    }
    let other = Signatory::new(&[4; 32]).authority();
    assert!(!Part::parse(part).expect("it is one").is_signed(&other));
}

/// Also the authority itself could not move an entry by mistake.
#[test]
fn an_entry_is_bound_to_its_member_and_its_roster() {
    let parts = made(EDITION, [5, 6]);
    let change = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = parts[0].clone();
        edit(&mut changed);
        key(&[changed], 5, &identity(5))
    };
    assert_eq!(change(&|_| {}), Some(Ok([3; 32])));
    assert_eq!(change(&|part| part[3] = 8), Some(Err(NotMine)), "another number of the roster");
    assert_eq!(change(&|part| part[11] = 8), Some(Err(NotMine)), "another draw of the roster");
    let of_another_member = change(&|part| {
        part[HEAD + 3] = 6;
        part[HEAD + ENTRY + 3] = 5;
    });
    assert_eq!(of_another_member, Some(Err(NotMine)));
}

#[test]
fn what_is_no_public_key_is_none() {
    assert_eq!(Authority::new(&[0; 32]), None, "every signature would hold");
    assert_eq!(Authority::new(&[2; 32]), None, "it is no point of the curve");
    let members = [(NodeId(5), identity(5).public()), (NodeId(6), [0; 32])];
    let key = NetworkKey([3; 32]);
    let draft = Draft { edition: EDITION, grace_s: 60, key: &key, members: &members };
    assert_eq!(draft.sign(&authority()), Err(NodeId(6)), "everybody could read it");
}

#[test]
fn the_largest_roster_fits_into_its_parts() {
    let parts = made(EDITION, 0..MOST_MEMBERS as u32);
    assert_eq!(parts.len(), MOST_PARTS);
    assert_eq!(key(&parts, 1_023, &identity(1_023)), Some(Ok([3; 32])));
    let mut beyond = parts[127].clone();
    (beyond[14], beyond[15]) = (128, 129);
    assert_eq!(Part::parse(&beyond), Err(Malformed::Field("index")));
}

#[test]
fn a_frame_about_rosters_is_read_as_it_was_written() {
    let parts = made(EDITION, [5]);
    let summary = Clear::Summary(Summary { edition: EDITION, held: 1 << 127 | 5 });
    let part = Clear::Part(Part::parse(&parts[0]).expect("it is one"));
    for said in [summary, part] {
        let frame = said.emit();
        assert!(Clear::is_one(&frame));
        assert_eq!(Clear::parse(&frame), Ok(said));
        assert!(Clear::parse(&frame[..frame.len() - 1]).is_err());
        assert!(Clear::parse(&[&frame[..], &[0]].concat()).is_err());
    }
    assert!(Clear::parse(&[0xFF, 0xFF, 0xFF, 0xFF, 3]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_that_could_be_anything_are_of_no_authority(bytes in vec(any::<u8>(), 0..800), count in 1usize..9) {
        let mut fitting = bytes.clone();
        fitting.resize(HEAD + count * ENTRY + SIGNATURE, 0);
        for bytes in [bytes, fitting] {
            if let Ok(part) = Part::parse(&bytes) {
                prop_assert!(!part.is_signed(&authority().authority()));
                prop_assert!(part.members().count() <= MEMBERS_A_PART);
                for node in part.members().take(1) {
                    prop_assert_eq!(part.key(node, &identity(5)).map(|key| key.map(|key| key.0)), Some(Err(NotMine)));
                }
            }
        }
    }
}
