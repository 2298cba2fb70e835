//! The compact protocol of Thrift, in which Parquet writes what it says about itself
//! (<https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>).

use crate::pack::{varint, zigzag};

const INT32: u8 = 5;
const INT64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Writes the fields of one struct, in ascending order.
pub(crate) struct Struct<'a> {
    out: &'a mut Vec<u8>,
    last: u8,
}

impl<'a> Struct<'a> {
    /// Write a struct with the fields that `fields` writes.
    pub fn write(out: &'a mut Vec<u8>, fields: impl FnOnce(&mut Struct)) {
        let mut fields_of = Struct { out, last: 0 };
        fields(&mut fields_of);
        fields_of.out.push(0);
    }

    fn field(&mut self, number: u8, kind: u8) {
        let step = number - self.last;
        debug_assert!((1..16).contains(&step), "fields ascend");
        self.out.push(step << 4 | kind);
        self.last = number;
    }

    pub fn int32(&mut self, number: u8, value: i32) {
        self.field(number, INT32);
        zigzag(self.out, value.into());
    }

    pub fn int64(&mut self, number: u8, value: u64) {
        self.field(number, INT64);
        zigzag(self.out, value.cast_signed());
    }

    pub fn bytes(&mut self, number: u8, value: &[u8]) {
        self.field(number, BINARY);
        bytes(self.out, value);
    }

    pub fn structure(&mut self, number: u8, fields: impl FnOnce(&mut Struct)) {
        self.field(number, STRUCT);
        Struct::write(self.out, fields);
    }

    pub fn structures<T>(
        &mut self,
        number: u8,
        items: &[T],
        mut fields: impl FnMut(&T, &mut Struct),
    ) {
        self.list(number, STRUCT, items.len());
        for item in items {
            Struct::write(self.out, |of| fields(item, of));
        }
    }

    pub fn int32s(&mut self, number: u8, values: &[i32]) {
        self.list(number, INT32, values.len());
        for value in values {
            zigzag(self.out, (*value).into());
        }
    }

    pub fn strings(&mut self, number: u8, values: &[&str]) {
        self.list(number, BINARY, values.len());
        for value in values {
            bytes(self.out, value.as_bytes());
        }
    }

    fn list(&mut self, number: u8, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.out.push((length as u8) << 4 | kind);
        } else {
            self.out.push(0xF0 | kind);
            varint(self.out, length as u64);
        }
    }
}

fn bytes(out: &mut Vec<u8>, value: &[u8]) {
    varint(out, value.len() as u64);
    out.extend_from_slice(value);
}
