//! Keys that scenarios have had, and what stands in their place.

/// A key with its table, and what to write instead. A key that is renamed or taken away gets a line here.
const FORMER: [(&str, &str); 2] = [
    (
        "routing.delete_period",
        "with forget_sequence_numbers, AODV forgets after RFC 3561's own period; leave delete_period out",
    ),
    ("scheme.bandwidth_gain", "WXCP takes the mean of each interval; leave bandwidth_gain out"),
];

/// What to write instead of a key that scenarios have had.
pub(crate) fn remedy(key: &str) -> Option<&'static str> {
    FORMER.iter().find(|(former, _)| *former == key).map(|(_, remedy)| *remedy)
}
