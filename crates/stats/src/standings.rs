//! The table of results: points, and tie-breaks in a configurable order. Points are counted in half
//! points, so nothing is rounded.
//!
//! The articles are those of the FIDE Handbook, C.07, Tie-Break Regulations (from 1 August 2024).

use serde::{Deserialize, Serialize};

use super::games::Cell;

mod rules;

/// A rule to order engines with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Points in the games among the engines that are still level, again and again as fewer are;
    /// nothing where two of them have not met (FIDE C.07, article 6).
    DirectEncounter,
    /// Games won (article 7.2).
    Wins,
    /// Sonneborn–Berger: the sum over games of result times the opponent's
    /// final points (article 9.1).
    SonnebornBerger,
    /// Games won with Black (article 7.4).
    BlackWins,
    /// Pairs won with both colours (TCEC's rule of double wins).
    DoubleWins,
    /// Koya: points against engines that have at least half of their possible points (article 9.2).
    Koya,
    /// Buchholz: the final points of all opponents, each once an encounter (article 8.1). For a
    /// round without an opponent a dummy counts that ends with as many points as the engine.
    Buchholz,
    /// The same without the opponent with the fewest points (articles 8.1 and 14.1).
    BuchholzCut1,
    /// The same without the two opponents with the fewest points (article 14.2).
    BuchholzCut2,
    /// Without the best and the worst opponent (article 14.3).
    MedianBuchholz,
    /// Progressive score: the sum of the points after each round (article 7.5).
    Progressive,
    /// The average rating of the opponents in this event, and what the score against them adds
    /// (article 10.2, with ratings from the games of the event, as engines have no others).
    RatingPerformance,
    /// Fewer games with a fault: a crash, an illegal move, a flag fall. No article; the event's rules.
    FewerFaults,
    /// A lot, drawn with the event's seed (article 4.2: what is left is decided by lot).
    Lot,
}

impl TieBreak {
    /// The default order.
    pub const DEFAULT: [TieBreak; 4] = [
        TieBreak::DirectEncounter,
        TieBreak::Wins,
        TieBreak::SonnebornBerger,
        TieBreak::BlackWins,
    ];

    /// Every rule with its name in an event file.
    pub const ALL: [(&str, TieBreak); 14] = [
        ("direct", TieBreak::DirectEncounter),
        ("wins", TieBreak::Wins),
        ("sonneborn-berger", TieBreak::SonnebornBerger),
        ("wins-with-black", TieBreak::BlackWins),
        ("double-wins", TieBreak::DoubleWins),
        ("koya", TieBreak::Koya),
        ("buchholz", TieBreak::Buchholz),
        ("buchholz-cut-1", TieBreak::BuchholzCut1),
        ("buchholz-cut-2", TieBreak::BuchholzCut2),
        ("median-buchholz", TieBreak::MedianBuchholz),
        ("progressive", TieBreak::Progressive),
        ("rating-performance", TieBreak::RatingPerformance),
        ("fewer-faults", TieBreak::FewerFaults),
        ("lot", TieBreak::Lot),
    ];

    /// Its name in an event file.
    pub fn name(self) -> &'static str {
        let known = TieBreak::ALL.iter().find(|(_, rule)| *rule == self);
        known.map_or("", |(name, _)| name)
    }

    /// Whether it says anything only where encounters are played in rounds.
    pub fn needs_rounds(self) -> bool {
        use TieBreak::{Buchholz, BuchholzCut1, BuchholzCut2, MedianBuchholz, Progressive};
        matches!(
            self,
            Buchholz | BuchholzCut1 | BuchholzCut2 | MedianBuchholz | Progressive
        )
    }

    /// By what a value is divided to be points, games or a rating.
    fn divisor(self) -> f64 {
        use TieBreak as T;
        match self {
            T::DirectEncounter | T::Koya | T::Progressive => 2.0,
            T::Buchholz | T::BuchholzCut1 | T::BuchholzCut2 | T::MedianBuchholz => 2.0,
            T::SonnebornBerger => 4.0,
            T::RatingPerformance => 100.0,
            T::FewerFaults => -1.0,
            T::Wins | T::BlackWins | T::DoubleWins | T::Lot => 1.0,
        }
    }
}

