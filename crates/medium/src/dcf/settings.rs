//! What [mac] means: timing, windows and limits of the 802.11 DCF, and of the reduced CSMA, which has its timing.

use multihop_core::{Bytes, Duration, LinkTiming, NETWORK_HEADER_LEN, Rate, Value, Values};
use multihop_setup::{Carried, Hearing, Interference, Mac, Ofdm, Radio, Reception, Refusal};

use super::nist;
use super::parameters::{
    AGGREGATION, AGGREGATION_SIZE, AIFSN, BASIC_RATE, COLLISION_FREE, CW_MAX, CW_MIN,
    DATA_PREAMBLE, DATA_RATE, EIFS, HEADER, LIFETIME, LINK_LAYER_DELAY, LONG_RETRY_LIMIT, PREAMBLE,
    RTS_CTS, RTS_THRESHOLD, RULES, RuleSet, SHORT_GUARD, SHORT_RETRY_LIMIT, SIFS, SLOT, TIMING,
    Timing,
};
use super::phy::{BUSY, DETECTABLE, Format, Mode};
use super::rates::{RATE, RateControl};
use super::window;

/// A data frame's MAC header with four addresses and FCS, as ns-2 2.35 counts.
const NS2_HEADER: Bytes = Bytes(34);

/// A data frame's MAC header with three addresses and FCS, and the LLC and SNAP headers.
const OFDM_HEADER: Bytes = Bytes(28 + 8);

/// The same with the control field of 802.11e.
const HT_HEADER: Bytes = Bytes(30 + 8);

/// A frame with 1000 bytes of payload.
const USUAL_FRAME: Bytes = Bytes(1064);

/// The rates of 802.11b, in bit/s.
pub const DSSS_RATES: [u64; 4] = [1_000_000, 2_000_000, 5_500_000, 11_000_000];

/// 802.11 timing and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether receivers acknowledge frames for them, so that the sender repeats what is lost: the DCF does, CXCC's
    /// reduced CSMA does not.
    pub acknowledges: bool,
    /// Whose rules they are, where ns-2 departs from the standard.
    pub rules: RuleSet,
    /// How stations choose the rates of unicast data frames.
    pub rate_control: &'static RateControl,
    /// Rate of unicast data frames; the highest, where stations choose.
    pub data_rate: Rate,
    /// Rate of control frames and broadcasts.
    pub basic_rate: Rate,
    /// The lowest rate that every station has, and uses: of the link acknowledgment that EIFS spares.
    pub lowest_rate: Rate,
    /// How the bits of frames stand behind their preambles.
    pub format: Format,
    /// Carrier frequency of OFDM's channels, in Hz; `None` for the other formats.
    pub frequency: Option<f64>,
    /// Slot time.
    pub slot: Duration,
    /// Short interframe space.
    pub sifs: Duration,
    /// How many slots after it a backoff begins to run.
    pub aifsn: u32,
    /// Smallest contention window: the backoff is drawn from 0..cw.
    pub cw_min: u32,
    /// Largest contention window.
    pub cw_max: u32,
    /// Attempts for RTS, and for data frames at most as long as the RTS threshold.
    pub short_retry_limit: u32,
    /// Attempts for data frames longer than the RTS threshold.
    pub long_retry_limit: u32,
    /// For how long a frame is repeated, from when the MAC has it; `None` where attempts alone count.
    pub lifetime: Option<Duration>,
    /// Data frames longer than this are preceded by RTS/CTS; `None` for never.
    pub rts_threshold: Option<Bytes>,
    /// Preamble and PLCP header or SIGNAL field before every frame.
    pub preamble: Duration,
    /// More of it before data frames, at their rate.
    pub data_preamble: Bytes,
    /// MAC header and FCS of a data frame.
    pub header: Bytes,
    /// RTS frame.
    pub rts: Bytes,
    /// CTS and ACK frames.
    pub cts_ack: Bytes,
    /// Whether to wait EIFS after a frame that could not be decoded.
    pub eifs: bool,
    /// Whether stations are told of frames that would be lost.
    pub is_collision_free: bool,
    /// How far packets are aggregated, if they are.
    pub aggregation: Option<Aggregation>,
    /// How long a packet takes through the layers between an idle MAC and the routing above, up
    /// or down.
    pub link_layer_delay: Duration,
}

