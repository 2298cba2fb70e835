//! XCP's parameters.

use multihop_core::{Heeded, Param};

use crate::parts::explicit::parameters::{
    ACK_FEEDBACK, ALPHA, BETA, DUPLICATE_FEEDBACK, FORGET_AFTER, GAMMA, INITIAL_INTERVAL,
    LEAST_INTERVAL, LONGEST_INTERVAL, RESIDUE,
};
use crate::parts::tcp;

/// All of XCP.
pub(super) const PARAMS: [Param; 25] = tcp::heeding(
    tcp::with(&[
        ALPHA.param(),
        BETA.param(),
        GAMMA.param(),
        RESIDUE.param(),
        INITIAL_INTERVAL.param().at_most(LONGEST_INTERVAL.name),
        LEAST_INTERVAL.param().at_most(INITIAL_INTERVAL.name),
        LONGEST_INTERVAL.param(),
        FORGET_AFTER.param(),
        ACK_FEEDBACK.param(),
        DUPLICATE_FEEDBACK.param(),
        tcp::WINDOW_LIMIT.param(),
    ]),
    &["initial_threshold", "count_segments"],
    Heeded::Never("whose windows follow from feedback"),
);
