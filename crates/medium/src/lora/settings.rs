//! What [mac] with LoRa means.

use multihop_core::{
    Bytes, Dimension, Duration, LinkTiming, NETWORK_HEADER_LEN, Rate, Value, Values,
};
use multihop_setup::{Floors, Hearing, Refusal};

use super::access::Access;
use super::budget::{Budget, Limit};
use super::modulation::{LONGEST_FRAME, Modulation};
use super::parameters::{
    ACCESS, AccessKind, BANDWIDTH, Beyond, CAD, CAD_DELAY, CAD_FLOOR, CAD_MISS, CAD_SYMBOLS,
    CAPTURE_LOCKED, CAPTURE_UNLOCKED, CODING_RATE, DETECT_SYMBOLS, DUTY_CYCLE, DUTY_WINDOW,
    ENERGY_DELAY, ENERGY_THRESHOLD, FIRST, FORCE_AFTER, FORGIVEN, GRACE, HEADER, INTERFERE_FROM,
    INTERFERERS, LOCK_SYMBOLS, LOW_DATA_RATE, LowDataRate, NOISE_FIGURE, OVER_DUTY_CYCLE, PREAMBLE,
    PREAMBLE_TIMEOUT, PRESET, REDRAW, RETRY_DELAY, RETRY_MOST, SENSITIVITY, SLOT, SPREADING_FACTOR,
    WINDOW, WITHDRAW_AT_ONCE,
};
use super::presets::Mesh;
use super::receiver::Overlap;
use super::sensing::{Activity, Energy, Sensing};

/// Thermal noise at room temperature in dBm in 1 Hz.
const THERMAL_NOISE: f64 = -174.0;

/// How far above the noise, in dB, a frame has to be at spreading factor 7; each further factor needs 2.5 dB less (SX1276
/// data sheet, table 13).
const NEEDED_AT_7: f64 = -7.5;

/// Packets without their network header are shorter by this.
const NETWORK_HEADER: Bytes = Bytes(NETWORK_HEADER_LEN as u32);

/// What the values mean.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How bits become chirps.
    pub modulation: Modulation,
    /// Bytes of a frame before the headers of the scheme.
    pub header: Bytes,
    /// Power in dBm of the noise in a receiver.
    pub noise: f64,
    /// Power in dBm from which frames are decoded.
    pub sensitivity: f64,
    /// What overlapping frames do to each other.
    pub overlap: Overlap,
    /// What keeps a station from sending.
    pub sensing: Sensing,
    /// How it comes to send.
    pub access: Access,
    /// Whether a frame that is taken back leaves it at once, or when it would have been sent.
    pub withdraws_at_once: bool,
    /// How much it may send.
    pub limit: Option<Limit>,
}

impl Settings {
    /// What these `values` mean.
    pub fn new(values: &Values) -> Self {
        let modulation = modulation(values);
        let bandwidth = 10.0 * libm::log10(f64::from(modulation.bandwidth));
        let noise = THERMAL_NOISE + bandwidth + values.get(NOISE_FIGURE);
        let needed = NEEDED_AT_7 - 2.5 * f64::from(modulation.spreading_factor - 7);
        let sensitivity = values.given(SENSITIVITY).unwrap_or(noise + needed);
        let mesh = values.get(PRESET).mesh;
        let header = Bytes(if mesh == Mesh::Meshtastic { HEADER.default.0 } else { 0 });
        Settings {
            header: values.given(HEADER).unwrap_or(header),
            noise,
            sensitivity,
            overlap: overlap(values, &modulation, sensitivity),
            sensing: sensing(values, &modulation, sensitivity),
            access: access(values, &modulation),
            withdraws_at_once: values.get(WITHDRAW_AT_ONCE),
            limit: limit(values, &modulation),
            modulation,
        }
    }

    /// Bytes on the air of a frame with a packet of this length.
    pub fn frame(&self, packet: Bytes) -> Bytes {
        self.header + Bytes(packet.0.saturating_sub(NETWORK_HEADER.0))
    }

    /// The longest packet that a frame carries, network header included.
    pub const fn longest_packet(&self) -> Bytes {
        Bytes(LONGEST_FRAME.0 - self.header.0 + NETWORK_HEADER.0)
    }

    /// Bits a second of the code words, for tables.
    pub fn rate(&self) -> Rate {
        Rate(self.modulation.rate())
    }

    /// From which power on frames are decoded, and from which they matter at all.
    pub fn floors(&self) -> Floors {
        let Settings { sensitivity, .. } = *self;
        let cad = self.sensing.activity.map_or(sensitivity, |activity| activity.floor);
        let energy = self.sensing.energy.map_or(sensitivity, |energy| energy.threshold);
        let sense = sensitivity.min(self.overlap.interfere_from).min(cad).min(energy);
        Floors { receive: sensitivity, sense }
    }

