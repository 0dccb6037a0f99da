//! The standings of the engines: results, differences, table, test and outcomes, as cutechess-cli prints them.

use std::collections::BTreeMap;

use crate::chess::Color;
use crate::event::PlayedGame;
use crate::front::common::reason::{self, color_name};
use crate::front::common::settings::{CommandLine, Cutechess, EngineSettings, Kind, Settings};
use crate::front::common::values::{ScoreRating, away_from_zero, general};
use crate::referee::{DrawnBy, FaultKind, Outcome};
use crate::stats::counts::{GameScore, Trinomial};
use crate::stats::sprt::hypotheses::cutechess_llr;

/// What is counted for an engine.
#[derive(Debug, Clone, Default)]
struct EngineTally {
    /// Results with White and with Black.
    results: [Trinomial; 2],
    /// Why games ended, in words.
    reasons: BTreeMap<String, u64>,
}

impl EngineTally {
    /// Counts a game in which the engine had this colour.
    fn add(&mut self, game: &PlayedGame, color: Color) {
        let outcome = &game.record.outcome;
        if let Some(white) = outcome.white_score() {
            let own = match color {
                Color::White => white,
                Color::Black => GameScore::reversed(white),
            };
            self.results[color.index()].add(own);
        }
        let why = words(game);
        let why = match outcome {
            Outcome::Won { by, .. } if *by == color => format!("Win: {why}"),
            Outcome::Won { .. } => format!("Loss: {why}"),
            _ => why,
        };
        *self.reasons.entry(why).or_default() += 1;
    }

    /// Results with both colours.
    fn all(&self) -> Trinomial {
        let [white, black] = &self.results;
        Trinomial(std::array::from_fn(|cell| white.0[cell] + black.0[cell]))
    }

