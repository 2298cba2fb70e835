use super::*;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// A trial that a collapse has begun at second 0 and that has healed the path.
fn healed() -> Wide {
    let mut wide = Wide::default();
    assert!(wide.on_passed(at(0), true), "it begins with a collapse");
    assert!(wide.on_passed(at(3_999), true), "and lasts 4 s");
    assert!(!wide.on_passed(at(4_000), false), "then it is over");
    wide
}

/// How long the trial lasts that `wide` begins at `ms`.
fn length_from(mut wide: Wide, ms: u64) -> u64 {
    assert!(wide.on_passed(at(ms), true));
    wide.length.nanos() / 1_000_000
}

#[test]
fn a_path_that_relapses_within_5_s_is_kept_clear_for_twice_as_long() {
    assert_eq!(length_from(healed(), 4_001), 8_000);
    assert_eq!(length_from(healed(), 9_000), 8_000, "5 s after its end");
    assert_eq!(length_from(healed(), 9_001), 4_000, "that is another collapse");
}

#[test]
fn no_trial_is_longer_than_64_s() {
    let (mut wide, mut now, mut lengths) = (Wide::default(), 0, Vec::new());
    for _ in 0..6 {
        assert!(wide.on_passed(at(now), true));
        lengths.push(wide.length.nanos() / 1_000_000_000);
        now = wide.until.nanos() / 1_000_000;
        assert!(!wide.on_passed(at(now), false));
        now += 1;
    }
    assert_eq!(lengths, [4, 8, 16, 32, 64, 64]);
}

#[test]
fn a_trial_in_vain_is_followed_by_none_for_64_s() {
    let mut wide = Wide::default();
    assert!(wide.on_passed(at(0), true));
    assert!(!wide.on_passed(at(4_000), true), "the path is still collapsed");
    assert!(!wide.on_passed(at(67_999), true));
    assert_eq!(length_from(wide, 68_000), 4_000, "and begins anew");
}
