//! Frames and durations (IEEE 802.11, 9.2 and 15.2).

use multihop_core::{Bytes, Duration, FrameClass, NodeId, Rate, SignalStrength};
use multihop_setup as setup;

use super::nist;
use super::parameters::RuleSet;
use super::phy::{Format, Mode};
use super::settings::Settings;
use crate::channel::OnAir;
use crate::scale::Scale;

/// Index of a packet that is below a node, in the carrier's packet store.
pub type PacketSlot = u32;

/// The frame carries no packet.
pub const NO_PACKET: PacketSlot = u32::MAX;

/// No frame has this number.
pub const NO_FRAME: u32 = u32::MAX;

/// The frame is for everyone.
pub const BROADCAST: u32 = u32::MAX;

/// The frame is for the two stations of its pair.
pub const PAIR: u32 = u32::MAX - 1;

/// The pair of a frame that has another receiver.
pub const NO_PAIR: [u32; 2] = [BROADCAST; 2];

/// The test frame of the air time metric (IEEE 802.11-2020, 14.9: 8192 bits).
const TEST_FRAME: Bytes = Bytes(1024);

/// A link over which fewer frames arrive is none.
const LEAST_SHARE: f64 = 1e-3;

/// What the address of a second receiver adds to a MAC header.
const SECOND_ADDRESS: Bytes = Bytes(6);

/// A compressed block acknowledgment, and the frame that asks for one (IEEE 802.11-2020, 9.3.1.7, 9.3.1.8).
pub(super) const BLOCK_ACK: Bytes = Bytes(32);
pub(super) const BLOCK_ACK_REQUEST: Bytes = Bytes(24);

/// The MAC's own rate.
pub const OWN_RATE: Rate = Rate(0);

/// The MAC's own smallest contention window.
pub const OWN_WINDOW: u32 = 0;

/// The MAC's own retry limits.
pub const OWN_LIMIT: u32 = 0;

/// The propagation that every timeout allows for, there and back: ns-2's 2 us each way, which is
/// 600 m.
const NS2_ROUND_TRIP: Duration = Duration::from_micros(4);

/// What kind of frame it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Request to send.
    Rts,
    /// Clear to send.
    Cts,
    /// A data frame that the receiver acknowledges.
    Data,
    /// A data frame that nobody acknowledges: a broadcast, or any frame of CXCC's reduced CSMA.
    UnacknowledgedData,
    /// Several data frames for one station in one (A-MPDU), which a block acknowledgment answers.
    Aggregate,
    /// The link acknowledgment.
    Ack,
    /// Asks for a block acknowledgment.
    BlockAckRequest,
    /// Says which of several data frames have come.
    BlockAck,
}

impl FrameKind {
    /// Whether it carries a packet.
    pub const fn is_data(self) -> bool {
        matches!(self, FrameKind::Data | FrameKind::UnacknowledgedData | FrameKind::Aggregate)
    }

    /// Whether it tells that data has come.
    pub const fn acknowledges(self) -> bool {
        matches!(self, FrameKind::Ack | FrameKind::BlockAck)
    }

    /// What it is for those who watch; `data` is what its node calls data.
    pub const fn class(self, data: FrameClass) -> FrameClass {
        match self {
            FrameKind::Rts => FrameClass::RequestToSend,
            FrameKind::Cts => FrameClass::ClearToSend,
            FrameKind::Ack => FrameClass::LinkAcknowledgment,
            FrameKind::BlockAck => FrameClass::BlockAcknowledgment,
            FrameKind::BlockAckRequest => FrameClass::BlockAcknowledgmentRequest,
            FrameKind::Data | FrameKind::UnacknowledgedData | FrameKind::Aggregate => data,
        }
    }
}

