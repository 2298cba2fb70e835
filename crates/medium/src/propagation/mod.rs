//! How power falls with distance: one file per model.
//!
//! The formulas but that of `log_distance` are those of ns-2 2.35 (`propagation.cc`, `tworayground.cc`, `shadowing.cc`)
//! with antenna gains and system loss of one.

pub mod free_space;
pub mod log_distance;
pub mod log_normal_shadowing;
pub mod two_ray_ground;

use multihop_setup::PropagationModel;

/// The models; the first is the default.
pub static PROPAGATIONS: &[&PropagationModel] = &[
    &two_ray_ground::MODEL,
    &free_space::MODEL,
    &log_normal_shadowing::MODEL,
    &log_distance::MODEL,
];
