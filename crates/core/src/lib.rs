//! The words and seams that every part of multihop shares.
//!
//! Protocols are sans-I/O state machines: time arrives as an argument ([`Cx::now`]), randomness
//! comes from a seeded stream ([`Rng`]), and effects leave as values ([`Effect`]). The same code
//! therefore runs in the simulator, on Linux, and wherever else a host calls it.

pub mod address;
mod addresses;
mod air;
mod common;
mod counter;
mod cx;
mod deadlines;
mod distribution;
mod event;
pub mod format;
mod frame;
mod headers;
mod hop;
mod ids;
mod mac;
mod medium;
mod message;
mod packet;
mod param;
mod protocol;
mod rng;
mod routing;
mod schedule;
mod scheme;
mod serial;
mod service;
mod shares;
mod signal;
mod stamp;
mod time;
mod timers;
mod timing;
mod transport;
mod units;
mod vocabulary;
mod wakes;
mod wire;

pub use addresses::AddressTable;
pub use air::AirTime;
pub use common::CommonList;
pub use counter::{Counter, Counts};
pub use cx::{Cx, Effect, Estimate, Gauge};
pub use deadlines::{Deadlines, Timer};
pub use distribution::{inverse_normal, normal};
pub use event::{DropCause, Event, EventKind, HostEvent};
pub use format::{Field, FieldValue, HeaderFormat, Holds};
pub use frame::{
    Aggregate, Decoded, Fate, FrameClass, LossCause, Losses, Mpdu, Reception, Transmission,
};
pub use headers::{HEADER_PREFIX, Headers, LONGEST_HEADER};
pub use hop::{Failed, Hop, HopStep, Verdict};
pub use ids::{FlowId, NodeId, TrafficClass};
pub use mac::{ContentionClass, FrameId, Heard, Outcome, Receiver, Rx, TxDone, TxRequest};
pub use medium::{BatchRoom, Below, HandOver, Medium, Power, RadioTotals, Report, Told, Woken};
pub use message::Message;
pub use packet::{Coded, INITIAL_TTL, Packet, Payload, Protocol, Tag};
pub use param::{
    Alternative, BareUnit, BitRate, ByLink, Choice, Content, Count, Defaults, Dimension, Given,
    Heeded, Key, Length, Measure, Number, Numbers, Otherwise, Param, ParamError, ParamKind, Preset,
    Seed, Size, Span, Switch, Table, Text, Value, Values, While,
};
pub use protocol::{Layer, NextHeader, WireError, fields};
pub use rng::{Purpose, Rng};
pub use routing::{QueueDiscipline, Route, RouteNews, Routing, RoutingStep};
pub use schedule::Schedule;
pub use scheme::{Forwarding, MakeHop, MakeTransport, Params, Plot, Scheme};
pub use serial::{Numbering, Serial};
pub use service::Capability;
pub use shares::{Claim, Room, room};
pub use signal::SignalStrength;
pub use stamp::{Leaving, Stamp};
pub use time::{Duration, Time};
pub use timers::OverhearTimer;
pub use timing::{Fill, LinkTiming};
pub use transport::{CarriedBy, End, Transport};
pub use units::{Bytes, Rate};
pub use vocabulary::{Vocabulary, Word};
pub use wakes::Wakes;
pub use wire::{NETWORK_HEADER_LEN, NetworkHeader};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
