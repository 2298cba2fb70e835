//! What happened in a network, and what its nodes said, in words if a test fails.

use std::fmt;

use multihop_core::{DropCause, EventKind, FlowId, Packet, Receiver, Time};
use multihop_node::Output;

/// A frame that was on the air.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Since when.
    pub at: Time,
    /// Who sent it.
    pub from: usize,
    /// Whom it was for.
    pub to: Receiver,
    /// What it carried.
    pub packet: Packet,
}

/// What a node said.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// Who.
    pub node: usize,
    /// What.
    pub output: Output,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:9} us  n{} ", self.at.nanos() / 1_000, self.node)?;
        match &self.output {
            Output::Deliver(packet) => {
                write!(f, "delivers {} of {}", packet.tag.number, packet.flow)
            }
            Output::Drop(packet, cause) => {
                write!(f, "drops {} of {}: {}", packet.tag.number, packet.flow, cause.name())
            }
            Output::Release(tag) => write!(f, "releases {}", tag.number),
            Output::Accept(tag) => write!(f, "accepts {}", tag.number),
            Output::Withdraw(_) => write!(f, "withdraws its frame"),
            Output::Mark(_) => write!(f, "marks its frame"),
            Output::Decline => write!(f, "declines what it heard"),
            Output::LinkBroken(next) => write!(f, "takes the link to {next} for broken"),
            Output::Gauge(flow, gauge) => write!(f, "shows {gauge:?} of {flow}"),
            Output::Estimate(estimate) => write!(f, "shows {estimate:?}"),
            Output::Trace(event, _) => {
                write!(f, "traces {} {} of {}", event.kind.name(), event.sequence, event.flow)
            }
        }
    }
}

/// What happened, in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// What the nodes said.
    pub said: Vec<Entry>,
    /// What was on the air.
    pub sent: Vec<Frame>,
}

impl Log {
    /// The numbers of the packets of `flow` that its application got.
    pub fn delivered(&self, flow: FlowId) -> Vec<u32> {
        let number = |entry: &Entry| match &entry.output {
            Output::Deliver(packet) if packet.flow == flow => Some(packet.tag.number),
            _ => None,
        };
        self.said.iter().filter_map(number).collect()
    }

    /// What was dropped: when, number, why.
    pub fn drops(&self) -> Vec<(Time, u32, DropCause)> {
        let drop = |entry: &Entry| match &entry.output {
            Output::Drop(packet, cause) => Some((entry.at, packet.tag.number, *cause)),
            _ => None,
        };
        self.said.iter().filter_map(drop).collect()
    }

    /// Which nodes traced `kind`, each time.
    pub fn traced(&self, kind: EventKind) -> Vec<usize> {
        let of = |entry: &Entry| match &entry.output {
            Output::Trace(event, _) if event.kind == kind => Some(entry.node),
            _ => None,
        };
        self.said.iter().filter_map(of).collect()
    }

    /// What the nodes said, a line each.
    pub fn words(&self) -> Vec<String> {
        self.said.iter().map(ToString::to_string).collect()
    }
}