/// What the timing of a physical layer says where nothing else does.
struct Layer {
    rules: RuleSet,
    format: Format,
    frequency: Option<f64>,
    slot: Duration,
    sifs: Duration,
    aifsn: u32,
    preamble: Duration,
    cw_min: u32,
    data_rate: Rate,
    /// Of control frames and broadcasts.
    basic_rate: Rate,
    header: Bytes,
    /// The lowest mandatory rate (802.11-2007, clauses 15, 17 and 19).
    lowest_rate: Rate,
}

impl Timing {
    fn layer(self, short_guard: bool) -> Layer {
        match self {
            // 802.11-2007, table 15-2 and 18.2.2: 144 us preamble and 48 us header
            Timing::Dsss => Layer {
                rules: RuleSet::Ns2,
                format: Format::Serial,
                frequency: None,
                basic_rate: Rate(1_000_000),
                header: NS2_HEADER,
                slot: Duration::from_micros(20),
                sifs: Duration::from_micros(10),
                aifsn: 2,
                preamble: Duration::from_micros(192),
                cw_min: 31,
                data_rate: Rate(1_000_000),
                lowest_rate: Rate(1_000_000),
            },
            // channel 36
            Timing::Ofdm5 => Layer {
                frequency: Some(5180e6),
                ..Layer::ofdm(Duration::from_micros(16), Duration::ZERO)
            },
            // channel 6; 802.11-2020, table 18-5 and 18.3.2.4: nothing is sent for 6 us, in which slow receivers decode
            Timing::Ofdm2 => Layer {
                frequency: Some(2437e6),
                ..Layer::ofdm(Duration::from_micros(10), Duration::from_micros(6))
            },
            // 802.11n in the same channel as 802.11a; best effort has AIFSN 3 (802.11-2020, table 9-155)
            Timing::Ht5 => Layer {
                format: Format::HighThroughput { short_guard },
                frequency: Some(5180e6),
                aifsn: 3,
                data_rate: Rate(if short_guard { 72_200_000 } else { 65_000_000 }),
                header: HT_HEADER,
                ..Layer::ofdm(Duration::from_micros(16), Duration::ZERO)
            },
            // HxH 1.2: 72 bits of preamble and 48 bits of header at 1 Mbit/s, and the SIFS of
            // OFDM; RTS, CTS, ACK and the spaces between the four frames take 792 us (equation
            // 1.1; docs/adr/0018)
            Timing::ErpMixed => Layer {
                rules: RuleSet::Ns2,
                format: Format::Serial,
                frequency: None,
                basic_rate: Rate(1_000_000),
                header: NS2_HEADER,
                slot: Duration::from_micros(20),
                sifs: Duration::from_micros(16),
                aifsn: 2,
                preamble: Duration::from_micros(120),
                cw_min: 31,
                data_rate: Rate(54_000_000),
                lowest_rate: Rate(1_000_000),
            },
        }
    }
}

impl Layer {
    /// 802.11-2020, table 17-21: 16 us of preamble and 4 us of SIGNAL.
    const fn ofdm(sifs: Duration, extension: Duration) -> Self {
        Layer {
            rules: RuleSet::Standard,
            format: Format::Symbols { extension },
            frequency: None,
            slot: Duration::from_micros(9),
            sifs,
            aifsn: 2,
            preamble: Duration::from_micros(20),
            cw_min: 15,
            data_rate: Rate(54_000_000),
            basic_rate: Rate(6_000_000),
            header: OFDM_HEADER,
            lowest_rate: Rate(6_000_000),
        }
    }
}

/// How far packets are aggregated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aggregation {
    /// The longest frame.
    pub longest: Duration,
    /// The largest.
    pub largest: Bytes,
}

