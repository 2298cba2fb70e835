//! Spacing along a path, after WAKE's second rule: a packet's place on its path says who may send next. Not in the paper, where a
//! packet may go as soon as the one before it was passed on; see [`super::lora`].

use multihop_core::{Duration, FlowId, Time};

/// How many flows keep clear at most. Of more, the one that would be free first is.
const MOST: usize = 1_024;

/// How long the flows of a node keep clear.
#[derive(Debug, Default)]
pub(super) struct Spacing {
    /// For how many times a hop's time a flow keeps clear once the next hop has passed its last packet on.
    clearance: f64,
    /// For how many times that a relay holds a packet that it has received.
    hold: f64,
    /// Until when the flows keep clear that do.
    clear: Vec<(FlowId, Time)>,
}

impl Spacing {
    /// With these multiples of the time that a hop takes; 0 switches either off.
    pub(super) fn new(clearance: f64, hold: f64) -> Self {
        Spacing { clearance, hold, clear: Vec::new() }
    }

    /// How many flows keep clear.
    pub(super) fn len(&self) -> usize {
        self.clear.len()
    }

    /// Whether none does.
    pub(super) fn is_empty(&self) -> bool {
        self.clear.is_empty()
    }

    /// The next hop was heard passing a packet of `flow` on, of which a hop takes `hop`: the one after it is not disturbed.
    pub(super) fn passed_on(&mut self, now: Time, flow: FlowId, hop: Duration) {
        self.keep_clear(now, flow, hop.scaled(self.clearance));
    }

    /// A packet of `flow` was received, to be passed on: whoever is nearer to its source goes first.
    pub(super) fn received(&mut self, now: Time, flow: FlowId, hop: Duration) {
        self.keep_clear(now, flow, hop.scaled(self.hold));
    }

    /// From when on a packet of `flow` may go that was not on the air yet.
    pub(super) fn opens(&self, flow: FlowId) -> Time {
        let of_flow = self.clear.iter().find(|(known, _)| *known == flow);
        of_flow.map_or(Time::ZERO, |(_, until)| *until)
    }

    /// A flow that keeps clear already does so for the longer of both times. Those that are free again are forgotten.
    fn keep_clear(&mut self, now: Time, flow: FlowId, span: Duration) {
        let until = self.opens(flow).max(now + span);
        self.clear.retain(|(known, until)| *known != flow && now < *until);
        if until <= now {
            return;
        }
        if self.clear.len() == MOST {
            let first = self.clear.iter().enumerate().min_by_key(|(_, (_, until))| *until);
            if let Some((at, _)) = first {
                self.clear.swap_remove(at);
            }
        }
        self.clear.push((flow, until));
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::NodeId;

    use super::*;

    const HOP: Duration = Duration::from_millis(1_000);

    fn flow(label: u16) -> FlowId {
        FlowId { label, ..FlowId::between(NodeId(1), NodeId(9)) }
    }

    #[test]
    fn a_flow_keeps_clear_for_the_longest_of_its_times() {
        let mut spacing = Spacing::new(2.0, 0.5);
        let at = |ms| Time::ZERO + Duration::from_millis(ms);
        spacing.passed_on(at(0), flow(1), HOP);
        spacing.received(at(100), flow(1), HOP);
        spacing.received(at(100), flow(2), HOP);
        assert_eq!([1, 2, 3].map(|label| spacing.opens(flow(label))), [at(2_000), at(600), at(0)]);
        spacing.received(at(1_900), flow(1), HOP);
        assert_eq!((spacing.opens(flow(1)), spacing.len()), (at(2_400), 1), "flow 2 is forgotten");
    }

    #[test]
    fn there_is_a_bound() {
        let mut spacing = Spacing::new(1.0, 0.0);
        for node in 0..2 * MOST as u32 {
            let other = FlowId::between(NodeId(node), NodeId(9_999));
            spacing.passed_on(Time::ZERO + Duration::from_millis(node.into()), other, HOP * 1_000);
        }
        assert_eq!(
            (spacing.len(), spacing.opens(FlowId::between(NodeId(0), NodeId(9_999)))),
            (MOST, Time::ZERO)
        );
    }

    #[test]
    fn switched_off_it_remembers_nothing() {
        let mut spacing = Spacing::new(0.0, 0.0);
        spacing.passed_on(Time::ZERO, flow(1), HOP);
        spacing.received(Time::ZERO, flow(1), HOP);
        assert!(spacing.is_empty());
    }
}
