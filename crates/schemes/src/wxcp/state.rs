//! Figure 1: the states of a sender. [`TRANSITIONS`] is what the sender goes by, and what the figure is
//! drawn from.

/// What a sender does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// 3.4: the window limits what is on its way, and acknowledgments let more out.
    #[default]
    WindowControl,
    /// 3.5: the same, but what the window lets out is paced.
    Pacing,
    /// 3.4: the window is small and acknowledgments are missing: more packets go out, ever more slowly.
    LossDiscovery,
    /// 3.4: enough packets are out, and nothing more goes.
    TimeoutWait,
    /// RFC 6582: a loss was noticed by duplicate acknowledgments.
    FastRecovery,
    /// RFC 6298: the timer ran out, and nothing new is acknowledged since.
    RetransmissionTimeout,
}

/// Why a sender goes from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// 3.5: the window lets as many packets out at once as `tolerable_burst`.
    Burst,
    /// 3.5: a packet that was paced out is acknowledged.
    PacedAcknowledged,
    /// 3.4: the loss discovery timer runs out, and the window is smaller than `discovery_window`.
    DiscoveryTimer,
    /// 3.4, exit 1: `discovery_window` packets are in the network.
    EnoughInserted,
    /// 3.4, exit 2: the third duplicate acknowledgment.
    ThirdDuplicate,
    /// 3.4, exit 3: a new acknowledgment.
    NewAcknowledgment,
    /// RFC 6582: all is acknowledged that was out when the loss was noticed.
    Recovered,
    /// 3.4, exit 4: the retransmission timer runs out.
    RetransmissionTimer,
}

/// An arrow of figure 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// In this state,
    pub from: State,
    /// if this happens,
    pub on: Trigger,
    /// a sender goes to that one.
    pub to: State,
    /// What the paper says of it.
    pub paper: &'static str,
}

impl State {
    /// All of them.
    pub const ALL: [State; 6] = [
        State::WindowControl,
        State::Pacing,
        State::LossDiscovery,
        State::TimeoutWait,
        State::FastRecovery,
        State::RetransmissionTimeout,
    ];

    /// Its name in figures.
    pub const fn name(self) -> &'static str {
        match self {
            State::WindowControl => "window control",
            State::Pacing => "pacing",
            State::LossDiscovery => "loss discovery",
            State::TimeoutWait => "waiting for the timeout",
            State::FastRecovery => "fast recovery",
            State::RetransmissionTimeout => "retransmission timeout",
        }
    }

    /// Where `trigger` leads from here; `None` if it does not matter here.
    pub fn after(self, trigger: Trigger) -> Option<State> {
        let leads = |arrow: &&Transition| arrow.from == self && arrow.on == trigger;
        TRANSITIONS.iter().find(leads).map(|arrow| arrow.to)
    }
}

impl Trigger {
    /// All of them.
    pub const ALL: [Trigger; 8] = [
        Trigger::Burst,
        Trigger::PacedAcknowledged,
        Trigger::DiscoveryTimer,
        Trigger::EnoughInserted,
        Trigger::ThirdDuplicate,
        Trigger::NewAcknowledgment,
        Trigger::Recovered,
        Trigger::RetransmissionTimer,
    ];

    /// Its name in figures.
    pub const fn name(self) -> &'static str {
        match self {
            Trigger::Burst => "window lets B_t packets out",
            Trigger::PacedAcknowledged => "paced packet acknowledged",
            Trigger::DiscoveryTimer => "loss discovery timer, cwnd < W_min",
            Trigger::EnoughInserted => "W_min packets out",
            Trigger::ThirdDuplicate => "third duplicate ACK",
            Trigger::NewAcknowledgment => "new ACK",
            Trigger::Recovered => "all lost packets acknowledged",
            Trigger::RetransmissionTimer => "retransmission timer",
        }
    }
}

const fn arrow(from: State, on: Trigger, to: State, paper: &'static str) -> Transition {
    Transition { from, on, to, paper }
}

const AS_TCP: &str = "3.4: losses are answered in the similar manner to TCP";

/// All arrows.
pub const TRANSITIONS: [Transition; 18] = {
    use State::{
        FastRecovery, LossDiscovery, Pacing, RetransmissionTimeout, TimeoutWait, WindowControl,
    };
    use Trigger::{
        Burst, DiscoveryTimer, EnoughInserted, NewAcknowledgment, PacedAcknowledged, Recovered,
        RetransmissionTimer, ThirdDuplicate,
    };
    [
        arrow(WindowControl, Burst, Pacing, "3.5: W_a is not less than B_t"),
        arrow(Pacing, PacedAcknowledged, WindowControl, "3.5: the pacing phase ends"),
        arrow(WindowControl, DiscoveryTimer, LossDiscovery, "3.4: cwnd is smaller than W_min"),
        arrow(Pacing, DiscoveryTimer, LossDiscovery, "3.4: cwnd is smaller than W_min"),
        arrow(LossDiscovery, EnoughInserted, TimeoutWait, "3.4, exit 1"),
        arrow(LossDiscovery, ThirdDuplicate, FastRecovery, "3.4, exit 2"),
        arrow(LossDiscovery, NewAcknowledgment, WindowControl, "3.4, exit 3"),
        arrow(LossDiscovery, RetransmissionTimer, RetransmissionTimeout, "3.4, exit 4"),
        arrow(TimeoutWait, RetransmissionTimer, RetransmissionTimeout, "3.4, exit 1"),
        arrow(TimeoutWait, ThirdDuplicate, FastRecovery, AS_TCP),
        arrow(TimeoutWait, NewAcknowledgment, WindowControl, "open: late, and all was well"),
        arrow(WindowControl, ThirdDuplicate, FastRecovery, AS_TCP),
        arrow(Pacing, ThirdDuplicate, FastRecovery, AS_TCP),
        arrow(FastRecovery, Recovered, WindowControl, "RFC 6582, 3.2 step 3"),
        arrow(WindowControl, RetransmissionTimer, RetransmissionTimeout, AS_TCP),
        arrow(Pacing, RetransmissionTimer, RetransmissionTimeout, AS_TCP),
        arrow(FastRecovery, RetransmissionTimer, RetransmissionTimeout, AS_TCP),
        arrow(RetransmissionTimeout, NewAcknowledgment, WindowControl, AS_TCP),
    ]
};

#[cfg(test)]
mod tests;
