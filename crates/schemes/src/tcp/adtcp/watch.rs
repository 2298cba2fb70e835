//! The receiver's half: it measures, compares, and says what it sees.

use multihop_core::{Params, Time};

use super::history::{History, Level};
use super::measure::{Measures, Meter, Segment};
use super::report::{Report, State};
use super::{DENSITY, HISTORY, INTERVAL, LEAST_HISTORY};
use crate::parts::tcp::control::{Answer, Arrival, ReceiverControl};
use crate::parts::tcp::header::Kind;
use crate::parts::tcp::options::Options;
use crate::parts::tcp::policy::Policy;
use crate::parts::tcp::received::Received;

/// A receiver that watches the network, and acknowledges by its policy.
#[derive(Clone)]
pub struct Watch {
    policy: Policy,
    meter: Meter,
    delay_differences: History,
    throughputs: History,
    out_of_order: History,
    lost: History,
    report: Report,
}

impl Watch {
    pub(super) fn new(params: &Params) -> Self {
        let (most, least) = (params.get(HISTORY) as usize, params.get(LEAST_HISTORY) as usize);
        let history = History::new(most, least, params.get(DENSITY));
        Watch {
            policy: Policy::new(params),
            meter: Meter::new(params.get(INTERVAL)),
            delay_differences: history.clone(),
            throughputs: history.clone(),
            out_of_order: history.clone(),
            lost: history,
            report: Report::default(),
        }
    }

    /// The table in [`super`].
    fn identify(&mut self, measures: &Measures) -> State {
        let difference = self.delay_differences.take(measures.delay_difference);
        let throughput = self.throughputs.take(measures.throughput);
        let out_of_order = self.out_of_order.take(measures.out_of_order);
        let lost = self.lost.take(measures.lost);
        match (difference, throughput, out_of_order, lost) {
            (Level::High, Level::Low, ..) => State::Congestion,
            (_, _, Level::High, _) => State::RouteChange,
            (.., Level::High) => State::ChannelError,
            _ => State::Normal,
        }
    }
}

impl ReceiverControl for Watch {
    fn on_segment(&mut self, now: Time, arrival: &Arrival) -> Answer {
        let sent = arrival.header.options.get().filter(|_| arrival.header.kind == Kind::Data);
        if let Some(sent) = sent
            && let Some(measures) =
                self.meter.on_arrival(now, Segment { sequence: arrival.sequence, sent })
        {
            let state = self.identify(&measures);
            self.report = Report::new(state, measures.throughput);
        }
        self.policy.on_segment(now, arrival)
    }

    fn on_acknowledge(&mut self, _now: Time, _received: &Received, options: &mut Options) {
        options.put(&self.report);
    }
}
