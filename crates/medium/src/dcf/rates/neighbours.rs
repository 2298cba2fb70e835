//! What a station knows of each neighbour.

/// Of how many neighbours a station remembers something: more than any radio reaches.
pub(in crate::dcf) const MOST_NEIGHBOURS: usize = 1_024;

/// Something about each of so many neighbours; the first of them is forgotten for another one.
pub(super) struct Neighbours<T>(Vec<(u32, T)>);

impl<T> Neighbours<T> {
    pub(super) const fn new() -> Self {
        Neighbours(Vec::new())
    }

    /// What is known of a node, if anything is.
    pub(super) fn find(&mut self, node: u32) -> Option<&mut T> {
        self.0.iter_mut().find(|(known, _)| *known == node).map(|(_, of)| of)
    }

    /// What is known of a node; `new` if nothing is.
    pub(super) fn of(&mut self, node: u32, new: impl FnOnce() -> T) -> &mut T {
        let place = self.0.iter().position(|(known, _)| *known == node).unwrap_or_else(|| {
            if self.0.len() == MOST_NEIGHBOURS {
                self.0.remove(0);
            }
            self.0.push((node, new()));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_neighbours_do_not_fill_the_memory() {
        let mut neighbours = Neighbours::new();
        for node in 0..3 * MOST_NEIGHBOURS as u32 {
            *neighbours.of(node, || 0) += node;
        }
        assert_eq!(neighbours.0.len(), MOST_NEIGHBOURS);
        assert_eq!(neighbours.find(0), None, "it was forgotten");
        let last = 3 * MOST_NEIGHBOURS as u32 - 1;
        assert_eq!(neighbours.find(last).copied(), Some(last));
    }
}
