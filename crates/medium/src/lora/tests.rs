//! LoRa: time on air, reception, and stations on a channel.

mod access;
mod air;
mod budget;
mod capture;
mod hidden;
mod modulation;

use multihop_setup::Setup;

use super::settings::Settings;

/// A scenario with these lines of [mac], and `rest` before it.
fn setup(keys: &str, rest: &str) -> Setup {
    let text = format!(
        "{rest}\n[mac]\nkind = \"lora\"\n{keys}\n[scheme]\nname = \"flooding\"\n[traffic]\nload = \"10 bit/s\"\n\
         payload = \"20 B\"\n"
    );
    let setup = multihop_scenario::from_toml(&text).and_then(|scenario| scenario.setup());
    setup.unwrap_or_else(|error| panic!("{error}"))
}

/// What these lines of [mac] mean.
fn settings(keys: &str) -> Settings {
    let setup = setup(keys, "[topology]\nkind = \"chain\"\nhops = 1");
    Settings::new(&setup.medium.values)
}
