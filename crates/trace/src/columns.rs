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

    /// An empty one of the same kind.
    #[must_use]
    pub fn alike(&self) -> Column {
        match self {
            Column::Integer(_) => Column::Integer(Vec::new()),
            Column::Short(_) => Column::Short(Vec::new()),
            Column::Float(_) => Column::Float(Vec::new()),
            Column::Text(_) => Column::Text(Vec::new()),
            Column::Label(_) => Column::Label(Vec::new()),
        }
    }

    /// The rows of another one come behind its own.
    ///
    /// # Panics
    /// If they are of another kind.
    pub fn append(&mut self, other: Column) {
        match (self, other) {
            (Column::Integer(rows), Column::Integer(more)) => rows.extend(more),
            (Column::Short(rows), Column::Short(more)) => rows.extend(more),
            (Column::Float(rows), Column::Float(more)) => rows.extend(more),
            (Column::Text(rows), Column::Text(more)) => rows.extend(more),
            (Column::Label(rows), Column::Label(more)) => rows.extend(more),
            (rows, more) => panic!("columns of two kinds: {rows:?}, {more:?}"),
        }
    }

    /// Have so many rows: those at the end go, or zeros and empty names come.
    pub fn resize(&mut self, rows: usize) {
        match self {
            Column::Integer(own) => own.resize(rows, 0),
            Column::Short(own) => own.resize(rows, 0),
            Column::Float(own) => own.resize(rows, 0.0),
            Column::Text(own) => own.resize(rows, String::new()),
            Column::Label(own) => own.resize(rows, ""),
        }
    }
}

#[cfg(test)]
mod tests;
