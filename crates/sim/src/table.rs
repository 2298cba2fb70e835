//! Columns from rows.

use multihop_trace::Column;

/// A column of counts.
pub fn integers<T>(rows: &[T], value: impl Fn(&T) -> u64) -> Column {
    Column::Integer(rows.iter().map(|row| value(row).cast_signed()).collect())
}

/// A column of measures.
pub fn floats<T>(rows: &[T], value: impl Fn(&T) -> f64) -> Column {
    Column::Float(rows.iter().map(value).collect())
}

/// A column of names.
pub fn texts<T>(rows: &[T], value: impl Fn(&T) -> String) -> Column {
    Column::Text(rows.iter().map(value).collect())
}

/// The mean; NaN if there are no values.
pub fn mean(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value)).sum::<f64>() / values.len() as f64
}

/// The value below which a share of `values` lies; NaN if there are none.
pub fn quantile(values: &[f32], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let at = libm::ceil(share * sorted.len() as f64) as usize;
    sorted.get(at.saturating_sub(1)).map_or(f64::NAN, |value| f64::from(*value))
}
