//! Writes tables as Parquet files, which Polars, `DuckDB`, pandas, R and browsers read.
//!
//! It knows what a trace needs: columns without nulls, integers packed by their differences, words and bytes as
//! places in a dictionary, no compression on top. So a row costs a few nanoseconds for each column, and the file
//! is not longer for it. By <https://github.com/apache/parquet-format>.
//!
//! ```text
//! columns --chunk--> pages --group--> row group --file--> a part --parts--> a file
//! ```
//!
//! - `pack`: numbers of few bits, one behind the other;
//! - `delta`, `places`, `few`: the encodings of integers, of places in a dictionary, and of cells few of which differ;
//! - `thrift`: how Parquet writes its own structures;
//! - `chunk`: a column of a row group;
//! - `file`: row groups as a file;
//! - `parts`: a table that grows, on disk;
//! - `memory`: one that grows in memory.

mod chunk;
mod column;
mod delta;
mod few;
mod file;
mod memory;
mod pack;
mod parts;
mod places;
#[cfg(test)]
mod tests;
mod thrift;

pub use column::{Column, Values};
pub use memory::Memory;
pub use parts::Parts;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
