//! Tables of many runs, one below another.

use std::collections::BTreeMap;

use crate::{Column, Table};

/// A column of a stack. Runs may lack it: what stands in their rows means nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Stacked {
    /// The rows of all runs.
    pub column: Column,
    /// Whether the row's run has it.
    pub known: Vec<bool>,
}

impl Stacked {
    /// Runs that lack it have had rows up to here.
    fn pad(&mut self, rows: usize) {
        self.column.resize(rows);
        self.known.resize(rows, false);
    }
}

/// One table of many runs.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// For every row, the number of its run.
    owners: Vec<u32>,
    columns: BTreeMap<&'static str, Stacked>,
}

impl Stack {
    /// The rows of the run with this number come next.
    ///
    /// # Panics
    /// If a column of that name held something else in an earlier run.
    pub fn push(&mut self, run: u32, table: Table) {
        let before = self.owners.len();
        let rows = before + table.first().map_or(0, |(_, column)| column.len());
        for (name, column) in table {
            let new = || Stacked { column: column.alike(), known: Vec::new() };
            let stacked = self.columns.entry(name).or_insert_with(new);
            stacked.pad(before);
            stacked.column.append(column);
            stacked.known.resize(rows, true);
        }
        self.owners.resize(rows, run);
    }

    /// For every row, the number of its run; and the columns, by name.
    pub fn finish(mut self) -> (Vec<u32>, BTreeMap<&'static str, Stacked>) {
        self.columns.values_mut().for_each(|stacked| stacked.pad(self.owners.len()));
        (self.owners, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_lacks_is_not_known_in_its_rows() {
        let mut stack = Stack::default();
        stack.push(0, vec![("node", Column::Integer(vec![0, 1]))]);
        stack.push(2, vec![("node", Column::Integer(vec![0])), ("acks", Column::Integer(vec![7]))]);
        stack.push(3, vec![("node", Column::Integer(vec![]))]);
        stack.push(4, vec![("node", Column::Integer(vec![5]))]);
        let (owners, columns) = stack.finish();
        assert_eq!(owners, [0, 0, 2, 4]);
        let all = Stacked { column: Column::Integer(vec![0, 1, 0, 5]), known: vec![true; 4] };
        assert_eq!(columns["node"], all);
        let known = vec![false, false, true, false];
        assert_eq!(columns["acks"], Stacked { column: Column::Integer(vec![0, 0, 7, 0]), known });
    }
}
