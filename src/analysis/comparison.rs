//! Compares events: their maps of the first-move advantage, and, if the same two engines met in all of them, the
//! difference between the engines at each limit.

use std::collections::HashMap;

use serde::Serialize;

use crate::event::engine_and_copy;
use crate::stats::StatisticsError;
use crate::stats::advantage::{AdvantageOptions, AdvantageReport};
use crate::stats::games::{GameFlags, GameRow, GameTable};
use crate::stats::maps::AdvantageMap;
use crate::stats::maps::correlation::{MapCorrelation, MapDifference};
use crate::stats::maps::{Pooled, Trend, pooled, trend};
use crate::stats::numeric::distributions::two_sided_factor;
use crate::stats::ratings::RatingInput;

use super::collection::Collection;
use super::encounter::EncounterReport;
use super::first_move::bare_names;

/// Maps and their comparison.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ComparisonReport {
    /// Probability of all intervals.
    pub level: f64,
    /// The maps, in the order given.
    pub maps: Vec<MapReport>,
    /// Every pair of maps.
    pub pairs: Vec<PairReport>,
    /// The maps' means pooled.
    pub mean: Option<Pooled>,
    /// The mean advantage as the limit doubles (depth: by one ply), if all limits are of one kind.
    pub mean_trend: Option<Trend>,
    /// The difference between two engines that met in all sources.
    pub strength: Option<StrengthReport>,
}

/// One map.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MapReport {
    /// Where its games came from.
    pub source: String,
    pub engines: Vec<String>,
    pub limits: Vec<String>,
    pub games: usize,
    /// Starts with complete pairs.
    pub starts: usize,
    /// The keys by which its games are recognised in another map.
    #[serde(skip)]
    records: Vec<u64>,
    /// Its name and mean.
    #[serde(flatten)]
    pub map: AdvantageMap,
}

/// Two maps, by their places in the list of maps.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PairReport {
    pub first: usize,
    pub second: usize,
    /// How far they agree.
    pub correlation: Option<MapCorrelation>,
    /// The second less the first.
    pub difference: Option<MapDifference>,
    /// Games that are in both maps, with the same moves. Beyond one in a hundred of the smaller map the two would agree
    /// by construction, so nothing else is reported about them.
    pub games_in_common: usize,
}

/// The same two engines in several sources.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct StrengthReport {
    /// The first is ahead where the difference is positive.
    pub engines: [String; 2],
    /// Elo and half width of its interval, source by source.
    pub elo: Vec<[f64; 2]>,
    pub pooled: Option<Pooled>,
    /// Change of the difference as the limit doubles (depth: by one ply).
    pub trend: Option<Trend>,
}

/// The contribution of a source.
pub(crate) struct Compared {
    pub source: String,
    pub collection: Collection,
}

impl ComparisonReport {
    /// Compares sources at a level.
    ///
    /// # Errors
    /// A source whose games give no map.
    pub(crate) fn new(sources: &[Compared], level: f64) -> Result<ComparisonReport, String> {
        let mut maps = Vec::new();
        for source in sources {
            let found = maps_of(source, level);
            maps.extend(found.map_err(|why| format!("{}: {why}", source.source))?);
        }
        let means = maps.iter().filter_map(|map| mean_of(&map.map, level));
        let means: Vec<(f64, f64)> = means.collect();
        let sizes: Option<Vec<f64>> = sizes(maps.iter().map(|map| &map.limits[..]));
        let pairs = pairs(&maps, level);
        // Pooled results that would count games twice are left out.
        let apart = |pair: &PairReport| {
            let both = [&maps[pair.first], &maps[pair.second]];
            !overlap(both, pair.games_in_common)
        };
        let apart = pairs.iter().all(apart);
        let all_means = means.len() == maps.len() && apart;
        Ok(ComparisonReport {
            level,
            mean: pooled(&means, level).filter(|_| all_means),
            mean_trend: along(sizes.filter(|_| all_means), &means, level),
            strength: strength(sources, level).filter(|_| apart),
            pairs,
            maps,
        })
    }
}

