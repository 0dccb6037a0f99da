//! An event that is played in rounds, as its store has it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::chess::start::{StartNumber, Variant};
use crate::clock::Limits;
use crate::event::identity::{EventIdentity, FormatWord, PositionsIdentity};
use crate::event::{GameId, GameNames, PairId};
use crate::schedule::{
    AwaitedBids, Chosen, Elimination, Encounter, EncounterDecision, Following, GameLimits, History,
    PairSpec, RoundFormat, Rounds, StageGroup, TreeProgress, TreeStanding, league,
};
use crate::stats::counts::GameScore;
use crate::stats::standings::{EngineRound, Standing, TieBreak};
use crate::store::{Reader, StoreError};

use super::choices::{CHOICE, Choice};

/// Whether an event is played in rounds: each of these draws its positions by round or encounter.
pub(crate) fn is_in_rounds(reader: &Reader) -> Result<bool, StoreError> {
    let identity = reader.identity()?;
    Ok(identity.is_some_and(|accepted| accepted.identity.draw.is_in_rounds()))
}

/// What was chosen, in order; nothing of an event that is not played in rounds.
///
/// # Errors
/// As [`Choice::read_all`].
pub(crate) fn chosen(reader: &Reader) -> Result<Vec<Chosen>, StoreError> {
    let choices = Choice::read_all(reader, CHOICE)?;
    Ok(choices.iter().filter_map(Choice::chosen).cloned().collect())
}

/// What the games of an event are called.
///
/// # Errors
/// As [`chosen`].
pub(crate) fn game_names(reader: &Reader) -> Result<GameNames, StoreError> {
    let mut names = GameNames::default();
    let history = chosen_history(reader)?;
    names.extend(history.pairs().map(|(_, spec)| spec.terms()));
    names.unpair(reader.decisions().unpaired());
    names.bids_are(history.bids);
    Ok(names)
}

/// What was chosen, without any result.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn chosen_history(reader: &Reader) -> Result<History, StoreError> {
    Ok(history_of(&chosen(reader)?, reader))
}

/// What was chosen, as the arbiter has left it.
pub(crate) fn history_of<'a>(
    all: impl IntoIterator<Item = &'a Chosen>,
    reader: &Reader,
) -> History {
    let mut history = History::default();
    for chosen in all {
        history.choose(chosen);
    }
    let decisions = reader.decisions().standing();
    decisions.for_each(|decision| history.decided(decision));
    history
}

/// The results of all games that count.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn add_results(history: &mut History, reader: &Reader) -> Result<(), StoreError> {
    for result in reader.results() {
        let result = result?;
        if let Some(scores) = result.outcome.scores() {
            history.played(result.id, scores);
        }
    }
    for award in reader.awards()? {
        if let Some(scores) = award.outcome.scores() {
            history.played(award.id, scores);
        }
    }
    Ok(())
}

/// A group of a stage, with all that was chosen and played in it.
#[derive(Debug, Clone)]
pub(crate) struct StagePart {
    /// The name of the stage, and of the group where there are several.
    pub name: String,
    /// Its engines; the rows of the table have their places in this list.
    pub engines: Vec<u16>,
    pub table: Vec<Standing>,
    pub tie_breaks: Vec<TieBreak>,
    /// How many engines go to the stage before, and to the next one, in the next season.
    pub moves: [u16; 2],
    pub is_played: bool,
    /// Its rounds and boards as the event numbers them; in `contest` they begin with 1.
    pub rounds: Range<u16>,
    pub boards: Range<u16>,
    pub contest: Contest,
    /// Games of the stage before that count in it.
    pub carried: History,
}

/// Winner and reason of encounters, by round and board.
pub(crate) type DecidedEncounters = BTreeMap<(u16, u16), (u16, EncounterDecision)>;

/// An event in rounds with all that was chosen and played, under the rules of its store.
#[derive(Debug, Clone)]
pub(crate) struct Contest {
    pub(super) rounds: Rounds,
    history: History,
    /// The positions of the event, and their variant.
    positions: (PositionsIdentity, Variant),
}

