//! Under which conditions a scheme runs: what its MAC, its queue and its headers are like, whichever
//! key or default has decided it.

use multihop_core::Value;
use multihop_medium::dcf::Settings;
use serde_json::{Map, Value as Json, json};

use multihop_setup::{CarriedBy, ErrorModel, Interference, Setup};

/// The conditions of `setup` by their names, with the unit in the name; null where there is no such thing.
pub fn conditions(setup: &Setup) -> Map<String, Json> {
    Conditions(setup).all()
}

/// Of a run.
struct Conditions<'a>(&'a Setup);

impl Conditions<'_> {
    fn all(&self) -> Map<String, Json> {
        let Conditions(setup) = self;
        let mut found = match Settings::of(&setup.medium) {
            Some(settings) => self.by_radio(&settings),
            None => self.by_parameters(),
        };
        let headers = setup.sources.iter().find(|source| source.carried_by == CarriedBy::Scheme);
        let headers = headers.map(|source| setup.packet(source).0 - source.traffic.payload.0);
        found.push(("queue_limit", self.parameter("queue_limit")));
        found.push(("header_bytes", json!(headers)));
        found.push(("routing", json!(setup.routing.protocol.name)));
        found.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Of a MAC with parameters of its own.
    fn by_parameters(&self) -> Vec<(&'static str, Json)> {
        let medium = &self.0.medium;
        let shown = |value: &Value| match value {
            Value::Count(count) => json!(count),
            value => json!(value.to_string()),
        };
        let params = medium
            .mac
            .params
            .iter()
            .filter_map(|param| Some((param.name, shown(medium.values.named(param.name)?))));
        let rate = ("data_rate_bit_s", json!(medium.hop().data_rate.0));
        [("mac", json!(medium.mac.title)), rate].into_iter().chain(params).collect()
    }

    fn by_radio(&self, mac: &Settings) -> Vec<(&'static str, Json)> {
        let rts_cts = match mac.rts_threshold {
            None => "off".to_owned(),
            Some(bytes) if bytes.0 == 0 => "on".to_owned(),
            Some(bytes) => format!("above {bytes}"),
        };
        let retries =
            |key, limit: u32| if mac.acknowledges { self.replaced(key, limit) } else { Json::Null };
        vec![
            ("mac", json!(self.0.medium.mac.title)),
            ("cw_min", self.replaced("mac.cw_min", mac.cw_min)),
            ("cw_max", json!(mac.cw_max)),
            ("rts_cts", json!(rts_cts)),
            ("short_retry_limit", retries("mac.short_retry_limit", mac.short_retry_limit)),
            ("long_retry_limit", retries("mac.long_retry_limit", mac.long_retry_limit)),
            ("data_rate_bit_s", json!(mac.data_rate.0)),
            ("basic_rate_bit_s", json!(mac.basic_rate.0)),
            ("slot_us", json!(mac.slot.nanos() as f64 / 1e3)),
            ("mac_header_bytes", json!(mac.header.0)),
        ]
        .into_iter()
        .chain(mac.rate_control.make.map(|_| ("rate_control", json!(mac.rate_control.name))))
        .chain(self.by_receiver())
        .collect()
    }

    /// Of a receiver of OFDM: results mean nothing without its thresholds and its error model.
    fn by_receiver(&self) -> Vec<(&'static str, Json)> {
        let Some(radio) = self.0.medium.radio() else { return Vec::new() };
        let Interference::Ofdm(ofdm) = radio.interference else { return Vec::new() };
        let dbm = |watts: f64| json!(libm::round(1e3 * libm::log10(watts) + 3e3) / 100.0);
        let errors = match ofdm.errors {
            ErrorModel::Nist => "nist",
            ErrorModel::Table => "table",
        };
        vec![
            ("receive_threshold_dbm", dbm(radio.receive_threshold)),
            ("sense_threshold_dbm", dbm(radio.sense_threshold)),
            ("noise_dbm", dbm(ofdm.noise)),
            ("errors", json!(errors)),
            ("error_margin_db", json!(ofdm.margin)),
            ("neighbour_range_m", json!(libm::round(radio.neighbour_range))),
        ]
    }

    /// The value of the parameter of the scheme that takes the place of `key`, or the MAC's own.
    fn replaced(&self, key: &str, own: u32) -> Json {
        let mut params = self.0.scheme.params.iter();
        let param = params.find(|param| param.replaces.contains(&key));
        param.map_or(json!(own), |param| self.parameter(param.name))
    }

    fn parameter(&self, name: &str) -> Json {
        match self.0.params.values.named(name) {
            Some(Value::Count(count)) => json!(count),
            Some(value) => json!(value.to_string()),
            None => Json::Null,
        }
    }
}
