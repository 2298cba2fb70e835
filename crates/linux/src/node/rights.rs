//! What this process may do: as little as a node needs (capabilities(7)).

use std::io;

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, set_capabilities,
    set_no_new_privs,
};

/// What a node needs while it runs: to restore its address and its route, and on an interface to open it again.
pub fn needed(interface: bool) -> CapabilitySet {
    let raw = if interface { CapabilitySet::NET_RAW } else { CapabilitySet::empty() };
    CapabilitySet::NET_ADMIN | raw
}

/// None: routes are not restored then.
pub const fn none() -> CapabilitySet {
    CapabilitySet::empty()
}

/// Keep no other capabilities than these, and get none by programs that are started: there are none.
///
/// # Errors
/// If the kernel does not take them.
pub fn keep(wanted: CapabilitySet) -> io::Result<()> {
    set_no_new_privs(true)?;
    // who may not clear the set has none in it
    let _ = clear_ambient_capability_set();
    let all = capabilities(None)?;
    // a service may be forbidden to change its rights; it was given what it needs
    if wanted.contains(all.permitted) {
        return Ok(());
    }
    let permitted = all.permitted & wanted;
    let inheritable = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: permitted, permitted, inheritable })?)
}

/// Those of `wanted` that this process has not.
///
/// # Errors
/// If the kernel does not say.
pub fn missing(wanted: CapabilitySet) -> io::Result<CapabilitySet> {
    Ok(wanted - capabilities(None)?.effective)
}
