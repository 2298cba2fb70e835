//! The parameters of one node as values.

use multihop_core::Params;

use super::contention::Contention;
use super::firmware::{HOP_MAX, MESHTASTICATOR_RETX, NUM_RELIABLE_RETX};
use super::parameters::{
    ATTEMPTS, DIRECT_ATTEMPTS, EARLY_FLOOD, HOP_LIMIT, IMPLICIT_DIRECT, NEXT_HOPS, NOISE_FLOOR,
    RELAY_ATTEMPTS, RELAY_OFFSET, ROLE, RULES, Role, Rules, SLOT, SNR_CEILING,
};

/// The values of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) role: Role,
    pub(super) rules: Rules,
    pub(super) hop_limit: u8,
    /// How often it sends a text to everyone, and one to a single node.
    pub(super) attempts: [u32; 2],
    pub(super) relay_attempts: u32,
    pub(super) next_hops: bool,
    pub(super) early_flood: bool,
    pub(super) implicit_direct: bool,
    pub(super) noise_floor: f64,
    pub(super) contention: Contention,
}

impl Settings {
    /// As `params` says.
    pub(super) fn new(params: &Params) -> Self {
        let (role, rules) = (params.get(ROLE), params.get(RULES));
        let simulator = rules.is_simulator();
        let most = if simulator { MESHTASTICATOR_RETX } else { NUM_RELIABLE_RETX };
        let attempts = params.values.given(ATTEMPTS).unwrap_or(most);
        let direct = params.values.given(DIRECT_ATTEMPTS).unwrap_or(most);
        Settings {
            role,
            rules,
            hop_limit: params.get(HOP_LIMIT).min(HOP_MAX) as u8,
            attempts: [attempts, direct],
            relay_attempts: params.get(RELAY_ATTEMPTS),
            next_hops: params.get(NEXT_HOPS) && !simulator,
            early_flood: params.get(EARLY_FLOOD),
            implicit_direct: params.get(IMPLICIT_DIRECT),
            noise_floor: params.get(NOISE_FLOOR),
            contention: Contention {
                rules,
                role,
                slot: params.get(SLOT),
                snr_ceiling: params.get(SNR_CEILING),
                offset: if role.is_mobile() { params.get(RELAY_OFFSET) } else { 0 },
                link: params.link,
            },
        }
    }
}