/// A frame on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its kind.
    pub kind: FrameKind,
    /// What it is for those who watch ([`FrameKind::class`]).
    pub class: FrameClass,
    /// Number of the transmitting node.
    pub from: u32,
    /// Number of the addressed node, [`PAIR`] or [`BROADCAST`].
    pub to: u32,
    /// Who acknowledges it first and who second, if it is for two.
    pub pair: [u32; 2],
    /// How long it is on the air, preamble included.
    pub air_time: Duration,
    /// The duration field: how long the medium stays reserved after the frame.
    pub reserved: Duration,
    /// Its length, without the preamble.
    pub bytes: Bytes,
    /// Its rate.
    pub mode: Mode,
    /// The packet that it carries, the first of several, or, as an RTS, announces; or [`NO_PACKET`].
    pub packet: PacketSlot,
    /// The MAC's sequence number, by which repeated frames are recognised: of several packets that of the first, or the
    /// first that a block acknowledgment is about.
    pub sequence: u32,
    /// Whether the packet was marked before the frame began.
    pub marked: bool,
}

impl OnAir for Frame {
    fn from(&self) -> NodeId {
        NodeId(self.from)
    }

    fn bytes(&self) -> Bytes {
        self.bytes
    }
}

impl Frame {
    /// None: what stands where no frame is.
    pub const BLANK: Frame = Frame {
        kind: FrameKind::Ack,
        class: FrameClass::LinkAcknowledgment,
        from: BROADCAST,
        to: BROADCAST,
        pair: NO_PAIR,
        air_time: Duration::ZERO,
        reserved: Duration::ZERO,
        bytes: Bytes(0),
        mode: Mode::ONLY,
        packet: NO_PACKET,
        sequence: 0,
        marked: false,
    };
}

/// How much stronger a frame must be to survive another one.
#[derive(Clone, Copy, Debug)]
pub enum Capture {
    /// That many times; powers are in W.
    Ratio(f64),
    /// That many dB; powers are in dBW.
    Decibel(f64),
}

impl Capture {
    fn new(radio: &setup::Radio) -> Self {
        match radio.propagation.deviation() {
            None => Capture::Ratio(radio.capture_ratio),
            Some(_) => Capture::Decibel(10.0 * libm::log10(radio.capture_ratio)),
        }
    }

    /// A frame's power, as nodes see it.
    pub fn signal(self, power: f64) -> SignalStrength {
        match self {
            Capture::Ratio(_) => SignalStrength::from_watts(power),
            Capture::Decibel(_) => SignalStrength::from_dbw(power),
        }
    }

    /// A frame's power in W.
    pub fn in_watts(self, power: f64) -> f64 {
        match self {
            Capture::Ratio(_) => power,
            Capture::Decibel(_) => Scale::Decibel.in_watts(power),
        }
    }

    /// Whether a frame of `power` survives one of power `other`.
    pub fn survives(self, power: f64, other: f64) -> bool {
        match self {
            Capture::Ratio(ratio) => power >= other * ratio,
            Capture::Decibel(difference) => power - other >= difference,
        }
    }
}

/// Every constant of the MAC and the receiver, computed once.
#[derive(Clone, Debug)]
pub struct Profile {
    settings: Settings,
    /// Slot time.
    pub slot: Duration,
    /// Short interframe space.
    pub sifs: Duration,
    /// How long the medium must have been idle before a backoff runs: SIFS and as many slots as `aifsn` says, two in the DCF.
    pub difs: Duration,
    /// Whether the backoff is that of EDCA, as where stations send A-MPDUs, not of the DCF.
    pub edca: bool,
    /// By ns-2's rules, how long the medium counts as reserved after a frame that could not be decoded, or zero.
    /// It is SIFS, DIFS and an ACK, which may come from far; ns-2's backoff waits for another DIFS after it.
    pub eifs: Duration,
    /// By the standard's rules, how much longer than DIFS the medium must have been idle after such a frame: EIFS is
    /// that long in all. It reserves nothing.
    pub eifs_beyond_difs: Duration,
    /// By the standard's rules, how long after an RTS the data that it announces must have begun, or the reservation
    /// ends: two SIFS, a CTS, a preamble and two slots.
    pub nav_reset: Duration,
    /// Air time of an RTS frame.
    pub rts: Duration,
    /// The mode of an RTS frame.
    pub rts_mode: Mode,
    /// Air time of a CTS frame.
    pub cts: Duration,
    /// The mode of a CTS frame.
    pub cts_mode: Mode,
    /// Air time of a link acknowledgment, by the mode of the frame that it answers.
    acks: [Duration; Mode::MOST],
    /// The mode of a link acknowledgment, by that of the frame that it answers.
    ack_modes: [Mode; Mode::MOST],
    shortest_ack: Duration,
    /// Air time of a block acknowledgment, and of the frame that asks for one, likewise.
    block_acks: [(Duration, Duration); Mode::MOST],
    /// Which frame survives another one.
    pub capture: Capture,
    /// What a frame does to another one that is being received.
    interference: setup::Interference,
    /// Power of the receiver's noise in W, where noise counts.
    pub noise: f64,
    /// How many times better than the error model the receiver of OFDM is in each mode.
    gains: [f64; Mode::MOST],
    /// Which frame a receiver stays with.
    pub reception: setup::Reception,
    /// From which power a frame can be decoded, on the scale of `capture`.
    pub receive_threshold: f64,
    /// From which power EIFS follows a frame that could not be. A receiver that locks on to none that is too weak to
    /// be decoded does not know of one.
    pub eifs_threshold: f64,
    /// Whether the receiver keeps other rules than ns-2's.
    pub departs: bool,
    /// How much longer than ns-2's an answer over the longest link may be under way. Timeouts,
    /// duration fields and EIFS allow for it.
    beyond: Duration,
}

