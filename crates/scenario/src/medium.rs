//! What carries the frames: from ranges to thresholds, from a profile's name to its timing.

use multihop_core::{Bytes, Duration, MacAccess, NETWORK_HEADER_LEN, Rate};

use crate::bounds::{ROUNDING, within};
use crate::error::Fault;
use crate::form::{
    InterferenceKind, MacSection, PropagationKind, RadioSection, ReceptionKind, RulesKind,
    Scenario, Timing, WiredSection,
};
use crate::ns3::{DSSS_RATES, check_rates};
use crate::quantity::{BitRate, Decibel, Frequency, Number, Power, Size, Span};
use crate::thresholds::{Thresholds, thresholds};
use crate::topology::longer_than_nothing;
use multihop_setup::{
    Interference, Links, Mac, Medium, Propagation, Radio, Reception, Rules, Wired,
};

/// The largest contention window that 802.11 implementations can express in their registers.
const LARGEST_WINDOW: u32 = 65_535;

/// The key that decides up to where nodes are neighbours on `medium`.
pub(crate) fn range_key(medium: &Medium) -> &'static str {
    match medium {
        Medium::Radio(..) => "radio.receive_range",
        Medium::Wired(_) => "wired.neighbour_range",
    }
}

/// The medium of `scenario` for a scheme that uses the MAC in this way.
pub(crate) fn medium(scenario: &Scenario, access: MacAccess) -> Result<Medium, Fault> {
    if let Some(section) = &scenario.wired {
        let other = [("radio", scenario.radio.is_some()), ("mac", scenario.mac.is_some())];
        if let Some((name, _)) = other.iter().find(|(_, given)| *given) {
            let message = format!("takes the place of [radio] and [mac]; remove it or [{name}]");
            return Err(Fault::new("wired", message));
        }
        return Ok(Medium::Wired(wired(section)?));
    }
    by_radio(scenario.radio.as_ref(), scenario.mac.as_ref(), access)
}

/// The medium of these sections for a scheme that uses the MAC in this way.
pub(crate) fn by_radio(
    section: Option<&RadioSection>,
    mac_section: Option<&MacSection>,
    access: MacAccess,
) -> Result<Medium, Fault> {
    let radio = radio(&section.cloned().unwrap_or_default())?;
    let mac = mac(&mac_section.cloned().unwrap_or_default(), access)?;
    if radio.interference == Interference::Dsss {
        check_rates(&mac)?;
    }
    Ok(Medium::Radio(radio, mac))
}

fn wired(section: &WiredSection) -> Result<Wired, Fault> {
    let queue = section.queue.unwrap_or(50);
    at_least_one("wired.queue", queue)?;
    let range = match &section.neighbour_range {
        None => 250.0,
        Some(range) => longer_than_nothing("wired.neighbour_range", range)?,
    };
    Ok(Wired {
        rate: rate("wired.rate", section.rate.as_ref(), 1_000_000)?,
        delay: section.delay.as_ref().map_or(Duration::from_millis(1), Span::duration),
        queue: queue as usize,
        neighbour_range: range * (1.0 + ROUNDING),
    })
}

fn radio(section: &RadioSection) -> Result<Radio, Fault> {
    let kind = section.propagation.unwrap_or(PropagationKind::TwoRayGround);
    let propagation = propagation(section, kind)?;
    let mut radio = Radio {
        propagation,
        transmit_power: positive(
            "radio.transmit_power",
            section.transmit_power.as_ref().map_or(0.281_838_15, Power::value),
        )?,
        frequency: positive(
            "radio.frequency",
            section.frequency.as_ref().map_or(914e6, Frequency::value),
        )?,
        antenna_height: match &section.antenna_height {
            None => 1.5,
            Some(height) => longer_than_nothing("radio.antenna_height", height)?,
        },
        receive_threshold: 0.0,
        sense_threshold: 0.0,
        capture_ratio: within(
            "radio.capture_ratio",
            section.capture_ratio.unwrap_or(Number(10.0)),
            |ratio| ratio >= 1.0,
            "must be at least 1",
        )?,
        reception: match section.reception {
            None | Some(ReceptionKind::Ns2) => Reception::Ns2,
            Some(ReceptionKind::MessageInMessage) => Reception::MessageInMessage,
            Some(ReceptionKind::FirstDecodable) => Reception::FirstDecodable,
        },
        interference: match section.interference {
            None | Some(InterferenceKind::Ratio) => Interference::Ratio,
            Some(InterferenceKind::Dsss) => Interference::Dsss,
        },
        bit_error_rate: within(
            "radio.bit_error_rate",
            section.bit_error_rate.unwrap_or(Number(0.0)),
            |rate| (0.0..1.0).contains(&rate),
            "must be at least 0 and below 1",
        )?,
        neighbour_range: 0.0,
        links: Links::default(),
    };
    let Thresholds { receive, sense, range } = thresholds(section, &radio)?;
    radio.receive_threshold = receive;
    radio.sense_threshold = sense;
    radio.neighbour_range = range;
    Ok(radio)
}