    /// What stations make of signals: a station defers to what it receives, to what its channel activity detection finds
    /// more often than not, and to power.
    pub fn hearing(&self) -> Hearing {
        const OFTEN: f64 = 0.5;
        let cad = self.sensing.activity.filter(|activity| activity.miss < OFTEN);
        let cad = cad.map_or(self.sensitivity, |activity| activity.floor);
        let energy = self.sensing.energy.map_or(self.sensitivity, |energy| energy.threshold);
        let times = |level: f64| libm::pow(10.0, level / 10.0);
        let watts = |dbm: f64| times(dbm - 30.0);
        Hearing {
            defers_from: watts(self.sensitivity.min(cad).min(energy)),
            over_later: times(self.overlap.locked),
            over_earlier: times(self.overlap.unlocked),
            adds_up: false,
            noise: watts(self.noise),
        }
    }

    /// What a hop takes.
    pub fn hop(&self) -> LinkTiming {
        let added = self.header.0.cast_signed() - NETWORK_HEADER.0.cast_signed();
        let cad = self.sensing.activity.map_or(Duration::ZERO, |activity| activity.time);
        LinkTiming {
            data_rate: self.rate(),
            fill: self.modulation.fill(added),
            overhead: self.access.mean_delay() + cad + self.modulation.around(),
            link_acknowledgment: Duration::ZERO,
            needed_ratio: None,
            batch: 1,
        }
    }

    /// The values of the parameters without a default, by their names.
    pub fn named(&self, values: &Values) -> Vec<(&'static str, Value)> {
        let Modulation { spreading_factor, bandwidth, coding_rate, preamble, .. } = self.modulation;
        let mesh = values.get(PRESET).mesh;
        let symbols = |span: Duration| span.seconds() / self.modulation.symbols(1.0).seconds();
        let signal = |dbm| Value::Measure(dbm, Dimension::Signal);
        let hertz = Value::Measure(f64::from(bandwidth), Dimension::Frequency);
        let mut all = vec![
            (SPREADING_FACTOR.name, Value::Count(spreading_factor)),
            (BANDWIDTH.name, hertz),
            (CODING_RATE.name, Value::Choice(coding_rate as usize - 5)),
            (PREAMBLE.name, Value::Count(preamble)),
            (HEADER.name, Value::Size(self.header)),
            (SENSITIVITY.name, signal(self.sensitivity)),
            (INTERFERE_FROM.name, signal(self.overlap.interfere_from)),
            (GRACE.name, Value::Number(symbols(self.overlap.grace))),
            (DETECT_SYMBOLS.name, Value::Number(symbols(self.sensing.detection))),
            (CAD.name, Value::Switch(self.sensing.activity.is_some())),
            (CAD_DELAY.name, Value::Span(cad_delay(values, &self.modulation))),
            (OVER_DUTY_CYCLE.name, Value::Choice(over_duty_cycle(values, mesh) as usize)),
        ];
        match self.access {
            Access::Slots { slot, .. } => all.extend([
                (ACCESS.name, Value::Choice(AccessKind::Slots as usize)),
                (SLOT.name, Value::Span(slot)),
            ]),
            Access::Retry { .. } => {
                all.push((ACCESS.name, Value::Choice(AccessKind::Retry as usize)));
            }
        }
        all
    }

    /// Refuses values that make no sense together.
    pub fn check(&self) -> Result<(), Refusal> {
        let Overlap { interfere_from, grace, lock, .. } = self.overlap;
        if interfere_from > self.sensitivity {
            let message = format!(
                "must not be above the sensitivity, or frames that are decoded would do no harm ({interfere_from:.2} dBm \
                 against {:.2} dBm)",
                self.sensitivity
            );
            return Err(Refusal::new(INTERFERE_FROM.name, message));
        }
        let preamble = self.modulation.preamble_time();
        let within = [(LOCK_SYMBOLS.name, lock), (GRACE.name, grace)];
        let beyond = within.into_iter().find(|(_, span)| *span > preamble);
        if let Some((key, _)) = beyond {
            let symbols = self.modulation.preamble;
            let message = format!("must not be longer than the preamble of {symbols} symbols");
            return Err(Refusal::new(key, message));
        }
        let longest = self.longest_frame_time();
        match &self.limit {
            Some(limit) if !limit.admits(longest) => {
                let message = format!(
                    "a frame of {LONGEST_FRAME} takes {:.3} s, more than this share of duty_window; give more of \
                     one of the two",
                    longest.seconds()
                );
                Err(Refusal::new(DUTY_CYCLE.name, message))
            }
            _ => Ok(()),
        }
    }

    fn longest_frame_time(&self) -> Duration {
        self.modulation.air_time(LONGEST_FRAME)
    }