impl Contest {
    /// Of a stored event under this identity, without any result; `None` if it is not played in rounds. Who enters late
    /// is in the rounds to come.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn read(
        reader: &Reader,
        identity: &EventIdentity,
    ) -> Result<Option<Contest>, StoreError> {
        let Some(mut rounds) = rounds_of(identity) else {
            return Ok(None);
        };
        rounds.extra_rounds = reader.decisions().extra_rounds();
        if let RoundFormat::Swiss(rules) = &mut rounds.format {
            let known = &identity.engines;
            let is_new = |name: &&str| known.iter().all(|engine| engine.name != *name);
            let added = reader.decisions().added().filter(is_new).count();
            let first = u16::try_from(known.len()).unwrap_or(u16::MAX);
            rules.seeds.extend((first..).take(added));
        }
        let history = chosen_history(reader)?;
        Ok(Some(Contest {
            rounds,
            history,
            positions: (identity.positions.clone(), identity.variant),
        }))
    }

    /// Nothing was chosen.
    #[cfg(test)]
    pub(super) fn of_rules(rounds: Rounds) -> Contest {
        Contest {
            rounds,
            history: History::default(),
            positions: (PositionsIdentity::Numbers(String::new()), Variant::Chess960),
        }
    }

    /// These pairs and byes follow.
    pub(crate) fn choose(&mut self, chosen: &Chosen) {
        self.history.choose(chosen);
    }

    /// A game was played, or decided without: what it gave White and Black.
    pub(crate) fn played(&mut self, game: GameId, scores: [GameScore; 2]) {
        self.history.played(game, scores);
    }

    /// The same of a game that is never played.
    pub(crate) fn awarded(&mut self, game: GameId, scores: [GameScore; 2]) {
        self.history.awarded(game, scores);
    }

    /// These engines play no more pairs.
    pub(crate) fn withdraw(&mut self, engines: &BTreeSet<u16>) {
        self.history.withdrawn.clone_from(engines);
    }

    /// These pairs are not played: others meet in their place.
    #[cfg(test)]
    pub(super) fn unpair(&mut self, pairs: BTreeSet<PairId>) {
        self.history.unpair(pairs);
    }

    /// The games of the event, those of coming rounds with the engines that play now; `None` where results decide.
    pub(crate) fn planned_games(&self) -> Option<u64> {
        self.rounds.planned_games(&self.history)
    }

    /// Games that were chosen, and are not played because an engine plays no more.
    pub(crate) fn cancelled_games(&self) -> u64 {
        let encounters = self.history.encounters();
        let left = encounters
            .values()
            .filter(|encounter| !encounter.is_complete() && !self.history.is_open(encounter));
        left.map(|encounter| u64::from(encounter.games - encounter.played))
            .sum()
    }

    /// Every encounter, by round and board; one of a tree with the pairs that decide it.
    pub(crate) fn encounters(&self) -> BTreeMap<(u16, u16), Encounter> {
        self.rounds.encounters(&self.history)
    }

    /// All that was chosen and played.
    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// The start number of an opening, if it has one.
    pub(crate) fn start_number(&self, opening: u32) -> Option<StartNumber> {
        let (positions, variant) = &self.positions;
        positions.number(*variant, opening)
    }

    /// The pairs and byes that follow now, if any do before further results and bids.
    pub(crate) fn next(&self) -> Option<Chosen> {
        let (mut chosen, awaited) = self.following()?;
        let waits = |spec: &PairSpec| awaited.iter().any(|one| Some(one.place) == spec.place);
        chosen.pairs.retain(|spec| !waits(spec));
        (chosen != Chosen::default()).then_some(chosen)
    }

    /// Winner and reason of every encounter of a tree that is decided, by round and board.
    pub(crate) fn decided(&self) -> DecidedEncounters {
        let of_stages = self.stages().into_iter().flat_map(|part| {
            let [round, board] = [part.rounds.start - 1, part.boards.start - 1];
            let own = part.contest.decided().into_iter();
            own.map(move |((of, at), decided)| ((of + round, at + board), decided))
        });
        let progress = self.progress();
        let decisions = progress.iter().flat_map(|progress| progress.decisions());
        decisions
            .map(|(place, winner, _, by)| (place, (winner, by)))
            .chain(of_stages)
            .collect()
    }

    /// What follows now, and the armageddon games of it that wait for bids.
    pub(super) fn following(&self) -> Option<(Chosen, Vec<AwaitedBids>)> {
        match self.rounds.next(&self.history) {
            Ok(Following::Chosen(chosen)) => {
                let awaited = self.rounds.awaited_bids(&chosen, &self.history);
                Some((chosen, awaited))
            }
            _ => None,
        }
    }

    /// The pairs of a tree that were chosen for other engines than those that go on by the results now.
    ///
    /// # Errors
    /// Round and board of such a pair of which a game counts.
    pub(crate) fn superseded(self) -> Result<BTreeSet<PairId>, (u16, u16)> {
        self.rounds.superseded(self.history)
    }

    /// The groups of the stages that have begun or can begin, each with its name and its table; none of an event without
    /// stages.
    pub(crate) fn stages(&self) -> Vec<StagePart> {
        let groups = self.rounds.groups(&self.history).into_iter();
        let part = |group: StageGroup| StagePart {
            name: group.name.clone(),
            table: self.rounds.table_of_group(&group),
            tie_breaks: self.rounds.tie_breaks_of(&group),
            moves: self.rounds.moves_of(&group),
            is_played: group.is_played(),
            rounds: group.rounds.clone(),
            boards: group.boards.clone(),
            contest: Contest {
                rounds: group.rules,
                history: group.history,
                positions: self.positions.clone(),
            },
            carried: group.carried,
            engines: group.engines,
        };
        groups.map(part).collect()
    }

    /// White and Black of the armageddon game that has ended an encounter, and their limits, if they are not those of the
    /// engines.
    pub(crate) fn armageddon(
        &self,
        encounter: &Encounter,
    ) -> Option<([u16; 2], Option<[Limits; 2]>)> {
        let (_, spec) = encounter.pairs.last()?;
        let limits = GameLimits {
            by_colour: None,
            rounds: Some(self.rounds.clone()),
        };
        let engines = [spec.first.engine, spec.second.engine];
        let is_it = limits.is_armageddon(spec.place);
        is_it.then(|| (engines, limits.of(spec.terms())))
    }

    /// The name of the stage that is played, or of the last one; `None` without stages.
    pub(crate) fn stage_name(&self) -> Option<String> {
        let last = self.rounds.groups(&self.history).pop()?;
        Some(self.rounds.stage_name(&last))
    }

    /// Whether nothing more is to be played, where the results decide that.
    pub(crate) fn is_over(&self) -> Option<bool> {
        if self.rounds.is_in_stages() {
            let is_over = self.rounds.next(&self.history) == Ok(Following::Over);
            return Some(is_over && !self.history.is_any_open());
        }
        Some(self.progress()?.is_over())
    }

    /// How far everybody has come in a tree or in stages, the best first; `None` where points order the engines.
    pub(crate) fn places(&self) -> Option<Vec<TreeStanding>> {
        if self.rounds.is_in_stages() {
            return Some(self.rounds.places_of_stages(&self.history));
        }
        Some(self.progress()?.standings())
    }

    /// How far a tree is played; `None` for other formats.
    pub(crate) fn progress(&self) -> Option<TreeProgress> {
        self.rounds.progress(&self.history)
    }

    /// Pairs of an encounter of this round, without playoffs.
    pub(crate) fn planned_pairs(&self, round: u16) -> u32 {
        self.rounds.pairs(round)
    }

    /// The rounds that are planned; `None` where results decide.
    pub(crate) fn planned_rounds(&self) -> Option<u32> {
        self.rounds.rounds()
    }

    /// The outcome of every round for each of these engines, by their places in the event file.
    pub(crate) fn outcomes(&self, engines: &[u16]) -> Vec<EngineRound> {
        self.rounds.outcomes(engines, &self.history)
    }
}

