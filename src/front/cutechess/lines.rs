//! The lines of cutechess-cli between two engines, as a listener to facts. Results go to the standard
//! output, warnings to the standard error.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::chess::Color;
use crate::event::{GameId, PlayedGame, Seat};
use crate::front::console::Told;
use crate::front::number::{fixed, general};
use crate::front::output::Lines;
use crate::front::reason;
use crate::front::settings::Settings;
use crate::front::starts::Starts;
use crate::referee::{DrawnBy, Outcome};
use crate::stats::counts::{GameScore, Trinomial};
use crate::stats::numeric::distributions::{normal_cdf, normal_quantile};
use crate::stats::sprt::bayeselo::cutechess_llr;

/// What the lines are made of.
pub(in crate::front) struct Score {
    settings: Settings,
    names: [String; 2],
    starts: Starts,
    /// Results of the first engine with White and with Black.
    results: [Trinomial; 2],
    /// Why games ended, for each engine.
    reasons: [BTreeMap<String, u64>; 2],
    warnings: Vec<Vec<String>>,
    finished: u64,
    silent: bool,
    told: Arc<Mutex<Told>>,
}

impl Score {
    /// The lines of an event in which nothing has been played.
    pub(in crate::front) fn new(
        settings: Settings,
        names: [String; 2],
        starts: Starts,
        warnings: Vec<Vec<String>>,
        told: Arc<Mutex<Told>>,
    ) -> Score {
        Score {
            settings,
            names,
            starts,
            results: [Trinomial::default(); 2],
            reasons: Default::default(),
            warnings,
            finished: 0,
            silent: false,
            told,
        }
    }

    /// Takes in a game that was stored by an earlier run; its reason is not known any more.
    pub(in crate::front) fn recall(&mut self, id: GameId, seats: [Seat; 2], white: GameScore) {
        self.starts.recall(id);
        self.count(seats, white);
    }

    fn count(&mut self, seats: [Seat; 2], white: GameScore) {
        let with_white = seats[0].engine == 0;
        let score = if with_white { white } else { white.reversed() };
        self.results[usize::from(!with_white)].add(score);
        self.finished += 1;
    }

    fn all(&self) -> Trinomial {
        let [white, black] = &self.results;
        Trinomial(std::array::from_fn(|cell| white.0[cell] + black.0[cell]))
    }

    fn versus(&self, seats: [Seat; 2]) -> String {
        let [white, black] = seats.map(|seat| &self.names[usize::from(seat.engine)]);
        format!("{white} vs {black}")
    }

    fn begin(&mut self, id: GameId) -> String {
        if self.silent {
            return String::new();
        }
        let Some(seats) = self.starts.announce(id) else {
            return String::new();
        };
        for warning in seats
            .iter()
            .flat_map(|seat| &self.warnings[usize::from(seat.engine)])
        {
            crate::text::tell(&warning.replacen("Warning; ", "Warning: ", 1));
        }
        let (number, games) = (self.starts.number(id), self.starts.games());
        format!(
            "Started game {number} of {games} ({})\n",
            self.versus(seats)
        )
    }

    fn game(&mut self, game: &PlayedGame) -> String {
        let why = reason(game);
        let mut text = self.begin(game.id);
        text += &format!(
            "Finished game {} ({}): {} {{{why}}}\n",
            self.starts.number(game.id),
            self.versus(game.seats),
            game.record.outcome.result()
        );
        if let Some(white) = game.record.outcome.white_score() {
            self.count(game.seats, white);
        }
        self.note(game, &why);
        let [losses, draws, wins] = self.all().0;
        text += &format!(
            "Score of {} vs {}: {wins} - {losses} - {draws}  [{}] {}\n",
            self.names[0],
            self.names[1],
            points(&self.all()),
            self.finished
        );
        if self.is_interval() {
            text += &self.ranking();
        }
        let breakdown = reason::fault(game).is_some_and(reason::is_breakdown);
        let broken = breakdown && !self.settings.recover;
        if broken || self.verdict().is_some() {
            self.silent = true;
        }
        let next = self.starts.over(game.id);
        text + &next.map(|next| self.begin(next)).unwrap_or_default()
    }

    fn is_interval(&self) -> bool {
        let interval = u64::try_from(self.settings.ratinginterval).unwrap_or(0);
        interval > 0 && self.finished.is_multiple_of(interval)
    }

    /// Counts why a game ended, for both engines.
    fn note(&mut self, game: &PlayedGame, why: &str) {
        for color in Color::ALL {
            let words = match game.record.outcome {
                Outcome::Won { by, .. } if by == color => format!("Win: {why}"),
                Outcome::Won { .. } => format!("Loss: {why}"),
                _ => why.to_owned(),
            };
            let engine = usize::from(game.seat(color).engine);
            *self.reasons[engine].entry(words).or_default() += 1;
        }
    }

