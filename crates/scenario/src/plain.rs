//! What serde says, in the words of a scenario file.

use crate::bounds::LARGEST_SEED;
use crate::error::unknown;

/// What serde says of a value that does not fit, in the words of a TOML file with what was meant: "unknown key 'mtuu', did
/// you mean 'mtu'?" Where a key is missing, the message is "is missing", and the second value is the key.
pub fn in_plain_words(message: &str) -> (String, Option<String>) {
    // serde puts the names it speaks of between backticks: first what was given, then what is known
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let (true, Some(name)) = (message.starts_with("missing field"), names.first()) {
        return ("is missing".to_owned(), Some((*name).to_owned()));
    }
    for (prefix, noun) in [("unknown field", "key"), ("unknown variant", "value")] {
        if let (true, Some((given, known))) = (message.starts_with(prefix), names.split_first()) {
            return (unknown(noun, given, known), None);
        }
    }
    for (of_serde, most) in [("u32", u64::from(u32::MAX)), ("u64", LARGEST_SEED)] {
        if let Some(kind) = message.strip_suffix(&format!(", expected {of_serde}")) {
            // invalid type: floating point `1e+20`, invalid type: string "one"
            let quoted = kind.find('"').map(|at| &kind[at..]);
            let kind = kind.rsplit(": ").next().unwrap_or(kind);
            let given = names.first().copied().or(quoted).unwrap_or(kind);
            return (format!("must be a whole number from 0 to {most} (got {given})"), None);
        }
    }
    let plain = message
        .replace("expected a boolean", "expected true or false")
        .replace("expected struct ", "expected a table, a ")
        .replace("expected a sequence", "expected an array");
    (plain, None)
}
