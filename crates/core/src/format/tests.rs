use super::*;

header_words! {
    /// What the example is about.
    enum Topic { Weather = 1 "weather", Roads = 5 "roads", }
}

header! {
    /// Fields of all kinds, some of which lie across bytes.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Example, LAYOUT = "example" "An example", NextHeader::hop(22), None, rest "what is said" => {
        topic: Topic = "topic" 3 "what it is about",
        far: u16 = "far" 12 "how far away",
        urgent: bool = "urgent" 1 "it comes first",
        zero 4,
        ignored 4,
        above: i32 = "above" 32 "how high above the sea",
        at: NodeId = "at" 32 "where",
    }
}

const SAID: Example =
    Example { topic: Topic::Roads, far: 0x9C3, urgent: true, above: -2, at: NodeId(7) };

#[test]
fn fields_stand_in_their_bits() {
    let bytes = SAID.emit();
    assert_eq!(bytes[..3], [0b1011_0011, 0b1000_0111, 0]);
    assert_eq!(bytes[3..7], [0xFF, 0xFF, 0xFF, 0xFE]);
    assert_eq!(bytes[7..], address::emit(NodeId(7)));
    assert_eq!(Example::parse(&bytes), Ok(SAID));
    assert_eq!((LAYOUT.rewrite)(&bytes), Some(bytes.to_vec()));
}

#[test]
fn what_is_too_large_is_written_as_the_largest_number_of_its_field() {
    let far = Example { far: u16::MAX, urgent: false, ..SAID };
    assert_eq!(
        Example::parse(&far.emit()),
        Ok(Example { far: 0xFFF, ..far }),
        "no other bit is set"
    );
}

#[test]
fn what_the_format_does_not_know_is_refused() {
    let bytes = SAID.emit();
    let changed = |at: usize, with: u8| {
        let mut bytes = bytes;
        bytes[at] ^= with;
        Example::parse(&bytes)
    };
    let refused = |name, value| Err(WireError::Field { name, value });
    assert_eq!(changed(0, 0b0010_0000), refused("topic", 4));
    assert_eq!(changed(2, 0b0001_0000), refused("reserved", 1));
    assert_eq!(changed(2, 0b0000_1111), Ok(SAID), "nobody looks at it");
    let long = [&bytes[..], &[9, 8]].concat();
    assert_eq!(Example::split(&long), Ok((SAID, &[9, 8][..])));
    for cut in 0..bytes.len() {
        let cut_off = Err(WireError::Truncated { need: bytes.len(), have: cut });
        assert_eq!(Example::split(&bytes[..cut]).map(|(header, _)| header), cut_off);
        assert!(Example::parse(&bytes[..cut]).is_err());
    }
    assert!(Example::parse(&long).is_err(), "it is too long");
}

#[test]
fn a_picture_has_32_bits_in_a_row() {
    let line = |bits: usize| format!("+{}", "-+".repeat(bits));
    let picture = LAYOUT.picture();
    let rows: Vec<&str> = picture.lines().skip(2).collect();
    let expected = [
        &line(32),
        "|topic|          far          |u|   0   |   0   |     above     |",
        &line(32),
        "|                     above                     |      at       |",
        &line(32),
        "|                      at                       |",
        &line(24),
        "| what is said ...",
    ];
    assert_eq!(rows, expected);
    assert_eq!(LAYOUT.bits(), 88);
}
