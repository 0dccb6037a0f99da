//! Statistics of a match against an independent implementation.

use super::match_vector_cases::{ReferenceVector, check_kind, counts};
use arbiter960::stats::counts::{PairCounts, Pentanomial, Trinomial};
use arbiter960::stats::match_statistics::position_bias;
use arbiter960::stats::match_statistics::{DEFAULT_LEVEL, MatchStatistics};
use arbiter960::stats::start_pairs::StartPairs;
use serde_json::json;

#[test]
fn match_vectors() {
    check_kind("match", &["results", "order", "level"], |vector| {
        let level = vector.inputs["level"].as_f64().unwrap_or(DEFAULT_LEVEL);
        let results: Vec<u64> = counts(&vector.inputs["results"]);
        let statistics = match results[..] {
            [l, d, w] => MatchStatistics::of_games(&Trinomial([l, d, w]), level),
            [ll, ld, m, wd, ww] => {
                let pairs = StartPairs::on_own_starts(Pentanomial([ll, ld, m, wd, ww]));
                MatchStatistics::of_pairs(&pairs, level)
            }
            _ => panic!("{}: neither games nor pairs", vector.id),
        };
        json!(statistics)
    });
}

#[test]
fn rms_bias_vectors() {
    check_kind("rms_bias", &["penta", "ldw"], |vector: &ReferenceVector| {
        let [pairs, games] = ["penta", "ldw"].map(|name| counts(&vector.inputs[name]));
        let pairs = Pentanomial(pairs.try_into().expect("five cells"));
        let games = Trinomial(games.try_into().expect("three cells"));
        json!(position_bias(&PairCounts { pairs, games }))
    });
}
