//! The standings of the engines: results, differences, table and outcomes, as cutechess-cli prints them.

use super::clock;
use super::formats::{self, Row};
use super::rating::qt;
use super::tally::EngineTally;
use crate::chess::Color;
use crate::event::PlayedGame;
use crate::front::common::number::general;
use crate::front::common::settings::{Cutechess, EngineSettings, Kind, Settings};
use crate::stats::counts::Trinomial;
use crate::stats::sprt::bayeselo::cutechess_llr;

/// The standings of the engines.
pub(in crate::front) struct CutechessStandings {
    settings: Settings,
    own: Cutechess,
    /// The names that engines were given; the others are added with the first game of each.
    names: Vec<String>,
    clocks: Vec<String>,
    tallies: Vec<EngineTally>,
}

impl CutechessStandings {
    /// The standings before the first game.
    pub(in crate::front) fn new(
        (settings, own): (&Settings, &Cutechess),
        engines: &[EngineSettings],
    ) -> CutechessStandings {
        CutechessStandings {
            settings: settings.clone(),
            own: own.clone(),
            tallies: vec![EngineTally::default(); engines.len()],
            names: own.names.clone(),
            clocks: engines.iter().map(clock).collect(),
        }
    }

    /// An engine plays; `said` becomes its name if it was not given one.
    pub(super) fn meet(&mut self, engine: u16, said: &str) {
        let name = self.names.get_mut(usize::from(engine));
        if let Some(name) = name.filter(|name| name.is_empty()) {
            said.clone_into(name);
        }
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
        let name = self.names.get(usize::from(engine));
        name.map(String::as_str).unwrap_or_default()
    }

    /// Counts a game.
    pub(super) fn count(&mut self, game: &PlayedGame) {
        for color in Color::ALL {
            let engine = usize::from(game.seat(color).engine);
            if let Some(tally) = self.tallies.get_mut(engine) {
                tally.add(game, color);
            }
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
        let is_gauntlet = self.settings.kind == Kind::Gauntlet;
        let seeds = usize::try_from(self.settings.gauntlet_seeds).unwrap_or(0);
        let heroes = match is_gauntlet {
            true => seeds.clamp(1, self.tallies.len().saturating_sub(1).max(1)),
            false => 0,
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
        let first = if is_gauntlet { 0 } else { 1 };
        for (rank, engine) in (first..).zip(order) {
            let row = Row {
                rank,
                name: &self.names[engine],
                clock: &self.clocks[engine],
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
    let [_, draws, wins] = results.0;
    let points = (2 * wins + draws) as f64 / (2 * results.games()) as f64;
    qt(points, 3)
}
