//! What every game of an event in rounds was for both engines, in the signs of crosstables; and what its round
//! makes of it: its limits, where they are not those of the engines, among others.

use crate::chess::Color;
use crate::clock::Limits;
use crate::event::identity::EventIdentity;
use crate::event::{GameId, PairId, PairTerms, Playoff, Seat};
use crate::referee::Adjudication;
use crate::schedule::{Encounter, EncounterDecision, Following, GameLimits, History, Rounds};
use crate::stats::counts::GameScore;
use crate::stats::standings::RoundOutcome;
use crate::store::{Reader, StoreResult};

use super::rounds::rounds_of;
use super::{Contest, Scoreboard};

/// A game, or what stands for it, as an engine sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignedGame {
    /// The place of the opponent among the participants, and the own colour; `None` without an opponent.
    pub(crate) against: Option<(usize, Color)>,
    /// Which game; `None` where none was planned.
    pub(crate) game: Option<GameId>,
    /// As FIDE writes it (Handbook C.04, annex 2): `1`, `=`, `0`; `+` and `-` won and lost without play; without an
    /// opponent `U`, `H`, `Z` for a point, half of it, nothing.
    pub(crate) sign: char,
}

impl SignedGame {
    /// Half points that the sign stands for.
    pub(crate) fn half_points(self) -> u32 {
        match self.sign {
            '1' | '+' | 'U' => 2,
            '=' | 'H' => 1,
            _ => 0,
        }
    }

    /// Whether it was won or lost without play.
    pub(crate) fn is_forfeit(self) -> bool {
        matches!(self.sign, '+' | '-')
    }

    /// A game between these places, White's first, with these signs.
    pub(crate) fn both(game: Option<GameId>, places: [usize; 2], signs: [char; 2]) -> [Self; 2] {
        Color::ALL.map(|color| SignedGame {
            against: Some((places[1 - color.index()], color)),
            game,
            sign: signs[color.index()],
        })
    }
}

/// The signs of a game that gave this to White and Black.
pub(crate) fn signs(scores: [GameScore; 2], is_played: bool) -> [char; 2] {
    scores.map(|score| match score {
        GameScore::Win if is_played => '1',
        GameScore::Win => '+',
        GameScore::Draw => '=',
        GameScore::Loss if is_played => '0',
        GameScore::Loss => '-',
    })
}

impl Scoreboard {
    /// By round and participant; `None` of an event that is not played in rounds. Games that are still to be played are
    /// left out.
    pub(crate) fn round_games(&self) -> Option<Vec<Vec<Vec<SignedGame>>>> {
        let history = &self.contest()?.history;
        let count = self.participants().len();
        let mut rounds = vec![vec![Vec::new(); count]; usize::from(history.last_round())];
        let mut games = vec![0; rounds.len()];
        for encounter in history.encounters().values() {
            let round = usize::from(encounter.place.round) - 1;
            games[round] = encounter.games.max(games[round]);
            self.add_encounter(encounter, history, &mut rounds[round]);
        }
        for (round, engine, sign) in self.without_opponent(&games)? {
            let own = &mut rounds[round][engine];
            let free = SignedGame {
                against: None,
                game: None,
                sign,
            };
            if own.is_empty() {
                own.resize(games[round].max(1) as usize, free);
            }
        }
        Some(rounds)
    }

    /// Who may have had no opponent, with the sign of that, by round from 0; `games` are those of an encounter in each.
    fn without_opponent(&self, games: &[u32]) -> Option<Vec<(usize, usize, char)>> {
        let contest = self.contest()?;
        let outcomes = contest.outcomes(&self.engines()).into_iter();
        let outcomes = outcomes.filter_map(|one| {
            let round = one.round as usize - 1;
            let sign = match one.outcome {
                RoundOutcome::Bye { half_points } if half_points >= 2 * games[round].max(1) => 'U',
                RoundOutcome::Bye { half_points: 1.. } => 'H',
                RoundOutcome::Bye { half_points: 0 } | RoundOutcome::Absent => 'Z',
                _ => return None,
            };
            Some((round, self.place_of(one.engine)?, sign))
        });
        // A bye in a tree gives no points.
        let decided = contest.decided().into_iter();
        let in_tree = decided.filter_map(|((round, _), (winner, by))| {
            let is_bye = matches!(by, EncounterDecision::Bye | EncounterDecision::Walkover);
            let place = self.place_of(winner).filter(|_| is_bye)?;
            let round = usize::from(round) - 1;
            (round < games.len()).then_some((round, place, 'Z'))
        });
        Some(outcomes.chain(in_tree).collect())
    }

