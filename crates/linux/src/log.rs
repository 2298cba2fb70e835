//! What a process says to whoever reads its log: lines of four levels on standard error. If that is systemd's journal, each
//! line begins with its level, as in sd-daemon(3).

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::Deserialize;

/// How much a line matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The process ends, or loses something for good.
    Error,
    /// Somebody should look at it.
    Warning,
    /// What an administrator wants to know of a day.
    #[default]
    Info,
    /// Every packet that is dropped, and why.
    Debug,
}

/// How lines begin.
struct Style {
    program: &'static str,
    journal: bool,
}

static STYLE: OnceLock<Style> = OnceLock::new();
static MOST: AtomicU8 = AtomicU8::new(Level::Info as u8);

/// Lines are those of `program` from now on.
pub fn begin(program: &'static str) {
    STYLE.get_or_init(|| Style { program, journal: is_journal() });
}

/// Only lines that matter at least as much as `level` are written from now on.
pub fn show(level: Level) {
    MOST.store(level as u8, Ordering::Relaxed);
}

/// Whether lines of `level` are written.
pub fn shows(level: Level) -> bool {
    level as u8 <= MOST.load(Ordering::Relaxed)
}

/// Whether standard error is the journal's: systemd names its device and inode.
fn is_journal() -> bool {
    let Ok(journal) = std::env::var("JOURNAL_STREAM") else { return false };
    let here = rustix::fs::fstat(io::stderr().as_fd());
    here.is_ok_and(|here| journal == format!("{}:{}", here.st_dev, here.st_ino))
}

fn line(style: Option<&Style>, level: Level, text: &str) -> String {
    let (number, word) = match level {
        Level::Error => (3, "error: "),
        Level::Warning => (4, "warning: "),
        Level::Info => (6, ""),
        Level::Debug => (7, "debug: "),
    };
    match style {
        Some(Style { journal: true, .. }) => format!("<{number}>{text}"),
        Some(Style { program, .. }) => format!("{program}: {word}{text}"),
        None => format!("{word}{text}"),
    }
}

/// Say a line. A full disk loses it, and ends nothing: `eprintln!` would panic.
pub fn say(level: Level, text: &str) {
    if shows(level) {
        let _ = writeln!(io::stderr(), "{}", line(STYLE.get(), level, text));
    }
}

/// Say what ends the process, or is lost for good.
pub fn error(text: &str) {
    say(Level::Error, text);
}

/// Say what somebody should look at.
pub fn warn(text: &str) {
    say(Level::Warning, text);
}

/// Say what an administrator wants to know of a day.
pub fn info(text: &str) {
    say(Level::Info, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_told_the_level_and_people_the_program() {
        let style = |journal| Style { program: "multihop-node", journal };
        assert_eq!(line(Some(&style(true)), Level::Warning, "late"), "<4>late");
        assert_eq!(
            line(Some(&style(false)), Level::Warning, "late"),
            "multihop-node: warning: late"
        );
        assert_eq!(line(Some(&style(false)), Level::Info, "on"), "multihop-node: on");
    }

    #[test]
    fn a_level_shows_what_matters_more() {
        assert!(shows(Level::Error) && shows(Level::Info) && !shows(Level::Debug));
    }
}
