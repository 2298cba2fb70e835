//! How the words of tables and traces are written: each once, with its meaning.
//!
//! A *closed* vocabulary has the words that one crate says. An *open* one has those that many parts say, and what a part
//! [declares](Word) beside them (ADR 0094).

use std::collections::BTreeMap;
use std::sync::Mutex;

/// A word that a part declares: an event, the cause of a drop, or a class of frames that the common words lack.
///
/// A part has it as a `static`, and lists it among the words of its [scheme](crate::Scheme::words) or routing protocol.
/// Words of one name are the same word.
///
/// ```
/// use multihop_core::{EventKind, Vocabulary, Word};
///
/// /// The relay has skipped a turn.
/// pub static SKIPPED: Word = Word { name: "skipped", about: "the relay has skipped a turn" };
/// static WORDS: &[Vocabulary] = &[Vocabulary::Event(&SKIPPED)];
/// assert_eq!(EventKind::from(&SKIPPED).name(), "skipped");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its name in tables and traces: small letters and underscores.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Word {}

impl Word {
    /// The word of this name, of which a file has no more. Each name is kept once, as long as the program lives: it is
    /// not for what comes from the air.
    ///
    /// # Panics
    /// Never: nothing panics while the list is locked.
    pub fn recorded(name: &str) -> &'static Word {
        static KEPT: Mutex<BTreeMap<&'static str, &'static Word>> = Mutex::new(BTreeMap::new());
        let mut all = KEPT.lock().expect("nothing panics while it is locked");
        if let Some(known) = all.get(name) {
            return known;
        }
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let word: &'static Word = Box::leak(Box::new(Word { name, about: "" }));
        all.insert(name, word);
        word
    }
}

/// A word that a part declares, and of what it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vocabulary {
    /// An [`EventKind`](crate::EventKind).
    Event(&'static Word),
    /// A [`DropCause`](crate::DropCause).
    Cause(&'static Word),
    /// A [`FrameClass`](crate::FrameClass).
    Frame(&'static Word),
}

impl Vocabulary {
    /// The word.
    pub const fn word(self) -> &'static Word {
        match self {
            Vocabulary::Event(word) | Vocabulary::Cause(word) | Vocabulary::Frame(word) => word,
        }
    }
}

/// An enum whose variants have a name in tables and traces, and a meaning.
#[macro_export]
macro_rules! vocabulary {
    (
        $(#[$attribute:meta])*
        $name:ident { $($variant:ident = $text:literal: $about:literal,)+ }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = $about] $variant,)+
        }

        impl $name {
            /// All of them, in the order of tables.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Its name in tables and traces.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            /// What it means.
            pub const fn about(self) -> &'static str {
                match self {
                    $($name::$variant => $about,)+
                }
            }
        }
    };
}

/// The same for words to which parts may add their own. A recording has their names.
macro_rules! open_vocabulary {
    (
        $(#[$attribute:meta])*
        $name:ident { $($variant:ident = $text:literal: $about:literal,)+ }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = $about] $variant,)+
            /// A word that a part declares.
            Declared(&'static $crate::Word),
        }

        impl $name {
            /// The common words, in the order of tables.
            pub const COMMON: &'static [$name] = &[$($name::$variant),+];

            /// Its place among the common words; none of one that a part declares.
            #[inline]
            pub const fn place(self) -> Option<u8> {
                // Places in the order of the variants: the compiler reads the tag of the enum.
                #[derive(Clone, Copy)]
                #[repr(u8)]
                enum Index { $($variant,)+ }
                match self {
                    $($name::$variant => Some(Index::$variant as u8),)+
                    $name::Declared(_) => None,
                }
            }

            /// Its name in tables and traces.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                    $name::Declared(word) => word.name,
                }
            }

            /// What it means.
            pub const fn about(self) -> &'static str {
                match self {
                    $($name::$variant => $about,)+
                    $name::Declared(word) => word.about,
                }
            }

            /// The word of this name, of which a recording has no more.
            fn recorded(name: &str) -> Self {
                let common = $name::COMMON.iter().find(|word| word.name() == name);
                common.copied().unwrap_or_else(|| $name::Declared($crate::Word::recorded(name)))
            }
        }

        impl From<&'static $crate::Word> for $name {
            fn from(word: &'static $crate::Word) -> Self {
                $name::Declared(word)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from).map(|name| $name::recorded(&name))
            }
        }
    };
}

pub(crate) use open_vocabulary;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Word;
    use crate::{Decoded, DropCause, Event, EventKind, FlowId, FrameClass, HostEvent, LossCause};
    use crate::{NodeId, Timer};

    static OURS: Word = Word { name: "ours", about: "a word of a test" };

    fn assert_words(words: &[(&str, &str)]) {
        for (name, about) in words {
            assert!(!about.is_empty() && !about.ends_with('.'), "{name}");
            assert!(name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_')), "{name}");
        }
        let names: BTreeSet<&str> = words.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), words.len());
    }

    macro_rules! words {
        ($all:expr) => {
            $all.iter().map(|word| (word.name(), word.about())).collect::<Vec<_>>()
        };
    }

    #[test]
    fn words_differ_and_have_a_meaning() {
        assert_words(&words!(DropCause::COMMON));
        assert_words(&words!(EventKind::COMMON));
        assert_words(&words!(FrameClass::COMMON));
        assert_words(&words!(LossCause::ALL));
        assert_words(&words!(Decoded::ALL));
        assert_words(&words!(HostEvent::ALL));
        assert_words(&words!(Timer::ALL));
    }

    #[test]
    fn common_words_stand_in_their_places_and_declared_ones_in_none() {
        for (at, kind) in EventKind::COMMON.iter().enumerate() {
            assert_eq!(kind.place().map(usize::from), Some(at), "{kind:?}");
        }
        assert_eq!(EventKind::from(&OURS).place(), None);
        assert_eq!(EventKind::from(&OURS).name(), "ours");
    }

    #[test]
    fn a_recording_keeps_the_names_of_words() {
        let flow = FlowId::between(NodeId(0), NodeId(1));
        for kind in [EventKind::Marked, EventKind::from(&OURS)] {
            let event = Event { kind, flow, sequence: 3 };
            let text = serde_json::to_string(&event).expect("it is plain data");
            assert!(text.contains(&format!("\"{}\"", kind.name())), "{text}");
            let again: Event = serde_json::from_str(&text).expect("it was written so");
            assert_eq!(again, event);
        }
        assert!(std::ptr::eq(Word::recorded("ours"), Word::recorded("ours")), "kept once");
    }

    #[test]
    fn a_column_is_named_after_its_cause() {
        for cause in DropCause::COMMON {
            assert_eq!(cause.column(), format!("lost_{}", cause.name()));
        }
        assert_eq!(DropCause::from(&OURS).column(), "lost_ours");
    }
}
