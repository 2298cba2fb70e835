//! A chain of nodes whose life bytes decide on, and frames that were on the air and come again
//! with other bytes: nearly right, for every scheme and every routing protocol, those to come too.
//! The kit audits every call.

use multihop_core::{Duration, Heard, NETWORK_HEADER_LEN, NodeId, Packet};
use multihop_node::Input;
use multihop_routing::ROUTINGS;
use multihop_testkit::{Fate, Net, heard};

use crate::chain::{self, NODES, Named, flows};

/// More than a node has ever needed: a bound, not a measure.
const MOST_INSIDE: usize = 5_000;

/// So many bytes are one step.
const STEP: usize = 8;

/// What became of forged frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forged {
    /// How many reached a node.
    pub heard: usize,
    /// How many were no packets any more.
    pub unreadable: usize,
}

/// The first two bytes say which scheme runs over which routing protocol, the others what happens.
pub fn drive(data: &[u8]) -> Forged {
    let Some(([scheme, routing], steps)) = data.split_first_chunk() else {
        return Forged::default();
    };
    let schemes = chain::schemes();
    let scheme = schemes[usize::from(*scheme) % schemes.len()];
    let routing = ROUTINGS[usize::from(*routing) % ROUTINGS.len()];
    let _named = Named(scheme.name, routing.name);
    let mut net = chain::net(scheme, 1, |me| chain::routing(routing, me));
    net.expect_forgeries();
    let mut forged = Forged::default();
    for (number, step) in (0..).zip(steps.as_chunks::<STEP>().0) {
        apply(&mut net, number, *step, &mut forged);
        for at in 0..NODES {
            let node = net.node(at);
            assert!(node.backlog() + node.footprint() < MOST_INSIDE, "n{at} grows without bound");
        }
    }
    forged
}

fn apply(net: &mut Net, number: u32, step: [u8; STEP], forged: &mut Forged) {
    let [what, who, how, ..] = step;
    let at = usize::from(who) % NODES;
    match what % 8 {
        0 => {
            let flow = flows()[usize::from(how) % flows().len()];
            net.write(flow, number);
        }
        1 => {
            net.wait(Duration::from_micros(u64::from(how) * u64::from(how) * u64::from(step[3])));
        }
        2..5 => {
            net.poll(at);
            net.finish(at, |other| match how >> (2 * other) & 3 {
                0 => Fate::Lost,
                1 => Fate::Unacknowledged,
                _ => Fate::Heard,
            });
        }
        _ => forge(net, at, step, forged),
    }
}

/// A frame that was on the air reaches node `at`, with a bit or a byte changed in two places.
fn forge(net: &mut Net, at: usize, step: [u8; STEP], forged: &mut Forged) {
    let [what, who, which, first, one, second, other, how] = step;
    let sent = &net.log.sent;
    let Some(frame) = sent.len().checked_sub(1 + usize::from(which) % sent.len().max(1)) else {
        return;
    };
    let original = sent[frame].packet.clone();
    let mut bytes = original.emit();
    for (place, value) in [(first, one), (second, other)] {
        // The network header is the same for all, and mostly left alone.
        let from = if place < 16 { 0 } else { NETWORK_HEADER_LEN.min(bytes.len() - 1) };
        let place = from + usize::from(place) % (bytes.len() - from);
        match value % 2 {
            0 => bytes[place] ^= 1 << (value >> 5),
            _ => bytes[place] = value >> 1,
        }
    }
    let Ok(read) = Packet::parse(&bytes) else {
        forged.unreadable += 1;
        return;
    };
    forged.heard += 1;
    // What a forged packet carries is data of nobody, unless it was.
    let tag = if read.payload.is_empty() { original.tag.control() } else { original.tag };
    let from = NodeId(u32::from(who >> 4) % NODES as u32);
    let kinds = [Heard::ForMe, Heard::ForMe, Heard::Overheard, Heard::Broadcast];
    let kind = kinds[usize::from(how ^ what >> 4) % kinds.len()];
    if kind != Heard::Overheard || net.node(at).promiscuous() {
        net.tell(at, Input::Heard(heard(from, kind, Packet { tag, ..read.named_as(&original) })));
    }
}
