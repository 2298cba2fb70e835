//! What a node and the ether say to each other: one message is one packet of a socket of the kind
//! `SOCK_SEQPACKET`, a byte for what it is, then fixed fields, big end first.

use std::sync::LazyLock;

use multihop_core::{
    AirTime, ContentionClass, Duration, FrameClass, Heard, NodeId, Outcome, Rate, Receiver,
    SignalStrength, Time, TxDone, Vocabulary,
};

use crate::bytes::{Malformed, Reader};

/// The version of this protocol. Both sides must have the same. 2: an offer says after how many attempts to give
/// up, and captures can be asked for. 3: classes of frames that schemes declare have names. 4: an
/// offer says from which slot on it contends. 5: how a frame ended says how many packets shared its exchange.
pub const VERSION: u16 = 5;

/// The longest message: the longest frame, and what is said about it.
pub const LONGEST_MESSAGE: usize = LONGEST_FRAME + 64;

/// The longest frame: what fits into the length of the network header.
pub const LONGEST_FRAME: usize = 65_535;

/// What stands for everyone.
const EVERYONE: u32 = u32::MAX;

/// From a node to the ether.
#[derive(Clone, Debug, PartialEq)]
pub enum ToEther {
    /// A node switches its radio on.
    Hello(Hello),
    /// It hands over a frame; the one before is done with.
    Offer(Offer),
    /// It takes back the frame that waits, unless it is on the air.
    Withdraw,
    /// It marks the frame that waits: congestion experienced.
    Mark,
    /// How has its radio spent its time until now?
    AskAir,
    /// How is the ether?
    AskStatus,
    /// What is on the air, from now on?
    Capture,
}

/// A node that wants a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Its address.
    pub address: NodeId,
    /// Whether it wants frames that are addressed to others.
    pub promiscuous: bool,
    /// Whether it wants to know how its radio spends its time.
    pub watches_air: bool,
}

/// A frame that a node wants to send.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// To whom.
    pub to: Receiver,
    /// At which rate, if not at the MAC's own.
    pub rate: Option<Rate>,
    /// How to contend, if not in the MAC's way.
    pub contention: Option<ContentionClass>,
    /// What kind of frame it is.
    pub class: FrameClass,
    /// Its bytes, which the ether does not look into.
    pub frame: Vec<u8>,
}

/// From the ether to a node.
#[derive(Clone, Debug, PartialEq)]
pub enum FromEther {
    /// The radio is on.
    Welcome {
        /// So many seconds of the machine are a second of the medium.
        time_scale: f64,
        /// Since when it runs.
        now: Time,
    },
    /// There is no radio for this node.
    Refused(String),
    /// The frame is done with.
    Done(Done),
    /// The radio has decoded a frame.
    Heard(Reception),
    /// How the radio has spent its time until now.
    Air(AirTime),
    /// How the ether is, as JSON.
    Status(String),
    /// The next bytes of a capture in the form of pcapng.
    Captured(Vec<u8>),
}

/// How a frame has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// How.
    pub outcome: Outcome,
    /// How long it took.
    pub service: Duration,
    /// How often a frame was on the air for it.
    pub attempts: u32,
    /// How often the MAC had to try again.
    pub retries: u32,
    /// Its rate.
    pub rate: Rate,
    /// How long the radio transmitted for it.
    pub air_time: Duration,
    /// How many packets shared the exchange that ended it, at least one.
    pub batch: u32,
    /// Whether it was marked.
    pub marked: bool,
}

impl Done {
    /// It was never on the air, and never will be.
    pub const fn failed() -> Self {
        Done {
            outcome: Outcome::Failed,
            service: Duration::ZERO,
            attempts: 0,
            retries: 0,
            rate: Rate(0),
            air_time: Duration::ZERO,
            batch: 1,
            marked: false,
        }
    }

    /// What a MAC says, without the packet: its owner has it.
    pub fn of(done: &TxDone) -> Self {
        Done {
            outcome: done.outcome,
            service: done.service,
            attempts: done.attempts,
            retries: done.retries,
            rate: done.rate,
            air_time: done.air_time,
            batch: done.batch,
            marked: done.packet.congestion_experienced,
        }
    }
}

/// A frame that was decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Reception {
    /// Who sent it.
    pub from: NodeId,
    /// How it was heard.
    pub heard: Heard,
    /// Its rate.
    pub rate: Rate,
    /// How strong it was.
    pub signal: Option<SignalStrength>,
    /// How long it was on the air.
    pub air_time: Duration,
    /// Whether its sender has marked it.
    pub marked: bool,
    /// Its bytes.
    pub frame: Vec<u8>,
}

