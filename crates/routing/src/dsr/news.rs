//! What becomes of the routes that this node's packets take.

use std::collections::VecDeque;

use multihop_core::{NodeId, RouteNews};

use super::parameters::MOST_ANNOUNCED;
use super::path::Path;

/// Which route packets for a destination take from here.
#[derive(Clone, Debug)]
struct Announced {
    destination: NodeId,
    /// None after it broke.
    path: Option<Path>,
    /// The way on which they come here, from their source; nothing if they start here.
    came: Path,
    /// Whether packets start here; others come along with their own routes.
    starts_here: bool,
}

/// The routes in use, those that were taken first before the others.
#[derive(Clone, Debug, Default)]
pub struct News {
    standings: VecDeque<Announced>,
    said: VecDeque<RouteNews>,
}

impl News {
    /// A packet takes `whole`, on which this node stands at `at`.
    pub fn on_use(&mut self, whole: &Path, at: usize, starts_here: bool) {
        let Some(&destination) = whole.last() else { return };
        let (path, came) = (whole.from(at), whole.up_to(at + 1));
        let hops = path.hops();
        let known = self.standings.iter_mut().find(|known| known.destination == destination);
        let Some(known) = known else {
            if self.standings.len() == MOST_ANNOUNCED {
                self.standings.pop_front();
            }
            let path = Some(path);
            self.standings.push_back(Announced { destination, path, came, starts_here });
            self.said.push_back(RouteNews::Found { destination, hops });
            return;
        };
        known.came = came;
        // A source is told of its own way, not of that of a packet which it passes on.
        if known.starts_here && !starts_here {
            return;
        }
        known.starts_here = starts_here;
        match known.path.replace(path) {
            None => self.said.push_back(RouteNews::Found { destination, hops }),
            Some(before) if before != path => {
                self.said.push_back(RouteNews::Changed { destination, hops });
            }
            Some(_) => {}
        }
    }

    /// `path` was learnt: who has none, or a longer one, takes it with the next packet that starts here.
    pub fn on_learnt(&mut self, path: &Path) {
        for known in self.standings.iter_mut().filter(|known| known.starts_here) {
            let Some(hops) = path.position(known.destination) else { continue };
            let destination = known.destination;
            let news = match known.path {
                None => RouteNews::Found { destination, hops: hops as u32 },
                Some(path) if hops < path.hops() as usize => {
                    RouteNews::Changed { destination, hops: hops as u32 }
                }
                Some(_) => continue,
            };
            known.path = Some(path.up_to(hops + 1));
            self.said.push_back(news);
        }
    }

    /// The link between these two is broken. Returns to whom packets that start here need another
    /// route.
    pub fn on_broken(&mut self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let mut searched = Vec::new();
        for known in &mut self.standings {
            if known.path.is_some_and(|path| path.uses(from, to)) {
                known.path = None;
                self.said.push_back(RouteNews::Lost(known.destination));
                if known.starts_here {
                    searched.push(known.destination);
                }
            }
        }
        searched
    }

    /// The way on which the last packet for `destination` came here, this node included.
    pub fn way_of(&self, destination: NodeId) -> Option<Path> {
        let known = self.standings.iter().find(|known| known.destination == destination);
        known.map(|known| known.came)
    }

    /// Over how many hops packets for `destination` go from here.
    pub fn hops_to(&self, destination: NodeId) -> Option<u32> {
        let known = self.standings.iter().find(|known| known.destination == destination);
        known.and_then(|known| known.path).map(|path| path.hops())
    }

    /// What is to be announced.
    pub fn poll(&mut self) -> Option<RouteNews> {
        self.said.pop_front()
    }

    /// How many destinations it knows.
    pub fn len(&self) -> usize {
        self.standings.len() + self.said.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(nodes: &[u32]) -> Path {
        Path::of(nodes.iter().copied().map(NodeId)).expect("few")
    }

    #[test]
    fn a_source_is_not_told_of_the_way_of_a_packet_that_it_passes_on() {
        let mut news = News::default();
        let found = RouteNews::Found { destination: NodeId(9), hops: 2 };
        news.on_use(&path(&[7, 1, 9]), 1, false);
        assert_eq!(news.poll(), Some(RouteNews::Found { destination: NodeId(9), hops: 1 }));
        news.on_use(&path(&[1, 2, 9]), 0, true);
        assert_eq!(news.poll(), Some(RouteNews::Changed { destination: NodeId(9), hops: 2 }));
        assert_eq!((news.hops_to(NodeId(9)), news.hops_to(NodeId(2))), (Some(2), None));
        news.on_use(&path(&[7, 1, 3, 4, 9]), 1, false);
        assert_eq!((news.poll(), news.way_of(NodeId(9))), (None, Some(path(&[7, 1]))));
        assert_eq!(news.on_broken(NodeId(1), NodeId(2)), [NodeId(9)]);
        assert_eq!(news.poll(), Some(RouteNews::Lost(NodeId(9))));
        assert_eq!(news.hops_to(NodeId(9)), None);
        news.on_use(&path(&[7, 1, 3, 9]), 1, false);
        assert_eq!(news.poll(), None, "its own packets have none");
        news.on_use(&path(&[1, 2, 9]), 0, true);
        assert_eq!(news.poll(), Some(found));
    }
}
