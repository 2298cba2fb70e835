//! File transfers: as much as the transport takes.

use std::sync::Arc;

use multihop_core::{Bytes, Rng, Size, Time};

use super::{Messages, Pattern, Terms, Traffic, TrafficKind, any_flows, no_stock};
use crate::Refusal;

/// A transfer without end.
pub static FTP: TrafficKind = TrafficKind {
    name: "ftp",
    title: "transfer without end",
    source: "ns-2, Application/FTP",
    about: "As much as the transport takes, without end",
    params: &[],
    lacks: &["source_queue"],
    hides: &[],
    files: &[],
    stock: no_stock,
    make: |_| Ok(Arc::new(Bulk { packets: None })),
    check: any_flows,
};

/// The transfer of a file.
pub static FILE: TrafficKind = TrafficKind {
    name: "file",
    title: "file transfer",
    source: "ns-2, Application/FTP with produce",
    about: "As much as the transport takes, up to the size of a file",
    params: &[SIZE.param().required(), LARGEST_SIZE.param().or("size")],
    lacks: &["route_lead", "source_queue"],
    hides: &[("size", "largest_size")],
    files: &[],
    stock: no_stock,
    make: file,
    check: any_flows,
};

const SIZE: Size = Size {
    name: "size",
    about: "How much there is to send, rounded up to whole packets",
    default: Bytes(50_000),
    min: Bytes(1),
    max: Bytes(u32::MAX),
};

const LARGEST_SIZE: Size = Size {
    name: "largest_size",
    about: "The size of each flow's file is drawn uniformly between size and this, by the scenario's seed and the \
            flow's number",
    default: Bytes(500_000),
    min: Bytes(1),
    max: Bytes(u32::MAX),
};

fn file(terms: &Terms) -> Result<Arc<dyn Pattern>, Refusal> {
    let size = drawn(terms)?;
    Ok(Arc::new(Bulk { packets: Some(size.0.div_ceil(terms.payload.0)) }))
}

/// The size of a flow's file: as given, or drawn from a range.
fn drawn(terms: &Terms) -> Result<Bytes, Refusal> {
    let least = terms.values.get(SIZE);
    let Some(most) = terms.values.given(LARGEST_SIZE) else { return Ok(least) };
    if most < least {
        let message = format!("must not be smaller than size ({most} against {least})");
        return Err(Refusal::new(LARGEST_SIZE.name, message));
    }
    let span = (most.0 - least.0).saturating_add(1);
    Ok(least + Bytes(terms.rng.clone().below(span)))
}

/// As many packets as the transport takes.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    /// How many packets there are; `None` for no end.
    pub packets: Option<u32>,
}

impl Bulk {
    /// It, as what a source sends in packets of `payload`.
    pub fn traffic(self, payload: Bytes) -> Traffic {
        let kind = if self.packets.is_some() { &FILE } else { &FTP };
        Traffic { kind, payload, pattern: Arc::new(self) }
    }
}

impl Pattern for Bulk {
    fn messages(&self, _begins: Time, _rng: Rng) -> Option<Messages> {
        None
    }

    fn packets(&self) -> Option<u32> {
        self.packets
    }

    fn load(&self) -> f64 {
        f64::INFINITY
    }
}