const HELLO: u8 = 0x01;
const OFFER: u8 = 0x02;
const WITHDRAW: u8 = 0x03;
const MARK: u8 = 0x04;
const ASK_AIR: u8 = 0x05;
const ASK_STATUS: u8 = 0x06;
const CAPTURE: u8 = 0x07;
const WELCOME: u8 = 0x81;
const REFUSED: u8 = 0x82;
const DONE: u8 = 0x83;
const HEARD: u8 = 0x84;
const AIR: u8 = 0x85;
const STATUS: u8 = 0x86;
const CAPTURED: u8 = 0x87;

const OUTCOMES: [Outcome; 4] =
    [Outcome::Sent, Outcome::Acknowledged, Outcome::Failed, Outcome::Withdrawn];
const WAYS_OF_HEARING: [Heard; 3] = [Heard::ForMe, Heard::Overheard, Heard::Broadcast];

fn number<T: PartialEq>(all: &[T], one: &T) -> u8 {
    all.iter().position(|other| other == one).unwrap_or_default() as u8
}

/// The classes of frames that a node of this program has: the common ones, and what its schemes declare.
static CLASSES: LazyLock<Vec<FrameClass>> = LazyLock::new(|| {
    let declared = multihop_schemes::vocabulary().into_iter().filter_map(|word| match word {
        Vocabulary::Frame(word) => Some(FrameClass::Declared(word)),
        _ => None,
    });
    FrameClass::COMMON.iter().copied().chain(declared).collect()
});

/// The number of a class. A class that the medium does not know is control.
fn class_number(class: FrameClass) -> u8 {
    let known = CLASSES.iter().position(|other| *other == class);
    known.map_or_else(|| number(&CLASSES, &FrameClass::Control), |at| at as u8)
}

fn numbered<T: Copy>(all: &[T], number: u8, name: &'static str) -> Result<T, Malformed> {
    all.get(usize::from(number)).copied().ok_or(Malformed::Field(name))
}

fn switch(byte: u8, name: &'static str) -> Result<bool, Malformed> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Malformed::Field(name)),
    }
}

fn text(bytes: &[u8]) -> Result<String, Malformed> {
    String::from_utf8(bytes.to_vec()).map_err(|_| Malformed::Field("text"))
}

impl ToEther {
    /// Its bytes.
    pub fn emit(&self) -> Vec<u8> {
        match self {
            ToEther::Hello(Hello { address, promiscuous, watches_air }) => {
                let flags = [u8::from(*promiscuous), u8::from(*watches_air)];
                [&[HELLO][..], &VERSION.to_be_bytes(), &address.0.to_be_bytes(), &flags].concat()
            }
            ToEther::Offer(offer) => {
                let to = match offer.to {
                    Receiver::Node(to) | Receiver::Pair([to, _]) => to.0,
                    Receiver::Broadcast => EVERYONE,
                };
                let rate = offer.rate.map_or(0, |rate| rate.0);
                let window = offer.contention.map_or(0, |class| class.cw_min);
                let first = offer.contention.map_or(0, |class| class.first);
                let attempts = offer.contention.and_then(|class| class.attempts).unwrap_or(0);
                let mut bytes = vec![OFFER, class_number(offer.class)];
                bytes.extend(to.to_be_bytes());
                bytes.extend(rate.to_be_bytes());
                bytes.extend(window.to_be_bytes());
                bytes.extend(first.to_be_bytes());
                bytes.extend(attempts.to_be_bytes());
                bytes.extend(&offer.frame);
                bytes
            }
            ToEther::Withdraw => vec![WITHDRAW],
            ToEther::Mark => vec![MARK],
            ToEther::AskAir => vec![ASK_AIR],
            ToEther::AskStatus => vec![ASK_STATUS],
            ToEther::Capture => vec![CAPTURE],
        }
    }

    /// Read a message.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        let message = match reader.u8()? {
            HELLO => {
                if reader.u16()? != VERSION {
                    return Err(Malformed::Field("version"));
                }
                ToEther::Hello(Hello {
                    address: NodeId(reader.u32()?),
                    promiscuous: switch(reader.u8()?, "switch")?,
                    watches_air: switch(reader.u8()?, "switch")?,
                })
            }
            OFFER => ToEther::Offer(Offer {
                class: numbered(&CLASSES, reader.u8()?, "class")?,
                to: match reader.u32()? {
                    EVERYONE => Receiver::Broadcast,
                    to => Receiver::Node(NodeId(to)),
                },
                rate: Some(Rate(reader.u64()?)).filter(|rate| rate.0 > 0),
                contention: Some(ContentionClass {
                    cw_min: reader.u32()?,
                    first: reader.u32()?,
                    attempts: Some(reader.u32()?).filter(|attempts| *attempts > 0),
                })
                .filter(|class| class.cw_min > 0),
                frame: reader.rest().to_vec(),
            }),
            WITHDRAW => ToEther::Withdraw,
            MARK => ToEther::Mark,
            ASK_AIR => ToEther::AskAir,
            ASK_STATUS => ToEther::AskStatus,
            CAPTURE => ToEther::Capture,
            _ => return Err(Malformed::Field("kind")),
        };
        reader.end().map(|()| message)
    }
}

