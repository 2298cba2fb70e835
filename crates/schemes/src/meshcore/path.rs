//! Paths: the relays of a flood, or those to come, each by the first bytes of its public key.

use multihop_core::{NodeId, WireError};

use super::firmware::{MAX_HOPS, MAX_PATH_SIZE};

/// Bytes of a hash at most.
const LONGEST_HASH: usize = 3;

/// The first bytes of a node's public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u8; LONGEST_HASH]);

impl Key {
    /// That of `node`, where `keys` is what all keys are drawn from. The firmware makes no keys that begin with 00 or FF.
    pub const fn of(node: NodeId, keys: u64) -> Self {
        let mut drawn = keys ^ node.0 as u64;
        loop {
            drawn = splitmix(drawn);
            let [_, _, _, _, _, first, second, third] = drawn.to_be_bytes();
            if first != 0 && first != 0xFF {
                return Key([first, second, third]);
            }
        }
    }

    /// Its hash of so many bytes.
    fn hash(&self, size: u8) -> &[u8] {
        &self.0[..LONGEST_HASH.min(size.into())]
    }
}

/// A step of the generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
const fn splitmix(state: u64) -> u64 {
    let sum = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (sum ^ sum >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// Some hashes of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    size: u8,
    hops: u8,
    bytes: [u8; MAX_PATH_SIZE],
}

impl Path {
    /// A path without hops, of hashes of so many bytes: 1 to 3.
    pub const fn empty(size: u8) -> Self {
        Path { size, hops: 0, bytes: [0; MAX_PATH_SIZE] }
    }

    /// The bytes of each hash.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// How many hashes it has.
    pub const fn hops(&self) -> u8 {
        self.hops
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.size) * usize::from(self.hops)]
    }

    fn hashes(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.bytes().chunks(self.size.into())
    }

    /// Whether this node is the first.
    pub fn begins_with(&self, key: &Key) -> bool {
        self.hashes().next() == Some(key.hash(self.size))
    }

    /// Whether this node is the last.
    pub fn ends_with(&self, key: &Key) -> bool {
        self.hashes().next_back() == Some(key.hash(self.size))
    }

    /// How often this node stands in it, or one with the same hash.
    pub fn count(&self, key: &Key) -> usize {
        self.hashes().filter(|hash| *hash == key.hash(self.size)).count()
    }

    /// The same with this node behind it, if there is room.
    pub fn with(&self, key: &Key) -> Option<Self> {
        let at = self.bytes().len();
        let end = at + usize::from(self.size);
        if self.hops >= MAX_HOPS || end > MAX_PATH_SIZE {
            return None;
        }
        let mut longer = Path { hops: self.hops + 1, ..*self };
        longer.bytes[at..end].copy_from_slice(key.hash(self.size));
        Some(longer)
    }

    /// The same without the first.
    #[must_use]
    pub fn without_first(&self) -> Self {
        let Some(hops) = self.hops.checked_sub(1) else { return *self };
        let mut shorter = Path { hops, ..Path::empty(self.size) };
        let rest = &self.bytes()[self.size.into()..];
        shorter.bytes[..rest.len()].copy_from_slice(rest);
        shorter
    }

    /// Read a path of so many hashes of `size` bytes. Returns what stands behind it, too.
    ///
    /// # Errors
    /// If hashes of this size do not exist, or it is too long or cut off.
    pub fn split(size: u8, hops: u8, body: &[u8]) -> Result<(Self, &[u8]), WireError> {
        if !(1..=LONGEST_HASH as u8).contains(&size) {
            return Err(WireError::Field { name: "hash_size", value: size.into() });
        }
        let len = usize::from(size) * usize::from(hops);
        if len > MAX_PATH_SIZE || hops > MAX_HOPS {
            return Err(WireError::Field { name: "hops", value: hops.into() });
        }
        let Some((own, rest)) = body.split_at_checked(len) else {
            return Err(WireError::Truncated { need: len, have: body.len() });
        };
        let mut path = Path { hops, ..Path::empty(size) };
        path.bytes[..len].copy_from_slice(own);
        Ok((path, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(node: u32) -> Key {
        Key::of(NodeId(node), 7)
    }

    #[test]
    fn hashes_are_the_first_bytes_of_keys_and_may_be_equal() {
        let first = |node| key(node).hash(1)[0];
        let all: std::collections::BTreeSet<u8> = (0..100).map(first).collect();
        assert!(all.len() < 100 && all.len() > 70, "{} of 100", all.len());
        assert!(!all.contains(&0) && !all.contains(&0xFF));
        assert_ne!(Key::of(NodeId(1), 7), Key::of(NodeId(1), 8));
    }

    #[test]
    fn a_relay_stands_at_the_end_of_a_flood_and_goes_from_the_front_of_a_route() {
        for size in 1..=3 {
            let path = Path::empty(size).with(&key(1)).and_then(|path| path.with(&key(2)));
            let path = path.expect("there is room");
            assert_eq!((path.hops(), path.bytes().len()), (2, 2 * usize::from(size)));
            assert!(path.begins_with(&key(1)) && !path.begins_with(&key(2)));
            assert!(path.ends_with(&key(2)) && !path.ends_with(&key(1)));
            assert_eq!([1, 2, 3].map(|node| path.count(&key(node))), [1, 1, 0]);
            let rest = path.without_first();
            assert!(rest.begins_with(&key(2)));
            assert_eq!(rest.without_first(), Path::empty(size));
            assert_eq!(Path::empty(size).without_first(), Path::empty(size));
        }
    }

    #[test]
    fn a_path_has_64_bytes_and_63_hops_at_most() {
        for (size, most) in [(1, 63), (2, 32), (3, 21)] {
            let mut path = Path::empty(size);
            while let Some(longer) = path.with(&key(1)) {
                path = longer;
            }
            assert_eq!(path.hops(), most, "{size}");
            assert_eq!(Path::split(size, most, path.bytes()), Ok((path, &[][..])));
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        let bytes = [1; 100];
        for (size, hops) in [(0, 1), (4, 1), (1, 64), (2, 33), (3, 22)] {
            assert!(matches!(Path::split(size, hops, &bytes), Err(WireError::Field { .. })));
        }
        assert!(matches!(Path::split(2, 3, &[1; 5]), Err(WireError::Truncated { .. })));
    }
}
