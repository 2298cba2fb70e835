//! Runs over links of any length.

use super::{floats, integers, run_text};

/// A chain of `hops` links of `length` m, within receive range.
fn chain(length: u32, hops: u32, rest: &str) -> String {
    format!(
        "warmup = \"2 s\"\nduration = \"8 s\"\n[topology]\nkind = \"chain\"\nhops = {hops}\n\
         spacing = \"{length} m\"\n[radio]\nreceive_range = \"{}m\"\nsense_range = \"{}m\"\n{rest}",
        length * 5 / 4,
        length * 11 / 4
    )
}

const UDP: &str = "[scheme]\nname = \"udp\"\n[traffic]\nload = \"100 kbit/s\"\n";

/// Goodput in kbit/s over `hops` links of each length.
fn goodputs(hops: u32, rest: &str, lengths: &[u32]) -> Vec<f64> {
    let goodput = |length: &u32| {
        let tables = run_text(&chain(*length, hops, rest));
        floats(&tables.runs, "goodput_bit_s")[0] / 1e3
    };
    lengths.iter().map(goodput).collect()
}

const LENGTHS: [u32; 6] = [200, 590, 601, 1200, 2400, 5000];

#[test]
fn one_hop_slows_down_by_the_propagation() {
    let saturated = UDP.replace("100 kbit/s", "10 Mbit/s");
    let goodputs = goodputs(1, &saturated, &LENGTHS);
    for (length, goodput) in LENGTHS.iter().zip(&goodputs) {
        // DIFS, 15 slots in the mean, data of 512 B, SIFS, ACK, and the way there and back
        let exchange =
            50.0 + 15.0 * 20.0 + 4720.0 + 10.0 + 304.0 + 2.0 * f64::from(*length) / 300.0;
        let expected = 4096e3 / exchange;
        assert!((goodput / expected - 1.0).abs() < 0.01, "{length} m: {goodput}, not {expected}");
    }
}

/// Segments and acknowledgments contend: the farther the other end, the longer a station does not
/// know of the other's frame, while a slot lasts 9 us only. So it falls by more, but steadily.
#[test]
fn one_hop_of_tcp_falls_smoothly() {
    let tcp = "interference = \"ratio\"\n[mac]\ntiming = \"ofdm-2.4\"\n[scheme]\nname = \"newreno\"\n\
               [traffic]\nkind = \"ftp\"\npayload = \"1460 B\"\n";
    let goodputs = goodputs(1, tcp, &LENGTHS);
    assert!((goodputs[2] / goodputs[1] - 1.0).abs() < 0.01, "590 m and 601 m: {goodputs:?}");
    for pair in goodputs.windows(2) {
        assert!((0.75..1.01).contains(&(pair[1] / pair[0])), "{goodputs:?}");
    }
}

#[test]
fn four_hops_deliver_the_load_at_any_length() {
    for name in ["udp", "cxcc", "hxh"] {
        let rest = UDP.replace("udp", name);
        let goodputs = goodputs(4, &rest, &LENGTHS);
        assert!(goodputs.iter().all(|rate| (rate - 100.0).abs() < 2.0), "{name}: {goodputs:?}");
    }
}

#[test]
fn rts_and_cts_go_far_as_well() {
    let rts = format!("[mac]\nrts_cts = true\n{UDP}");
    for length in LENGTHS {
        let tables = run_text(&chain(length, 4, &rts));
        let lost = integers(&tables.flows, "lost_retries_spent");
        let delivered = floats(&tables.runs, "goodput_bit_s")[0] / 1e3;
        assert!(lost == [0] && (delivered - 100.0).abs() < 2.0, "{length} m: {lost:?} {delivered}");
    }
}
