//! The tables of a trace: every column, its unit and its meaning, in one place.

use multihop_core::{DropCause, Fate, FrameClass, Time, Timer};
use multihop_parquet::Column;

use super::cells::{Cell, HeaderPlace};
use super::words::{What, Why};

/// A time in ns since the start. It fits: runs end before 2^62 ns.
pub(super) fn nanos(at: Time) -> i64 {
    at.nanos().cast_signed()
}

/// What a table of a trace holds.
#[derive(Clone, Copy, Debug)]
pub struct TableAbout {
    /// Its name.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// Its columns.
    pub columns: &'static [ColumnAbout],
}

/// What a column of a trace holds.
#[derive(Clone, Copy, Debug)]
pub struct ColumnAbout {
    /// Its name.
    pub name: &'static str,
    /// The unit of its values; empty if they have none.
    pub unit: &'static str,
    /// What they mean.
    pub about: &'static str,
    /// Their type, as Parquet and Polars call it.
    pub kind: &'static str,
}

/// A batch of rows, as columns.
pub(super) trait Rows {
    /// A row.
    type Row;
    /// The table's name.
    const NAME: &'static str;

    /// Room for a batch.
    fn room() -> Self;

    /// Another row.
    fn push(&mut self, row: Self::Row);

    /// How many there are.
    fn len(&self) -> usize;

    /// The rows as columns.
    fn columns(&self) -> Vec<(&'static str, Column<'_>)>;

    /// None is left. What it takes to keep as many remains.
    fn clear(&mut self);
}