/// One engine's line in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Index of the engine.
    pub engine: u16,
    /// Place from 1; engines no rule separates share it.
    pub place: usize,
    /// Points, in half points, those for byes and walkovers included.
    pub half_points: u32,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points against the engines with equal points, in half points.
    pub direct: u32,
    /// Sonneborn–Berger score, in quarter points.
    pub sonneborn_berger: u64,
    /// Games won with Black.
    pub black_wins: u32,
    /// Pairs won with both colours.
    pub double_wins: u32,
    /// The rule that puts this engine below the one above it, where points
    /// are equal.
    pub decided_by: Option<TieBreak>,
    /// The value of every rule of the order, where it has one for this engine, as
    /// [`Standing::tie_breaks`] has it.
    #[serde(skip)]
    values: Vec<(TieBreak, Option<i64>)>,
}

impl Standing {
    /// Points.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Points against the engines with equal points.
    pub fn direct_points(&self) -> f64 {
        f64::from(self.direct) / 2.0
    }

    /// Sonneborn–Berger score in points.
    pub fn sonneborn_berger_points(&self) -> f64 {
        self.sonneborn_berger as f64 / 4.0
    }

    /// Every rule of the order with its value, in points, games or Elo; the direct encounter has
    /// one where engines are level when its turn comes.
    pub fn tie_breaks(&self) -> impl Iterator<Item = (TieBreak, Option<f64>)> + '_ {
        let values = self.values.iter();
        values.map(|(rule, value)| (*rule, value.map(|value| value as f64 / rule.divisor())))
    }
}

/// The games of two engines in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundScore {
    /// The round.
    pub round: u32,
    /// Who met; the second is missing where the first had a bye, or an opponent that did not play.
    pub engines: (u16, Option<u16>),
    /// Half points of both.
    pub half_points: [u32; 2],
}

/// All that a table is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// How many engines there are.
    pub engines: usize,
    /// Their games.
    pub cells: Vec<Cell>,
    /// For each engine the pairs it won with both colours; empty where pairs are not known.
    pub double_wins: Vec<u32>,
    /// The encounters, where they are played in rounds.
    pub rounds: Vec<RoundScore>,
    /// Half points of each engine for games that were not played; empty without.
    pub unplayed: Vec<u32>,
    /// Games of each engine with a fault of its own; empty without.
    pub faults: Vec<u64>,
    /// A lot of each engine; the highest is best.
    pub lots: Vec<u32>,
}

impl Results {
    /// The table, best engine first.
    pub fn standings(&self, order: &[TieBreak]) -> Vec<Standing> {
        let mut table: Vec<Standing> = (0..self.engines).map(|engine| self.blank(engine)).collect();
        self.cells.iter().for_each(|cell| count(&mut table, cell));
        let points: Vec<u32> = table.iter().map(|row| row.half_points).collect();
        for cell in &self.cells {
            let (white, black) = (usize::from(cell.white), usize::from(cell.black));
            let (white_half, black_half) = half_points(cell);
            table[white].sonneborn_berger += u64::from(white_half) * u64::from(points[black]);
            table[black].sonneborn_berger += u64::from(black_half) * u64::from(points[white]);
            if points[white] == points[black] {
                table[white].direct += white_half;
                table[black].direct += black_half;
            }
        }
        rules::rank(self, table, order)
    }

    fn blank(&self, engine: usize) -> Standing {
        Standing {
            engine: engine as u16,
            place: 0,
            half_points: self.unplayed.get(engine).copied().unwrap_or(0),
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            direct: 0,
            sonneborn_berger: 0,
            black_wins: 0,
            double_wins: self.double_wins.get(engine).copied().unwrap_or(0),
            decided_by: None,
            values: Vec::new(),
        }
    }
}

/// The table, best engine first. `double_wins` holds for each engine the pairs
/// it won with both colours (an empty slice where pairs are not known).
pub fn standings(
    engines: usize,
    colours: &[Cell],
    double_wins: &[u32],
    order: &[TieBreak],
) -> Vec<Standing> {
    let results = Results {
        engines,
        cells: colours.to_vec(),
        double_wins: double_wins.to_vec(),
        ..Results::default()
    };
    results.standings(order)
}

/// White's and Black's half points in a cell.
fn half_points(cell: &Cell) -> (u32, u32) {
    let [losses, draws, wins] = cell.results;
    (2 * wins + draws, 2 * losses + draws)
}