    fn rating(&self) -> ScoreRating {
        ScoreRating::of_cutechess(&self.all())
    }
}

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
    pub(in crate::front) fn of_line(line: &CommandLine) -> Option<CutechessStandings> {
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
    pub(super) fn set_name(&mut self, engine: u16, name: &str) {
        name.clone_into(&mut self.names[usize::from(engine)]);
    }

    /// The name of an engine.
    pub(super) fn name(&self, engine: u16) -> &str {
        &self.names[usize::from(engine)]
    }

    /// The games of a knockout in which no encounter is level; 0 for another tournament.
    pub(super) fn games_of_knockout(&self) -> u64 {
        let encounters = self.names.len().saturating_sub(1) as u64;
        u64::from(self.own.knockout) * encounters * u64::from(self.own.series.games)
    }

    pub(super) fn count(&mut self, game: &PlayedGame) {
        for color in Color::ALL {
            self.tallies[usize::from(game.seat(color).engine)].add(game, color);
        }
    }

    /// The score so far, if only two engines play.
    pub(super) fn score(&self) -> Option<String> {
        let [first, _] = self.tallies.as_slice() else {
            return None;
        };
        let versus = format!("Score of {} vs {}", self.names[0], self.names[1]);
        Some(score_line(&versus, &first.all()))
    }

    fn llr(&self) -> f64 {
        let sprt = &self.settings.sprt;
        let Some(first) = self.tallies.first().filter(|_| sprt.enabled) else {
            return 0.0;
        };
        // All games of the event: won by the first engine, drawn by any two, and the others.
        let all = self.tallies.iter().map(EngineTally::all);
        let (games, draws) = all.fold((0, 0), |(games, draws), results| {
            (games + results.games(), draws + results.draws())
        });
        let (games, draws, wins) = (games / 2, draws / 2, first.all().wins());
        let counts = Trinomial([games - draws - wins, draws, wins]);
        cutechess_llr([sprt.elo0, sprt.elo1], &counts)
    }

    /// The bounds; without a test, the bounds for error rates of 0.
    fn bounds(&self) -> [f64; 2] {
        let [alpha, beta] = [self.settings.sprt.alpha, self.settings.sprt.beta];
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

    /// What is printed at the end of a run without a game.
    pub(in crate::front) fn of_no_game(&self) -> String {
        let mut text = String::new();
        if self.settings.ratinginterval == 0 {
            text += &self.ranking();
        }
        if self.own.outcomes == 0 {
            text += &self.outcomes();
        }
        text
    }

    /// For two engines the results by colour and the difference, otherwise the table; then the test.
    pub(super) fn ranking(&self) -> String {
        let results = match self.tallies.as_slice() {
            [first, _] => self.head_to_head(first),
            _ => self.table(),
        };
        let (llr, [lower, upper]) = (self.llr(), self.bounds());
        let percent = away_from_zero(llr / upper * 100.0, 1);
        let [llr, lower, upper] = [llr + 0.0, lower, upper].map(|value| general(value, 3));
        let verdict = self.verdict().unwrap_or_default();
        let test = format!("SPRT: llr {llr} ({percent}%), lbound {lower}, ubound {upper}{verdict}");
        format!("{results}\n{test}\n")
    }

    fn head_to_head(&self, tally: &EngineTally) -> String {
        let name = &self.names[0];
        let [white, black] = tally.results;
        let cells = std::array::from_fn(|cell| white.0[cell] + black.0[2 - cell]);
        let rows = [
            (format!("...      {name} playing White"), white),
            (format!("...      {name} playing Black"), black),
            ("...      White vs Black".to_owned(), Trinomial(cells)),
        ];
        let rows = rows.iter().filter(|(_, results)| results.games() > 0);
        let rows = rows.map(|(who, results)| score_line(who, results));
        let rows: String = rows.collect();
        let (rating, all) = (tally.rating(), tally.all());
        let draws = 100.0 * all.draws() as f64 / all.games() as f64;
        let numbers = [rating.elo, rating.error, rating.los, draws];
        let [elo, error, los, draws] = numbers.map(|number| away_from_zero(number, 1));
        format!("{rows}Elo difference: {elo} +/- {error}, LOS: {los} %, DrawRatio: {draws} %")
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
        let line = |name: &str, cells: [String; 6]| {
            let [rank, cells @ ..] = cells;
            let cells = cells.map(|cell| format!("{cell:>7} ")).concat();
            format!("{rank:>4} {name:<25} {cells}\n")
        };
        let heads = ["Rank", "Elo", "+/-", "Games", "Score", "Draw"];
        let mut text = line("Name", heads.map(str::to_owned));
        for (rank, engine) in (first_rank..).zip(order) {
            let tally = &self.tallies[engine];
            let (all, rating) = (tally.all(), tally.rating());
            let share = |part: f64| away_from_zero(part * 100.0, 1) + "%";
            let (rank, elo): (i64, _) = (rank, |elo| away_from_zero(elo, 0));
            let cells = [
                rank.to_string(),
                elo(rating.elo),
                elo(rating.error),
                all.games().to_string(),
                share(rating.score),
                share(all.draws() as f64 / all.games() as f64),
            ];
            text += &line(&self.names[engine], cells);
        }
        text
    }

    /// The reasons for which the games of each engine ended.
    pub(super) fn outcomes(&self) -> String {
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

/// Points of a game, from 0 to 1.
fn score(results: &Trinomial) -> f64 {
    (2 * results.wins() + results.draws()) as f64 / (2 * results.games()) as f64
}

/// `Score of A vs B: 1 - 0 - 0  [1.000] 1`.
fn score_line(who: &str, results: &Trinomial) -> String {
    let [losses, draws, wins] = results.0;
    let games = results.games();
    let score = away_from_zero(score(results), 3);
    format!("{who}: {wins} - {losses} - {draws}  [{score}] {games}\n")
}

/// The reason in the words of cutechess-cli: a loss on time is given without the time, an illegal move with the move.
pub(super) fn words(game: &PlayedGame) -> String {
    if let Outcome::Drawn(DrawnBy::LengthAdjudication) = game.record.outcome {
        return "Draw by adjudication: maximal game length".to_owned();
    }
    if reason::fault(game) == Some(FaultKind::FlagFall) {
        return match game.record.outcome {
            Outcome::Won { by, .. } => format!("{} loses on time", color_name(!by)),
            _ => "Draw by timeout".to_owned(),
        };
    }
    let text = reason::text(game, &[]);
    match reason::illegal_move(game) {
        Some(wrong) => format!("{text}: {wrong}"),
        None => text,
    }
}
