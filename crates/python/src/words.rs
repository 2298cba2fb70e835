//! The words of tables and traces: the common ones, and those that built-in schemes and routing protocols declare.

use std::sync::LazyLock;

use multihop_core::{DropCause, EventKind, FrameClass, Vocabulary, Word};

use crate::extension;

/// What `pick` finds among the words that parts declare.
fn declared<T>(pick: fn(Vocabulary) -> Option<&'static Word>) -> Vec<T>
where
    T: From<&'static Word>,
{
    let mut found: Vec<&'static Word> = Vec::new();
    for word in extension::vocabulary().filter_map(pick) {
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found.into_iter().map(T::from).collect()
}

/// What protocols do.
pub static EVENTS: LazyLock<Vec<EventKind>> = LazyLock::new(|| {
    let own = declared(|word| match word {
        Vocabulary::Event(word) => Some(word),
        _ => None,
    });
    [EventKind::COMMON.to_vec(), own].concat()
});

/// Why packets are given up.
pub static CAUSES: LazyLock<Vec<DropCause>> = LazyLock::new(|| {
    let own = declared(|word| match word {
        Vocabulary::Cause(word) => Some(word),
        _ => None,
    });
    [DropCause::COMMON.to_vec(), own].concat()
});

/// What kinds of frames travel.
pub static CLASSES: LazyLock<Vec<FrameClass>> = LazyLock::new(|| {
    let own = declared(|word| match word {
        Vocabulary::Frame(word) => Some(word),
        _ => None,
    });
    [FrameClass::COMMON.to_vec(), own].concat()
});