/// Every frame has this life in ns-3 (3.37: `WifiMacQueue::MaxDelay`). It counts no attempts of a packet in an A-MPDU, and
/// asks for a block acknowledgment as long as one of them lives (`BlockAckManager::HandleInFlightMpdu` and
/// `NeedBarRetransmission`). It counts lives from when frames come into the queue, this from when they leave it.
const NS3_LIFETIME: Duration = Duration::from_millis(500);

impl Settings {
    /// What the `values` of the DCF mean or, if nobody `acknowledges` frames, those of the reduced CSMA.
    pub fn new(values: &Values, acknowledges: bool) -> Self {
        let timing = values.given(TIMING).unwrap_or(Timing::Dsss);
        let layer = timing.layer(values.get(SHORT_GUARD));
        let rules = values.given(RULES).unwrap_or(layer.rules);
        let basic_rate = values.given(BASIC_RATE).unwrap_or(layer.basic_rate);
        let threshold = values.given(RTS_CTS).unwrap_or(false).then_some(Bytes(0));
        // ns-default.tcl: `LL set delay_ 25us`. The reduced CSMA has no such layer above it, and ns-3 has none.
        let has_link_layer = acknowledges && rules != RuleSet::Ns3;
        let link_layer_delay = Duration::from_micros(if has_link_layer { 25 } else { 0 });
        let lifetime = (rules == RuleSet::Ns3).then_some(NS3_LIFETIME);
        let lifetime = values.given(LIFETIME).or(lifetime);
        Settings {
            acknowledges,
            rules,
            rate_control: values.get(RATE),
            data_rate: values.given(DATA_RATE).unwrap_or(layer.data_rate),
            basic_rate,
            lowest_rate: basic_rate.min(layer.lowest_rate),
            format: layer.format,
            frequency: layer.frequency,
            slot: values.given(SLOT).unwrap_or(layer.slot),
            sifs: values.given(SIFS).unwrap_or(layer.sifs),
            aifsn: values.given(AIFSN).unwrap_or(layer.aifsn),
            cw_min: values.given(CW_MIN).unwrap_or(layer.cw_min),
            cw_max: values.get(CW_MAX),
            short_retry_limit: values.get(SHORT_RETRY_LIMIT),
            long_retry_limit: values.get(LONG_RETRY_LIMIT),
            lifetime: lifetime.filter(|span| acknowledges && *span > Duration::ZERO),
            rts_threshold: values.given(RTS_THRESHOLD).or(threshold),
            preamble: values.given(PREAMBLE).unwrap_or(layer.preamble),
            data_preamble: values.get(DATA_PREAMBLE),
            header: values.given(HEADER).unwrap_or(layer.header),
            rts: Bytes(20),
            cts_ack: Bytes(14),
            eifs: values.get(EIFS),
            is_collision_free: values.get(COLLISION_FREE),
            aggregation: match (layer.format, values.get(AGGREGATION)) {
                (Format::HighThroughput { .. }, longest)
                    if acknowledges && rules != RuleSet::Ns2 && longest > Duration::ZERO =>
                {
                    Some(Aggregation { longest, largest: values.get(AGGREGATION_SIZE) })
                }
                _ => None,
            },
            link_layer_delay: values.given(LINK_LAYER_DELAY).unwrap_or(link_layer_delay),
        }
    }

