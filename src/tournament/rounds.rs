//! An event that is played in rounds, as its store has it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chess::start::{StartNumber, Variant};
use crate::clock::Limits;
use crate::event::identity::{EventIdentity, FormatWord, PositionsIdentity};
use crate::event::{GameNames, PairId};
use crate::schedule::{
    AwaitedBids, Chosen, Elimination, Encounter, EncounterDecision, Following, GameLimits, History,
    PairSpec, Plan, RoundFormat, Rounds, StageGroup, TreeProgress, TreeStanding, league,
};
use crate::stats::standings::EngineRound;
use crate::store::{Reader, StoreResult};

/// The key of what was chosen at once, in the table `event`, without the number at its end.
pub(crate) const ROUND_CHOICE: &str = "round_choice_";

/// One choice; resume reads it and does not make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Choice {
    /// The pairs of a batch or of a round, in order, and its byes.
    Chosen(Chosen),
    /// Nothing follows, unless the arbiter decides more than he had by then.
    Over {
        /// The decisions that were made before.
        after_decisions: u64,
    },
}

impl Choice {
    /// All choices of an event under this key, in order.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read_all(reader: &Reader, key: &str) -> StoreResult<Vec<Choice>> {
        let mut all = Vec::new();
        while let Some(choice) = reader.json_value(&format!("{key}{}", all.len() + 1))? {
            all.push(choice);
        }
        Ok(all)
    }

    /// Pairs and byes, if anything follows.
    pub(crate) fn chosen(&self) -> Option<&Chosen> {
        match self {
            Choice::Chosen(chosen) => Some(chosen),
            Choice::Over { .. } => None,
        }
    }

    /// The decisions of the arbiter that had been made when nothing followed any more.
    pub(crate) fn ends_after(&self) -> Option<u64> {
        match self {
            Choice::Chosen(_) => None,
            Choice::Over { after_decisions } => Some(*after_decisions),
        }
    }

    /// The pairs, in order.
    pub(crate) fn pairs(&self) -> &[PairSpec] {
        self.chosen().map_or(&[], |chosen| &chosen.pairs)
    }

    /// Appends what was chosen to the plan.
    pub(crate) fn append_to(&self, plan: &mut Plan) {
        plan.append(self.pairs());
    }
}

/// Whether an event is played in rounds: each of these draws its positions by round or encounter.
pub(crate) fn is_in_rounds(reader: &Reader) -> StoreResult<bool> {
    let identity = reader.identity()?;
    Ok(identity.is_some_and(|accepted| accepted.identity.draw.is_in_rounds()))
}

/// What was chosen, in order; nothing of an event that is not played in rounds.
///
/// # Errors
/// As [`Choice::read_all`].
pub(crate) fn chosen(reader: &Reader) -> StoreResult<Vec<Chosen>> {
    let choices = Choice::read_all(reader, ROUND_CHOICE)?;
    Ok(choices.iter().filter_map(Choice::chosen).cloned().collect())
}

/// What the games of an event are called.
///
/// # Errors
/// As [`chosen`].
pub(crate) fn game_names(reader: &Reader) -> StoreResult<GameNames> {
    let mut names = GameNames::default();
    let history = chosen_history(reader)?;
    names.extend(history.pairs().map(|(_, spec)| spec.terms()));
    (names.unpaired, names.bids) = (reader.decisions().unpaired(), history.bids);
    Ok(names)
}

