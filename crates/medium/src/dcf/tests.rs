//! The MAC's rules one by one, against what ns-2 2.35 measured (docs/validation/data/micro_*.txt).

mod air;
mod backoff;
mod batch;
mod edca;
mod exchange;
mod fates;
mod listening;
mod medium;
mod ofdm;
mod ofdm_capture;
mod ofdm_receiver;
mod offer;
mod overlap;
mod pair;
mod rates;
mod requests;
mod responses;
mod retries;
mod standard;
