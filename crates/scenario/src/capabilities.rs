//! Whether a MAC can do what a scheme needs.

use multihop_core::{Params, Scheme};
use multihop_setup::Carried;

use crate::error::Fault;

/// Refuses a scheme that needs of its MAC what this one cannot do, or does itself what this one does.
pub(crate) fn check_capabilities(
    scheme: &Scheme,
    params: &Params,
    medium: &Carried,
) -> Result<(), Fault> {
    let (mac, can) = (medium.mac, |capability| medium.mac.can(capability));
    let by_radio = medium.radio().is_some();
    let name = if by_radio { format!("the {} MAC", mac.title) } else { "[wired]".to_owned() };
    let remedy = if by_radio {
        "use another mac.kind, or another scheme"
    } else {
        "remove [wired], or use another scheme"
    };
    let message = if let Some(lacking) = scheme.lacks(params, can) {
        format!("'{}' needs {lacking}, which {name} does not have; {remedy}", scheme.name)
    } else if let Some(doubled) = scheme.doubles(can).filter(|_| by_radio) {
        format!("'{}' does itself what {name} does, too: {doubled}; {remedy}", scheme.name)
    } else {
        return Ok(());
    };
    Err(Fault::new("scheme.name", message))
}
