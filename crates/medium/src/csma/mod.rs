//! The reduced CSMA of CXCC 6: carrier sense and backoff of the 802.11 DCF, and nothing that answers a frame. There
//! are no link acknowledgments, no repetitions and no RTS/CTS: the scheme above has its own.

use multihop_core::{Capability, Heeded, Param};
use multihop_setup::{Mac, Refusal};

use crate::dcf::parameters::{
    COLLISION_FREE, CW_MAX, LINK_LAYER_DELAY, LONG_RETRY_LIMIT, RTS_CTS, RULES, RULES_OF,
    SHORT_RETRY_LIMIT, TIMES,
};
use crate::dcf::{LONGEST_PACKET, Settings, stations};

/// A parameter of the DCF about what this MAC has not.
const fn without(param: Param) -> Param {
    Param { heeded: Heeded::Never("which repeats no frame"), ..param }
}

/// The reduced CSMA.
pub static MAC: Mac = Mac {
    name: "csma",
    title: "reduced CSMA",
    source: "CXCC 6 (Scheuermann, Lochert, Mauve: Implicit hop-by-hop congestion control in wireless multihop networks)",
    about: "Carrier sense and backoff only: no link acknowledgments, no repetitions, no RTS/CTS",
    offers: &[
        Capability::Unicast,
        Capability::Withdrawal,
        Capability::Overhearing,
        Capability::AirTime,
        Capability::FirstSlot,
    ],
    words: &[],
    longest_packet: |_| LONGEST_PACKET,
    params: &[
        RULES.param().or(RULES_OF),
        RTS_CTS.param().or("false"),
        TIMES[0],
        TIMES[1],
        TIMES[2],
        TIMES[3],
        TIMES[4],
        TIMES[5],
        TIMES[6],
        TIMES[7],
        without(CW_MAX.param()),
        without(SHORT_RETRY_LIMIT.param()),
        without(LONG_RETRY_LIMIT.param()),
        TIMES[8],
        TIMES[9],
        TIMES[10],
        TIMES[11],
        COLLISION_FREE.param(),
        LINK_LAYER_DELAY.param().or("\"0 s\""),
    ],
    otherwise: |values| Settings::new(values, false).named(),
    check: |values, radio| {
        let message = "does not apply: the reduced CSMA MAC has no RTS/CTS; remove it";
        if values.given(RTS_CTS) == Some(true) {
            return Err(Refusal::new(RTS_CTS.name, message));
        }
        Settings::new(values, false).check(values, radio)
    },
    floors: None,
    hearing: Some(|values, radio| Settings::new(values, false).hearing(radio)),
    hop: |values| Settings::new(values, false).hop(),
    make: stations,
};
