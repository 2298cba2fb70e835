//! How the words of tables and traces are written: each once, with its meaning.

/// An enum whose variants have a name in tables and traces, and a meaning. With `in columns`, a
/// table counts every variant in a column of its own.
macro_rules! vocabulary {
    (
        $(#[$attribute:meta])*
        $name:ident in columns $prefix:literal { $($variant:ident = $text:literal: $about:literal,)+ }
    ) => {
        vocabulary! { $(#[$attribute])* $name { $($variant = $text: $about,)+ } }

        impl $name {
            /// The column that counts it.
            pub const fn column(self) -> &'static str {
                match self {
                    $($name::$variant => concat!($prefix, $text),)+
                }
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $name:ident { $($variant:ident = $text:literal: $about:literal,)+ }
    ) => {
        $(#[$attribute])*
        #[derive(
            Clone,
            Copy,
            Debug,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            serde::Serialize,
            serde::Deserialize,
        )]
        #[repr(u8)]
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

pub(crate) use vocabulary;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::{
        Decoded, DropCause, EventKind, FrameClass, HostEvent, LossCause, RetransmissionReason,
        Timer,
    };

    macro_rules! assert_words {
        ($($vocabulary:ident),+) => {$(
            let words = $vocabulary::ALL;
            for (at, word) in words.iter().enumerate() {
                assert_eq!(*word as usize, at, "{word:?} is not in its place");
                assert!(!word.about().is_empty() && !word.about().ends_with('.'), "{word:?}");
                assert!(word.name().bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_')));
            }
            let names: BTreeSet<&str> = words.iter().map(|word| word.name()).collect();
            assert_eq!(names.len(), words.len());
        )+};
    }

    #[test]
    fn words_differ_and_have_a_meaning() {
        assert_words!(DropCause, EventKind, FrameClass, LossCause, RetransmissionReason);
        assert_words!(Decoded, HostEvent, Timer);
    }

    #[test]
    fn a_column_is_named_after_its_cause() {
        for cause in DropCause::ALL {
            assert_eq!(cause.column(), format!("lost_{}", cause.name()));
        }
    }
}
