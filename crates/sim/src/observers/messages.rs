//! What becomes of each packet that is for several nodes, and the table of messages.
//!
//! To its flow, such a packet is delivered once: when the first of these nodes gets it. Here every node counts.

use std::collections::{BTreeMap, BTreeSet};

use multihop_core::{NodeId, Tag, Time, TrafficClass};
use multihop_setup::Setup;
use multihop_trace::Table;

use crate::table::{floats, integers, mean, quantile, texts};

/// The packets of all sources that send to several nodes.
#[derive(Debug)]
pub struct Messages {
    /// By source; none of one that sends to a single node.
    sources: Vec<Option<Sent>>,
}

/// The packets of one source.
#[derive(Debug)]
struct Sent {
    from: NodeId,
    class: TrafficClass,
    /// How many nodes each packet is for.
    addressed: usize,
    /// Which of them were at most two hops away when the run began, in ascending order.
    near: Vec<NodeId>,
    /// By number.
    messages: Vec<Message>,
}

/// A packet.
#[derive(Debug)]
struct Message {
    sent: Time,
    /// How many frames have carried it.
    frames: u64,
    /// How many copies nodes have heard of it that had heard it before.
    repeated: u64,
    /// The nodes that have taken it, in ascending order.
    taken: Vec<Taken>,
}

/// A node has taken a packet.
#[derive(Clone, Copy, Debug)]
struct Taken {
    node: NodeId,
    /// When its application got it, and over how many hops; nothing of a node that passes it on only.
    delivered: Option<(Time, u64)>,
}

/// The copy of a packet that an application gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copy {
    /// The first at this node, after another node has had one.
    Another,
    /// Any other, of which the packet accounting knows what it is.
    Counted,
}

impl Message {
    /// What is known of the packet at `node`.
    fn at(&mut self, node: NodeId) -> &mut Taken {
        let at = self.taken.binary_search_by_key(&node, |taken| taken.node);
        let at = at.unwrap_or_else(|at| {
            self.taken.insert(at, Taken { node, delivered: None });
            at
        });
        &mut self.taken[at]
    }

    fn deliveries(&self) -> impl Iterator<Item = (Time, u64)> {
        self.taken.iter().filter_map(|taken| taken.delivered)
    }

    /// The delays in s until each node had it, and the hops that it took.
    fn delays(&self) -> (Vec<f32>, Vec<f32>) {
        let delay = |at: Time| at.since(self.sent).seconds() as f32;
        self.deliveries().map(|(at, hops)| (delay(at), hops as f32)).unzip()
    }

    fn reached(&self) -> u64 {
        self.deliveries().count() as u64
    }

    /// How many of these nodes got it, which are in ascending order.
    fn reached_of(&self, nodes: &[NodeId]) -> u64 {
        let got =
            |taken: &&Taken| taken.delivered.is_some() && nodes.binary_search(&taken.node).is_ok();
        self.taken.iter().filter(got).count() as u64
    }
}

impl Messages {
    /// Those of a run of `setup`, if any flow is for several nodes. `neighbours` has those of every node at the start.
    pub fn of(setup: &Setup, neighbours: &[Vec<NodeId>]) -> Option<Self> {
        let mut near = BTreeMap::new();
        let sent = |source: &multihop_setup::Source| {
            let flow = source.flow;
            if !flow.destination.is_group() {
                return None;
            }
            let around: &BTreeSet<NodeId> =
                near.entry(flow.source).or_insert_with(|| within_two_hops(neighbours, flow.source));
            let addressed = setup.addressed(flow);
            let near = addressed.iter().copied().filter(|node| around.contains(node)).collect();
            let (from, class, addressed) = (flow.source, flow.class(), addressed.len());
            Some(Sent { from, class, addressed, near, messages: Vec::new() })
        };
        let sources: Vec<_> = setup.sources.iter().map(sent).collect();
        sources.iter().any(Option::is_some).then_some(Messages { sources })
    }

    fn source(&mut self, tag: Tag) -> Option<&mut Sent> {
        self.sources.get_mut(tag.source as usize)?.as_mut()
    }

    fn message(&mut self, tag: Tag) -> Option<&mut Message> {
        let sent = self.source(tag)?;
        sent.messages.get_mut(tag.data_number()? as usize)
    }

    /// An application sends the packet `tag`; packets come in the order of their numbers.
    pub fn offered(&mut self, tag: Tag, now: Time) {
        if let Some(sent) = self.source(tag) {
            let taken = Vec::new();
            sent.messages.push(Message { sent: now, frames: 0, repeated: 0, taken });
        }
    }

    /// A frame carries it.
    pub fn transmitted(&mut self, tag: Tag) {
        if let Some(message) = self.message(tag) {
            message.frames += 1;
        }
    }

