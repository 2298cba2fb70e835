//! A medium without collisions (`mac.collision_free`): no frame for one station is lost to another one.

use crate::tests::{assert_balanced, integers, run_text};

/// A random network, in which hidden senders spoil frames.
fn network(scheme: &str, load: &str, keys: &str) -> String {
    format!(
        "warmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"random\"\nnodes = 40\nflows = 8\n\
         width = \"900 m\"\nheight = \"600 m\"\n[scheme]\nname = \"{scheme}\"\n\
         [traffic]\nload = \"{load}\"\npayload = \"512 B\"\n{keys}"
    )
}

fn lost(text: &str, what: &str) -> (i64, i64) {
    let tables = run_text(text);
    let (_, delivered, _) = assert_balanced(&tables, what);
    assert!(delivered > 100, "{what}: {delivered}");
    let total = |name| integers(&tables.nodes, name).iter().sum::<i64>();
    (total("collisions") + total("capture_lost"), total("mac_retries"))
}

#[test]
fn no_frame_is_lost_to_another_one() {
    const ORACLE: &str = "collision_free = true\n";
    let load = |mac: &str| if mac.contains("timing") { "2 Mbit/s" } else { "300 kbit/s" };
    let ofdm = "timing = \"ofdm-5\"\ndata_rate = \"6 Mbit/s\"\n";
    for (scheme, mac, more) in [
        ("udp", "rules = \"ns2\"\n", ""),
        ("udp", "rules = \"ns2\"\nrts_cts = true\n", ""),
        ("udp", "rules = \"ieee-802.11\"\n", ""),
        ("udp", "rules = \"ns3\"\n", ""),
        ("wake", "", ""),
        ("hxh", "", ""),
        ("cxcc", "", ""),
        ("udp", "", "[radio]\nreception = \"first-decodable\"\n"),
        ("udp", "", "[radio]\nreception = \"message-in-message\"\n"),
        ("udp", "", "[radio]\ninterference = \"dsss\"\n"),
        ("udp", ofdm, ""),
        ("udp", "timing = \"ht-5\"\ndata_rate = \"6.5 Mbit/s\"\n", ""),
    ] {
        let what = format!("{scheme} {mac} {more}");
        let free = network(scheme, load(mac), &format!("[mac]\n{mac}{ORACLE}{more}"));
        let (collided, repeated) = lost(&free, &what);
        assert_eq!((collided, repeated), (0, 0), "{what}");
        let (without, _) = lost(&network(scheme, load(mac), &format!("[mac]\n{mac}{more}")), &what);
        assert!(without > 20, "{what}: only {without} frames are lost without the oracle");
    }
}

#[test]
fn nodes_that_move_are_asked_where_they_are() {
    let keys = "[mac]\ncollision_free = true\n[routing]\nkind = \"aodv\"\n\
                [mobility]\nkind = \"random-waypoint\"\nmin_speed = \"10 m/s\"\nmax_speed = \"20 m/s\"\n";
    let moving = network("udp", "300 kbit/s", keys);
    // Broadcasts of the routing are not protected, and nobody repeats them.
    let (_, repeated) = lost(&moving, "moving");
    let (_, without) = lost(&moving.replace("collision_free = true", ""), "moving");
    assert!(repeated * 20 < without, "{repeated} of {without}");
}