    /// The values of the parameters without a default, by their names. The first timing is the one that holds where none
    /// is given.
    pub(crate) fn named(&self) -> Vec<(&'static str, Value)> {
        let all = [
            (RULES.name, Value::Choice(self.rules as usize)),
            (RTS_CTS.name, Value::Switch(self.rts_threshold.is_some())),
            (TIMING.name, Value::Choice(0)),
            (DATA_RATE.name, Value::BitRate(self.data_rate)),
            (BASIC_RATE.name, Value::BitRate(self.basic_rate)),
            (SLOT.name, Value::Span(self.slot)),
            (SIFS.name, Value::Span(self.sifs)),
            (AIFSN.name, Value::Count(self.aifsn)),
            (PREAMBLE.name, Value::Span(self.preamble)),
            (CW_MIN.name, Value::Count(self.cw_min)),
            (HEADER.name, Value::Size(self.header)),
            (LINK_LAYER_DELAY.name, Value::Span(self.link_layer_delay)),
        ];
        let threshold = self.rts_threshold.map(|bytes| (RTS_THRESHOLD.name, Value::Size(bytes)));
        let life = Value::Span(self.lifetime.unwrap_or(Duration::ZERO));
        let life = self.acknowledges.then_some((LIFETIME.name, life));
        all.into_iter().chain(threshold).chain(life).collect()
    }

    /// Those of the stations of a medium; `None` where its MAC has no such timing.
    pub fn of(carried: &Carried) -> Option<Self> {
        Settings::with(carried.mac, &carried.values)
    }

    /// What `values` mean to `mac`; `None` if it has no such timing.
    pub fn with(mac: &Mac, values: &Values) -> Option<Self> {
        let is = |other: &Mac| *mac == *other;
        (is(&super::MAC) || is(&crate::csma::MAC)).then(|| Settings::new(values, is(&super::MAC)))
    }

    /// How many times as strong as another one a data frame must be to have a chance of one in ten.
    pub fn least_ratio(&self, radio: &Radio) -> f64 {
        match &radio.interference {
            Interference::Ofdm(receiver) => {
                nist::needed(receiver, self.mode(self.data_rate), USUAL_FRAME.bits() as f64, 0.1)
            }
            Interference::Ratio | Interference::Dsss => radio.capture_ratio,
        }
    }

    /// What stations make of signals by this radio.
    pub(crate) fn hearing(&self, radio: &Radio) -> Hearing {
        let over_later = self.least_ratio(radio);
        let takes_over = radio.reception == Reception::MessageInMessage;
        let (defers_from, noise) = match &radio.interference {
            Interference::Ofdm(receiver) => {
                let noticed = radio.receive_threshold.max(receiver.noise * DETECTABLE);
                (noticed.min(BUSY).max(radio.sense_threshold), receiver.noise)
            }
            Interference::Ratio | Interference::Dsss => (radio.sense_threshold, 0.0),
        };
        Hearing {
            defers_from,
            over_later,
            over_earlier: if takes_over { over_later } else { f64::INFINITY },
            adds_up: radio.interference != Interference::Ratio,
            noise,
        }
    }

    /// Whether the data rate is one of OFDM's formats.
    pub fn sends_ofdm(&self) -> bool {
        self.format != Format::Serial && self.format.has(self.data_rate)
    }

    pub(super) fn mode(&self, rate: Rate) -> Mode {
        self.format.mode(rate)
    }

    /// The least power in W at which a receiver of OFDM gets the data rate or, where stations choose rates, the basic one: of
    /// frames of 1064 B, 10 % are lost, and each stands far enough out of noise to be noticed.
    pub fn carrying_power(&self, receiver: &Ofdm) -> f64 {
        let rate = match self.rate_control.make {
            Some(_) => self.basic_rate.min(self.data_rate),
            None => self.data_rate,
        };
        let needed = nist::needed(receiver, self.mode(rate), USUAL_FRAME.bits() as f64, 0.9);
        receiver.noise * needed.max(DETECTABLE)
    }

    /// How long a frame of so many bytes is on the air at `rate`.
    pub fn air_time(&self, rate: Rate, frame: Bytes) -> Duration {
        self.preamble + self.format.air_time(rate, frame)
    }

    /// The longest frame in this mode of OFDM that is on the air for so long at most.
    pub(super) fn longest_frame(&self, mode: Mode, longest: Duration) -> Bytes {
        self.format.longest_frame(mode, longest.saturating_sub(self.preamble))
    }

    /// Air time of the CTS or link acknowledgment that answers a frame at `rate`.
    pub fn answer(&self, rate: Rate) -> Duration {
        self.air_time(self.format.answer(rate, self.basic_rate), self.cts_ack)
    }