    /// `node` takes a copy of it.
    pub fn accepted(&mut self, tag: Tag, node: NodeId) {
        let own = self.source(tag).is_none_or(|sent| sent.from == node);
        if let Some(message) = self.message(tag).filter(|_| !own) {
            message.at(node);
        }
    }

    /// `node` has heard a copy that is not its first.
    pub fn repeated(&mut self, tag: Tag) {
        if let Some(message) = self.message(tag) {
            message.repeated += 1;
        }
    }

    /// The application at `node` has got it, over so many hops.
    pub fn delivered(&mut self, tag: Tag, node: NodeId, hops: u64, now: Time) -> Copy {
        let Some(message) = self.message(tag) else { return Copy::Counted };
        let first = message.reached() == 0;
        let taken = message.at(node);
        if taken.delivered.is_some() {
            return Copy::Counted;
        }
        taken.delivered = Some((now, hops));
        if first { Copy::Counted } else { Copy::Another }
    }

    /// All of them, with the numbers of source and packet.
    fn rows(&self) -> Vec<Row<'_>> {
        let sources = self.sources.iter().enumerate();
        let sources = sources.filter_map(|(flow, sent)| Some((flow, sent.as_ref()?)));
        let rows = sources.flat_map(|(flow, sent)| {
            let numbered = sent.messages.iter().enumerate();
            numbered.map(move |(number, message)| Row { flow, number, sent, message })
        });
        rows.collect()
    }

    /// What the table of the run says of those that were sent while measuring: how many there were, the mean share of
    /// their nodes that got them, the frames for each, and the share of copies that were the first at a node.
    pub fn summary(&self, setup: &Setup) -> Table {
        let mut rows = self.rows();
        rows.retain(|row| row.message.sent >= setup.warmup);
        let messages = rows.len() as u64;
        let count = messages as f64;
        let reach: f64 = rows.iter().map(Row::reach).sum();
        let frames: f64 = rows.iter().map(|row| row.message.frames as f64).sum();
        let first: f64 = rows.iter().map(Row::first_copies).sum();
        let copies: f64 = rows.iter().map(Row::copies).sum();
        let one = |value: f64| floats(&[()], |()| value);
        rows.retain(|row| row.sent.class == TrafficClass::Text);
        let [near, near_reached, far, far_reached] =
            [Row::near, Row::near_reached, Row::far, Row::far_reached]
                .map(|count| rows.iter().map(count).sum::<u64>() as f64);
        vec![
            ("messages", integers(&[()], |()| messages)),
            ("reach_mean", one(reach / count)),
            ("reach_near", one(near_reached / near)),
            ("reach_far", one(far_reached / far)),
            ("frames_per_message", one(frames / count)),
            ("useful_share", one(first / copies)),
        ]
    }

    /// The table of messages: one row a packet.
    pub fn table(&self, setup: &Setup) -> Table {
        let rows = self.rows();
        let delays: Vec<(Vec<f32>, Vec<f32>)> =
            rows.iter().map(|row| row.message.delays()).collect();
        let delay = |share| floats(&delays, |(delays, _)| quantile(delays, share));
        let name = |row: &Row| setup.nodes[row.sent.from.index()].name.clone();
        vec![
            ("flow", integers(&rows, |row| row.flow as u64)),
            ("message", integers(&rows, |row| row.number as u64)),
            ("source", texts(&rows, name)),
            ("class", texts(&rows, |row| class(row.sent.class).to_owned())),
            ("time_s", floats(&rows, |row| row.message.sent.since(Time::ZERO).seconds())),
            ("addressed", integers(&rows, |row| row.sent.addressed as u64)),
            ("reached", integers(&rows, |row| row.message.reached())),
            ("reach", floats(&rows, Row::reach)),
            ("near", integers(&rows, Row::near)),
            ("near_reached", integers(&rows, Row::near_reached)),
            ("first_delay_s", delay(0.0)),
            ("median_delay_s", delay(0.5)),
            ("last_delay_s", delay(1.0)),
            ("hops_mean", floats(&delays, |(_, hops)| mean(hops))),
            ("hops_max", floats(&delays, |(_, hops)| quantile(hops, 1.0))),
            ("frames", integers(&rows, |row| row.message.frames)),
            ("useful_share", floats(&rows, |row| row.first_copies() / row.copies())),
        ]
    }
}

/// A packet, and where it comes from.
struct Row<'a> {
    flow: usize,
    number: usize,
    sent: &'a Sent,
    message: &'a Message,
}

