//! Parts of another crate, which has this engine and them in one module of Python (ADR 0101).

use std::sync::OnceLock;

use multihop_core::{HeaderFormat, Scheme, Vocabulary};
use multihop_routing::RoutingProtocol;
use multihop_scenario::Registry;
use multihop_setup::Mac;

/// What another crate adds to the engine.
#[derive(Clone, Copy, Default)]
pub struct Extension {
    /// Its schemes.
    pub schemes: &'static [&'static Scheme],
    /// Its routing protocols.
    pub routings: &'static [&'static RoutingProtocol],
    /// Its MACs.
    pub macs: &'static [&'static Mac],
    /// The text of its sources. A store of runs keeps apart what engines of other sources have computed.
    pub sources: &'static [&'static str],
}

static EXTENSION: OnceLock<Extension> = OnceLock::new();

/// What this engine has beside the parts that are built in.
fn extension() -> Extension {
    EXTENSION.get().copied().unwrap_or_default()
}

/// The parts that are built in, and those of `extension` from now on. A process has one engine: a second extension
/// changes nothing.
pub fn extend(extension: Extension) {
    EXTENSION.get_or_init(|| extension);
}

/// What scenarios can name, without the schemes that are written in Python.
pub fn registry() -> Registry {
    let Extension { schemes, routings, macs, .. } = extension();
    let registry = schemes.iter().copied().fold(Registry::default(), Registry::with_scheme);
    let registry = routings.iter().copied().fold(registry, Registry::with_routing);
    macs.iter().copied().fold(registry, Registry::with_mac)
}

/// The compiled scheme of this name.
pub fn scheme(name: &str) -> Option<&'static Scheme> {
    registry().schemes.into_iter().find(|scheme| scheme.name == name)
}

/// The words that compiled parts declare.
pub fn vocabulary() -> impl Iterator<Item = Vocabulary> {
    let built_in = multihop_schemes::vocabulary().into_iter().chain(multihop_routing::vocabulary());
    let Extension { schemes, routings, .. } = extension();
    let schemes = schemes.iter().flat_map(|scheme| scheme.words);
    let routings = routings.iter().flat_map(|routing| routing.words);
    let macs = registry().macs.into_iter().flat_map(|mac| mac.words);
    built_in.chain(schemes.chain(routings).chain(macs).copied())
}

/// The headers that compiled parts write.
pub fn headers() -> impl Iterator<Item = &'static HeaderFormat> {
    let built_in = multihop_schemes::headers().into_iter().chain(multihop_routing::headers());
    let Extension { schemes, routings, .. } = extension();
    let schemes = schemes.iter().flat_map(|scheme| scheme.headers);
    built_in.chain(schemes.chain(routings.iter().flat_map(|routing| routing.headers)).copied())
}

/// The engine's name: a hash of its sources, and one of the extension's.
pub fn sources() -> String {
    let own = env!("MULTIHOP_SOURCES");
    match extension().sources {
        [] => own.to_owned(),
        texts => format!("{own}+{:016x}", hash(texts)),
    }
}

/// FNV-1a, 64 bits; the length of each text keeps it apart from the next.
fn hash(texts: &[&str]) -> u64 {
    let bytes = texts
        .iter()
        .flat_map(|text| (text.len() as u64).to_le_bytes().into_iter().chain(text.bytes()));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