/// What was chosen, without any result.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn chosen_history(reader: &Reader) -> StoreResult<History> {
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
pub(crate) fn add_results(history: &mut History, reader: &Reader) -> StoreResult<()> {
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

/// Winner and reason of encounters, by round and board.
pub(crate) type DecidedEncounters = BTreeMap<(u16, u16), (u16, EncounterDecision)>;

/// An event in rounds with all that was chosen and played, under the rules of its store.
#[derive(Debug, Clone)]
pub(crate) struct Contest {
    pub(crate) rounds: Rounds,
    /// All that was chosen and played.
    pub(crate) history: History,
    /// The positions of the event, and their variant.
    positions: (PositionsIdentity, Variant),
}

impl Contest {
    /// Of a stored event under this identity, without any result; `None` if it is not played in rounds. Who enters late
    /// is in the rounds to come.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn read(reader: &Reader, identity: &EventIdentity) -> StoreResult<Option<Contest>> {
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

    /// The games of the event, those of coming rounds with the engines that play now; `None` where results decide.
    pub(crate) fn planned_games(&self) -> Option<u64> {
        self.rounds.planned_games(&self.history)
    }

    /// Games that were chosen, and are not played because an engine plays no more.
    pub(crate) fn cancelled_games(&self) -> u64 {
        let encounters = self.history.encounters().into_values();
        let closed = encounters.filter(|met| !self.history.is_open(met));
        closed.map(|met| u64::from(met.games - met.played)).sum()
    }

    /// Every encounter, by round and board; one of a tree with the pairs that decide it.
    pub(crate) fn encounters(&self) -> BTreeMap<(u16, u16), Encounter> {
        self.rounds.encounters(&self.history)
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
        let of_stages = self.groups().into_iter().flat_map(|group| {
            let [round, board] = [group.rounds.start - 1, group.boards.start - 1];
            let own = self.of_group(&group).decided().into_iter();
            own.map(move |((of, at), decided)| ((of + round, at + board), decided))
        });
        let progress = self.progress();
        let decisions = progress.iter().flat_map(|progress| progress.decisions());
        let of_tree = decisions.map(|(place, winner, _, by)| (place, (winner, by)));
        of_tree.chain(of_stages).collect()
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

    /// The groups of the stages that have begun or can begin, in order; none of an event without stages.
    pub(crate) fn groups(&self) -> Vec<StageGroup> {
        self.rounds.groups(&self.history)
    }

    /// A group of a stage as an event of its own, whose rounds and boards begin with 1.
    pub(super) fn of_group(&self, group: &StageGroup) -> Contest {
        Contest {
            rounds: group.rules.clone(),
            history: group.history.clone(),
            positions: self.positions.clone(),
        }
    }

    /// White and Black of the armageddon game that has ended an encounter, and their limits, if they are not those of the
    /// engines.
    pub(crate) fn armageddon(&self, met: &Encounter) -> Option<([u16; 2], Option<[Limits; 2]>)> {
        let (_, spec) = met.pairs.last()?;
        let limits = GameLimits {
            by_colour: None,
            rounds: Some(self.rounds.clone()),
        };
        let is_it = limits.is_armageddon(spec.place);
        is_it.then(|| (spec.engines(), limits.of(spec.terms())))
    }

    /// The name of the stage that is played, or of the last one; `None` without stages.
    pub(crate) fn stage_name(&self) -> Option<String> {
        Some(self.groups().pop()?.of_stage.name)
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

    /// The outcome of every round for each of these engines, by their places in the event file.
    pub(crate) fn outcomes(&self, engines: &[u16]) -> Vec<EngineRound> {
        self.rounds.outcomes(engines, &self.history)
    }
}

/// The rules of an event in rounds by its identity; `None` for other events.
pub(super) fn rounds_of(identity: &EventIdentity) -> Option<Rounds> {
    let tree = || identity.elimination.clone();
    let format = match identity.format {
        FormatWord::Knockout => RoundFormat::Elimination(Elimination::Knockout, tree()?),
        FormatWord::DoubleElimination => RoundFormat::Elimination(Elimination::Double, tree()?),
        FormatWord::Ladder => RoundFormat::Elimination(Elimination::Ladder, tree()?),
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
pub(crate) fn read_drawn(reader: &Reader) -> StoreResult<Option<(Rounds, Vec<Chosen>)>> {
    let identity = reader.identity()?.map(|accepted| accepted.identity);
    let known = identity.filter(|identity| identity.order.is_none());
    let rounds = known.as_ref().and_then(|identity| {
        let openings = identity.positions.count(identity.variant);
        Some(Rounds {
            openings,
            ..rounds_of(identity)?
        })
    });
    rounds
        .map(|rounds| Ok((rounds, chosen(reader)?)))
        .transpose()
}