impl Row<'_> {
    /// The share of the nodes that it is for that have got it.
    fn reach(&self) -> f64 {
        self.message.reached() as f64 / self.sent.addressed as f64
    }

    /// How many of these nodes are at most two hops away.
    fn near(&self) -> u64 {
        self.sent.near.len() as u64
    }

    fn near_reached(&self) -> u64 {
        self.message.reached_of(&self.sent.near)
    }

    /// How many of them are farther away.
    fn far(&self) -> u64 {
        self.sent.addressed as u64 - self.near()
    }

    fn far_reached(&self) -> u64 {
        self.message.reached() - self.near_reached()
    }

    /// How many nodes have heard it.
    fn first_copies(&self) -> f64 {
        self.message.taken.len() as f64
    }

    /// How many copies of it nodes have heard.
    fn copies(&self) -> f64 {
        self.first_copies() + self.message.repeated as f64
    }
}

/// The nodes that are at most two hops away from `node`.
fn within_two_hops(neighbours: &[Vec<NodeId>], node: NodeId) -> BTreeSet<NodeId> {
    let first = &neighbours[node.index()];
    first.iter().flat_map(|next| &neighbours[next.index()]).chain(first).copied().collect()
}

/// What scenario files call a class of traffic.
const fn class(class: TrafficClass) -> &'static str {
    match class {
        TrafficClass::Text => "text",
        TrafficClass::Announcement => "announcement",
        TrafficClass::Report => "report",
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Duration;
    use multihop_trace::Column;

    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    fn column(table: &Table, name: &str) -> f64 {
        let (_, column) = table.iter().find(|(known, _)| *known == name).expect("it is a column");
        match column {
            Column::Float(values) => values[0],
            Column::Integer(values) => values[0] as f64,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// A chain of four nodes whose first one sends to everyone.
    fn setup() -> Setup {
        let text = "duration = \"2 s\"\nwarmup = \"0 s\"\n[topology]\nkind = \"chain\"\nhops = 3\n[scheme]\n\
                    name = \"flooding\"\n[traffic]\nload = \"1 kbit/s\"\n\
                    [[flow]]\nfrom = \"n0\"\nto = \"everyone\"\n";
        multihop_scenario::from_toml(text)
            .and_then(|scenario| scenario.setup())
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// The neighbours of the nodes of that chain.
    fn neighbours() -> Vec<Vec<NodeId>> {
        [&[1][..], &[0, 2], &[1, 3], &[2]]
            .map(|all| all.iter().copied().map(NodeId).collect())
            .into()
    }

    #[test]
    fn a_message_is_counted_at_every_node() {
        let setup = setup();
        let mut messages = Messages::of(&setup, &neighbours()).expect("one flow is for everyone");
        let tag = Tag { source: 1, number: 0 };
        messages.offered(tag, at(100));
        for _ in 0..3 {
            messages.transmitted(tag);
        }
        messages.accepted(tag, NodeId(0));
        for node in [2, 2, 1].map(NodeId) {
            messages.accepted(tag, node);
        }
        assert_eq!(messages.delivered(tag, NodeId(1), 1, at(110)), Copy::Counted, "the first");
        assert_eq!(messages.delivered(tag, NodeId(2), 2, at(130)), Copy::Another);
        assert_eq!(messages.delivered(tag, NodeId(2), 2, at(140)), Copy::Counted, "a duplicate");
        messages.repeated(tag);
        messages.repeated(tag);
        let table = messages.table(&setup);
        let expected = [
            ("addressed", 3.0),
            ("reached", 2.0),
            ("reach", 2.0 / 3.0),
            ("near", 2.0),
            ("near_reached", 2.0),
            ("first_delay_s", 0.01),
            ("median_delay_s", 0.01),
            ("last_delay_s", 0.03),
            ("hops_mean", 1.5),
            ("hops_max", 2.0),
            ("frames", 3.0),
            ("useful_share", 0.5),
        ];
        for (name, value) in expected {
            assert!((column(&table, name) - value).abs() < 1e-6, "{name}: {table:?}");
        }
        let summary = messages.summary(&setup);
        let expected = [("messages", 1.0), ("reach_mean", 2.0 / 3.0), ("frames_per_message", 3.0)];
        let shares = [("useful_share", 0.5), ("reach_near", 1.0), ("reach_far", 0.0)];
        for (name, value) in expected.into_iter().chain(shares) {
            assert!((column(&summary, name) - value).abs() < 1e-9, "{name}: {summary:?}");
        }
    }

    #[test]
    fn packets_for_one_node_are_no_messages() {
        let mut setup = setup();
        let mut messages = Messages::of(&setup, &neighbours()).expect("one flow is for everyone");
        let tag = Tag { source: 0, number: 0 };
        messages.offered(tag, at(100));
        assert_eq!(messages.delivered(tag, NodeId(3), 3, at(110)), Copy::Counted);
        assert!(messages.rows().is_empty());
        setup.sources.truncate(1);
        assert!(Messages::of(&setup, &neighbours()).is_none());
    }
}
