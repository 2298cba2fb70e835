//! What a node counts, for its status and as `OpenMetrics`.

use std::collections::BTreeMap;
use std::fmt::Write;

use multihop_core::{Bytes, DropCause};

/// A counter's name, what it counts, and its number.
type Row = (&'static str, &'static str, u64);

/// Numbers that only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// IP packets that applications have sent.
    pub from_applications: u64,
    /// Their bytes.
    pub from_applications_bytes: u64,
    /// IP packets that were handed to applications.
    pub to_applications: u64,
    /// Their bytes.
    pub to_applications_bytes: u64,
    /// Packets from applications that are of no IP that the network carries, or broken.
    pub not_ip: u64,
    /// Packets for applications that were marked: congestion experienced (RFC 3168).
    pub marked: u64,
    /// Packets of this machine's kernel for a link: who listens to groups, who the neighbours are. None are carried.
    pub of_link: u64,
    /// Packets from applications to nobody of this network.
    pub no_such_node: u64,
    /// Packets from applications for which their flow had no room.
    pub queue_full: u64,
    /// Packets from applications for which there were too many flows.
    pub too_many_flows: u64,
    /// Packets from applications to groups beyond those that are carried.
    pub too_many_for_groups: u64,
    /// Packets for applications that the TUN device did not take.
    pub not_taken: u64,
    /// Packets that arrived and are not what their flow says: another sender, or another receiver.
    pub forged: u64,
    /// Packets that arrived over more hops than their sender wanted.
    pub ttl_expired: u64,
    /// Packets whose senders were not told why they go no further: there are too many.
    pub not_answered: u64,
    /// Announcements of networks behind this node, to one other node each.
    pub announcements_sent: u64,
    /// Announcements of other nodes.
    pub announcements: u64,
    /// Networks in them that were not taken: nobody wants them, there are too many, or newer ones are known.
    pub networks_refused: u64,
    /// Packets that should be announcements, and are none.
    pub announcements_malformed: u64,
    /// Frames handed to the radio.
    pub frames_sent: u64,
    /// Their attempts.
    pub attempts: u64,
    /// Frames that the radio gave up.
    pub frames_failed: u64,
    /// Frames that were heard, for this node or others.
    pub frames_heard: u64,
    /// Frames that are no packet.
    pub malformed: u64,
    /// Frames that are not sealed with the network's key.
    pub not_authentic: u64,
    /// Frames that were heard before.
    pub replayed: u64,
    /// Frames that were opened with the other key.
    pub of_other_key: u64,
    /// Frames about rosters that were sent.
    pub roster_frames_sent: u64,
    /// Parts of rosters that were taken.
    pub roster_parts: u64,
    /// Frames about rosters of another form.
    pub roster_malformed: u64,
    /// Parts of rosters that the authority has not signed.
    pub roster_not_signed: u64,
    /// Parts of older rosters than the one that is known.
    pub roster_old: u64,
    /// Parts of rosters beyond the signatures that are checked in a second.
    pub roster_unchecked: u64,
    /// Frames on the interface that are none of multihop's.
    pub foreign: u64,
    /// Frames that the interface has lost before they were on the air.
    pub frames_not_taken: u64,
    /// How often the radio was lost.
    pub radio_lost: u64,
    /// Lines of the recording that could not be written.
    pub not_recorded: u64,
    /// Packets that the protocols gave up, by cause.
    pub dropped: BTreeMap<&'static str, u64>,
}

impl Counters {
    /// The protocols gave a packet up.
    pub fn drop_one(&mut self, cause: DropCause) {
        *self.dropped.entry(cause.name()).or_default() += 1;
    }

    /// An application has sent so much.
    pub fn sent(&mut self, bytes: usize) {
        self.from_applications += 1;
        self.from_applications_bytes += bytes as u64;
    }

    /// An application gets so much.
    pub fn delivered(&mut self, Bytes(bytes): Bytes) {
        self.to_applications += 1;
        self.to_applications_bytes += u64::from(bytes);
    }