fn spans(air: &AirTime) -> [Duration; 5] {
    [air.sending, air.receiving, air.sensed, air.waiting, air.reserved]
}

fn span(reader: &mut Reader) -> Result<Duration, Malformed> {
    reader.u64().map(Duration::from_nanos)
}

impl FromEther {
    /// Its bytes.
    pub fn emit(&self) -> Vec<u8> {
        match self {
            FromEther::Welcome { time_scale, now } => {
                let (scale, now) = (time_scale.to_bits().to_be_bytes(), now.nanos().to_be_bytes());
                [&[WELCOME][..], &VERSION.to_be_bytes(), &scale, &now].concat()
            }
            FromEther::Refused(reason) => [&[REFUSED][..], reason.as_bytes()].concat(),
            FromEther::Done(done) => {
                let mut bytes = vec![DONE, number(&OUTCOMES, &done.outcome), done.marked.into()];
                bytes.extend(done.service.nanos().to_be_bytes());
                bytes.extend(done.attempts.to_be_bytes());
                bytes.extend(done.retries.to_be_bytes());
                bytes.extend(done.rate.0.to_be_bytes());
                bytes.extend(done.air_time.nanos().to_be_bytes());
                bytes.extend(done.batch.to_be_bytes());
                bytes
            }
            FromEther::Heard(heard) => {
                let how = number(&WAYS_OF_HEARING, &heard.heard);
                let watts = heard.signal.map_or(-1.0, SignalStrength::watts);
                let mut bytes = vec![HEARD, how, heard.marked.into()];
                bytes.extend(heard.from.0.to_be_bytes());
                bytes.extend(heard.rate.0.to_be_bytes());
                bytes.extend(watts.to_bits().to_be_bytes());
                bytes.extend(heard.air_time.nanos().to_be_bytes());
                bytes.extend(&heard.frame);
                bytes
            }
            FromEther::Air(air) => {
                let spans = spans(air).map(|span| span.nanos().to_be_bytes());
                [&[AIR][..], &spans.concat()].concat()
            }
            FromEther::Status(status) => [&[STATUS][..], status.as_bytes()].concat(),
            FromEther::Captured(bytes) => [&[CAPTURED][..], bytes].concat(),
        }
    }

    /// Read a message.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        let message = match reader.u8()? {
            WELCOME => {
                if reader.u16()? != VERSION {
                    return Err(Malformed::Field("version"));
                }
                let time_scale = f64::from_bits(reader.u64()?);
                if !(time_scale.is_finite() && time_scale > 0.0) {
                    return Err(Malformed::Field("time scale"));
                }
                FromEther::Welcome { time_scale, now: Time::from_nanos(reader.u64()?) }
            }
            REFUSED => FromEther::Refused(text(reader.rest())?),
            DONE => {
                let outcome = numbered(&OUTCOMES, reader.u8()?, "outcome")?;
                let marked = switch(reader.u8()?, "mark")?;
                FromEther::Done(Done {
                    outcome,
                    marked,
                    service: span(&mut reader)?,
                    attempts: reader.u32()?,
                    retries: reader.u32()?,
                    rate: Rate(reader.u64()?),
                    air_time: span(&mut reader)?,
                    batch: Some(reader.u32()?)
                        .filter(|batch| *batch > 0)
                        .ok_or(Malformed::Field("batch"))?,
                })
            }
            HEARD => {
                let heard = numbered(&WAYS_OF_HEARING, reader.u8()?, "way of hearing")?;
                let marked = switch(reader.u8()?, "mark")?;
                let from = NodeId(reader.u32()?);
                let rate = Rate(reader.u64()?);
                let watts = f64::from_bits(reader.u64()?);
                FromEther::Heard(Reception {
                    from,
                    heard,
                    rate,
                    signal: (watts >= 0.0).then(|| SignalStrength::from_watts(watts)),
                    air_time: span(&mut reader)?,
                    marked,
                    frame: reader.rest().to_vec(),
                })
            }
            AIR => {
                let air = &mut reader;
                FromEther::Air(AirTime {
                    sending: span(air)?,
                    receiving: span(air)?,
                    sensed: span(air)?,
                    waiting: span(air)?,
                    reserved: span(air)?,
                })
            }
            STATUS => FromEther::Status(text(reader.rest())?),
            CAPTURED => FromEther::Captured(reader.rest().to_vec()),
            _ => return Err(Malformed::Field("kind")),
        };
        reader.end().map(|()| message)
    }
}

#[cfg(test)]
mod tests;
