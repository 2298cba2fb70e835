//! One rate for all frames.

use super::RateControl;

pub(super) const CONTROL: RateControl = RateControl {
    name: "fixed",
    source: "None",
    about: "Every frame has mac.data_rate",
    params: &[],
    needs_noise: false,
    make: None,
};
