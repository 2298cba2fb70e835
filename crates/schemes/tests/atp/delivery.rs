//! Every message arrives once and in order, whatever the path does.

use multihop_core::{NodeId, Packet, Purpose, Rng, RouteNews, Value};
use multihop_schemes::atp::SCHEME;
use proptest::prelude::*;

use crate::pipe::{Fate, Pipe};
use crate::{DELAY, Path, at};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_message_arrives_once_and_in_order(
        seed: u64,
        loss in 0.0..0.5f64,
        ack_loss in 0.0..0.5f64,
        blocks in 1u32..=20,
        delay_us in 0u32..100_000,
        breaks in prop::collection::vec(1u64..60_000, 0..4),
    ) {
        let given = [
            ("sack_blocks", Value::Number(f64::from(blocks))),
            ("receive_buffer", Value::Number(128.0)),
        ];
        let mut path = Path::new(delay_us, &given);
        path.pipe.messages = 300;
        let fate = |purpose, loss| {
            let mut rng = Rng::stream(seed, NodeId(7), purpose);
            move || {
                if rng.chance(loss) {
                    Fate::IsLost
                } else if rng.chance(0.05) {
                    Fate::IsDoubled
                } else {
                    Fate::Arrives
                }
            }
        };
        let mut stamp = crate::stamping(&path.delay_us);
        let mut data = fate(Purpose::Protocol, loss);
        path.pipe.data_path = Box::new(move |_, packet: &mut Packet| {
            stamp(packet);
            data()
        });
        let mut acks = fate(Purpose::Traffic, ack_loss);
        path.pipe.ack_path = Box::new(move |_, _| acks());
        let mut breaks = breaks;
        breaks.sort_unstable();
        for at_ms in breaks {
            path.pipe.run(at(at_ms));
            path.pipe.tell(RouteNews::Lost(NodeId(1)));
        }
        path.pipe.run(at(100_000_000));
        prop_assert!(path.pipe.delivered.iter().copied().eq(0..300), "{:?}", path.pipe.delivered);
        prop_assert_eq!((path.pipe.made, path.pipe.sender.backlog()), (path.pipe.gone, 0));
    }
}

#[test]
fn nothing_is_sent_twice_over_a_path_without_loss() {
    let mut pipe = Pipe::new(&SCHEME, &[], DELAY);
    pipe.messages = 500;
    pipe.run(at(1_000_000));
    assert!(pipe.delivered.iter().copied().eq(0..500));
    assert_eq!(pipe.events, []);
    // Two probes, for here no router stamps.
    assert_eq!(pipe.data_sent, 502);
}
