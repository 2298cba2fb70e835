//! What a process says to whoever reads its log.

use std::io::{self, Write};

/// Say a line. A full disk loses it, and ends nothing: `eprintln!` would panic.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
