//! Packets whose DSCP asks for it wait for few others: pings beside a flood, over schemes with one queue for all flows.

use multihop_core::{Duration, Time};

use crate::applications::{datagram, from_port};
use crate::world::{World, chain};

const EF: u8 = 46;
/// Between two packets of the flood: more than the chain carries.
const FLOOD: Duration = Duration::from_millis(4);
/// One ping for so many of them.
const EACH: u32 = 50;
const PINGS: u32 = 30;

/// Pings over four hops, beside a flood on the same way: how many arrived, and their mean delay in milliseconds; and how
/// many packets of the flood arrived.
fn beside_a_flood(scheme: &str, dscp: u8) -> (usize, f64, usize) {
    let mut world = World::new(&chain(4, scheme));
    let (mut sent, mut delays, mut flooded) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..EACH * PINGS {
        world.send(0, &datagram(0, 4, number, 800));
        if number % EACH == 0 {
            let mut ping = from_port(7, datagram(0, 4, number / EACH, 84));
            ping[1] = dscp << 2;
            world.send(0, &ping);
            sent.push(world.now);
        }
        world.run(world.now + FLOOD);
        for packet in world.delivered.remove(&4).unwrap_or_default() {
            let number = u32::from_be_bytes(packet[28..32].try_into().expect("a number"));
            if packet.len() == 84 {
                delays.push((number, world.now.since(sent[number as usize])));
            } else {
                flooded.push(number);
            }
        }
    }
    assert!(world.now > Time::ZERO + Duration::from_millis(5_000));
    assert!(flooded.is_sorted() && delays.is_sorted_by_key(|(number, _)| *number), "in order");
    let total: f64 = delays.iter().map(|(_, delay)| delay.seconds() * 1e3).sum();
    (delays.len(), total / delays.len() as f64, flooded.len())
}

#[test]
fn pings_that_ask_for_it_go_ahead_of_a_flood() {
    for scheme in ["name = \"udp\"", "name = \"udp-ack\""] {
        let (plain, late, before) = beside_a_flood(scheme, 0);
        let (arrived, soon, after) = beside_a_flood(scheme, EF);
        let case = format!(
            "{scheme}: {plain} and {arrived} of {PINGS} pings, after {late:.0} and {soon:.0} ms; \
             {before} and {after} packets of the flood"
        );
        println!("{case}");
        assert!(arrived > plain && soon < late / 3.0, "{case}");
        assert!(arrived as u32 >= PINGS * 9 / 10, "{case}");
        // the pings that are not lost any more have their share of the air, too
        assert!((after + arrived) * 10 >= (before + plain) * 9, "{case}");
    }
}
