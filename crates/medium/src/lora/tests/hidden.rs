//! Two hidden relays, against theory.

use multihop_core::{Bytes, Duration, NodeId, Purpose, Rng};

use super::air::{Air, HIDDEN, broadcast, millis};
use super::settings;

const MESSAGES: u32 = 4_000;

/// Two relays that do not hear each other each send a copy after 0 to `5 t` ms, of which every one is as likely and `t` is
/// `factor` times the time on air, in whole milliseconds (MeshCore, `getRetransmitDelay`). The node between them gets both
/// unless they overlap by more than the grace of ten symbols: the difference of two uniform delays is that large with
/// probability `(1 - (T - 10 Ts) / (5 f T))^2`.
fn both_arrive(keys: &str, factor: f64) -> (f64, f64) {
    let settings = settings(keys);
    let air_time = settings.modulation.air_time(settings.frame(Bytes(60)));
    let window = 5 * (air_time.scaled(factor) / millis(1));
    let mut rng = Rng::stream(1, NodeId(0), Purpose::Other);
    let mut air = Air::new(keys, HIDDEN);
    let mut arrived = 0;
    for _ in 0..MESSAGES {
        let start = air.now + millis(10_000);
        air.log.clear();
        let mut delays = [0, 2].map(|node| (rng.below(window as u32 + 1), node));
        delays.sort_unstable();
        for (delay, node) in delays {
            air.run(start + millis(delay.into()));
            air.offer(node, &broadcast(40));
        }
        air.run(start + millis(10_000));
        arrived += u32::from(air.heard(1).len() == 2);
    }
    let symbols = |span: Duration| span.seconds() / settings.modulation.symbols(1.0).seconds();
    let harmed = (symbols(air_time) - 10.0) / (5.0 * factor * symbols(air_time));
    (f64::from(arrived) / f64::from(MESSAGES), (1.0 - harmed) * (1.0 - harmed))
}

#[test]
fn two_hidden_relays_get_through_as_often_as_theory_says() {
    // The preamble of 16 symbols that meshcore_simv2 has: its share at 0.5 is 0.408 with a standard error of 0.009.
    let keys = "preset = \"meshcore-sf8\"\npreamble = 16";
    for factor in [0.3, 0.5, 1.0] {
        let (found, expected) = both_arrive(keys, factor);
        let error = libm::sqrt(expected * (1.0 - expected) / f64::from(MESSAGES));
        assert!((found - expected).abs() < 3.0 * error, "{factor}: {found} against {expected}");
    }
}
