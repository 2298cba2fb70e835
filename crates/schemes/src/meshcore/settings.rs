//! The parameters of one node as values, and the times that follow from them.

use multihop_core::{Bytes, Duration, LinkTiming, Params};

use super::firmware::{
    DIRECT_SEND_PERHOP_EXTRA, DIRECT_SEND_PERHOP_FACTOR, FLOOD_SEND_TIMEOUT_FACTOR, MAX_LOOPS,
    MAX_RX_DELAY, MIN_RX_DELAY, POOLS, SCORE_LENGTH, SEND_TIMEOUT_BASE,
};
use super::header::Sizes;
use super::neighbours::Delays;
use super::overheard::Redundancy;
use super::parameters::{
    ACK_SIZE, ATTEMPTS, DIRECT_TXDELAY, FLOOD_ADVERTS, FLOOD_AFTER, FLOOD_MAX, FLOOD_MAX_ADVERT,
    FLOOD_MAX_UNSCOPED, KEYS, KNOWS_REGION, LOOP_DETECT, LoopDetect, NOISE_FLOOR, PATH_HASH, POOL,
    RELAYS_UNSCOPED, ROLE, RXDELAY, Role, SCOPED, SENDER_NAME, SNR_THRESHOLD, TXDELAY,
};
use super::proposals::{
    AUTOTUNE, ECHO_WAIT, REDUNDANCY, REDUNDANCY_ADAPTS, REDUNDANCY_STRONG, REDUNDANCY_WEAK,
    RELAY_ATTEMPTS,
};

/// The values of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) relays: bool,
    pub(super) delays: Delays,
    pub(super) autotune: bool,
    pub(super) snr_threshold: f64,
    pub(super) noise_floor: f64,
    pub(super) flood_max: u32,
    pub(super) flood_max_unscoped: u32,
    pub(super) flood_max_advert: u32,
    loops: Option<[usize; 3]>,
    pub(super) path_hash: u8,
    pub(super) scoped: bool,
    /// Whether it relays floods without region codes, and with them.
    pub(super) relays_regions: [bool; 2],
    pub(super) attempts: u32,
    pub(super) flood_after: u32,
    pub(super) flood_adverts: u32,
    pub(super) sizes: Sizes,
    pub(super) pool: usize,
    pub(super) keys: u64,
    pub(super) redundancy: Redundancy,
    pub(super) relay_attempts: u32,
    pub(super) echo_wait: Duration,
    link: LinkTiming,
}

impl Settings {
    /// As `params` says.
    pub(super) fn new(params: &Params) -> Self {
        let role = params.get(ROLE);
        let pool = params.values.given(POOL).unwrap_or(POOLS[usize::from(role == Role::Companion)]);
        let loops = match params.get(LOOP_DETECT) {
            LoopDetect::Minimal => Some(MAX_LOOPS[0]),
            LoopDetect::Moderate => Some(MAX_LOOPS[1]),
            LoopDetect::Strict => Some(MAX_LOOPS[2]),
            LoopDetect::Off => None,
        };
        Settings {
            relays: role == Role::Repeater,
            delays: Delays {
                tx: params.get(TXDELAY),
                direct: params.get(DIRECT_TXDELAY),
                rx: params.get(RXDELAY),
            },
            autotune: params.get(AUTOTUNE),
            snr_threshold: params.get(SNR_THRESHOLD),
            noise_floor: params.get(NOISE_FLOOR),
            flood_max: params.get(FLOOD_MAX),
            flood_max_unscoped: params.get(FLOOD_MAX_UNSCOPED),
            flood_max_advert: params.get(FLOOD_MAX_ADVERT),
            loops,
            path_hash: params.get(PATH_HASH) as u8,
            scoped: params.get(SCOPED),
            relays_regions: [params.get(RELAYS_UNSCOPED), params.get(KNOWS_REGION)],
            attempts: params.get(ATTEMPTS),
            flood_after: params.get(FLOOD_AFTER),
            flood_adverts: params.get(FLOOD_ADVERTS),
            sizes: Sizes {
                sender_name: params.get(SENDER_NAME).0 as usize,
                ack: params.get(ACK_SIZE).0 as usize,
            },
            pool: pool as usize,
            keys: params.values.given(KEYS).unwrap_or(KEYS.default),
            redundancy: Redundancy {
                most: params.get(REDUNDANCY),
                weak: params.get(REDUNDANCY_WEAK),
                strong: params.get(REDUNDANCY_STRONG),
                adapts: params.get(REDUNDANCY_ADAPTS),
            },
            relay_attempts: params.get(RELAY_ATTEMPTS),
            echo_wait: params.get(ECHO_WAIT),
            link: params.link,
        }
    }

    /// How long a packet of so many bytes is on the air, in whole ms.
    pub(super) fn air_time(&self, packet: u32) -> u64 {
        self.exact_air_time(packet) / Duration::from_millis(1)
    }

    /// How long a packet of so many bytes is on the air.
    pub(super) fn exact_air_time(&self, packet: u32) -> Duration {
        self.link.exchange_time(Bytes(packet))
    }

    /// The longest time in ms for which a relay of a packet of so many bytes waits, with this factor (`MyMesh.cpp`,
    /// `getRetransmitDelay`).
    pub(super) fn longest_delay(&self, packet: u32, factor: f64) -> u64 {
        5 * (self.air_time(packet) as f64 * factor) as u64
    }

    /// For how many ms a flood of so many bytes with this signal-to-noise ratio in dB is held, where `base` is that of
    /// its delay (`Dispatcher.cpp`, `checkRecv`).
    pub(super) fn rx_delay(&self, base: f64, (packet, on_air): (u32, u32), snr: f64) -> u64 {
        if base <= 0.0 {
            return 0;
        }
        let above = (snr - self.snr_threshold) / 10.0;
        let score = (above * (1.0 - f64::from(on_air) / SCORE_LENGTH)).clamp(0.0, 1.0);
        let times = libm::pow(base, 0.85 - score) - 1.0;
        let held = (times * self.air_time(packet) as f64) as u64;
        if held < MIN_RX_DELAY { 0 } else { held.min(MAX_RX_DELAY) }
    }

    /// How often its own hash of so many bytes may not stand in the path of a flood that it relays.
    pub(super) fn loops(&self, size: u8) -> Option<usize> {
        self.loops.map(|loops| loops[usize::from(size.clamp(1, 3)) - 1])
    }

    /// How long the app waits for the acknowledgment of a text of so many bytes without its path
    /// (`calcFloodTimeoutMillisFor`, `calcDirectTimeoutMillisFor`).
    pub(super) fn patience(&self, packet: u32, hops: Option<u8>) -> Duration {
        let air_time = self.air_time(packet);
        Duration::from_millis(match hops {
            None => SEND_TIMEOUT_BASE + FLOOD_SEND_TIMEOUT_FACTOR * air_time,
            Some(hops) => {
                let hop = DIRECT_SEND_PERHOP_FACTOR * air_time + DIRECT_SEND_PERHOP_EXTRA;
                SEND_TIMEOUT_BASE + hop * (u64::from(hops) + 1)
            }
        })
    }
}
