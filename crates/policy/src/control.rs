//! What a node can be told: numbers between 0 and 1, which stand for values between two ends.

use multihop_core::Duration;
use multihop_routing::Weight;

/// What is controlled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handle {
    Pace,
    Hold,
    Window,
    Contention,
    Weight,
}

/// A kind of control, with everything that tools need to know of it.
#[derive(Debug, PartialEq)]
pub struct ControlKind {
    /// Its name.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// The value at 0 unless another is given.
    pub low: f64,
    /// The value at 1 unless another is given.
    pub high: f64,
    /// What it does.
    pub about: &'static str,
    /// Whether it is of flows that begin at the node.
    pub of_flows: bool,
    /// The only scheme whose nodes have it; every scheme's, if there is none.
    pub scheme: Option<&'static str>,
    /// Whether all nodes must know of it at once, which only a simulation can do.
    pub shared: bool,
    handle: Handle,
}

/// Every kind of control.
pub static CONTROLS: [ControlKind; 5] = [
    ControlKind {
        name: "pace",
        unit: "s",
        low: 0.002,
        high: 1.0,
        about: "from one packet of the node's own flows to the next",
        of_flows: true,
        scheme: None,
        shared: false,
        handle: Handle::Pace,
    },
    ControlKind {
        name: "hold",
        unit: "s",
        low: 0.0001,
        high: 0.1,
        about: "from the end of one frame of the node to its next frame",
        of_flows: false,
        scheme: None,
        shared: false,
        handle: Handle::Hold,
    },
    ControlKind {
        name: "window",
        unit: "packets",
        low: 1.0,
        high: 64.0,
        about: "how many packets of its flows may be on their way (newreno)",
        of_flows: true,
        scheme: Some("newreno"),
        shared: false,
        handle: Handle::Window,
    },
    ControlKind {
        name: "contention",
        unit: "slots",
        low: 7.0,
        high: 1023.0,
        about: "the smallest contention window of its frames",
        of_flows: false,
        scheme: None,
        shared: false,
        handle: Handle::Contention,
    },
    ControlKind {
        name: "weight",
        unit: "",
        low: 1.0,
        high: 16.0,
        about: "what a hop from the node costs, for the routes of all nodes (fixed routing)",
        of_flows: false,
        scheme: None,
        shared: true,
        handle: Handle::Weight,
    },
];

/// A control of an agent, and its values at the actions 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// What is controlled.
    pub kind: &'static ControlKind,
    /// The value at 0.
    pub low: f64,
    /// The value at 1.
    pub high: f64,
}

impl Control {
    /// The control of this name, with its usual ends where none are given.
    ///
    /// # Errors
    /// If there is none of this name, or if the ends are not above 0 and in this order.
    pub fn new(name: &str, low: Option<f64>, high: Option<f64>) -> Result<Self, String> {
        let Some(kind) = CONTROLS.iter().find(|kind| kind.name == name) else {
            let names: Vec<&str> = CONTROLS.iter().map(|kind| kind.name).collect();
            return Err(format!("there is no '{name}'; there are: {}", names.join(", ")));
        };
        let (low, high) = (low.unwrap_or(kind.low), high.unwrap_or(kind.high));
        if 0.0 < low && low < high && high.is_finite() {
            return Ok(Control { kind, low, high });
        }
        Err(format!("'{name}' goes from {low} to {high}; write ends above 0, the lower one first"))
    }

    /// The value that an action between 0 and 1 stands for. Equal steps of the action are equal ratios of the value.
    fn value(&self, action: f64) -> f64 {
        self.low * libm::pow(self.high / self.low, action.clamp(0.0, 1.0))
    }
}

/// What a node is told; `None` is the scheme's own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Controls {
    /// From one packet of this node's flows to the next.
    pub pace: Option<Duration>,
    /// From the end of a frame of this node to the next frame that it hands to its MAC.
    pub hold: Option<Duration>,
    /// How many segments of this node's flows may be on their way.
    pub window: Option<u32>,
    /// The smallest contention window, in slots.
    pub contention: Option<u32>,
    /// What a hop from this node costs.
    pub weight: Option<Weight>,
}

impl Controls {
    /// What these actions, one for each control, tell a node. An action that is no number leaves its control alone.
    pub fn of(controls: &[Control], actions: &[f64]) -> Self {
        let whole = |value: f64| libm::round(value).max(1.0) as u32;
        let mut told = Controls::default();
        for (control, action) in controls.iter().zip(actions).filter(|(_, action)| !action.is_nan())
        {
            let value = control.value(*action);
            match control.kind.handle {
                Handle::Pace => told.pace = Some(Duration::from_seconds(value)),
                Handle::Hold => told.hold = Some(Duration::from_seconds(value)),
                Handle::Window => told.window = Some(whole(value)),
                Handle::Contention => told.contention = Some(whole(value)),
                Handle::Weight => told.weight = Some(Weight::of(value)),
            }
        }
        told
    }
}
