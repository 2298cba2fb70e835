//! The kit itself.
