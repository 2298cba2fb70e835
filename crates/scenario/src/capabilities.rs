//! Whether a MAC can do what a scheme needs.

use multihop_core::{Forwarding, Params, Scheme};
use multihop_setup::Carried;

use crate::error::Fault;

/// Refuses a scheme, which `key` names, that needs of its MAC what this one cannot do, or does itself what this one does.
pub(crate) fn check_capabilities(
    (scheme, key): (&Scheme, &str),
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
    Err(Fault::new(key, message))
}

/// Refuses a scheme, which `key` names, whose packets spread in another way than those of the scheme under test: routing
/// is one protocol for all.
pub(crate) fn check_alike(tested: &Scheme, other: &Scheme, key: &str) -> Result<(), Fault> {
    if tested.forwarding == other.forwarding {
        return Ok(());
    }
    let how = |scheme: &Scheme| match scheme.forwarding {
        Forwarding::Flood => format!("'{}' sends packets to all neighbours", scheme.name),
        Forwarding::NextHop => format!("'{}' sends them to one next hop", scheme.name),
    };
    let message = format!(
        "{}, but {}, and all nodes have the same routing; name a scheme of the same kind",
        how(tested),
        how(other)
    );
    Err(Fault::new(key, message))
}
