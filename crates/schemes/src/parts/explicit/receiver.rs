//! XCP 3.4: "the receiver copies the congestion header from the data packet to the acknowledgment."

use multihop_core::{Cx, Packet, Params, Time};

use super::header::{FlowState, LARGEST_FEEDBACK, PathHeader, read};
use super::parameters::ACK_FEEDBACK;
use crate::parts::tcp::ReceiverControl;
use crate::parts::tcp::control::{Answer, Arrival};
use crate::parts::tcp::policy::Policy;

/// The receiver's half.
#[derive(Clone)]
pub struct Echo {
    policy: Policy,
    /// Whether acknowledgments are fed, too.
    fed: bool,
    /// The sum of the feedback that is not echoed yet.
    owed: i64,
    /// The state of the flow, as the last packet said.
    flow: Option<FlowState>,
}

impl Echo {
    /// With the acknowledgments that `params` ask for.
    pub fn new(params: &Params) -> Self {
        let (policy, fed) = (Policy::new(params), params.get(ACK_FEEDBACK));
        Echo { policy, fed, owed: 0, flow: None }
    }
}

impl ReceiverControl for Echo {
    fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Answer {
        self.policy.on_segment(now, arrival)
    }

    fn on_arrival(&mut self, cx: &mut Cx, packet: &Packet) {
        let Some(header) = read(cx, packet) else { return };
        if header.flow.is_some() {
            self.flow = header.flow;
            self.owed = self.owed.saturating_add(header.feedback.into());
        }
    }

    /// What several packets have brought goes back with the one acknowledgment for them.
    fn on_departure(&mut self, packet: &mut Packet) {
        let most = i64::from(LARGEST_FEEDBACK);
        let reverse = self.owed.clamp(-most, most) as i32;
        self.owed = 0;
        // taken: an acknowledgment that nothing has brought about says nothing
        let flow = self.flow.take().filter(|_| self.fed);
        let feedback = if flow.is_some() { reverse } else { 0 };
        PathHeader { flow, feedback, reverse }.write(packet);
    }
}
