//! Parameters whose default follows from the link.

use std::ptr;

use super::{Otherwise, Param, Value, Values};
use crate::LinkTiming;

/// What a parameter is over a link unless it is given; the other values may matter, too.
#[derive(Clone, Copy, Debug)]
pub struct ByLink(pub fn(&LinkTiming, &Values) -> Value);

impl PartialEq for ByLink {
    fn eq(&self, other: &Self) -> bool {
        ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Param {
    /// The same parameter, but unless it is given it is what `value` says of the link, and `means` says in words.
    #[must_use]
    pub const fn by_link(self, means: &'static str, value: ByLink) -> Param {
        Param { otherwise: Otherwise::Means(means), by_link: Some(value), ..self }
    }
}

impl Values {
    /// The same with those of `params` that follow from the link, unless they were given.
    #[must_use]
    pub fn over(&self, params: &[Param], link: &LinkTiming) -> Self {
        let open = |param: &Param| Some((param.name, (param.by_link?.0)(link, self)));
        let open: Vec<_> = params.iter().filter_map(open).collect();
        self.completed(params, &open)
    }
}
