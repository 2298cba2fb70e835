//! The parameters of [mac] with the 802.11 DCF.

use multihop_core::{
    Alternative, BitRate, Bytes, Choice, Count, Duration, Param, Rate, Size, Span, Switch, While,
};

use super::rates::{self, RATE};

/// Whose rules a MAC keeps where ns-2 departs from IEEE 802.11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSet {
    /// ns-2's.
    Ns2,
    /// The standard's.
    Standard,
    /// ns-3's: the standard's, but that a backoff is drawn only where a frame finds the medium busy when it comes.
    Ns3,
}

/// A physical layer's timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// 802.11b with the long preamble.
    Dsss,
    /// 802.11a.
    Ofdm5,
    /// 802.11g, where all stations have it.
    Ofdm2,
    /// 802.11n with one stream in 20 MHz.
    Ht5,
    /// 802.11g beside older stations.
    ErpMixed,
}

/// The most bytes of an A-MPDU that a receiver's capabilities can allow (802.11-2020, table 9-163).
const LARGEST: Bytes = Bytes(65_535);

/// The longest PPDU of 802.11n (802.11-2020, table 19-25).
const LONGEST_PPDU: Duration = Duration::from_micros(5_484);

/// The largest contention window that 802.11 implementations can express in their registers.
const LARGEST_WINDOW: u32 = 65_535;

/// The longest body of a data frame (802.11-2007, 7.1.2).
const LONGEST_BODY: Bytes = Bytes(2304);

/// Beyond a second the sums in the MAC's deferral and NAV would mean nothing.
const LONGEST_SPAN: Duration = Duration::from_millis(1000);

pub(crate) const RULES: Choice<RuleSet> = Choice {
    name: "rules",
    about: "Whose rules it keeps where ns-2 departs from the standard",
    among: &[
        Alternative { name: "ns2", about: "ns-2's, on which the papers ran" },
        Alternative {
            name: "ieee-802.11",
            about: "The standard's: first attempts without backoff, EIFS that ends with the next good \
                    frame, answers that heed the NAV alone",
        },
        Alternative {
            name: "ns3",
            about: "ns-3's: the standard's, but that a frame that finds the medium idle never draws a \
                    backoff, not even if the medium becomes busy before the frame goes, and that an RTS is repeated \
                    until it is answered",
        },
    ],
    values: &[RuleSet::Ns2, RuleSet::Standard, RuleSet::Ns3],
};

pub(crate) const RTS_CTS: Switch =
    Switch { name: "rts_cts", about: "RTS/CTS before every unicast data frame", default: false };

pub(crate) const RTS_THRESHOLD: Size = Size {
    name: "rts_threshold",
    about: "RTS/CTS before unicast data frames longer than this; instead of rts_cts",
    default: Bytes(256),
    min: Bytes(0),
    max: Bytes(u32::MAX),
};

const ANY_RATE: (Rate, Rate) = (Rate(1), Rate(u64::MAX));

pub(crate) const DATA_RATE: BitRate = BitRate {
    name: "data_rate",
    about: "Rate of unicast data frames; the highest one, where rate chooses",
    default: Rate(11_000_000),
    min: ANY_RATE.0,
    max: ANY_RATE.1,
};

pub(crate) const BASIC_RATE: BitRate = BitRate {
    name: "basic_rate",
    about: "Rate of RTS and broadcasts; with dsss and erp-mixed also of answers, which OFDM sends at the highest of 6, 12 \
            and 24 Mbit/s that is not above the frame's",
    default: Rate(2_000_000),
    min: ANY_RATE.0,
    max: ANY_RATE.1,
};

