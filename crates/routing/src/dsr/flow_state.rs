//! Flow state (RFC 4728, 3.5): the nodes on a path remember it under a number, so that packets need not
//! carry it.

use multihop_core::{Duration, NodeId, Time};

use super::parameters::{ADVERTISING, ESTABLISHING, FLOW_TIMEOUT_S, FLOWS_OF_A_LIFE, MOST_FLOWS};
use super::path::Path;

/// From where to where a flow goes.
pub type Ends = (NodeId, NodeId);

/// What a node remembers of a flow.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Its ends.
    pub ends: Ends,
    /// Its number. Those that are odd can be default flows.
    pub number: u16,
    /// Its path.
    pub path: Path,
    /// Where this node stands on it.
    pub at: usize,
    /// The time to live with which its packets come here: one that comes with another has taken
    /// another way.
    pub ttl: u8,
    /// Until when it may be used.
    pub until: Time,
    /// At its source: how many packets have carried its path.
    established: u32,
    /// At its source: when the last one did.
    advertised: Time,
}

impl Flow {
    /// The neighbour to which its packets go.
    pub fn next(&self) -> NodeId {
        self.path[self.at + 1]
    }

    /// Whether the source of both has not restarted between them.
    fn is_of_the_life_of(&self, other: &Flow) -> bool {
        self.number.wrapping_sub(other.number).cast_signed().unsigned_abs() < FLOWS_OF_A_LIFE
    }

    /// Somebody on the way has forgotten it.
    pub const fn is_unknown(&mut self) {
        self.established = 0;
    }
}

/// How a packet of the source is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending {
    /// Along this path.
    pub path: Path,
    /// In this flow.
    pub number: u16,
    /// Whether it has to carry the path.
    pub with_path: bool,
    /// Whether it is the default flow, which is known by the ends alone.
    pub is_default: bool,
}

/// The flows that a node knows.
#[derive(Clone, Debug)]
pub struct Flows {
    /// In the order of ends and numbers.
    flows: Vec<Flow>,
    /// The number of the next flow from here: odd.
    next_number: u16,
}

impl Flows {
    /// None; those that begin here are numbered from `first` on.
    pub const fn new(first: u16) -> Self {
        Flows { flows: Vec::new(), next_number: first | 1 }
    }

    fn position(&self, ends: Ends, number: u16) -> Result<usize, usize> {
        self.flows.binary_search_by_key(&(ends, number), |flow| (flow.ends, flow.number))
    }

    /// The flow with this number.
    pub fn get(&mut self, ends: Ends, number: u16) -> Option<&mut Flow> {
        self.position(ends, number).ok().map(|at| &mut self.flows[at])
    }

    /// The default flow between these ends: of those with odd numbers the newest.
    pub fn default(&mut self, ends: Ends) -> Option<&mut Flow> {
        let first = self.flows.partition_point(|flow| flow.ends < ends);
        let of_ends = self.flows[first..].iter_mut().take_while(|flow| flow.ends == ends);
        let newer = |one: u16, other: u16| one.wrapping_sub(other).cast_signed() > 0;
        of_ends
            .filter(|flow| flow.number % 2 == 1)
            .reduce(|best, flow| if newer(flow.number, best.number) { flow } else { best })
    }

    fn insert(&mut self, flow: Flow) -> usize {
        if self.flows.len() == MOST_FLOWS {
            let first = self.flows.iter().enumerate().min_by_key(|(_, flow)| flow.until);
            let out = first.map_or(0, |(at, _)| at);
            self.flows.remove(out);
        }
        let at = self.position(flow.ends, flow.number).unwrap_or_else(|at| at);
        self.flows.insert(at, flow);
        at
    }

    /// A packet has come along `path`, on which this node stands at `at`, and establishes a flow. Those of
    /// another life of its source are over: one of them might be taken for the newest.
    pub fn establish(&mut self, flow: Flow) {
        match self.get(flow.ends, flow.number) {
            Some(known) if known.path == flow.path => known.until = flow.until,
            Some(known) => *known = flow,
            None => {
                self.flows
                    .retain(|known| known.ends != flow.ends || known.is_of_the_life_of(&flow));
                self.insert(flow);
            }
        }
    }

    /// What is known of a flow that a packet establishes here.
    pub fn heard(ends: Ends, number: u16, (path, at): (Path, usize), ttl: u8, until: Time) -> Flow {
        Flow { ends, number, path, at, ttl, until, established: 0, advertised: Time::ZERO }
    }

    /// A packet is to go from here to the end of `path`. It stays on its default flow, if that is not
    /// longer.
    pub fn send(&mut self, ends: Ends, path: Path, ttl: u8, now: Time) -> Sending {
        let in_use = |flow: &&mut Flow| flow.until >= now;
        let default = self.default(ends).filter(in_use).map(|flow| flow.path);
        let path = default.filter(|default| default.len() <= path.len()).unwrap_or(path);
        let at = self.along(ends, &path, now).unwrap_or_else(|| {
            let number = self.next_number;
            self.next_number = number.wrapping_add(2);
            self.insert(Self::heard(ends, number, (path, 0), ttl, now))
        });
        let default = self.default(ends).map(|flow| flow.number);
        let flow = &mut self.flows[at];
        flow.until = now + flow_timeout();
        let with_path = flow.established < ESTABLISHING || now > flow.advertised + ADVERTISING;
        if with_path {
            flow.established += 1;
            flow.advertised = now;
        }
        let is_default = default == Some(flow.number) && flow.ttl == ttl;
        Sending { path, number: flow.number, with_path, is_default }
    }

    /// The newest flow between these ends along `path` that is in use.
    fn along(&self, ends: Ends, path: &Path, now: Time) -> Option<usize> {
        let same = |flow: &Flow| flow.ends == ends && flow.path == *path && flow.until >= now;
        self.flows.iter().rposition(same)
    }

    /// The link between these two is broken: `me` sends nothing over it any more.
    pub fn cut(&mut self, me: NodeId, from: NodeId, to: NodeId, now: Time) {
        let mine = self.flows.iter_mut().filter(|flow| flow.ends.0 == me && flow.until >= now);
        for flow in mine.filter(|flow| flow.path.uses(from, to)) {
            flow.until = Time::from_nanos(now.nanos().saturating_sub(1));
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.flows.len()
    }
}

/// For how long a flow is established.
pub fn flow_timeout() -> Duration {
    Duration::from_millis(1_000) * u64::from(FLOW_TIMEOUT_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_flow_is_one_of_the_life_that_was_heard_last() {
        let ends = (NodeId(0), NodeId(2));
        let flow = |number, nodes: [u32; 3]| {
            let path = Path::of(nodes.map(NodeId)).expect("it is short");
            Flows::heard(ends, number, (path, 1), 255, Time::from_nanos(1))
        };
        let mut flows = Flows::new(0);
        flows.establish(flow(20_001, [0, 1, 2]));
        flows.establish(flow(20_003, [0, 3, 2]));
        flows.establish(flow(19_999, [0, 4, 2]));
        assert_eq!(flows.default(ends).map(|flow| flow.number), Some(20_003), "the newest");
        flows.establish(flow(5_001, [0, 5, 2]));
        assert_eq!(flows.default(ends).map(|flow| flow.number), Some(5_001));
        assert_eq!(flows.len(), 1);
    }
}
