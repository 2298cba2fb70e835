//! The headers of what is written in Python: bytes that only the scheme can read.

use multihop_core::{HeaderFormat, NextHeader};

/// What hop protocols in Python write: the last number of their layer.
pub const HOP: NextHeader = NextHeader::hop(23);

/// What transports in Python write, likewise.
pub const TRANSPORT: NextHeader = NextHeader::transport(23);

/// The layouts of both.
pub static FORMATS: [HeaderFormat; 2] = [
    HeaderFormat {
        kind: HOP,
        message: None,
        name: "prototype_hop",
        title: "Hop protocol in Python",
        fields: &[],
        rest: "body",
        rewrite: |body| Some(body.to_vec()),
    },
    HeaderFormat {
        kind: TRANSPORT,
        message: None,
        name: "prototype_transport",
        title: "Transport in Python",
        fields: &[],
        rest: "body",
        rewrite: |body| Some(body.to_vec()),
    },
];