pub(crate) const TIMING: Choice<Timing> = Choice {
    name: "timing",
    about: "How frames are made; where the defaults of rules, rates, slot, sifs, preamble, cw_min and header come from",
    among: &[
        Alternative {
            name: "dsss",
            about: "802.11b at 1, 2, 5.5 and 11 Mbit/s with the long preamble",
        },
        Alternative { name: "ofdm-5", about: "802.11a: OFDM at 6 to 54 Mbit/s" },
        Alternative {
            name: "ofdm-2.4",
            about: "802.11g at 6 to 54 Mbit/s where all stations have it: 802.11a's frames with a signal \
                    extension, and a shorter SIFS",
        },
        Alternative {
            name: "ht-5",
            about: "802.11n with one stream in 20 MHz, MCS 0 to 7 (6.5 to 65 Mbit/s): HT-mixed frames, best effort",
        },
        Alternative {
            name: "erp-mixed",
            about: "802.11g at up to 54 Mbit/s beside older stations: long slots, a preamble and control \
                    frames that all of them decode",
        },
    ],
    values: &[Timing::Dsss, Timing::Ofdm5, Timing::Ofdm2, Timing::Ht5, Timing::ErpMixed],
};

const fn span(name: &'static str, about: &'static str, example: u64, min: u64) -> Span {
    Span {
        name,
        about,
        bare_unit: "",
        default: Duration::from_micros(example),
        min: Duration::from_nanos(min),
        max: LONGEST_SPAN,
    }
}

pub(crate) const SLOT: Span = span("slot", "Slot time", 20, 1);
pub(crate) const SIFS: Span = span("sifs", "Short interframe space", 10, 1);
pub(crate) const PREAMBLE: Span =
    span("preamble", "Preamble and PLCP header or SIGNAL field before every frame", 192, 0);

pub(crate) const AIFSN: Count = Count {
    name: "aifsn",
    about: "How many slots after SIFS the medium must have been idle before a backoff runs (DIFS, AIFS)",
    unit: "slots",
    default: 2,
    min: 1,
    max: 15,
};

pub(crate) const SHORT_GUARD: Switch = Switch {
    name: "short_guard",
    about: "The short guard interval in data of 802.11n, which makes MCS 0 to 7 7.2 to 72.2 Mbit/s",
    default: false,
};

pub(crate) const AGGREGATION: Span = Span {
    name: "aggregation",
    about: "The longest frame (PPDU) into which a station of 802.11n gathers packets for one neighbour (A-MPDU); \"0 s\": \
            each packet goes alone",
    bare_unit: "",
    default: LONGEST_PPDU,
    min: Duration::ZERO,
    max: LONGEST_PPDU,
};

pub(crate) const AGGREGATION_SIZE: Size = Size {
    name: "aggregation_size",
    about: "The largest A-MPDU",
    default: LARGEST,
    min: Bytes(1),
    max: LARGEST,
};

pub(crate) const LIFETIME: Span = Span {
    name: "lifetime",
    about: "For how long a frame is repeated at most, from when the MAC has it (dot11EDCATableMSDULifetime). Packets of an \
            A-MPDU have no limit of attempts then, nor have RTS by ns-3's rules; \"0 s\": attempts alone count",
    bare_unit: "",
    default: Duration::ZERO,
    min: Duration::ZERO,
    max: Duration::from_millis(100_000_000),
};

pub(crate) const DATA_PREAMBLE: Size = Size {
    name: "data_preamble",
    about: "So many bytes more of preamble before data frames, at their rate; not before control frames of \
            a scheme, and not before RTS, CTS and link acknowledgments. Nobody reads them",
    default: Bytes(0),
    min: Bytes(0),
    max: LONGEST_BODY,
};

pub(crate) const CW_MIN: Count = Count {
    name: "cw_min",
    about: "Smallest contention window",
    unit: "slots",
    default: 31,
    min: 1,
    max: LARGEST_WINDOW,
};

pub(crate) const CW_MAX: Count = Count {
    name: "cw_max",
    about: "Largest contention window",
    unit: "slots",
    default: 1023,
    min: 1,
    max: LARGEST_WINDOW,
};

pub(crate) const SHORT_RETRY_LIMIT: Count = Count {
    name: "short_retry_limit",
    about: "Attempts for RTS, and for data frames without RTS",
    unit: "",
    default: 7,
    min: 1,
    max: u32::MAX,
};

pub(crate) const LONG_RETRY_LIMIT: Count = Count {
    name: "long_retry_limit",
    about: "Attempts for data frames with RTS",
    unit: "",
    default: 4,
    min: 1,
    max: u32::MAX,
};

