//! Events at a node at which its control steps can end: what it notices itself, on real nodes, too.

/// What a control step ends with, unless it is its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A packet has joined its queue.
    Arrived,
    /// Its MAC has sent a packet.
    Sent,
    /// It has lost a packet.
    Lost,
    /// It has decoded a frame for it.
    Heard,
    /// A packet has reached its application.
    Delivered,
    /// A packet of its flows was acknowledged end to end.
    Acknowledged,
}

/// An event, as tools see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKind {
    /// Its name.
    pub name: &'static str,
    /// What happens.
    pub about: &'static str,
    /// Whether it is of flows that begin at the node.
    pub of_flows: bool,
    event: Event,
}

/// Every event at which a control step can end.
pub static EVENTS: [EventKind; 6] = [
    kind(Event::Arrived, "arrived", "a packet that the node is to send joins its queue"),
    kind(Event::Sent, "sent", "its MAC has sent a packet with success"),
    kind(Event::Lost, "lost", "its MAC gives a packet up, or its queue has no room for one"),
    kind(Event::Heard, "heard", "it decodes a frame for this node, or for all"),
    kind(Event::Delivered, "delivered", "its application takes a packet that was for this node"),
    EventKind {
        of_flows: true,
        ..kind(
            Event::Acknowledged,
            "acknowledged",
            "packets of its flows are acknowledged end to end",
        )
    },
];

const fn kind(event: Event, name: &'static str, about: &'static str) -> EventKind {
    EventKind { name, about, of_flows: false, event }
}

impl EventKind {
    /// The event of this name.
    ///
    /// # Errors
    /// If there is none: which there are.
    pub fn named(name: &str) -> Result<&'static EventKind, String> {
        EVENTS.iter().find(|kind| kind.name == name).ok_or_else(|| {
            let names: Vec<&str> = EVENTS.iter().map(|kind| kind.name).collect();
            format!("there is no event '{name}'; there are: {}", names.join(", "))
        })
    }

    /// The event itself.
    pub const fn event(&self) -> Event {
        self.event
    }
}