fn count(table: &mut [Standing], cell: &Cell) {
    let [losses, draws, wins] = cell.results;
    let (white_half, black_half) = half_points(cell);
    let sides = [
        (cell.white, wins, losses, white_half),
        (cell.black, losses, wins, black_half),
    ];
    for (engine, won, lost, half) in sides {
        let row = &mut table[usize::from(engine)];
        row.half_points += half;
        row.games += won + draws + lost;
        row.wins += won;
        row.draws += draws;
        row.losses += lost;
    }
    table[usize::from(cell.black)].black_wins += losses;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(white: u16, black: u16, results: [u32; 3]) -> Cell {
        Cell {
            start: 0,
            white,
            black,
            results,
        }
    }

    #[test]
    fn equal_points_are_decided_by_the_first_rule_that_differs() {
        // A and B: 2 points of 3; B beat A, C lost to both but for a draw.
        let games = [
            cell(0, 1, [1, 0, 0]),
            cell(0, 2, [0, 0, 2]),
            cell(2, 1, [0, 2, 0]),
        ];
        let table = standings(3, &games, &[], &TieBreak::DEFAULT);
        assert_eq!(
            table.iter().map(|row| row.engine).collect::<Vec<_>>(),
            [1, 0, 2]
        );
        assert_eq!(
            (table[0].direct_points(), table[1].direct_points()),
            (1.0, 0.0)
        );
        assert_eq!(table[1].decided_by, Some(TieBreak::DirectEncounter));
        assert_eq!(
            (table[0].sonneborn_berger_points(), table[0].black_wins),
            (3.0, 1)
        );
        let by_wins = standings(3, &games, &[], &[TieBreak::Wins]);
        assert_eq!(
            (by_wins[0].engine, by_wins[1].decided_by),
            (0, Some(TieBreak::Wins))
        );
    }

    #[test]
    fn inseparable_engines_share_a_place() {
        let table = standings(2, &[cell(0, 1, [0, 2, 0])], &[], &TieBreak::DEFAULT);
        assert_eq!(
            (table[0].place, table[1].place, table[1].decided_by),
            (1, 1, None)
        );
    }

    #[test]
    fn no_games_make_an_empty_but_valid_table() {
        assert!(standings(0, &[], &[], &TieBreak::DEFAULT).is_empty());
        assert_eq!(standings(2, &[], &[], &[])[1].points(), 0.0);
    }

    /// Four engines, two games an encounter, three rounds; half points of the encounters:
    /// A–B 3:1, C–D 2:2; A–C 1:3, B–D 4:0; A–D 2:2, B–C 1:3.
    /// A 6, B 6, C 8, D 4 half points.
    fn league() -> Results {
        let encounters = [
            (1, 0, 1, [0, 1, 1]),
            (1, 2, 3, [0, 2, 0]),
            (2, 0, 2, [1, 1, 0]),
            (2, 1, 3, [0, 0, 2]),
            (3, 0, 3, [0, 2, 0]),
            (3, 1, 2, [1, 1, 0]),
        ];
        let mut results = Results {
            engines: 4,
            lots: vec![1, 2, 3, 4],
            faults: vec![2, 1, 0, 0],
            ..Results::default()
        };
        for (round, white, black, games) in encounters {
            results.cells.push(cell(white, black, games));
            let [losses, draws, wins] = games;
            results.rounds.push(RoundScore {
                round,
                engines: (white, Some(black)),
                half_points: [2 * wins + draws, 2 * losses + draws],
            });
        }
        results
    }

    /// The order of the engines, and the values of A and B.
    fn by(results: &Results, rule: TieBreak) -> (Vec<u16>, [Option<f64>; 2]) {
        let table = results.standings(&[rule]);
        let value = |engine: u16| {
            let row = table.iter().find(|row| row.engine == engine).unwrap();
            row.tie_breaks().next().unwrap().1
        };
        let order = table.iter().map(|row| row.engine).collect();
        (order, [value(0), value(1)])
    }

    #[test]
    fn every_rule_by_hand() {
        let results = league();
        let points: Vec<u32> = {
            let mut table = results.standings(&[]);
            table.sort_by_key(|row| row.engine);
            table.iter().map(|row| row.half_points).collect()
        };
        assert_eq!(points, [6, 6, 8, 4]);
        let told = |rule, order: [u16; 4], values: [f64; 2]| {
            assert_eq!(
                by(&results, rule),
                (order.to_vec(), values.map(Some)),
                "{rule:?}"
            );
        };
        // A beat B 1½ : ½.
        told(TieBreak::DirectEncounter, [2, 0, 1, 3], [1.5, 0.5]);
        told(TieBreak::Wins, [2, 1, 0, 3], [1.0, 2.0]);
        told(TieBreak::BlackWins, [2, 0, 1, 3], [0.0, 0.0]);
        // A: 1½·3 + ½·4 + 1·2; B: ½·3 + 2·2 + ½·4.
        told(TieBreak::SonnebornBerger, [2, 0, 1, 3], [8.5, 7.5]);
        // At least half of six games: A, B, C.
        told(TieBreak::Koya, [2, 0, 1, 3], [2.0, 1.0]);
        // Opponents of A: B 3, C 4, D 2; of B: A 3, D 2, C 4.
        told(TieBreak::Buchholz, [2, 0, 1, 3], [9.0, 9.0]);
        told(TieBreak::BuchholzCut1, [2, 0, 1, 3], [7.0, 7.0]);
        told(TieBreak::BuchholzCut2, [2, 0, 1, 3], [4.0, 4.0]);
        told(TieBreak::MedianBuchholz, [2, 0, 1, 3], [3.0, 3.0]);
        // A: 1½, 2, 3; B: ½, 2½, 3.
        told(TieBreak::Progressive, [2, 0, 1, 3], [6.5, 6.0]);
        told(TieBreak::FewerFaults, [2, 1, 0, 3], [2.0, 1.0]);
        told(TieBreak::Lot, [2, 1, 0, 3], [1.0, 2.0]);
        let doubles = Results {
            double_wins: vec![0, 1, 0, 0],
            ..league()
        };
        assert_eq!(by(&doubles, TieBreak::DoubleWins).0, [2, 1, 0, 3]);
    }

    #[test]
    fn a_bye_is_a_dummy_with_the_points_of_the_engine_itself() {
        let results = Results {
            engines: 3,
            cells: vec![cell(0, 1, [0, 0, 2])],
            rounds: vec![
                RoundScore {
                    round: 1,
                    engines: (0, Some(1)),
                    half_points: [4, 0],
                },
                RoundScore {
                    round: 1,
                    engines: (2, None),
                    half_points: [4, 0],
                },
            ],
            unplayed: vec![0, 0, 4],
            ..Results::default()
        };
        let table = results.standings(&[TieBreak::Buchholz, TieBreak::Wins]);
        // C has a bye: Buchholz 2; A beat B, which has 0 points.
        assert_eq!((table[0].engine, table[1].engine), (2, 0));
        assert_eq!(table[1].decided_by, Some(TieBreak::Buchholz));
    }

    #[test]
    fn the_performance_against_better_opponents_is_better() {
        // A and B have a draw each: A with C, which beats D, B with D.
        let results = Results {
            engines: 4,
            cells: vec![
                cell(0, 2, [0, 1, 0]),
                cell(1, 3, [0, 1, 0]),
                cell(2, 3, [0, 0, 2]),
            ],
            ..Results::default()
        };
        let (order, [a, b]) = by(&results, TieBreak::RatingPerformance);
        assert_eq!(order, [2, 0, 1, 3]);
        let ([Some(a), Some(b)], 0) = ([a, b], 0) else {
            panic!("both have played");
        };
        assert!(a > 0.0 && (a + b).abs() < 0.02, "{a} {b}");
    }

    #[test]
    fn three_that_are_level_are_told_apart_among_themselves_and_then_the_rest() {
        // Each has 4 half points of 6: A beats B, B and C draw, A and C draw; all beat D or lose
        // to it as it must be.
        let games = [
            cell(0, 1, [0, 0, 1]),
            cell(1, 2, [0, 1, 0]),
            cell(0, 2, [0, 1, 0]),
            cell(0, 3, [0, 1, 0]),
            cell(1, 3, [0, 0, 1]),
            cell(1, 3, [0, 1, 0]),
            cell(2, 3, [0, 0, 1]),
        ];
        let results = Results {
            engines: 4,
            cells: games.to_vec(),
            ..Results::default()
        };
        let table = results.standings(&[TieBreak::DirectEncounter]);
        let rows: Vec<_> = table
            .iter()
            .map(|row| (row.engine, row.half_points, row.place))
            .collect();
        assert_eq!(rows, [(0, 4, 1), (2, 4, 2), (1, 4, 3), (3, 2, 4)]);
    }
}
