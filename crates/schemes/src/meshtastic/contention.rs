//! How long a frame waits at an idle channel: `RadioInterface.cpp`.

use multihop_core::{Bytes, ContentionClass, Duration, LinkTiming};

use super::firmware::{CW_MAX, CW_MIN, PROCESSING_TIME, SNR_MAX, SNR_MIN};
use super::parameters::{Role, Rules};

/// What the waits of a node depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contention {
    pub(super) rules: Rules,
    pub(super) role: Role,
    /// The MAC's slot.
    pub(super) slot: Duration,
    /// Readings of the signal-to-noise ratio end here, in dB.
    pub(super) snr_ceiling: f64,
    /// Slots before a relay besides all others.
    pub(super) offset: u32,
    pub(super) link: LinkTiming,
}

/// Arduino's `map` of whole numbers: in proportion, cut off towards zero.
const fn map(value: i64, from: (i64, i64), to: (i64, i64)) -> i64 {
    (value - from.0) * (to.1 - to.0) / (from.1 - from.0) + to.0
}

const fn slots(exponent: i64) -> u32 {
    1 << if exponent < 0 {
        0
    } else if exponent > 15 {
        15
    } else {
        exponent
    }
}

impl Contention {
    const fn smallest(&self) -> i64 {
        match self.rules {
            Rules::Meshtasticator => CW_MIN - 1,
            Rules::Firmware | Rules::MeshtasticatorCorrected => CW_MIN,
        }
    }

    /// The exponent of an own frame's window at this utilisation, from 0 to 1 (`getTxDelayMsec`).
    fn own_exponent(&self, utilisation: f64) -> i64 {
        map((utilisation * 100.0) as i64, (0, 100), (self.smallest(), CW_MAX))
    }

    /// The exponent of the window of a relay whose copy came with this signal-to-noise ratio in dB (`getCWsize`).
    fn relay_exponent(&self, snr: f64) -> i64 {
        if self.rules == Rules::Meshtasticator {
            let snr = snr.clamp(-20.0, 15.0);
            return ((snr + 20.0) * 6.0 / 35.0 + 2.0) as i64;
        }
        map(snr.min(self.snr_ceiling) as i64, (SNR_MIN, SNR_MAX), (CW_MIN, CW_MAX)).max(0)
    }

    /// The window of an own frame.
    pub(super) fn own(&self, utilisation: f64) -> ContentionClass {
        ContentionClass::window(slots(self.own_exponent(utilisation)))
    }

    /// The window of a relay (`getTxDelayMsecWeighted`).
    pub(super) fn relay(&self, snr: f64) -> ContentionClass {
        let exponent = self.relay_exponent(snr);
        if self.role.goes_first() {
            return ContentionClass::window(u32::try_from(2 * exponent).unwrap_or(1).max(1));
        }
        let first = match self.rules {
            Rules::Meshtasticator => 0,
            Rules::Firmware | Rules::MeshtasticatorCorrected => 2 * CW_MAX as u32,
        };
        ContentionClass { first: first + self.offset, ..ContentionClass::window(slots(exponent)) }
    }

    /// When the late window begins, from now on (`clampToLateRebroadcastWindow`).
    pub(super) fn late(&self, snr: f64) -> Duration {
        self.slot * (2 * CW_MAX as u64 + u64::from(slots(self.relay_exponent(snr))))
    }

    /// What a relay of a packet of this length takes on average, with its wait.
    pub(super) fn mean_relay(&self, packet: Bytes) -> Duration {
        let mean = slots(i64::midpoint(CW_MAX, self.smallest())) / 2;
        self.link.exchange_time(packet) + self.slot * (2 * CW_MAX as u64 + u64::from(mean))
    }

    /// When a packet of this length is sent again that nobody has acknowledged (`getRetransmissionMsec`).
    pub(super) fn retransmission(&self, packet: Bytes, utilisation: f64) -> Duration {
        let window = u64::from(slots(self.own_exponent(utilisation)));
        let mean = u64::from(slots(i64::midpoint(CW_MAX, self.smallest())));
        let routers = match self.rules {
            Rules::Meshtasticator => 0,
            Rules::Firmware | Rules::MeshtasticatorCorrected => 2 * CW_MAX as u64,
        };
        self.link.exchange_time(packet) * 2
            + self.slot * (window + routers + mean)
            + PROCESSING_TIME
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Rate;

    use super::*;

    fn of(rules: Rules, role: Role) -> Contention {
        let link = LinkTiming::of_rate(Rate(1_000));
        let (slot, snr_ceiling) = (Duration::from_millis(28), 10.0);
        Contention { rules, role, slot, snr_ceiling, offset: 0, link }
    }

    /// Rule 2: 3..8 for 0..100 %, whole numbers cut off; Meshtasticator begins with 2.
    #[test]
    fn the_window_of_an_own_frame_grows_with_the_utilisation() {
        let firmware = of(Rules::Firmware, Role::Client);
        for (percent, window) in
            [(0, 8), (19, 8), (20, 16), (39, 16), (40, 32), (99, 128), (100, 256)]
        {
            assert_eq!(
                firmware.own(f64::from(percent) / 100.0 + 1e-9).cw_min,
                window,
                "{percent} %"
            );
        }
        let simulator = of(Rules::Meshtasticator, Role::Client);
        assert_eq!([0.0, 0.34, 1.0].map(|used| simulator.own(used).cw_min), [4, 16, 256]);
    }

    /// Rule 3: 3..8 for -20..10 dB, not clamped below; behind the 16 slots of the routers.
    #[test]
    fn the_window_of_a_relay_grows_with_its_signal() {
        let client = of(Rules::Firmware, Role::Client);
        let cases =
            [(-32.0, 2), (-25.9, 8), (-20.0, 8), (-15.0, 8), (-14.9, 16), (9.9, 128), (46.0, 256)];
        for (snr, window) in cases {
            let class = client.relay(snr);
            assert_eq!((class.first, class.cw_min), (16, window), "{snr} dB");
        }
        let router = of(Rules::Firmware, Role::Router);
        for (snr, window) in [(-20.0, 6), (-14.0, 8), (10.0, 16)] {
            let class = router.relay(snr);
            assert_eq!((class.first, class.cw_min), (0, window), "{snr} dB");
        }
        assert_eq!(of(Rules::Firmware, Role::RouterLate).relay(-20.0), client.relay(-20.0));
        let simulator = of(Rules::Meshtasticator, Role::Client);
        for (snr, window) in [(-30.0, 4), (-8.4, 8), (-8.0, 16), (14.9, 128), (40.0, 256)] {
            let class = simulator.relay(snr);
            assert_eq!((class.first, class.cw_min), (0, window), "{snr} dB");
        }
    }

    /// Rule 13: two frames, 8 + 16 + 32 slots of 28 ms, and 4.5 s.
    #[test]
    fn a_packet_is_sent_again_after_what_a_relay_may_take() {
        let firmware = of(Rules::Firmware, Role::Client);
        let expected = Duration::from_millis(2 * 800 + 56 * 28 + 4_500);
        assert_eq!(firmware.retransmission(Bytes(100), 0.0), expected);
        let simulator = of(Rules::Meshtasticator, Role::Client);
        let expected = Duration::from_millis(2 * 800 + 36 * 28 + 4_500);
        assert_eq!(simulator.retransmission(Bytes(100), 0.0), expected);
        assert_eq!(firmware.late(10.0), Duration::from_millis((16 + 256) * 28));
    }
}