impl Profile {
    /// The constants that follow from the settings of MAC and radio, and from the propagation
    /// delay of the longest link.
    pub fn new(settings: Settings, radio: &setup::Radio, longest: Duration) -> Self {
        let beyond = (longest * 2).saturating_sub(NS2_ROUND_TRIP);
        // upwards: a duration field that cuts a part of it would cut the exchange short
        let beyond = Duration::from_micros(beyond.nanos().div_ceil(1000));
        let difs = settings.sifs + settings.slot * u64::from(settings.aifsn);
        let cts = settings.answer(settings.basic_rate);
        let (format, basic) = (settings.format, settings.basic_rate);
        let answer_mode = |rate| format.mode(format.answer(rate, basic));
        let (mut acks, mut ack_modes) = ([cts; Mode::MOST], [answer_mode(basic); Mode::MOST]);
        let mut block_acks = [(Duration::ZERO, Duration::ZERO); Mode::MOST];
        for (mode, rate) in format.modes(basic) {
            let at = mode.index();
            (acks[at], ack_modes[at]) = (settings.answer(rate), answer_mode(rate));
            let answer = format.answer(rate, basic);
            block_acks[at] = (
                settings.air_time(answer, BLOCK_ACK),
                settings.air_time(answer, BLOCK_ACK_REQUEST),
            );
        }
        // at the lowest rate, whatever the basic rate is (802.11-2007, 9.2.10; ns-2: PLCPDataRate)
        let slowest = settings.air_time(settings.lowest_rate, settings.cts_ack);
        let answer = if settings.eifs { settings.sifs + slowest + beyond } else { Duration::ZERO };
        let receive_threshold = Scale::of(&radio.propagation).of_watts(radio.receive_threshold);
        let ofdm = match radio.interference {
            setup::Interference::Ofdm(ofdm) => Some(ofdm),
            _ => None,
        };
        let locks_on_weak = radio.reception != setup::Reception::FirstDecodable && ofdm.is_none();
        let (eifs, eifs_beyond_difs) = match settings.rules {
            RuleSet::Ns2 if settings.eifs => (answer + difs, Duration::ZERO),
            RuleSet::Ns2 => (Duration::ZERO, Duration::ZERO),
            RuleSet::Standard | RuleSet::Ns3 => (Duration::ZERO, answer),
        };
        Profile {
            slot: settings.slot,
            sifs: settings.sifs,
            difs,
            edca: matches!(settings.format, Format::HighThroughput { .. }),
            eifs,
            eifs_beyond_difs,
            nav_reset: (settings.sifs + settings.slot) * 2 + cts + settings.preamble,
            rts: settings.air_time(settings.basic_rate, settings.rts),
            rts_mode: format.mode(basic),
            cts,
            cts_mode: answer_mode(basic),
            acks,
            ack_modes,
            block_acks,
            shortest_ack: acks.into_iter().min().unwrap_or(cts),
            capture: Capture::new(radio),
            interference: radio.interference,
            noise: ofdm.map_or(0.0, |ofdm| ofdm.noise),
            gains: ofdm.map_or([1.0; Mode::MOST], |ofdm| nist::gains(&ofdm)),
            reception: radio.reception,
            receive_threshold,
            eifs_threshold: if locks_on_weak { f64::NEG_INFINITY } else { receive_threshold },
            departs: !locks_on_weak || radio.interference != setup::Interference::Ratio,
            beyond,
            settings,
        }
    }

