//! Tables as columns, the form in which Python takes them without copying.

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Counts and numbers without a fraction.
    Integer(Vec<i64>),
    /// Numbers of things, which are small.
    Short(Vec<i32>),
    /// Measurements.
    Float(Vec<f64>),
    /// Names.
    Text(Vec<String>),
    /// Names out of a fixed list.
    Label(Vec<&'static str>),
}

/// A table: named columns of equal length.
pub type Table = Vec<(&'static str, Column)>;

impl Column {
    /// How many rows it has.
    pub fn len(&self) -> usize {
        match self {
            Column::Integer(rows) => rows.len(),
            Column::Short(rows) => rows.len(),
            Column::Float(rows) => rows.len(),
            Column::Text(rows) => rows.len(),
            Column::Label(rows) => rows.len(),
        }
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
