//! Who may be near a place, when places change: a grid of square cells.

/// Cells are that much wider than asked for, so that no rounding of places parts neighbours.
const ROUNDING: f64 = 1e-6;

/// Numbered places in the plane. Two that are at most a cell's width apart are in one cell or in
/// two that touch.
pub struct Grid {
    /// The lowest x and y, in m.
    origin: (f64, f64),
    /// The width of a cell in m.
    width: f64,
    columns: usize,
    rows: usize,
    /// The numbers of the places in every cell, row by row.
    members: Vec<Vec<u32>>,
}

impl Grid {
    /// Cells at least `width` m wide over an area between its lowest and its highest corner, not
    /// many more of them than `places`.
    pub fn new((low, high): ((f64, f64), (f64, f64)), width: f64, places: usize) -> Self {
        let most = libm::ceil(libm::sqrt(places as f64)).max(1.0);
        let extent = (high.0 - low.0, high.1 - low.1);
        let width = width.max(extent.0.max(extent.1) / most) * (1.0 + ROUNDING);
        let count = |extent: f64| libm::floor(extent / width) as usize + 1;
        let (columns, rows) = (count(extent.0), count(extent.1));
        Grid { origin: low, width, columns, rows, members: vec![Vec::new(); columns * rows] }
    }

    /// The column and the row of a place.
    fn cell(&self, (x, y): (f64, f64)) -> (usize, usize) {
        let along = |from: f64, to: f64, count: usize| {
            (libm::floor((to - from) / self.width).max(0.0) as usize).min(count - 1)
        };
        (along(self.origin.0, x, self.columns), along(self.origin.1, y, self.rows))
    }

    fn members_at(&mut self, place: (f64, f64)) -> &mut Vec<u32> {
        let (column, row) = self.cell(place);
        &mut self.members[row * self.columns + column]
    }

    /// The place numbered `number` is there.
    pub fn add(&mut self, number: u32, place: (f64, f64)) {
        self.members_at(place).push(number);
    }

    /// The place numbered `number` was there, and is elsewhere.
    pub fn remove(&mut self, number: u32, place: (f64, f64)) {
        let members = self.members_at(place);
        if let Some(at) = members.iter().position(|member| *member == number) {
            members.swap_remove(at);
        }
    }

    /// Everybody who may be at most a cell's width from `place`, in any order.
    pub fn near(&self, place: (f64, f64)) -> impl Iterator<Item = u32> {
        let (column, row) = self.cell(place);
        let rows = row.saturating_sub(1)..(row + 2).min(self.rows);
        let columns = column.saturating_sub(1)..(column + 2).min(self.columns);
        let cells = rows
            .flat_map(move |row| columns.clone().map(move |column| row * self.columns + column));
        cells.flat_map(|cell| self.members[cell].iter().copied())
    }
}
