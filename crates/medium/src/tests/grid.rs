//! The grid finds everybody near, wherever places go.

use proptest::prelude::*;

use crate::grid::Grid;

const WIDTH: f64 = 100.0;

fn place() -> impl Strategy<Value = (f64, f64)> {
    // Exactly on the borders of cells, too.
    let along = || prop_oneof![-1000.0..1000.0, (-10..=10i32).prop_map(|n| f64::from(n) * WIDTH)];
    (along(), along())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everybody_within_a_cell_s_width_is_found_once(
        places in prop::collection::vec(place(), 1..60),
        moves in prop::collection::vec((any::<prop::sample::Index>(), place()), 0..60),
    ) {
        let mut places = places;
        let mut grid = Grid::new(((-1000.0, -1000.0), (1000.0, 1000.0)), WIDTH, places.len());
        for (number, place) in (0..).zip(&places) {
            grid.add(number, *place);
        }
        for (which, to) in moves {
            let at = which.index(places.len());
            grid.remove(at as u32, places[at]);
            grid.add(at as u32, to);
            places[at] = to;
        }
        for here in &places {
            let mut found: Vec<u32> = grid.near(*here).collect();
            found.sort_unstable();
            let mut once = found.clone();
            once.dedup();
            prop_assert_eq!(&found, &once);
            for (number, there) in (0..).zip(&places) {
                let near = libm::hypot(here.0 - there.0, here.1 - there.1) <= WIDTH;
                prop_assert!(!near || found.contains(&number));
            }
        }
    }
}

#[test]
fn many_places_in_a_large_area_are_not_looked_at_all() {
    let mut grid = Grid::new(((0.0, 0.0), (10_000.0, 10_000.0)), WIDTH, 10_000);
    for number in 0..10_000u32 {
        grid.add(number, (f64::from(number % 100) * 100.0, f64::from(number / 100) * 100.0));
    }
    assert!(grid.near((5000.0, 5000.0)).count() <= 16);
}

#[test]
fn one_cell_is_enough_where_nothing_is_out_of_reach() {
    let mut grid = Grid::new(((0.0, 0.0), (500.0, 0.0)), f64::INFINITY, 2);
    grid.add(0, (0.0, 0.0));
    grid.add(1, (500.0, 0.0));
    assert_eq!(grid.near((0.0, 0.0)).count(), 2);
}