    /// What an exchange of data at `rate` takes whatever the length of the data.
    pub(super) fn once(&self, rate: Rate) -> Duration {
        self.air_time(rate, Bytes(0)) + self.sifs + self.answer(rate)
    }

    /// What a frame at `rate` takes because of its length.
    pub(super) fn added(&self, rate: Rate, frame: Bytes) -> Duration {
        self.air_time(rate, frame) - self.air_time(rate, Bytes(0))
    }

    /// Length of the frame that carries a packet.
    pub(super) fn data_frame(&self, packet: Bytes) -> Bytes {
        self.header + packet
    }

    /// The rates that data may have.
    pub(super) fn data_rates(&self) -> Vec<Rate> {
        match self.rate_control.make {
            Some(_) => {
                let all = self.format.rates(self.basic_rate).into_iter();
                all.filter(|rate| *rate <= self.data_rate).collect()
            }
            None => vec![self.data_rate],
        }
    }

    /// How long a packet takes over a hop at this rate, half the smallest window of backoff included.
    pub(super) fn exchange(&self, rate: Rate, packet: Bytes) -> Duration {
        let hop = Settings { data_rate: rate, ..self.clone() }.hop();
        hop.overhead + hop.air_time(packet)
    }

    /// What a hop takes. A threshold for RTS is not looked at: long packets exceed it.
    pub(crate) fn hop(&self) -> LinkTiming {
        // ns-2 draws from 0 to the window less one
        let backoff = self.slot.scaled(f64::from(self.cw_min.saturating_sub(1)) / 2.0);
        let contention = self.sifs + self.slot * u64::from(self.aifsn) + backoff;
        let (fill, around) = self.format.fill(self.data_rate, self.header + self.data_preamble);
        let handshake = match self.rts_threshold {
            Some(_) => {
                let rts = self.air_time(self.basic_rate, self.rts);
                rts + self.answer(self.basic_rate) + self.sifs * 2
            }
            None => Duration::ZERO,
        };
        let link_acknowledgment = if self.acknowledges {
            self.sifs + self.answer(self.data_rate)
        } else {
            Duration::ZERO
        };
        LinkTiming {
            data_rate: self.data_rate,
            fill,
            overhead: contention + handshake + self.preamble + around + link_acknowledgment,
            link_acknowledgment,
            needed_ratio: self.sends_ofdm().then(|| {
                nist::usually_needed(self.mode(self.data_rate), USUAL_FRAME.bits() as f64, 0.9)
            }),
            batch: self.aggregation.filter(|_| self.acknowledges).map_or(1, |_| window::LONGEST),
        }
    }

    /// Refuses values that make no sense together, or not with this radio.
    pub(crate) fn check(&self, values: &Values, radio: Option<&Radio>) -> Result<(), Refusal> {
        check_timing(values)?;
        if values.given(RTS_CTS).is_some() && values.given(RTS_THRESHOLD).is_some() {
            let message = "takes the place of rts_cts; remove one of the two";
            return Err(Refusal::new(RTS_THRESHOLD.name, message));
        }
        if self.rules == RuleSet::Ns2
            && matches!(self.format, Format::HighThroughput { .. })
            && values.get(AGGREGATION) > Duration::ZERO
        {
            let message = "ns-2 has no frames of several packets; use \"ieee-802.11\" or \"ns3\", or set mac.aggregation = \
                           \"0 s\"";
            return Err(Refusal::new(RULES.name, message));
        }
        // Without a header of the MAC, a frame has that of the network at least.
        let shortest = self.header + Bytes(NETWORK_HEADER_LEN as u32);
        let control = Bytes(self.rts.0.min(self.cts_ack.0));
        for (key, rate, frame, is_known) in [
            (BASIC_RATE.name, self.basic_rate, control, self.format.has_basic(self.basic_rate)),
            (DATA_RATE.name, self.data_rate, shortest, self.format.has(self.data_rate)),
        ] {
            if !is_known {
                return Err(Refusal::new(key, self.known_rates(key)));
            }
            if self.air_time(rate, frame) == Duration::ZERO {
                let message = "frames would take no time; give a lower rate, or mac.preamble";
                return Err(Refusal::new(key, message));
            }
        }
        if self.cw_min > self.cw_max {
            let message =
                format!("must not exceed cw_max ({} against {})", self.cw_min, self.cw_max);
            let is_given = values.given(CW_MIN).is_some();
            return Err(Refusal::new(if is_given { CW_MIN } else { CW_MAX }.name, message));
        }
        self.rate_control.check(self.format, radio)?;
        match radio.map(|radio| radio.interference) {
            Some(Interference::Dsss) => self.check_rates(),
            Some(Interference::Ofdm(_)) => self.check_ofdm(),
            Some(Interference::Ratio) | None => Ok(()),
        }
    }