fn propagation(section: &RadioSection, kind: PropagationKind) -> Result<Propagation, Fault> {
    let shadowing_only = [
        ("path_loss_exponent", section.path_loss_exponent.is_some()),
        ("shadowing_deviation", section.shadowing_deviation.is_some()),
        ("range_probability", section.range_probability.is_some()),
    ];
    if kind != PropagationKind::LogNormalShadowing
        && let Some((key, _)) = shadowing_only.iter().find(|(_, given)| *given)
    {
        let message = "applies only to propagation \"log-normal-shadowing\"";
        return Err(Fault::new(format!("radio.{key}"), message));
    }
    Ok(match kind {
        PropagationKind::FreeSpace => Propagation::FreeSpace,
        PropagationKind::TwoRayGround => Propagation::TwoRayGround,
        PropagationKind::LogNormalShadowing => Propagation::LogNormalShadowing {
            exponent: within(
                "radio.path_loss_exponent",
                section.path_loss_exponent.unwrap_or(Number(4.0)),
                |exponent| exponent > 0.0 && exponent <= 20.0,
                "must be above 0 and at most 20",
            )?,
            deviation: section.shadowing_deviation.as_ref().map_or(4.0, Decibel::value),
        },
    })
}

/// Timing and smallest contention window of a profile.
struct Profile {
    slot: Duration,
    sifs: Duration,
    preamble: Duration,
    cw_min: u32,
    data_rate: u64,
    /// The lowest mandatory rate (802.11-2007, clauses 15, 17 and 19).
    lowest_rate: Rate,
}

impl Timing {
    fn profile(self) -> Profile {
        match self {
            // 802.11-2007, table 15-2 and 18.2.2: 144 us preamble and 48 us header
            Timing::Dsss => Profile {
                slot: Duration::from_micros(20),
                sifs: Duration::from_micros(10),
                preamble: Duration::from_micros(192),
                cw_min: 31,
                data_rate: 1_000_000,
                lowest_rate: Rate(1_000_000),
            },
            // 802.11-2007, tables 17-15 and 19-6: 20 us preamble and signal, 6 us extension
            Timing::Ofdm => Profile {
                slot: Duration::from_micros(9),
                sifs: Duration::from_micros(10),
                preamble: Duration::from_micros(26),
                cw_min: 15,
                data_rate: 54_000_000,
                lowest_rate: Rate(6_000_000),
            },
            // HxH 1.2: 72 bits of preamble and 48 bits of header at 1 Mbit/s, and the SIFS of
            // OFDM; RTS, CTS, ACK and the spaces between the four frames take 792 us (equation
            // 1.1; docs/adr/0018)
            Timing::ErpMixed => Profile {
                slot: Duration::from_micros(20),
                sifs: Duration::from_micros(16),
                preamble: Duration::from_micros(120),
                cw_min: 31,
                data_rate: 54_000_000,
                lowest_rate: Rate(1_000_000),
            },
        }
    }
}

/// ns-default.tcl: `LL set delay_ 25us`. The reduced CSMA MAC has no such layer above it, and ns-3 has none.
fn link_layer_delay(access: MacAccess, rules: Rules) -> Duration {
    match (access, rules) {
        (MacAccess::Csma, _) | (_, Rules::Ns3) => Duration::ZERO,
        (MacAccess::Dcf, Rules::Ns2 | Rules::Standard) => Duration::from_micros(25),
    }
}