/// A map's mean, and its variance if the starts are a sample of others like them.
fn mean_of(map: &AdvantageMap, level: f64) -> Option<(f64, f64)> {
    let error = map.mean.elo_error_these.or(map.mean.elo_error_all)?;
    Some((map.mean.elo, (error / two_sided_factor(level)).powi(2)))
}

fn pairs(maps: &[MapReport], level: f64) -> Vec<PairReport> {
    let indices = (0..maps.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    let two = |(first, second): (usize, usize)| {
        let both = [&maps[first], &maps[second]];
        let games_in_common = in_common(&both[0].records, &both[1].records);
        let apart = (!overlap(both, games_in_common)).then(|| both.map(|one| &one.map));
        PairReport {
            first,
            second,
            correlation: apart.and_then(|[one, other]| MapCorrelation::new(one, other, level)),
            difference: apart.and_then(|[one, other]| MapDifference::new(one, other, level)),
            games_in_common,
        }
    };
    indices.map(two).collect()
}

/// How many games every two sources have in common, by their places.
pub(crate) fn games_in_common(sources: &[Compared]) -> Vec<([usize; 2], usize)> {
    let records = |place: usize| &sources[place].collection.records[..];
    let all = 0..sources.len();
    let two = all.flat_map(|one| (one + 1..sources.len()).map(move |other| [one, other]));
    let both = two.map(|[one, other]| ([one, other], in_common(records(one), records(other))));
    both.collect()
}

/// Whether two maps share enough games to agree by construction.
fn overlap([one, other]: [&MapReport; 2], games_in_common: usize) -> bool {
    games_in_common * 100 > one.games.min(other.games)
}

/// How many entries of one list are also in the other; repeated entries count as often as both lists have them.
fn in_common(one: &[u64], other: &[u64]) -> usize {
    let mut left: HashMap<u64, usize> = HashMap::new();
    for record in one {
        *left.entry(*record).or_default() += 1;
    }
    let mut taken = |record: &&u64| match left.get_mut(record) {
        Some(count @ 1..) => {
            *count -= 1;
            true
        }
        _ => false,
    };
    other.iter().filter(|record| taken(record)).count()
}

/// One map for each source; for self-play by several engines, one for each engine.
fn maps_of(source: &Compared, level: f64) -> Result<Vec<MapReport>, StatisticsError> {
    let collection = &source.collection;
    let counted = collection.table.without(GameFlags::REPLAY);
    let names = counted.engines();
    if !collection.self_play {
        let records = collection.records.clone();
        return Ok(vec![map(source, names.to_vec(), &counted, records, level)?]);
    }
    let own = |name: String| {
        let is_own = |row: &GameRow| engine_and_copy(&names[usize::from(row.white)]).0 == name;
        let games = counted.filtered(is_own);
        let records = collection.table.rows().zip(&collection.records);
        let records = records.filter(|(row, _)| is_own(row));
        let records = records.map(|(_, record)| *record).collect();
        map(source, vec![name.clone()], &games, records, level)
    };
    bare_names(names).into_iter().map(own).collect()
}

fn map(
    source: &Compared,
    engines: Vec<String>,
    games: &GameTable,
    records: Vec<u64>,
    level: f64,
) -> Result<MapReport, StatisticsError> {
    let limits = source.collection.limits.clone();
    let name = format!("{} at {}", engines.join(", "), limits.join("; "));
    let options = AdvantageOptions {
        level,
        self_play: source.collection.self_play,
        ..AdvantageOptions::default()
    };
    let input = RatingInput::new(games);
    let report = AdvantageReport::of_input(&input, &options, |_| None);
    let map = AdvantageMap::new(&name, &report)?;
    Ok(MapReport {
        source: source.source.clone(),
        engines,
        limits,
        games: games.len(),
        starts: map.points.len(),
        records,
        map,
    })
}

/// The difference between the two engines that met in every source.
fn strength(sources: &[Compared], level: f64) -> Option<StrengthReport> {
    let first = sources.first()?.collection.table.engines();
    let [one, other] = first else { return None };
    let mut elo = Vec::new();
    for source in sources {
        let all = &source.collection.table;
        let sign = match all.engines() {
            _ if source.collection.self_play => return None,
            [a, b] if a == one && b == other => 1.0,
            [a, b] if a == other && b == one => -1.0,
            _ => return None,
        };
        let counted = all.without(GameFlags::REPLAY);
        let input = RatingInput::new(&counted);
        let report = EncounterReport::new(all, &counted, &input, None, level)?;
        let plain = || {
            let values = report.statistics.as_ref()?;
            Some((values.elo, values.delta.as_ref()?.elo_error))
        };
        let clustered = report.by_position.and_then(|c| Some((c.elo, c.elo_error?)));
        let (value, error) = clustered.or_else(plain)?;
        elo.push([sign * value, error]);
    }
    let factor = two_sided_factor(level);
    let values = elo.iter().map(|[e, h]| (*e, (h / factor).powi(2)));
    let values: Vec<(f64, f64)> = values.collect();
    let sizes = sizes(sources.iter().map(|source| &source.collection.limits[..]));
    Some(StrengthReport {
        engines: [one.clone(), other.clone()],
        pooled: pooled(&values, level),
        trend: along(sizes, &values, level),
        elo,
    })
}

fn along(sizes: Option<Vec<f64>>, values: &[(f64, f64)], level: f64) -> Option<Trend> {
    let points = sizes?.into_iter().zip(values);
    let points = points.map(|(x, (y, v))| (x, *y, *v));
    trend(&points.collect::<Vec<_>>(), level)
}

/// Limits on one scale, in doublings; `None` unless each source has one, all of a kind.
fn sizes<'a>(limits: impl Iterator<Item = &'a [String]>) -> Option<Vec<f64>> {
    let size = |limits: &[String]| match limits {
        [one] => size_of_limit(one),
        _ => None,
    };
    let found = limits.map(size).collect::<Option<Vec<_>>>()?;
    let (first, _) = *found.first()?;
    let alike = found.iter().all(|(kind, _)| *kind == first);
    alike.then(|| found.iter().map(|(_, size)| *size).collect())
}