    /// Which rates there are for `key`.
    fn known_rates(&self, key: &str) -> &'static str {
        match self.format {
            Format::HighThroughput { short_guard: false } if key == DATA_RATE.name => {
                "802.11n has 6.5, 13, 19.5, 26, 39, 52, 58.5 and 65 Mbit/s, MCS 0 to 7; use one of them, or \
                 mac.timing = \"ofdm-5\" for the rates of 802.11a"
            }
            Format::HighThroughput { short_guard: true } if key == DATA_RATE.name => {
                "802.11n with short_guard has 7.2, 14.4, 21.7, 28.9, 43.3, 57.8, 65 and 72.2 Mbit/s, MCS 0 to 7; use \
                 one of them"
            }
            _ => "OFDM has 6, 9, 12, 18, 24, 36, 48 and 54 Mbit/s; use one of them",
        }
    }

    /// Refuses what does not go with a receiver of OFDM.
    fn check_ofdm(&self) -> Result<(), Refusal> {
        if self.format == Format::Serial {
            let message = "is no timing of OFDM, of which radio.interference = \"ofdm\" is; use \"ofdm-5\", \
                           \"ofdm-2.4\" or \"ht-5\", or remove radio.interference";
            return Err(Refusal::new(TIMING.name, message));
        }
        if self.rules == RuleSet::Ns2 {
            let message = "ns-2 has no receiver of OFDM; use \"ieee-802.11\" or \"ns3\", or set radio.interference = \
                           \"ratio\"";
            return Err(Refusal::new(RULES.name, message));
        }
        Ok(())
    }

    /// Refuses rates that 802.11b does not have.
    ///
    /// # Errors
    /// If there is one.
    pub fn check_rates(&self) -> Result<(), Refusal> {
        let mut rates =
            [(DATA_RATE.name, self.data_rate), (BASIC_RATE.name, self.basic_rate)].into_iter();
        let other = rates.find(|(_, rate)| !DSSS_RATES.contains(&rate.0));
        let message = "802.11b has 1, 2, 5.5 and 11 Mbit/s; use one of them";
        other.map_or(Ok(()), |(key, _)| Err(Refusal::new(key, message)))
    }
}

/// Refuses rates that 802.11b does not have where its timing holds and nobody has said so.
fn check_timing(values: &Values) -> Result<(), Refusal> {
    let own = [SLOT, SIFS, PREAMBLE].into_iter().all(|span| values.given(span).is_some());
    if values.given(TIMING).is_some() || own {
        return Ok(());
    }
    for key in [DATA_RATE, BASIC_RATE] {
        if let Some(rate) = values.given(key)
            && !DSSS_RATES.contains(&rate.0)
        {
            let message = format!(
                "{} is no rate of 802.11b (1, 2, 5.5 and 11 Mbit/s), whose slot and preamble hold \
                 unless mac.timing is given; set mac.timing = \"ofdm-2.4\" for those of 802.11g, or \"dsss\" \
                 to keep them at this rate. Ranges do not follow the rate: see [radio]",
                Value::BitRate(rate)
            );
            return Err(Refusal::new(key.name, message));
        }
    }
    Ok(())
}
