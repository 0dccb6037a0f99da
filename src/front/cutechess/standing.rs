//! The standings of the engines: results, differences, table and outcomes, as cutechess-cli prints them.

use super::clock;
use super::formats::{self, Row};
use super::rating::qt;
use super::tally::{EngineTally, points_per_game};
use crate::chess::Color;
use crate::event::PlayedGame;
use crate::front::common::number::general;
use crate::front::common::settings::{CommandLine, Cutechess, EngineSettings, Kind, Settings};
use crate::stats::counts::Trinomial;
use crate::stats::sprt::bayeselo::cutechess_llr;

/// The standings of the engines.
pub(in crate::front) struct CutechessStandings {
    pub(super) settings: Settings,
    pub(super) own: Cutechess,
    pub(super) engines: Vec<EngineSettings>,
    /// The names that engines were given; the others are added with the first game of each.
    names: Vec<String>,
    tallies: Vec<EngineTally>,
}

impl CutechessStandings {
    /// The standings before the first game, if the line is one of cutechess-cli.
    pub(in crate::front) fn of(line: &CommandLine) -> Option<CutechessStandings> {
        let own = line.settings.unwritten.cutechess.clone()?;
        Some(CutechessStandings {
            settings: line.settings.clone(),
            tallies: vec![EngineTally::default(); line.engines.len()],
            names: own.names.clone(),
            engines: line.engines.clone(),
            own,
        })
    }

    /// An engine plays: its name is the one that it was given, or that it gives itself.
    pub(super) fn meet(&mut self, engine: u16, name: &str) {
        name.clone_into(&mut self.names[usize::from(engine)]);
    }

    /// The games of a knockout in which no encounter is level; 0 for another tournament.
    pub(super) fn games_of_knockout(&self) -> u64 {
        let encounters = self.names.len().saturating_sub(1) as u64;
        match self.own.knockout {
            true => encounters * u64::from(self.own.series.games),
            false => 0,
        }
    }

    /// The name of an engine.
    pub(super) fn name(&self, engine: u16) -> &str {
        &self.names[usize::from(engine)]
    }

    /// Counts a game.
    pub(super) fn count(&mut self, game: &PlayedGame) {
        for color in Color::ALL {
            let engine = usize::from(game.seat(color).engine);
            self.tallies[engine].add(game, color);
        }
    }

    /// The score so far, if only two engines play.
    pub(super) fn score(&self) -> Option<String> {
        let [first, second] = self.tallies.as_slice() else {
            return None;
        };
        let (first, second) = (first.all(), second.all());
        let [_, draws, wins] = first.0;
        Some(format!(
            "Score of {} vs {}: {wins} - {} - {draws}  [{}] {}\n",
            self.names[0],
            self.names[1],
            second.0[2],
            points(&first),
            first.games()
        ))
    }

    fn llr(&self) -> f64 {
        let sprt = &self.settings.sprt;
        match (sprt.enabled, self.tallies.first()) {
            (true, Some(first)) => {
                cutechess_llr([sprt.elo0, sprt.elo1], &self.as_test_counts(first.all()))
            }
            _ => 0.0,
        }
    }

    /// All games of the event: won by the first engine, drawn by any two, and the others.
    fn as_test_counts(&self, first: Trinomial) -> Trinomial {
        let all = self.tallies.iter().map(|tally| tally.all());
        let (games, draws) = all.fold((0, 0), |(games, draws), results| {
            (games + results.games(), draws + results.0[1])
        });
        let (games, draws, wins) = (games / 2, draws / 2, first.0[2]);
        Trinomial([games - draws - wins, draws, wins])
    }

    /// The bounds; without a test, the bounds for error rates of 0.
    fn bounds(&self) -> [f64; 2] {
        let sprt = &self.settings.sprt;
        let [alpha, beta] = match sprt.enabled {
            true => [sprt.alpha, sprt.beta],
            false => [0.0, 0.0],
        };
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The verdict of the test, if it is decided.
    pub(super) fn verdict(&self) -> Option<&'static str> {
        let (llr, [lower, upper]) = (self.llr(), self.bounds());
        match self.settings.sprt.enabled {
            true if llr >= upper => Some(" - H1 was accepted"),
            true if llr <= lower => Some(" - H0 was accepted"),
            _ => None,
        }
    }

    /// For two engines the results by colour and the difference, otherwise the table; then the test.
    pub(in crate::front) fn ranking(&self) -> String {
        let results = match self.tallies.as_slice() {
            [first, _] => self.head_to_head(first),
            _ => self.table(),
        };
        results + "\n" + &self.test()
    }

    fn head_to_head(&self, tally: &EngineTally) -> String {
        let mut text = String::new();
        let name = &self.names[0];
        let mut row = |who: String, results: &Trinomial| {
            let [losses, draws, wins] = results.0;
            if results.games() > 0 {
                text += &format!(
                    "...      {who}: {wins} - {losses} - {draws}  [{}] {}\n",
                    points(results),
                    results.games()
                );
            }
        };
        let [white, black] = &tally.results;
        row(format!("{name} playing White"), white);
        row(format!("{name} playing Black"), black);
        let cells = |cell: usize| white.0[cell] + black.0[2 - cell];
        row(
            "White vs Black".to_owned(),
            &Trinomial(std::array::from_fn(cells)),
        );
        let rating = tally.rating();
        text + &format!(
            "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %",
            qt(rating.elo(), 1),
            qt(rating.error(), 1),
            qt(rating.superiority(), 1),
            qt(100.0 * rating.draws, 1)
        )
    }

    /// All engines: first the seeds of a gauntlet, then by points; of engines with equal points the later comes first.
    fn table(&self) -> String {
        let (heroes, first_rank) = match self.settings.kind {
            Kind::Gauntlet => (self.settings.heroes(self.engines.len()), 0),
            Kind::RoundRobin => (0, 1),
        };
        let key = |engine: usize| match self.tallies[engine].rating().score {
            _ if engine < heroes => -1.0,
            score if score.is_nan() => 2.0,
            score => 1.0 - score,
        };
        let mut order: Vec<usize> = (0..self.tallies.len()).rev().collect();
        order.sort_by(|one, other| key(*one).total_cmp(&key(*other)));
        let format = &self.own.format;
        let mut text = formats::head(format);
        for (rank, engine) in (first_rank..).zip(order) {
            let row = Row {
                rank,
                name: &self.names[engine],
                clock: clock(&self.engines[engine]),
                tally: &self.tallies[engine],
            };
            text += &formats::row(format, &row);
        }
        text
    }

    fn test(&self) -> String {
        let (llr, [lower, upper]) = (self.llr(), self.bounds());
        format!(
            "SPRT: llr {} ({}%), lbound {}, ubound {}{}\n",
            general(llr + 0.0, 3),
            qt(llr / upper * 100.0, 1),
            general(lower, 3),
            general(upper, 3),
            self.verdict().unwrap_or_default()
        )
    }

    /// The reasons for which the games of each engine ended.
    pub(in crate::front) fn outcomes(&self) -> String {
        let mut text = "\n".to_owned();
        for (name, tally) in self.names.iter().zip(&self.tallies) {
            text += &format!("Player: {name}\n");
            for (words, count) in &tally.reasons {
                text += &format!("   \"{words}\": {count}\n");
            }
        }
        text
    }
}

/// The points of a game, three decimals.
fn points(results: &Trinomial) -> String {
    qt(points_per_game(results), 3)
}
