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
    let at = libm::ceil(share * values.len() as f64) as usize;
    if values.is_empty() {
        return f64::NAN;
    }
    let mut values = values.to_vec();
    f64::from(*values.select_nth_unstable_by(at.saturating_sub(1), f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_value_that_stands_there_in_order() {
        let values: Vec<f32> = (0..101u16).map(|n| f32::from(n * 37 % 101)).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable_by(f32::total_cmp);
        for (share, at) in [(0.0, 0), (0.5, 50), (0.95, 95), (1.0, 100)] {
            assert!((quantile(&values, share) - f64::from(sorted[at])).abs() < 1e-9, "{share}");
        }
        assert!(quantile(&[], 0.5).is_nan());
        assert!((quantile(&[2.5], 0.95) - 2.5).abs() < 1e-9);
    }
}