fn mac(section: &MacSection, access: MacAccess) -> Result<Mac, Fault> {
    let profile = section.timing.unwrap_or(Timing::Dsss).profile();
    let span = |given: &Option<Span>, default| given.as_ref().map_or(default, Span::duration);
    let rules = match section.rules {
        None | Some(RulesKind::Ns2) => Rules::Ns2,
        Some(RulesKind::Standard) => Rules::Standard,
        Some(RulesKind::Ns3) => Rules::Ns3,
    };
    let basic_rate = rate("mac.basic_rate", section.basic_rate.as_ref(), 1_000_000)?;
    check_timing(section)?;
    let mac = Mac {
        access,
        rules,
        data_rate: rate("mac.data_rate", section.data_rate.as_ref(), profile.data_rate)?,
        basic_rate,
        lowest_rate: basic_rate.min(profile.lowest_rate),
        slot: span(&section.slot, profile.slot),
        sifs: span(&section.sifs, profile.sifs),
        cw_min: section.cw_min.unwrap_or(profile.cw_min),
        cw_max: section.cw_max.unwrap_or(1023),
        short_retry_limit: section.short_retry_limit.unwrap_or(7),
        long_retry_limit: section.long_retry_limit.unwrap_or(4),
        rts_threshold: rts_threshold(section, access)?,
        preamble: span(&section.preamble, profile.preamble),
        data_preamble: section.data_preamble.as_ref().map_or(Bytes(0), Size::bytes),
        header: section.header.as_ref().map_or(Bytes(34), Size::bytes),
        rts: Bytes(20),
        cts_ack: Bytes(14),
        eifs: section.eifs.unwrap_or(true),
        link_layer_delay: span(&section.link_layer_delay, link_layer_delay(access, rules)),
    };
    for (key, span, given) in [("slot", mac.slot, &section.slot), ("sifs", mac.sifs, &section.sifs)]
    {
        if let (Duration::ZERO, Some(given)) = (span, given) {
            let message = format!("must be longer than zero (got {given})");
            return Err(Fault::new(format!("mac.{key}"), message));
        }
    }
    for (key, span, given) in [
        ("slot", mac.slot, &section.slot),
        ("sifs", mac.sifs, &section.sifs),
        ("preamble", mac.preamble, &section.preamble),
        ("link_layer_delay", mac.link_layer_delay, &section.link_layer_delay),
    ] {
        // beyond a second the sums in the MAC's deferral and NAV would mean nothing
        if let (true, Some(given)) = (span > Duration::from_millis(1000), given) {
            return Err(Fault::new(
                format!("mac.{key}"),
                format!("must be at most 1 s (got {given})"),
            ));
        }
    }
    // Without a header of the MAC, a frame has that of the network at least.
    let shortest = mac.header + Bytes(NETWORK_HEADER_LEN as u32);
    let control = Bytes(mac.rts.0.min(mac.cts_ack.0));
    for (key, rate, frame) in
        [("basic_rate", mac.basic_rate, control), ("data_rate", mac.data_rate, shortest)]
    {
        if mac.preamble + rate.air_time(frame) == Duration::ZERO {
            let message = "frames would take no time; give a lower rate, or mac.preamble";
            return Err(Fault::new(format!("mac.{key}"), message));
        }
    }
    at_least_one("mac.cw_min", mac.cw_min)?;
    at_least_one("mac.short_retry_limit", mac.short_retry_limit)?;
    at_least_one("mac.long_retry_limit", mac.long_retry_limit)?;
    if mac.cw_max > LARGEST_WINDOW {
        let message = format!("must be at most {LARGEST_WINDOW} (got {})", mac.cw_max);
        return Err(Fault::new("mac.cw_max", message));
    }
    if mac.cw_min > mac.cw_max {
        let message = format!("must not exceed cw_max ({} against {})", mac.cw_min, mac.cw_max);
        let key = if section.cw_min.is_some() { "mac.cw_min" } else { "mac.cw_max" };
        return Err(Fault::new(key, message));
    }
    for (key, bytes) in [("header", mac.header), ("data_preamble", mac.data_preamble)] {
        if bytes.0 > 2304 {
            let message = format!("must be at most 2304 B (got {bytes})");
            return Err(Fault::new(format!("mac.{key}"), message));
        }
    }
    Ok(mac)
}

/// Refuses rates that 802.11b does not have where its timing holds and nobody has said so.
fn check_timing(section: &MacSection) -> Result<(), Fault> {
    let own = section.slot.is_some() && section.sifs.is_some() && section.preamble.is_some();
    if section.timing.is_some() || own {
        return Ok(());
    }
    for (key, given) in [("data_rate", &section.data_rate), ("basic_rate", &section.basic_rate)] {
        if let Some(given) = given
            && given.rate() != Rate(0)
            && !DSSS_RATES.contains(&given.rate().0)
        {
            let message = format!(
                "{given} is no rate of 802.11b (1, 2, 5.5 and 11 Mbit/s), whose slot and preamble hold \
                 unless mac.timing is given; set mac.timing = \"ofdm\" for those of 802.11g, or \"dsss\" \
                 to keep them at this rate. Ranges do not follow the rate: see [radio]"
            );
            return Err(Fault::new(format!("mac.{key}"), message));
        }
    }
    Ok(())
}

fn rts_threshold(section: &MacSection, access: MacAccess) -> Result<Option<Bytes>, Fault> {
    let message = "does not apply: this scheme's reduced CSMA MAC has no RTS/CTS; remove it";
    match (access, section.rts_cts, &section.rts_threshold) {
        (MacAccess::Csma, Some(true), _) => return Err(Fault::new("mac.rts_cts", message)),
        (MacAccess::Csma, _, Some(_)) => return Err(Fault::new("mac.rts_threshold", message)),
        _ => {}
    }
    match (section.rts_cts, &section.rts_threshold) {
        (Some(_), Some(_)) => {
            let message = "takes the place of rts_cts; remove one of the two";
            Err(Fault::new("mac.rts_threshold", message))
        }
        (Some(true), None) => Ok(Some(Bytes(0))),
        (_, given) => Ok(given.as_ref().map(Size::bytes)),
    }
}

fn rate(key: &str, given: Option<&BitRate>, default: u64) -> Result<Rate, Fault> {
    match given.map(|given| (given, given.rate())) {
        None => Ok(Rate(default)),
        Some((given, Rate(0))) => {
            Err(Fault::new(key, format!("must be greater than zero (got {given})")))
        }
        Some((_, rate)) => Ok(rate),
    }
}

fn at_least_one(key: &str, value: u32) -> Result<(), Fault> {
    if value == 0 { Err(Fault::new(key, "must be at least 1 (got 0)")) } else { Ok(()) }
}

fn positive(key: &str, value: f64) -> Result<f64, Fault> {
    within(key, Number(value), |value| value > 0.0, "must be greater than zero")
}
