//! Who may be near whom, without asking all pairs.

use std::ops::Range;

/// In m: cells are at least that wide, so that their numbers stay small.
const LEAST_WIDTH: f64 = 1.0;

/// Cells are that much wider than asked for, so that no rounding of places parts neighbours.
const ROUNDING: f64 = 1e-6;

/// The column and the row of a cell.
type Cell = (i64, i64);

/// A grid of square cells over places in the plane. Two places that are at most a cell's width
/// apart lie in the same cell or in two that touch. Only cells with somebody in them exist.
#[derive(Clone, Debug)]
pub struct Cells {
    width: f64,
    /// In ascending order.
    occupied: Vec<Cell>,
    /// Where in `members` every cell begins, and the end of the last.
    begins: Vec<usize>,
    /// Numbers of places, cell by cell, in ascending order within each.
    members: Vec<usize>,
}

impl Cells {
    /// Cells `width` m wide over `places`, x and y in m. If the width is infinite, all places are
    /// in one cell or in cells that touch.
    pub fn new(places: impl Iterator<Item = (f64, f64)>, width: f64) -> Self {
        let mut this = Cells {
            width: width.max(LEAST_WIDTH) * (1.0 + ROUNDING),
            occupied: Vec::new(),
            begins: Vec::new(),
            members: Vec::new(),
        };
        let mut all: Vec<(Cell, usize)> =
            places.enumerate().map(|(member, place)| (this.cell(place), member)).collect();
        all.sort_unstable();
        for (at, (cell, member)) in all.into_iter().enumerate() {
            if this.occupied.last() != Some(&cell) {
                this.occupied.push(cell);
                this.begins.push(at);
            }
            this.members.push(member);
        }
        this.begins.push(this.members.len());
        this
    }

    fn cell(&self, (x, y): (f64, f64)) -> Cell {
        (libm::floor(x / self.width) as i64, libm::floor(y / self.width) as i64)
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.occupied.len()
    }

    /// Where the places of cell number `cell` stand in [`Cells::members`].
    pub fn range(&self, cell: usize) -> Range<usize> {
        self.begins[cell]..self.begins[cell + 1]
    }

    /// The numbers of all places, cell by cell.
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// The numbers of the cells in which all places are that are at most a cell's width from
    /// `place`: three columns, each of up to three cells that follow each other.
    pub fn around(&self, place: (f64, f64)) -> [Range<usize>; 3] {
        let (column, row) = self.cell(place);
        [-1, 0, 1].map(|side| {
            let column = column.saturating_add(side);
            let before = |limit: Cell| self.occupied.partition_point(|cell| *cell < limit);
            let begin = before((column, row.saturating_sub(1)));
            let near = self.occupied[begin..].iter().take(3);
            let above = row.saturating_add(1);
            let end = near.take_while(|cell| cell.0 == column && cell.1 <= above).count();
            begin..begin + end
        })
    }

    /// How many places are in these cells, which follow each other.
    pub fn count(&self, cells: &Range<usize>) -> usize {
        self.places(cells).len()
    }

    fn places(&self, cells: &Range<usize>) -> Range<usize> {
        self.begins[cells.start]..self.begins[cells.end]
    }

    /// Put into `found`, in ascending order, everybody who may be at most a cell's width from
    /// `place`.
    pub fn near(&self, place: (f64, f64), found: &mut Vec<usize>) {
        found.clear();
        for cells in self.around(place) {
            found.extend(&self.members[self.places(&cells)]);
        }
        found.sort_unstable();
    }
}
