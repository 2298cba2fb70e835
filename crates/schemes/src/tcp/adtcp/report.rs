//! What the receiver says in every acknowledgment.

use crate::parts::tcp::options::{HeaderOption, LONGEST};

/// What the receiver takes the network for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Nothing unusual.
    #[default]
    Normal,
    /// Queues grow.
    Congestion,
    /// Segments are lost on the air.
    ChannelError,
    /// Segments overtake each other.
    RouteChange,
}

const STATES: [State; 4] =
    [State::Normal, State::Congestion, State::ChannelError, State::RouteChange];

/// A state, and what arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the receiver sees.
    pub state: State,
    /// Segments in ten seconds.
    pub throughput: u16,
}

impl Report {
    /// With a throughput in segments a second, of which this is the next in tenths.
    pub fn new(state: State, per_second: f64) -> Self {
        Report { state, throughput: (per_second * 10.0).round() as u16 }
    }

    /// Segments in a second.
    pub fn per_second(&self) -> f64 {
        f64::from(self.throughput) / 10.0
    }
}

impl HeaderOption for Report {
    const KIND: u8 = 5;

    fn emit(&self, body: &mut [u8; LONGEST]) -> usize {
        body[0] = self.state as u8;
        body[1..3].copy_from_slice(&self.throughput.to_be_bytes());
        3
    }

    fn parse(body: &[u8]) -> Option<Self> {
        let [state, high, low] = body else { return None };
        let state = *STATES.get(usize::from(*state))?;
        Some(Report { state, throughput: u16::from_be_bytes([*high, *low]) })
    }
}
