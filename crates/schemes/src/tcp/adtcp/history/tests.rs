use super::{History, Level};

fn after(samples: &[f64], sample: f64) -> Level {
    let mut history = History::new(10, 4, 0.3);
    for one in samples {
        history.take(*one);
    }
    history.take(sample)
}

#[test]
fn the_upper_and_the_lower_third_of_what_was_before_count() {
    let ten: Vec<f64> = (1..=10).map(f64::from).collect();
    assert_eq!(after(&ten, 7.5), Level::High, "seven of ten are smaller");
    assert_eq!(after(&ten, 6.5), Level::Between);
    assert_eq!(after(&ten, 3.5), Level::Low, "seven of ten are larger");
    assert_eq!(after(&ten, 4.5), Level::Between);
}

#[test]
fn nothing_is_high_or_low_among_few_or_equals() {
    assert_eq!(after(&[1.0, 2.0, 3.0], 9.0), Level::Between, "three are fewer than four");
    assert_eq!(after(&[0.0; 6], 0.0), Level::Between);
    assert_eq!(after(&[0.0; 6], 0.1), Level::High, "rare things are high when they happen");
}

#[test]
fn what_is_long_ago_is_forgotten() {
    let mut history = History::new(4, 4, 0.3);
    for sample in [9.0, 9.0, 9.0, 9.0, 1.0, 1.0, 1.0, 1.0] {
        history.take(sample);
    }
    assert_eq!(history.take(2.0), Level::High);
}