/// The rules of an event in rounds by its identity; `None` for other events.
pub(super) fn rounds_of(identity: &EventIdentity) -> Option<Rounds> {
    let tree = |kind| {
        Some(RoundFormat::Elimination(
            kind,
            identity.elimination.clone()?,
        ))
    };
    let format = match identity.format {
        FormatWord::Knockout => tree(Elimination::Knockout)?,
        FormatWord::DoubleElimination => tree(Elimination::Double)?,
        FormatWord::Ladder => tree(Elimination::Ladder)?,
        FormatWord::Swiss => RoundFormat::Swiss(identity.swiss.clone()?),
        FormatWord::Stages => RoundFormat::Stages(identity.stages.clone()),
        _ if !identity.draw.is_in_rounds() => return None,
        _ => RoundFormat::League {
            table: league(&(0..).take(identity.engines.len()).collect::<Vec<u16>>()),
            cycles: identity.pairs.unwrap_or(1),
        },
    };
    // No position is drawn any more.
    Some(Rounds {
        rule: identity.draw,
        round_limits: identity.round_limits.clone(),
        ..Rounds::new(format, identity.seed)
    })
}

/// The rules of a stored event in rounds with the number of its positions, and all that was chosen, for a check of its
/// positions; `None` for other events, and for positions in a listed order.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn read_drawn(reader: &Reader) -> Result<Option<(Rounds, Vec<Chosen>)>, StoreError> {
    let identity = reader.identity()?.map(|accepted| accepted.identity);
    let known = identity.filter(|identity| identity.order.is_none());
    let Some((rounds, identity)) = known.and_then(|known| Some((rounds_of(&known)?, known))) else {
        return Ok(None);
    };
    let rounds = Rounds {
        openings: identity.positions.count(identity.variant),
        ..rounds
    };
    Ok(Some((rounds, chosen(reader)?)))
}