    fn add_encounter(&self, met: &Encounter, history: &History, round: &mut [Vec<SignedGame>]) {
        let games = met.pairs.iter().flat_map(|(pair, spec)| {
            let game = |game| (GameId { pair: *pair, game }, spec.seats(game));
            (0..spec.games).map(game)
        });
        for (id, seats) in games {
            let places = seats.map(|seat| self.place_of(seat.engine));
            if let ([Some(white), Some(black)], Some(signs)) =
                (places, signs_of(met, history, id, seats))
            {
                let both = SignedGame::both(Some(id), [white, black], signs);
                round[white].push(both[0]);
                round[black].push(both[1]);
            }
        }
    }
}

/// White's and Black's; `None` if the game is still to be played.
fn signs_of(met: &Encounter, history: &History, id: GameId, seats: [Seat; 2]) -> Option<[char; 2]> {
    if let Some(scores) = history.results(id.pair)[usize::from(id.game)] {
        return Some(signs(scores, !history.unplayed.contains(&id)));
    }
    let is_out = |seat: Seat| history.is_out(seat.engine, met.place.round);
    let sign = |seat| if is_out(seat) { '-' } else { '+' };
    (!history.is_open(met)).then(|| seats.map(sign))
}

/// What a round makes of a game.
#[derive(Debug, Default)]
pub(crate) struct GameOfRound {
    /// When the referee ends it by score or length, if that is not as in the rest of the event.
    pub(crate) adjudication: Option<Adjudication>,
    /// What it is called where a level encounter is played off in it.
    pub(crate) playoff: Option<String>,
}

impl Contest {
    /// What its round makes of a game of this pair.
    pub(crate) fn game(&self, pair: PairId) -> Option<GameOfRound> {
        let (_, spec) = self.history.pairs().find(|(id, _)| *id == pair)?;
        let place = spec.place?;
        let name = |step: Playoff| match (step.armageddon, step.limits) {
            (Some(_), _) => "armageddon".to_owned(),
            (None, Some([limits, _])) => format!("playoff {limits}"),
            (None, None) => "playoff".to_owned(),
        };
        Some(GameOfRound {
            adjudication: self.rounds.adjudication(place).cloned(),
            playoff: self.rounds.playoff(place).map(name),
        })
    }

    /// The positions of the open encounters, and of the round that follows now by the rules of the event file, which have
    /// all positions: a store has not their order.
    pub(crate) fn coming_openings(&self, rules: Rounds) -> Vec<u32> {
        let rules = Rounds {
            extra_rounds: self.rounds.extra_rounds,
            ..rules
        };
        let next = match rules.next(&self.history) {
            Ok(Following::Chosen(chosen)) => chosen.pairs,
            _ => Vec::new(),
        };
        let encounters = self.history.encounters().into_values();
        let open = encounters.filter(|met| self.history.is_open(met));
        let open = open.flat_map(|met| met.openings());
        open.chain(next.iter().map(|spec| spec.opening)).collect()
    }
}

/// The limits of games that are not those of their engines, by the identity of their event.
pub(crate) fn game_limits(identity: &EventIdentity) -> GameLimits {
    GameLimits {
        by_colour: identity.limits_by_colour.clone(),
        rounds: rounds_of(identity),
    }
}

/// The limits of White and Black, who have these seats in a game of a pair with these terms.
pub(crate) fn planned_limits(
    identity: &EventIdentity,
    terms: Option<PairTerms>,
    seats: [Seat; 2],
) -> [Limits; 2] {
    let own = |seat: Seat| identity.engines.get(usize::from(seat.engine));
    let own = |seat| own(seat).map_or_else(Limits::default, |engine| engine.limits.clone());
    game_limits(identity)
        .of(terms)
        .unwrap_or_else(|| seats.map(own))
}

/// The same, by the identity of this revision of a stored event.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn stored_limits(reader: &Reader, revision: u32) -> StoreResult<GameLimits> {
    let identities = reader.identities()?;
    let of_revision = identities.get(revision.saturating_sub(1) as usize);
    Ok(of_revision.map_or_else(GameLimits::default, |accepted| {
        game_limits(&accepted.identity)
    }))
}
