//! Marks of congestion, from schemes that set them to the applications' own congestion control.

use multihop_core::Duration;
use multihop_linux::ip::checksum;

use crate::applications::datagram;
use crate::world::{World, chain};

const HOPS: u32 = 4;
const ECN: u8 = 0b11;

/// Of packets with these bits in their headers that node 0 sends faster than the network carries: how many arrived, and
/// those of them that are marked.
fn arrived(scheme: &str, bits: u8) -> (usize, Vec<Vec<u8>>) {
    let mut world = World::new(&chain(HOPS, &format!("name = \"{scheme}\"")));
    for number in 0..2_000 {
        let mut packet = datagram(0, HOPS, number, 500);
        packet[1] |= bits;
        world.send(0, &packet);
        world.run(world.now + Duration::from_millis(10));
    }
    let all = world.delivered.remove(&HOPS).unwrap_or_default();
    let count = all.len();
    let marked: Vec<_> = all.into_iter().filter(|packet| packet[1] & ECN == ECN).collect();
    assert_eq!(world.hosts[HOPS as usize].counters.marked, marked.len() as u64, "{scheme}");
    (count, marked)
}

#[test]
fn schemes_that_know_congestion_mark_packets_of_senders_that_take_marks() {
    for scheme in ["lecn", "link-red"] {
        let (count, marked) = arrived(scheme, 0b10);
        assert!(
            !marked.is_empty() && marked.len() < count,
            "{scheme}: {} of {count}",
            marked.len()
        );
        assert!(marked.iter().all(|packet| checksum(&packet[..20]) == 0), "{scheme}");
        let (count, marked) = arrived(scheme, 0);
        assert!(count > 100 && marked.is_empty(), "{scheme}: its sender takes none");
    }
    let (count, marked) = arrived("newreno", 0b10);
    assert!(count > 100 && marked.is_empty(), "it marks nothing");
}