    /// What a station has of its budget when a run starts.
    pub fn budget(&self) -> Option<Budget> {
        self.limit.map(Budget::new)
    }
}

fn modulation(values: &Values) -> Modulation {
    let preset = values.get(PRESET);
    let spreading_factor = values.given(SPREADING_FACTOR).unwrap_or(preset.spreading_factor);
    // The radio's bandwidths are whole hertz, within a millionth.
    let bandwidth = values.given(BANDWIDTH).map_or(preset.bandwidth, |hertz| hertz.round() as u32);
    let is_slow = match values.get(LOW_DATA_RATE) {
        LowDataRate::Auto => Modulation::has_long_symbols(spreading_factor, bandwidth),
        LowDataRate::On => true,
        LowDataRate::Off => false,
    };
    Modulation {
        spreading_factor,
        bandwidth,
        coding_rate: values.given(CODING_RATE).unwrap_or(preset.coding_rate),
        preamble: values.given(PREAMBLE).unwrap_or_else(|| preset.preamble(spreading_factor)),
        is_slow,
    }
}

fn overlap(values: &Values, modulation: &Modulation, sensitivity: f64) -> Overlap {
    let lock = values.get(LOCK_SYMBOLS);
    let rest = (f64::from(modulation.preamble) - lock).max(0.0);
    Overlap {
        interfere_from: values.given(INTERFERE_FROM).unwrap_or(sensitivity),
        locked: values.get(CAPTURE_LOCKED),
        unlocked: values.get(CAPTURE_UNLOCKED),
        lock: modulation.symbols(lock),
        grace: modulation.symbols(values.given(GRACE).unwrap_or(rest)),
        forgiven: modulation.symbols(values.get(FORGIVEN)),
        interferers: values.get(INTERFERERS),
    }
}

fn cad_delay(values: &Values, modulation: &Modulation) -> Duration {
    values.given(CAD_DELAY).unwrap_or_else(|| modulation.symbols(values.get(CAD_SYMBOLS)))
}

fn sensing(values: &Values, modulation: &Modulation, sensitivity: f64) -> Sensing {
    let is_on = values.given(CAD).unwrap_or(values.get(PRESET).mesh == Mesh::Meshtastic);
    let activity = is_on.then(|| Activity {
        time: modulation.symbols(values.get(CAD_SYMBOLS)),
        delay: cad_delay(values, modulation),
        floor: sensitivity - values.get(CAD_FLOOR),
        miss: values.get(CAD_MISS),
    });
    let energy = |threshold| Energy { threshold, delay: values.get(ENERGY_DELAY) };
    let detection = values.given(DETECT_SYMBOLS).unwrap_or_else(|| values.get(LOCK_SYMBOLS));
    Sensing {
        detection: modulation.symbols(detection),
        timeout: modulation.preamble_time().scaled(values.get(PREAMBLE_TIMEOUT)),
        activity,
        energy: values.given(ENERGY_THRESHOLD).map(energy),
    }
}

fn access(values: &Values, modulation: &Modulation) -> Access {
    let of_mesh = match values.get(PRESET).mesh {
        Mesh::Meshtastic => AccessKind::Slots,
        Mesh::MeshCore => AccessKind::Retry,
    };
    match values.given(ACCESS).unwrap_or(of_mesh) {
        AccessKind::Slots => Access::Slots {
            slot: values.given(SLOT).unwrap_or_else(|| slot(modulation)),
            first: values.get(FIRST),
            window: values.get(WINDOW),
            redraws: values.get(REDRAW),
        },
        AccessKind::Retry => Access::Retry {
            delay: values.get(RETRY_DELAY),
            most: values.get(RETRY_MOST),
            force_after: values.get(FORCE_AFTER),
        },
    }
}

/// Meshtastic's slot (`RadioInterface.cpp`, `computeSlotTimeMsec`): channel activity detection over 2.5 symbols, the way of
/// the signal, and 7.6 ms of processor and radio, in whole milliseconds.
fn slot(modulation: &Modulation) -> Duration {
    let exact = modulation.symbols(2.5) + Duration::from_micros(7_600);
    Duration::from_millis(exact / Duration::from_millis(1))
}

fn over_duty_cycle(values: &Values, mesh: Mesh) -> Beyond {
    let of_mesh = if mesh == Mesh::Meshtastic { Beyond::Drop } else { Beyond::Wait };
    values.given(OVER_DUTY_CYCLE).unwrap_or(of_mesh)
}

fn limit(values: &Values, modulation: &Modulation) -> Option<Limit> {
    Some(Limit {
        share: values.given(DUTY_CYCLE)?,
        window: values.get(DUTY_WINDOW),
        beyond: over_duty_cycle(values, values.get(PRESET).mesh),
        reserve: modulation.air_time(LONGEST_FRAME).scaled(0.5),
    })
}
