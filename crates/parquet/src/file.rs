//! Row groups as a file.

use crate::chunk::{Chunk, Kind, count};
use crate::column::Column;
use crate::thrift::Struct;

/// How a file begins and ends.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// What a file says of all its columns.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    /// The table's name.
    pub name: String,
    /// What goes with it: keys and values.
    pub metadata: Vec<(String, String)>,
    pub columns: Vec<(&'static str, Kind)>,
}

/// A row group, without its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    rows: u64,
    pub length: u64,
    chunks: Vec<Chunk>,
}

impl Group {
    /// Write a row group of `columns` behind a file's beginning. `page` is scratch space.
    pub fn encode(
        file: &mut Vec<u8>,
        columns: &[(&'static str, Column)],
        page: &mut Vec<u8>,
    ) -> Group {
        let begin = file.len();
        let encode = |(_, column): &(_, Column)| Chunk::encode(file, begin, column, page);
        let chunks = columns.iter().map(encode).collect();
        let rows = columns.first().map_or(0, |(_, column)| column.len() as u64);
        Group { rows, length: (file.len() - begin) as u64, chunks }
    }
}

impl Schema {
    /// The end of a file with these row groups, one behind the other.
    pub fn footer<'a>(&self, groups: &'a [Group]) -> Vec<u8> {
        let place = |next: &mut u64, group: &'a Group| {
            let begin = *next;
            *next += group.length;
            Some((begin, group))
        };
        let groups: Vec<(u64, &Group)> = groups.iter().scan(MAGIC.len() as u64, place).collect();
        let mut out = Vec::new();
        Struct::write(&mut out, |of| {
            of.int32(1, 2);
            self.describe(of);
            of.int64(3, groups.iter().map(|(_, group)| group.rows).sum());
            of.structures(4, &groups, |(begin, group), of| {
                let chunks: Vec<_> = self.columns.iter().zip(&group.chunks).collect();
                of.structures(1, &chunks, |((name, _), chunk), of| {
                    chunk.describe(name, *begin, of);
                });
                of.int64(2, group.length);
                of.int64(3, group.rows);
            });
            of.structures(5, &self.metadata, |(key, value), of| {
                of.bytes(1, key.as_bytes());
                of.bytes(2, value.as_bytes());
            });
            of.bytes(6, concat!("multihop ", env!("CARGO_PKG_VERSION")).as_bytes());
            // Bounds of columns are in the order of their types; without a word of it readers ignore them.
            of.structures(7, &self.columns, |_, of| of.structure(1, |_| {}));
        });
        let length = out.len() as u32;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(MAGIC);
        out
    }

    /// The columns: a tree of one level.
    fn describe(&self, of: &mut Struct) {
        let root = (self.name.as_str(), None);
        let columns = self.columns.iter().map(|(name, kind)| (*name, Some(*kind)));
        let elements: Vec<_> = std::iter::once(root).chain(columns).collect();
        of.structures(2, &elements, |(name, kind), of| {
            if let Some(kind) = kind {
                of.int32(1, kind.physical());
                // There are no nulls.
                of.int32(3, 0);
            }
            of.bytes(4, name.as_bytes());
            if kind.is_none() {
                of.int32(5, count(self.columns.len()));
            }
            if *kind == Some(Kind::Words) {
                // UTF-8, as old readers are told and as new ones are.
                of.int32(6, 0);
                of.structure(10, |of| of.structure(1, |_| {}));
            }
        });
    }
}
