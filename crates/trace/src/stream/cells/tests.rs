use super::*;

/// The words and the bytes of a column, row by row.
fn read(column: Column) -> Vec<String> {
    match column {
        Column::Words { places, words } => {
            places.iter().map(|place| words[usize::from(*place)].to_owned()).collect()
        }
        Column::Bytes { places, values } => {
            let text =
                |place: &u32| String::from_utf8_lossy(values.get(*place as usize)).into_owned();
            places.iter().map(text).collect()
        }
        other => panic!("no words: {other:?}"),
    }
}

/// A word with a code, or one that a part declares.
#[derive(Clone, Copy)]
struct Said(Option<u8>, &'static str);

impl Word for Said {
    fn code(self) -> Option<u8> {
        self.0
    }

    fn name(self) -> &'static str {
        self.1
    }
}

#[test]
fn every_word_is_kept_once_with_a_code_or_without() {
    let said = [
        Said(Some(0), "a"),
        Said(None, "own"),
        Said(Some(255), "z"),
        Said(Some(0), "a"),
        Said(None, "own"),
    ];
    let mut cells = Said::room();
    for (at, word) in said.into_iter().enumerate() {
        word.put(&mut cells, at);
    }
    assert_eq!(cells.names, ["a", "own", "z"]);
    assert_eq!(read(Said::column(&cells, 5)), ["a", "own", "z", "a", "own"]);
}

#[test]
fn what_a_node_repeats_is_kept_once_in_a_batch() {
    let mut cells = HeaderPlace::room();
    let told: [(usize, &[u8]); 6] =
        [(0, b"x"), (3, b"x"), (0, b"x"), (0, b""), (3, b""), (0, b"y")];
    for (at, (node, text)) in told.into_iter().enumerate() {
        let place = cells.place(node, text);
        place.put(&mut cells, at);
    }
    assert_eq!(read(HeaderPlace::column(&cells, 6)), ["x", "x", "x", "", "", "y"]);
    assert_eq!(cells.values.len(), 4, "one of each node, one empty, another of the first");
    HeaderPlace::clear(&mut cells);
    assert_eq!(
        (cells.values.len(), cells.place(0, b"y")),
        (0, HeaderPlace(0)),
        "the next batch is another"
    );
}

#[test]
fn numbers_stand_in_their_rows() {
    let mut cells = i32::room();
    for (at, number) in [5, -6, 7].into_iter().enumerate() {
        number.put(&mut cells, at);
    }
    assert!(matches!(i32::column(&cells, 2), Column::Int32([5, -6])));
    assert_eq!([i64::KIND, i32::KIND, f64::KIND], ["int64", "int32", "float64"]);
}