    /// All but the causes of drops.
    pub fn rows(&self) -> Vec<Row> {
        vec![
            ("from_applications", "IP packets from applications", self.from_applications),
            ("from_applications_bytes", "their bytes", self.from_applications_bytes),
            ("to_applications", "IP packets to applications", self.to_applications),
            ("to_applications_bytes", "their bytes", self.to_applications_bytes),
            ("not_ip", "packets from applications that are of no IP here", self.not_ip),
            ("marked", "packets for applications with a mark of congestion", self.marked),
            ("of_link", "packets of the kernel for a link, not carried", self.of_link),
            ("no_such_node", "packets from applications to nobody here", self.no_such_node),
            ("queue_full", "packets from applications without room", self.queue_full),
            ("too_many_flows", "packets from applications beyond the flows", self.too_many_flows),
            ("too_many_for_groups", "packets to groups beyond the bound", self.too_many_for_groups),
            ("not_taken", "packets that the TUN device did not take", self.not_taken),
            ("forged", "packets that are not what their flow says", self.forged),
            ("ttl_expired", "packets over more hops than they may", self.ttl_expired),
            ("not_answered", "packets that go no further, without an answer", self.not_answered),
            ("announcements_sent", "announcements of networks", self.announcements_sent),
            ("announcements", "announcements of other nodes", self.announcements),
            ("networks_refused", "networks in them that were not taken", self.networks_refused),
            (
                "announcements_malformed",
                "announcements that are none",
                self.announcements_malformed,
            ),
            ("frames_sent", "frames handed to the radio", self.frames_sent),
            ("attempts", "attempts of the radio", self.attempts),
            ("frames_failed", "frames that the radio gave up", self.frames_failed),
            ("frames_heard", "frames that were heard", self.frames_heard),
            ("malformed", "frames that are no packet", self.malformed),
            ("not_authentic", "frames without the network's key", self.not_authentic),
            ("replayed", "frames that were heard before", self.replayed),
            ("of_other_key", "frames that were opened with the other key", self.of_other_key),
            ("roster_frames_sent", "frames about rosters that were sent", self.roster_frames_sent),
            ("roster_parts", "parts of rosters that were taken", self.roster_parts),
            ("roster_malformed", "frames about rosters that are none", self.roster_malformed),
            ("roster_not_signed", "parts without a signature", self.roster_not_signed),
            ("roster_old", "parts of older rosters", self.roster_old),
            ("roster_unchecked", "parts beyond the checks in a second", self.roster_unchecked),
            ("foreign", "frames that are none of multihop's", self.foreign),
            ("frames_not_taken", "frames lost before they were on the air", self.frames_not_taken),
            ("radio_lost", "how often the radio was lost", self.radio_lost),
            ("not_recorded", "lines that could not be recorded", self.not_recorded),
        ]
    }

    /// All of them in the text format of `OpenMetrics`, with `gauges` of the moment, for node `name`.
    ///
    /// # Panics
    /// Never: a string takes all that is written.
    pub fn open_metrics(&self, name: &str, gauges: &[Row]) -> String {
        let mut text = String::new();
        let label: String = name.chars().flat_map(char::escape_default).collect();
        let mut add = |line: std::fmt::Arguments| {
            text.write_fmt(line).expect("a string takes all that is written");
        };
        for (counter, about, value) in self.rows() {
            add(format_args!(
                "# TYPE multihop_{counter} counter\n# HELP multihop_{counter} {about}\n"
            ));
            add(format_args!("multihop_{counter}_total{{node=\"{label}\"}} {value}\n"));
        }
        add(format_args!("# TYPE multihop_dropped counter\n"));
        add(format_args!("# HELP multihop_dropped packets that the protocols gave up\n"));
        for (cause, value) in &self.dropped {
            let labels = format_args!("node=\"{label}\",cause=\"{cause}\"");
            add(format_args!("multihop_dropped_total{{{labels}}} {value}\n"));
        }
        for (gauge, about, value) in gauges {
            add(format_args!("# TYPE multihop_{gauge} gauge\n# HELP multihop_{gauge} {about}\n"));
            add(format_args!("multihop_{gauge}{{node=\"{label}\"}} {value}\n"));
        }
        add(format_args!("# EOF\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The package has a dashboard; what it draws there is.
    #[test]
    fn the_dashboard_draws_what_is_counted() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/grafana.json");
        let text = std::fs::read_to_string(file).expect("it is there");
        let gauges = ["radio_on", "device_ready", "flows", "backlog", "footprint"];
        let gauges = gauges.map(|name| (name, "", 0));
        let metrics = Counters::default().open_metrics("n0", &gauges);
        let drawn: Vec<&str> = text.split("multihop_").skip(1).collect();
        for rest in &drawn {
            let name: String =
                rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            let name = name.trim_end_matches("_total");
            assert!(metrics.contains(&format!("# TYPE multihop_{name} ")), "{name}");
        }
        assert!(drawn.len() > 15);
    }

    #[test]
    fn every_counter_has_its_type_its_help_and_its_total() {
        let mut counters = Counters { forged: 3, ..Counters::default() };
        counters.drop_one(DropCause::NoRoute);
        counters.drop_one(DropCause::NoRoute);
        let text = counters.open_metrics("a\"b", &[("flows", "flows that start here", 2)]);
        assert!(text.contains("# TYPE multihop_forged counter\n"), "{text}");
        assert!(text.contains("multihop_forged_total{node=\"a\\\"b\"} 3\n"), "{text}");
        assert!(text.contains(",cause=\"no_route\"} 2\n"), "{text}");
        assert!(text.contains("multihop_flows{node=\"a\\\"b\"} 2\n"), "{text}");
        assert!(text.ends_with("# EOF\n"));
        assert_eq!(text.matches("# HELP").count(), counters.rows().len() + 2);
    }
}