    /// Whether interference is noise, and adds up.
    #[inline]
    pub fn adds_up(&self) -> bool {
        self.interference != setup::Interference::Ratio
    }

    /// Whether the receiver is one of OFDM.
    #[inline]
    pub fn is_ofdm(&self) -> bool {
        matches!(self.interference, setup::Interference::Ofdm(_))
    }

    /// Whether a receiver of OFDM turns to a frame that is stronger than the one that it receives.
    pub fn captures_stronger(&self) -> bool {
        self.reception == setup::Reception::MessageInMessage
    }

    /// How many times as strong as noise a frame is.
    pub fn above_noise(&self, power: f64) -> f64 {
        self.capture.in_watts(power) / self.noise
    }

    /// How long a test frame takes over a link with a signal of so many W, of which a `share` arrives whatever its power, at
    /// the rate at which it takes least; `None` without noise, or if nothing arrives.
    pub fn air_time_metric(&self, watts: f64, share: f64) -> Option<Duration> {
        if !self.is_ofdm() {
            return None;
        }
        let arrives = |mode: Mode| {
            let bits = self.settings.data_frame(TEST_FRAME).bits() as f64;
            share * nist::success(mode, bits, watts / self.noise * self.gain(mode))
        };
        let takes = |rate| {
            let (once, arrives) =
                (self.settings.exchange(rate, TEST_FRAME), arrives(self.mode(rate)));
            (arrives > LEAST_SHARE).then(|| once.scaled(1.0 / arrives))
        };
        self.settings.data_rates().into_iter().filter_map(takes).min()
    }

    /// How many times better than the error model the receiver of OFDM is in this mode.
    pub fn gain(&self, mode: Mode) -> f64 {
        self.gains[mode.index()]
    }

    /// The settings behind the durations.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Length of the data frame that carries a packet of `bytes` to one or to all.
    pub fn data_bytes(&self, bytes: Bytes) -> Bytes {
        self.settings.header + bytes
    }

    /// Length of the data frame that carries a packet of `bytes` to `to`.
    pub fn data_bytes_to(&self, to: u32, bytes: Bytes) -> Bytes {
        let address = if to == PAIR { SECOND_ADDRESS } else { Bytes(0) };
        self.data_bytes(bytes) + address
    }

    /// The rate of data for `to`: as `wanted`, or the MAC's own.
    pub fn rate(&self, to: u32, wanted: Rate) -> Rate {
        match (wanted, to) {
            (OWN_RATE, BROADCAST) => self.settings.basic_rate,
            (OWN_RATE, _) => self.settings.data_rate,
            _ => self.settings.format.nearest(wanted),
        }
    }

    /// The rate of a frame; `data` is that at which its packet was to be sent, if it has one.
    pub fn rate_of(&self, frame: &Frame, data: Option<Rate>) -> Rate {
        let Settings { format, basic_rate, .. } = self.settings;
        let serial = || data.filter(|_| frame.kind.is_data()).unwrap_or(basic_rate);
        format.rate(frame.mode).unwrap_or_else(serial)
    }

    /// The smallest contention window: as `wanted`, or the MAC's own.
    pub fn cw_min(&self, wanted: u32) -> u32 {
        match wanted {
            OWN_WINDOW => self.settings.cw_min,
            _ => wanted.min(self.settings.cw_max),
        }
    }

    /// How many slots go before those that are drawn.
    pub fn first(&self, wanted: u32) -> u32 {
        wanted.min(self.settings.cw_max)
    }