// The size of a limit, so that several can be put on one scale.

/// Moves of a game for which a clock's increment is counted.
const MOVES: f64 = 40.0;

/// What is limited, and the size of `nodes=2000 ± 10 %`, `depth=8`, `0.5/move` or `10+0.1`; `None` for anything else.
///
/// The number is on a scale on which equal steps are comparable: the binary logarithm of nodes or seconds, and plies of
/// depth. Limits of different kinds are not compared.
fn size_of_limit(text: &str) -> Option<(&'static str, f64)> {
    let main = text.split(" ±").next()?.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| *value > 0.0);
    let (kind, value) = if let Some(nodes) = main.strip_prefix("nodes=") {
        ("nodes", number(nodes)?)
    } else if let Some(depth) = main.strip_prefix("depth=") {
        return Some(("depth", number(depth)?));
    } else if let Some(seconds) = main.strip_suffix("/move") {
        ("seconds a move", number(seconds)?)
    } else {
        let (base, increment) = main.split_once('+').unwrap_or((main, "0"));
        let increment: f64 = increment.trim().parse().ok()?;
        ("clock", number(base)? + MOVES * increment)
    };
    Some((kind, value.log2()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_a_kind_lie_on_one_scale() {
        let doublings = |text: &str| size_of_limit(text).expect("a limit").1;
        assert_eq!(doublings("nodes=2048 ± 10 %"), 11.0);
        assert_eq!((doublings("depth=8"), doublings("0.5/move")), (8.0, -1.0));
        assert_eq!(doublings("10+0.15"), 4.0);
        assert_eq!(size_of_limit("40/9+0 for ever"), None);
    }
}
