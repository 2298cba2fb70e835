//! Headers read by their layouts, for tests that compare these with what is written.

use multihop_core::{HeaderFormat, Holds};

/// The named fields of what stands behind a header's prefix, in their order.
///
/// # Panics
/// If the fields are longer than `body`, zeros are none, or something stands behind that the layout does
/// not know.
pub fn fields(layout: &HeaderFormat, body: &[u8]) -> Vec<(&'static str, u32)> {
    let (mut at, mut found) = (0, Vec::new());
    for field in layout.fields {
        let bits = at..at + usize::from(field.bits);
        at = bits.end;
        let bit = |at: usize| u32::from(body[at / 8] >> (7 - at % 8) & 1);
        let value = bits.fold(0, |value, at| value << 1 | bit(at));
        match field.holds {
            Holds::Zero => assert_eq!(value, 0, "zeros before bit {at}"),
            Holds::Word(words) => {
                assert!(words.iter().any(|(word, _)| *word == value), "{}: {value}", field.name);
                found.push((field.name, value));
            }
            Holds::Number | Holds::Signed | Holds::Address => found.push((field.name, value)),
        }
    }
    assert!(at == 8 * body.len() || !layout.rest.is_empty(), "{} has more", layout.name);
    found
}