    /// Whether the receiver acknowledges data for `to`.
    pub fn acknowledges(&self, to: u32) -> bool {
        to != BROADCAST && self.settings.acknowledges
    }

    /// What goes before a frame of this class besides the preamble.
    pub fn extra_preamble(&self, class: FrameClass) -> Bytes {
        if class == FrameClass::Data { self.settings.data_preamble } else { Bytes(0) }
    }

    /// Air time of a data frame of `frame` bytes, MAC header included, at `rate`.
    pub fn data(&self, frame: Bytes, rate: Rate) -> Duration {
        self.settings.air_time(rate, frame)
    }

    /// The mode of a data frame at `rate`.
    pub fn mode(&self, rate: Rate) -> Mode {
        self.settings.format.mode(rate)
    }

    /// Air time of the link acknowledgment of a data frame in this mode.
    pub fn ack(&self, mode: Mode) -> Duration {
        self.acks[mode.index()]
    }

    /// Air time of the block acknowledgment of a frame in this mode.
    pub fn block_ack(&self, mode: Mode) -> Duration {
        self.block_acks[mode.index()].0
    }

    /// Air time of the frame that asks for that.
    pub fn block_ack_request(&self, mode: Mode) -> Duration {
        self.block_acks[mode.index()].1
    }

    /// The mode of that link acknowledgment.
    pub fn ack_mode(&self, mode: Mode) -> Mode {
        self.ack_modes[mode.index()]
    }

    /// Whether a data frame of `frame` bytes is announced by an RTS.
    pub fn needs_rts(&self, frame: Bytes) -> bool {
        self.settings.rts_threshold.is_some_and(|threshold| frame > threshold)
    }

    /// The duration field of the RTS before a data frame: CTS, data and its `answer` with their gaps; two
    /// of the three frames come back.
    pub fn rts_reserves(&self, data: Duration, answer: Duration) -> Duration {
        whole_micros(self.sifs * 3 + self.cts + data + answer + self.beyond * 2)
    }

    /// The duration field of the CTS that answers an RTS with `reserved`.
    pub fn cts_reserves(&self, reserved: Duration) -> Duration {
        reserved.saturating_sub(self.sifs + self.cts + self.beyond)
    }

    /// The duration field of a frame with an `answer` of that length.
    pub fn data_reserves(&self, answer: Duration) -> Duration {
        whole_micros(self.sifs + answer + self.beyond)
    }

    /// How much later than a link acknowledgment that of a second receiver is sent.
    pub fn second_acknowledgment(&self, mode: Mode) -> Duration {
        self.sifs + self.ack(mode) + self.beyond
    }

    /// The duration field of a data frame that two receivers acknowledge.
    pub fn pair_reserves(&self, mode: Mode) -> Duration {
        whole_micros(self.second_acknowledgment(mode) * 2)
    }

    /// How long after the start of a data frame the last of two acknowledgments has failed to come.
    pub fn pair_timeout(&self, data: Duration, mode: Mode) -> Duration {
        self.ack_timeout(data, self.ack(mode)) + self.second_acknowledgment(mode)
    }

    /// How long after the start of an RTS the CTS has failed to come.
    pub fn cts_timeout(&self) -> Duration {
        self.rts + self.sifs + self.cts + NS2_ROUND_TRIP + self.beyond
    }

    /// How long after the start of a data frame its `answer` has failed to come.
    pub fn ack_timeout(&self, data: Duration, answer: Duration) -> Duration {
        data + self.sifs + answer + NS2_ROUND_TRIP + self.beyond
    }

    /// How long after the start of a CTS with `reserved` the data has failed to come; what is
    /// beyond ns-2's allowance is part of `reserved`. Nobody knows at which rate it comes.
    pub fn data_timeout(&self, reserved: Duration) -> Duration {
        (self.cts + reserved + NS2_ROUND_TRIP).saturating_sub(self.sifs + self.shortest_ack)
    }
}

/// Duration fields count whole microseconds.
fn whole_micros(span: Duration) -> Duration {
    Duration::from_nanos((span.nanos() + 500) / 1000 * 1000)
}
