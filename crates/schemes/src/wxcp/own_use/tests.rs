use super::*;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A radio that has sent for so long.
fn sent(ms: u64) -> AirTime {
    AirTime { sending: Duration::from_millis(ms), ..AirTime::default() }
}

#[test]
fn what_the_mac_waits_for_a_free_medium_counts() {
    let mut own = OwnUse::default();
    own.on_start(at(10), &sent(1));
    own.on_end(at(20), &sent(7));
    assert_eq!(own.take(at(30), &sent(7)), Duration::from_millis(4));
    assert_eq!(own.take(at(40), &sent(7)), Duration::ZERO);
}

#[test]
fn a_packet_in_the_mac_counts_in_each_interval() {
    let mut own = OwnUse::default();
    own.on_start(at(0), &sent(0));
    assert_eq!(own.take(at(10), &sent(4)), Duration::from_millis(6));
    own.on_end(at(15), &sent(9));
    assert_eq!(own.take(at(20), &sent(9)), Duration::ZERO);
}