    fn llr(&self) -> f64 {
        let sprt = &self.settings.sprt;
        cutechess_llr([sprt.elo0, sprt.elo1], &self.all())
    }

    fn bounds(&self) -> [f64; 2] {
        let sprt = &self.settings.sprt;
        let [alpha, beta] = [sprt.alpha, sprt.beta];
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    fn verdict(&self) -> Option<&'static str> {
        let (llr, [lower, upper]) = (self.llr(), self.bounds());
        match self.settings.sprt.enabled {
            true if llr >= upper => Some(" - H1 was accepted"),
            true if llr <= lower => Some(" - H0 was accepted"),
            _ => None,
        }
    }

    /// Results by colour, difference and test.
    fn ranking(&self) -> String {
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
        let [white, black] = &self.results;
        row(format!("{name} playing White"), white);
        row(format!("{name} playing Black"), black);
        let cells = |cell: usize| white.0[cell] + black.0[2 - cell];
        row(
            "White vs Black".to_owned(),
            &Trinomial(std::array::from_fn(cells)),
        );
        text + &self.difference() + &self.test()
    }

    fn difference(&self) -> String {
        let [losses, draws, wins] = self.all().0.map(|count| count as f64);
        let games = losses + draws + wins;
        let score = (wins + 0.5 * draws) / games;
        let squares = [(wins, 1.0), (draws, 0.5), (losses, 0.0)];
        let sum: f64 = squares
            .iter()
            .map(|(count, points)| count / games * (points - score) * (points - score))
            .sum();
        let deviation = sum.sqrt() / games.sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let edge = |quantile: f64| elo(score + normal_quantile(quantile) * deviation);
        let superiority = (wins - losses) / (wins + losses).sqrt();
        let los = match superiority.is_nan() {
            true => superiority,
            false => 100.0 * normal_cdf(superiority),
        };
        format!(
            "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %\n",
            qt(elo(score)),
            qt((edge(0.975) - edge(0.025)) / 2.0),
            qt(los),
            qt(100.0 * draws / games)
        )
    }

    fn test(&self) -> String {
        if !self.settings.sprt.enabled {
            return String::new();
        }
        let (llr, [lower, upper]) = (self.llr(), self.bounds());
        format!(
            "SPRT: llr {} ({}%), lbound {}, ubound {}{}\n",
            general(llr, 3),
            fixed(llr / upper * 100.0, 1),
            general(lower, 3),
            general(upper, 3),
            self.verdict().unwrap_or_default()
        )
    }

    /// Why the games of each engine ended.
    fn outcomes(&self) -> String {
        let mut text = "\n".to_owned();
        for (name, reasons) in self.names.iter().zip(&self.reasons) {
            text += &format!("Player: {name}\n");
            for (words, count) in reasons {
                text += &format!("   \"{words}\": {count}\n");
            }
        }
        text
    }
}

/// One decimal; what is not a number as Qt writes it, without a sign.
fn qt(value: f64) -> String {
    match value.is_nan() {
        true => "nan".to_owned(),
        false => fixed(value, 1),
    }
}

/// The points of a game, three decimals.
fn points(results: &Trinomial) -> String {
    let [_, draws, wins] = results.0;
    let points = (2 * wins + draws) as f64 / (2 * results.games()) as f64;
    fixed(points, 3)
}

/// The reason as cutechess-cli words it: a flag falls without a time, an illegal move is named.
fn reason(game: &PlayedGame) -> String {
    if let Outcome::Drawn(DrawnBy::LengthAdjudication) = game.record.outcome {
        return "Draw by adjudication: maximal game length".to_owned();
    }
    let text = reason::text(game);
    if let Some((flag, _)) = text.split_once(" (") {
        return flag.to_owned();
    }
    match reason::illegal_move(game) {
        Some(wrong) => format!("{text}: {wrong}"),
        None => text,
    }
}

impl Lines for Score {
    fn starts(&mut self) -> &mut Starts {
        &mut self.starts
    }

    fn is_silent(&self) -> bool {
        self.silent
    }

    fn start(&mut self, id: GameId) -> String {
        self.begin(id)
    }

    fn finish_game(&mut self, game: &PlayedGame) -> String {
        self.game(game)
    }

    fn end(&mut self) -> String {
        let broken = self.silent;
        self.told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .broken_off |= broken;
        let mut text = String::new();
        if self.finished > 0 && !self.is_interval() {
            text += &self.ranking();
        }
        text + &self.outcomes()
    }
}
