//! Memory on huge pages.
//!
//! Of a table that is read at random places, and larger than what the processor's table of addresses covers, nearly
//! every read waits for a walk through the system's tables, too; in a virtual machine through two of them. A page of
//! 2 MiB in place of 4 KiB takes one entry for 512. Linux gives such pages to memory that is in use already
//! (`MADV_COLLAPSE`, Linux 6.1), wherever it was allocated; madvise(2). What memory holds does not change.

use std::collections::BTreeSet;

/// The length of a huge page in bytes, on processors whose ordinary pages have 4 KiB.
const LENGTH: usize = 2 << 20;

/// `MADV_COLLAPSE` of Linux on every processor (include/uapi/asm-generic/mman-common.h). The `libc` crate lacks it
/// for musl.
#[cfg(target_os = "linux")]
const COLLAPSE: libc::c_int = 25;

/// The memory of some tables, by the huge pages that it would lie on.
#[derive(Debug, Default)]
pub struct HugePages(BTreeSet<usize>);

impl HugePages {
    /// `table` is to lie on huge pages, and so is what lies between its parts and those of the others.
    pub fn add<T>(&mut self, table: &[T]) {
        if table.is_empty() {
            return;
        }
        let begin = table.as_ptr().addr();
        self.0.extend(begin / LENGTH..(begin + size_of_val(table)).div_ceil(LENGTH));
    }

    /// Ask the system for them; where it has none, memory stays as it is. Returns how many there are.
    pub fn ask(self) -> usize {
        self.0.into_iter().filter(|number| collapse(number * LENGTH)).count()
    }
}

/// Make the memory from `begin` on a huge page. Whether it has become, or was, one: not if the system has none, or if
/// parts of it are not this process's memory.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a system call about an address")]
fn collapse(begin: usize) -> bool {
    // SAFETY: the system moves what is there, and reads or writes nothing else; addresses that are not mapped are an
    // error to it.
    let done = unsafe { libc::madvise(std::ptr::without_provenance_mut(begin), LENGTH, COLLAPSE) };
    done == 0
}

#[cfg(not(target_os = "linux"))]
const fn collapse(_: usize) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::{HugePages, LENGTH};

    #[test]
    fn a_table_lies_on_every_page_that_it_touches_and_keeps_what_it_holds() {
        let table: Vec<u64> = (0..LENGTH as u64).collect();
        let mut pages = HugePages::default();
        pages.add(&table);
        pages.add(&table[..1000]);
        // Eight whole ones, or parts of nine.
        assert!((8..=9).contains(&pages.0.len()), "{pages:?}");
        let asked = pages.0.len();
        assert!(pages.ask() <= asked);
        assert!((0..).zip(&table).all(|(expected, found)| expected == *found));
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn the_number_of_the_advice_is_that_of_the_library_that_has_it() {
        assert_eq!(super::COLLAPSE, libc::MADV_COLLAPSE);
    }

    #[test]
    fn nothing_is_no_page_and_what_is_not_there_is_refused() {
        let mut pages = HugePages::default();
        pages.add::<u64>(&[]);
        assert!(pages.0.is_empty());
        assert_eq!(HugePages([0, usize::MAX / LENGTH].into()).ask(), 0);
    }
}
