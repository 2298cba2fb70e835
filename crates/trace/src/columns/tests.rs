use super::*;

/// One of each kind, with a row.
fn kinds() -> [Column; 5] {
    [
        Column::Integer(vec![3]),
        Column::Short(vec![4]),
        Column::Float(vec![0.5]),
        Column::Text(vec!["a".to_owned()]),
        Column::Label(vec!["b"]),
    ]
}

#[test]
fn a_column_grows_by_another_of_its_kind() {
    for column in kinds() {
        let mut grown = column.alike();
        assert!(grown.is_empty() && !column.is_empty());
        grown.append(column.clone());
        assert_eq!(grown, column);
        grown.append(column.clone());
        assert_eq!((grown.len(), column.len()), (2, 1));
    }
}

#[test]
fn rows_that_come_are_zeros_and_empty_names() {
    let longer = [
        Column::Integer(vec![3, 0]),
        Column::Short(vec![4, 0]),
        Column::Float(vec![0.5, 0.0]),
        Column::Text(vec!["a".to_owned(), String::new()]),
        Column::Label(vec!["b", ""]),
    ];
    for (mut column, expected) in kinds().into_iter().zip(longer) {
        let before = column.clone();
        column.resize(2);
        assert_eq!(column, expected);
        column.resize(1);
        assert_eq!(column, before, "rows at the end go");
    }
}

#[test]
#[should_panic(expected = "columns of two kinds")]
fn a_column_takes_no_rows_of_another_kind() {
    Column::Integer(vec![1]).append(Column::Short(vec![1]));
}