pub(crate) const HEADER: Size = Size {
    name: "header",
    about: "MAC header and FCS of a data frame: as ns-2 2.35 counts, with four addresses, or with three and LLC/SNAP",
    default: Bytes(34),
    min: Bytes(0),
    max: LONGEST_BODY,
};

pub(crate) const EIFS: Switch = Switch {
    name: "eifs",
    about: "Whether to wait EIFS after a frame that could not be decoded",
    default: true,
};

pub(crate) const COLLISION_FREE: Switch = Switch {
    name: "collision_free",
    about: "An oracle that no station has, as an upper reference: before a station begins, it is told whether that would \
            lose a frame, its own or another one's, and then it contends anew later",
    default: false,
};

pub(crate) const LINK_LAYER_DELAY: Span = span(
    "link_layer_delay",
    "How long a packet takes from the routing to an idle MAC, and from the MAC to the routing: ns-2's \
     delay_ of its link layer",
    25,
    0,
);

pub(crate) const RULES_OF: &str =
    "\"ns2\" (dsss, erp-mixed), \"ieee-802.11\" (ofdm-5, ofdm-2.4, ht-5)";
const BASIC: &str = "\"1 Mbit/s\" (dsss, erp-mixed), \"6 Mbit/s\" (ofdm-5, ofdm-2.4, ht-5)";
const DATA: &str = "\"1 Mbit/s\" (dsss), \"65 Mbit/s\" (ht-5; \"72.2 Mbit/s\" with short_guard), \"54 Mbit/s\" (the others)";
const WINDOW: &str = "31 (dsss, erp-mixed), 15 (ofdm-5, ofdm-2.4, ht-5)";

/// Those that say how long frames and the spaces between them are, which the reduced CSMA has in common.
pub(crate) const TIMES: [Param; 12] = [
    TIMING.param().or("\"dsss\""),
    DATA_RATE.param().or(DATA),
    BASIC_RATE.param().or(BASIC),
    SLOT.param().or("\"20 us\" (dsss, erp-mixed), \"9 us\" (ofdm-5, ofdm-2.4, ht-5)"),
    SIFS.param().or("\"10 us\" (dsss, ofdm-2.4), \"16 us\" (ofdm-5, ht-5, erp-mixed)"),
    PREAMBLE
        .param()
        .or("\"192 us\" (dsss), \"20 us\" (ofdm-5, ofdm-2.4, ht-5), \"120 us\" (erp-mixed)"),
    DATA_PREAMBLE.param(),
    CW_MIN.param().or(WINDOW),
    HEADER.param().or("\"34 B\" (dsss, erp-mixed), \"36 B\" (ofdm-5, ofdm-2.4), \"38 B\" (ht-5)"),
    EIFS.param(),
    AIFSN.param().or("3 (ht-5), 2 (the others)"),
    SHORT_GUARD.param().only_while("timing", While::Choice("ht-5")),
];

/// All of them.
pub(super) const PARAMS: &[Param] = &rates::joined::<{ rates::count(OWN.len()) }>(OWN);

/// Those that hold whoever chooses rates.
const OWN: &[Param] = &[
    RATE.param(),
    RULES.param().or(RULES_OF),
    RTS_CTS.param().or("false"),
    RTS_THRESHOLD.param().or("rts_cts decides"),
    TIMES[0],
    TIMES[1],
    TIMES[2],
    TIMES[3],
    TIMES[4],
    TIMES[5],
    TIMES[6],
    TIMES[7],
    CW_MAX.param(),
    SHORT_RETRY_LIMIT.param(),
    LONG_RETRY_LIMIT.param(),
    TIMES[8],
    TIMES[9],
    TIMES[10],
    TIMES[11],
    AGGREGATION.param().only_while("timing", While::Choice("ht-5")),
    AGGREGATION_SIZE.param().only_while("timing", While::Choice("ht-5")),
    LIFETIME.param().or("\"500 ms\" by ns-3's rules, else \"0 s\""),
    COLLISION_FREE.param(),
    LINK_LAYER_DELAY.param().or("\"25 us\", ns-2's, and \"0 s\" by ns-3's rules"),
];