macro_rules! tables {
    ($(
        $table:ident of $row:ident = $name:literal: $about:literal {
            $($column:ident: $cell:ty, $unit:literal, $meaning:literal;)+
        }
    )+) => {
        $(
            #[doc = concat!("A row of `", $name, "`: ", $about, ".")]
            #[allow(clippy::struct_field_names, reason = "columns are named as they are")]
            #[derive(Clone, Debug)]
            pub(crate) struct $row {
                $(#[doc = $meaning] pub(crate) $column: $cell,)+
            }

            /// A batch of rows, as columns.
            pub(super) struct $table {
                rows: usize,
                $(pub(super) $column: <$cell as Cell>::Cells,)+
            }

            impl Rows for $table {
                type Row = $row;
                const NAME: &'static str = $name;

                fn room() -> Self {
                    $table { rows: 0, $($column: <$cell as Cell>::room(),)+ }
                }

                #[inline]
                fn push(&mut self, row: $row) {
                    $(Cell::put(row.$column, &mut self.$column, self.rows);)+
                    self.rows += 1;
                }

                fn len(&self) -> usize {
                    self.rows
                }

                fn columns(&self) -> Vec<(&'static str, Column<'_>)> {
                    vec![$((stringify!($column), <$cell as Cell>::column(&self.$column, self.rows))),+]
                }

                fn clear(&mut self) {
                    self.rows = 0;
                    $(<$cell as Cell>::clear(&mut self.$column);)+
                }
            }
        )+

        /// The tables of a trace.
        pub static TABLES: &[TableAbout] = &[$(TableAbout {
            name: $name,
            about: $about,
            columns: &[$(ColumnAbout {
                name: stringify!($column),
                unit: $unit,
                about: $meaning,
                kind: <$cell as Cell>::KIND,
            }),+],
        }),+];
    };
}

tables! {
    Frames of Frame = "frames": "a frame that a node put on the medium" {
        frame: i32, "", "its number, counted from 0 in the order of transmission";
        start_ns: i64, "ns", "when its first bit left";
        length_ns: i64, "ns", "how long it was on the medium, preamble included";
        sender: i32, "", "number of the node that sent it";
        receiver: i32, "", "number of the node that it was for; -1: everyone";
        class: FrameClass, "", "what kind of frame it was";
        flow: i32, "", "number of the traffic source whose packet it carried or was about; -1: none";
        packet: i32, "", "number of the packet within its source; -1: it carried no data";
        control: i32, "", "number of a packet without data, as an acknowledgment, among those that its end of the flow \
            has sent: `flow`, `source` and it name the packet; -1: none";
        source: i32, "", "number of the node where the packet began; -1: it carried none";
        destination: i32, "", "number of the node where the packet was to end; -1: everyone, or it carried none";
        bytes: i32, "B", "its length, MAC header included, preamble not";
        rate_bit_s: i64, "bit/s", "rate of what is behind its preamble; 0: the medium does not say";
        reserved_ns: i64, "ns", "for how long behind its end it asked all others to keep quiet (its duration field)";
        header: HeaderPlace, "", "the bytes of its packet up to the payload: network header, the headers behind it, \
            and the message of a routing packet; empty if it carried no packet";
    }

    Mpdus of Carried = "mpdus": "a packet of a frame that carries several (A-MPDU)" {
        frame: i32, "", "number of the frame";
        place: i32, "", "its place in the frame, from 0 on: the first is the one that `frames` names";
        class: FrameClass, "", "what kind of frame it would be alone";
        flow: i32, "", "number of the traffic source whose packet it is; -1: none";
        packet: i32, "", "number of the packet within its source; -1: it is no data";
        control: i32, "", "number of a packet without data, as in `frames`; -1: none";
        source: i32, "", "number of the node where the packet began";
        destination: i32, "", "number of the node where the packet was to end";
        bytes: i32, "B", "its length, network header included";
        sequence: i32, "", "the MAC's number for it, by which repetitions are recognised";
    }

    Receptions of Received = "receptions": "what became of a frame at a node that could have decoded it, or that it was sent to" {
        frame: i32, "", "number of the frame";
        node: i32, "", "number of the node";
        end_ns: i64, "ns", "when its last bit arrived";
        outcome: Fate, "", "decoded (for this node, or for everyone), overheard (decoded, and for another), or \
            why it was lost";
        other: i32, "", "number of the frame that destroyed it, or that was received instead; -1: none";
    }

    Drops of Drop = "drops": "a packet, or a copy of it, that a node dropped" {
        time_ns: i64, "ns", "when";
        node: i32, "", "number of the node";
        flow: i32, "", "number of the traffic source; -1: a routing packet";
        packet: i32, "", "number of the packet within its source; -1: it carried no data";
        control: i32, "", "number of a packet without data, as an acknowledgment, among those that its end of the flow \
            has sent: `flow`, `source` and it name the packet; -1: none";
        source: i32, "", "number of the node where it began";
        destination: i32, "", "number of the node where it was to end; -1: everyone";
        cause: DropCause, "", "why";
    }

    Queues of Queue = "queues": "a change of how many packets of a flow a node holds" {
        time_ns: i64, "ns", "when";
        node: i32, "", "number of the node";
        flow: i32, "", "number of the traffic source";
        length: i32, "packets", "copies of the flow's data packets that the node holds from then on, in its \
            transport, its queues and its MAC";
    }

    Timers of Deadline = "timers": "a change of when a part of a node wants to be woken" {
        time_ns: i64, "ns", "when it changed";
        node: i32, "", "number of the node";
        timer: Timer, "", "which part: transport, hop (its hop protocol) or routing";
        due_ns: i64, "ns", "when it wants to be woken from then on; -1: not at all";
    }

    Routes of Hop = "routes": "a change of the next hop over which a node sends" {
        time_ns: i64, "ns", "when: at the first frame that went there, or when the link was taken for broken";
        node: i32, "", "number of the node";
        destination: i32, "", "number of the node to which packets go";
        next: i32, "", "number of the neighbour over which they go from then on; -1: the link to it was taken \
            for broken";
    }

    Positions of Position = "positions": "a place of a node" {
        time_ns: i64, "ns", "when: at the start, and at both ends of each movement";
        node: i32, "", "number of the node";
        x_m: f64, "m", "where it is then; between two rows it moves evenly";
        y_m: f64, "m", "where it is then";
    }

    Series of Interval = "series": "a flow or a node in an interval of 100 ms, or longer in long runs" {
        time_ns: i64, "ns", "when the interval began; the last one may be shorter";
        node: i32, "", "number of the node; -1: the row is about a flow";
        flow: i32, "", "number of the traffic source; -1: the row is about a node";
        goodput_bit_s: f64, "bit/s", "payload of the flow that reached its application";
        network_delay_s: f64, "s", "mean network delay of these packets, from the start of the source's first \
            transmission; NaN for none";
        end_to_end_delay_s: f64, "s", "mean end-to-end delay of these packets, from application to application; NaN \
            for none";
        queue: f64, "packets", "copies of data packets that the node holds at the end of the interval";
        window: f64, "packets", "the flow's congestion window at the end of the interval; NaN if it has none";
        rate_bit_s: f64, "bit/s", "payload of the flow that its source put on the medium, repetitions included";
        air_sending: f64, "", "share of the interval in which the node sent";
        air_receiving: f64, "", "share in which it received a frame that it could decode so far";
        air_busy: f64, "", "share in which the medium was not free for it otherwise: what it could not decode, \
            reservations, waiting for an answer";
    }

    Events of Event = "events": "something that happened at a node, beside frames and drops" {
        time_ns: i64, "ns", "when";
        node: i32, "", "number of the node";
        event: What, "", "what happened";
        flow: i32, "", "number of the traffic source; -1: none, as for routing packets";
        packet: i32, "", "number of the packet within its source; -1: it carried no data";
        control: i32, "", "number of a packet without data, as an acknowledgment, among those that its end of the flow \
            has sent: `flow`, `source` and it name the packet; -1: none";
        sequence: i32, "", "of a protocol's event: the packet's number in its own header; -1: none";
        source: i32, "", "of an event about packets: number of the node where they begin; -1: none";
        destination: i32, "", "number of the node where they are to end, or that routing searches; -1: none";
        peer: i32, "", "of a broken link: number of the node at its other end; -1: none";
        value: f64, "", "window in packets, segments acknowledged, retries, congestion potential, or the share of an \
            interval in which a station found the medium free; else NaN";
        duration_ns: i64, "ns", "network delay of a delivery, time in the MAC, round-trip time, or interval of an estimate; \
            -1: none";
        cause: Why, "", "why, or how it ended; empty: nothing to say";
    }
}
