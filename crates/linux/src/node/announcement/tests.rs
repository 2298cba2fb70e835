//! Announcements, and bytes that could be anything.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::*;

fn subnet() -> impl Strategy<Value = Subnet> {
    let ipv4 = (any::<u32>(), 0u8..=32).prop_map(|(bits, len)| {
        let bits = bits & !u32::MAX.checked_shr(len.into()).unwrap_or(0);
        Subnet::new(Ipv4Addr::from(bits).into(), len).expect("nothing is behind its bits")
    });
    let ipv6 = (any::<u128>(), 0u8..=128).prop_map(|(bits, len)| {
        let bits = bits & !u128::MAX.checked_shr(len.into()).unwrap_or(0);
        Subnet::new(Ipv6Addr::from(bits).into(), len).expect("nothing is behind its bits")
    });
    prop_oneof![ipv4, ipv6]
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        lifetime in any::<u16>(), number in any::<u32>(), networks in btree_set(subnet(), 0..=MOST),
    ) {
        let announcement = Announcement { lifetime, number, networks };
        let bytes = announcement.emit();
        prop_assert!(bytes.len() <= 10 + 18 * MOST);
        prop_assert_eq!(Announcement::parse(&bytes), Ok(announcement));
        for len in 0..bytes.len() {
            prop_assert!(Announcement::parse(&bytes[..len]).is_err());
        }
        prop_assert!(Announcement::parse(&[&bytes[..], &[0]].concat()).is_err());
    }

    /// There is one way to write an announcement.
    #[test]
    fn what_can_be_read_is_written_so(behind in vec(any::<u8>(), 0..80), count in 0u8..4) {
        for bytes in [behind.clone(), [&[MARK, VERSION, count, 0][..], &behind].concat()] {
            if let Ok(announcement) = Announcement::parse(&bytes) {
                prop_assert_eq!(announcement.emit(), bytes);
            }
        }
    }
}

#[test]
fn what_means_nothing_is_refused() {
    let networks = ["0.0.0.0/0", "192.168.7.0/24", "::/0", "fd00:7::/32"];
    let networks = networks.map(|text| text.parse().expect("it is one")).into();
    let good = Announcement { lifetime: 105, number: 7, networks }.emit();
    assert_eq!(good.len(), 10 + 2 + 5 + 2 + 6);
    for (at, value) in [(0, b'M'), (1, 2), (2, 17), (3, 1), (10, 5), (11, 33), (13, 129)] {
        let mut bad = good.clone();
        bad[at] = value;
        assert!(Announcement::parse(&bad).is_err(), "byte {at}");
    }
    let twice = [&[MARK, VERSION, 2, 0][..], &[0; 6], &[4, 0, 4, 0]].concat();
    assert_eq!(Announcement::parse(&twice), Err(Malformed::Field("order")));
    let behind = [&[MARK, VERSION, 1, 0][..], &[0; 6], &[4, 7, 0x0B]].concat();
    assert_eq!(Announcement::parse(&behind), Err(Malformed::Field("address")));
}
