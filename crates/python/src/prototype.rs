//! Schemes that are written in Python.
//!
//! ```text
//! Scheme (Python) --register--> core's Scheme, in the registry that scenarios are read with
//!                                 hop, transport: parts that call Python
//! ```
//!
//! What each word means to who writes a scheme stands in `python/multihop/prototype`.
//!
//! ```text
//! scheme     what Python says of a scheme; the registry
//! class      what makes parts of nodes
//! part       an object of Python that is a part of a node, and its exceptions
//!   hop, transport, control   the traits
//! context, packet, frame, params   what methods get and return
//! header     what both layers write
//! words      names of causes, events, classes
//! ```

mod class;
mod context;
mod control;
mod frame;
mod header;
mod hop;
mod packet;
mod params;
mod part;
mod scheme;
mod transport;
mod words;

use pyo3::prelude::*;

pub use header::FORMATS;
pub use part::caught;
pub use scheme::{beside, registry};

/// Add all that Python needs for schemes of its own.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<context::Context>()?;
    module.add_class::<control::Tcp>()?;
    module.add_class::<frame::Received>()?;
    module.add_class::<frame::Request>()?;
    module.add_class::<frame::Sent>()?;
    module.add_class::<params::AirTime>()?;
    module.add_class::<params::Params>()?;
    module.add_class::<packet::Flow>()?;
    module.add_class::<packet::Message>()?;
    module.add_class::<packet::Packet>()?;
    module.add_function(wrap_pyfunction!(scheme::register, module)?)?;
    module.add_function(wrap_pyfunction!(scheme::unregister, module)?)
}
