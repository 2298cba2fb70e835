//! What a node knows of each other one: as a neighbour, as a destination, as a source. It answers why packets do not arrive.

use std::collections::BTreeMap;

use multihop_core::{DropCause, NodeId, Outcome, Time};
use serde_json::{Value, json};

/// Something that happens again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub times: u64,
    /// When the last time was.
    pub last: Option<Time>,
}

impl Count {
    const fn add(&mut self, now: Time) {
        self.times += 1;
        self.last = Some(now);
    }

    fn value(self, now: Time) -> Value {
        let ago = self.last.map(|last| now.since(last).seconds());
        json!({ "count": self.times, "seconds_ago": ago })
    }
}

/// Packets that were given up for one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// How many.
    pub count: Count,
    /// What the cause means.
    pub about: &'static str,
}

/// What is known of another node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// Frames of it that were heard, for whomever they were.
    pub heard: Count,
    /// Frames to it that the radio was given.
    pub frames: Count,
    /// Those of them that the radio gave up.
    pub failed: Count,
    /// Packets for it from applications here.
    pub sent: Count,
    /// Packets for it that the protocols gave up here, by cause.
    pub dropped: BTreeMap<&'static str, Dropped>,
    /// Packets of it that applications here got.
    pub received: Count,
    /// To whom the last frame with a packet for it went.
    pub next: Option<NodeId>,
    /// How many such frames there were.
    pub passed: Count,
}

/// The other nodes of a network. Nothing is noted of strangers, so there are at most as many as nodes.
#[derive(Clone, Debug, Default)]
pub struct Peers(BTreeMap<NodeId, Peer>);

impl Peers {
    /// Nothing is known of these.
    pub fn new(all: impl IntoIterator<Item = NodeId>) -> Self {
        Peers(all.into_iter().map(|node| (node, Peer::default())).collect())
    }

    fn note(&mut self, node: NodeId, change: impl FnOnce(&mut Peer)) {
        if let Some(peer) = self.0.get_mut(&node) {
            change(peer);
        }
    }

    /// What is known of `node`, if it is one of the network.
    pub fn of(&self, node: NodeId) -> Option<&Peer> {
        self.0.get(&node)
    }

    /// A frame of `from` was heard.
    pub fn on_heard(&mut self, now: Time, from: NodeId) {
        self.note(from, |peer| peer.heard.add(now));
    }

    /// A frame goes to `next`, with a packet for `destination`.
    pub fn on_frame(&mut self, now: Time, next: NodeId, destination: NodeId) {
        self.note(next, |peer| peer.frames.add(now));
        self.note(destination, |peer| {
            peer.passed.add(now);
            peer.next = Some(next);
        });
    }

    /// The radio has finished with a frame to `next`.
    pub fn on_done(&mut self, now: Time, next: NodeId, outcome: Outcome) {
        if outcome == Outcome::Failed {
            self.note(next, |peer| peer.failed.add(now));
        }
    }

    /// An application here sends to `destination`.
    pub fn on_sent(&mut self, now: Time, destination: NodeId) {
        self.note(destination, |peer| peer.sent.add(now));
    }

    /// A packet for `destination` was given up here.
    pub fn on_drop(&mut self, now: Time, destination: NodeId, cause: DropCause) {
        self.note(destination, |peer| {
            let dropped = peer.dropped.entry(cause.name()).or_default();
            dropped.about = cause.about();
            dropped.count.add(now);
        });
    }

    /// An application here gets a packet of `source`.
    pub fn on_received(&mut self, now: Time, source: NodeId) {
        self.note(source, |peer| peer.received.add(now));
    }

    /// All of it about `node` for an answer; nodes are called as `name` says.
    pub fn explain(&self, now: Time, node: NodeId, name: impl Fn(NodeId) -> String) -> Value {
        let Some(peer) = self.of(node) else { return Value::Null };
        let dropped = peer.dropped.iter().map(|(cause, Dropped { count, about })| {
            let ago = count.last.map(|last| now.since(last).seconds());
            json!({ "cause": cause, "about": about, "count": count.times, "seconds_ago": ago })
        });
        let dropped: Vec<Value> = dropped.collect();
        let next = peer.next.and_then(|next| {
            let neighbour = self.of(next)?;
            Some(json!({
                "name": name(next),
                "heard": neighbour.heard.value(now),
                "frames": neighbour.frames.value(now),
                "failed": neighbour.failed.value(now),
            }))
        });
        json!({
            "sent": peer.sent.value(now),
            "received": peer.received.value(now),
            "heard": peer.heard.value(now),
            "frames_with_packets_for_it": peer.passed.value(now),
            "next_hop": next,
            "dropped": dropped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_followed_to_its_next_hop_and_to_its_end() {
        let at = |seconds: u64| Time::from_nanos(seconds * 1_000_000_000);
        let (a, b, stranger) = (NodeId(1), NodeId(2), NodeId(9));
        let mut peers = Peers::new([a, b]);
        peers.on_sent(at(1), b);
        peers.on_frame(at(2), a, b);
        peers.on_done(at(3), a, Outcome::Failed);
        peers.on_drop(at(4), b, DropCause::RetriesSpent);
        for node in [a, stranger] {
            peers.on_heard(at(5), node);
        }
        assert!(peers.of(stranger).is_none(), "nothing is kept of strangers");
        let known = peers.explain(at(10), b, |node| format!("n{}", node.0));
        assert_eq!(known["next_hop"]["name"], "n1");
        assert_eq!(known["next_hop"]["heard"]["seconds_ago"], 5.0);
        assert_eq!(known["next_hop"]["failed"]["count"], 1);
        assert_eq!(known["dropped"][0]["seconds_ago"], 6.0);
        assert_eq!(known["received"], json!({ "count": 0, "seconds_ago": null }));
        assert_eq!(peers.explain(at(10), stranger, |_| String::new()), Value::Null);
    }
}
