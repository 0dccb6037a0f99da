//! The counts read: totals, encounters, standings; the groups of an event in stages, each as an event of its own.

use std::cmp::Reverse;

use crate::event::GameId;
use crate::schedule::{StageGroup, TreeStanding, lots};
use crate::stats::counts::Trinomial;
use crate::stats::games::Cell;
use crate::stats::standings::{Standing, StandingsInput, TieBreak, UnevenCell, UnplayedWins};

use crate::tournament::evidence::{Evidence, SequentialEstimate};
use crate::tournament::rounds::Contest;

use super::{CountedGame, EncounterRecord, Scoreboard};

impl Scoreboard {
    /// Finished games.
    pub fn games(&self) -> u64 {
        let uneven = self.uneven.values().map(|[white, _]| white.games());
        self.white.games() + uneven.sum::<u64>()
    }

    /// Pairs of which both games are finished.
    pub fn pairs(&self) -> u64 {
        self.complete_pairs
    }

    /// All games from White's point of view.
    pub fn white(&self) -> Trinomial {
        self.white
    }

    /// What estimates are made of.
    pub(crate) fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// White's score over all pairs with the interval that holds at any time.
    pub(crate) fn white_estimate(&self) -> Option<SequentialEstimate> {
        SequentialEstimate::new(&self.evidence.white)
    }

    /// The same for the first engine of a match of two; `None` for other events.
    pub(crate) fn match_estimate(&self) -> Option<SequentialEstimate> {
        let is_match = self.participants.len() == 2
            && self.participants.iter().all(|entry| entry.seat.copy == 0);
        is_match.then(|| SequentialEstimate::new(&self.evidence.first))?
    }

    /// The games of two participants as the first sees them.
    pub fn encounter(&self, participant: usize, opponent: usize) -> EncounterRecord {
        let games = |key| self.both(key);
        let key = (participant.min(opponent), participant.max(opponent));
        let mut pairs = self.pairs.get(&key).copied().unwrap_or_default();
        if participant > opponent {
            pairs.reverse();
        }
        EncounterRecord {
            as_white: games((participant, opponent))[0],
            as_black: games((opponent, participant))[1],
            pairs,
        }
    }

    /// All games of two participants, White's place first, as White and as Black see them.
    fn both(&self, key: (usize, usize)) -> [Trinomial; 2] {
        let even = self.games.get(&key).copied().unwrap_or_default();
        let [white, black] = self.uneven.get(&key).copied().unwrap_or_default();
        [even.plus(white), even.reversed().plus(black)]
    }

    /// All games of a participant, with each colour.
    pub fn by_color(&self, participant: usize) -> [Trinomial; 2] {
        let all = (0..self.participants.len()).map(|other| {
            let met = self.encounter(participant, other);
            [met.as_white, met.as_black]
        });
        all.fold([Trinomial::default(); 2], |sum, one| {
            [0, 1].map(|side| sum[side].plus(one[side]))
        })
    }

    /// The table of results: by points and tie-breaks, but of a tree by how far engines have come.
    pub fn standings(&self) -> Vec<Standing> {
        if let Some(table) = &self.table {
            return table.clone();
        }
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let cell = |(&(white, black), record): (&(usize, usize), &Trinomial)| Cell {
            start: 0,
            white: white as u16,
            black: black as u16,
            results: record.0.map(small),
        };
        let cells: Vec<Cell> = self.games.iter().map(cell).collect();
        let count = self.participants.len();
        let faults = self.participants.iter();
        let faults = faults.map(|entry| self.fault_counts().faults(entry.seat.engine));
        let mut results = StandingsInput {
            engines: count,
            cells,
            uneven: self.uneven_cells(),
            double_wins: self.double_wins(),
            faults: faults.collect(),
            lots: lots(self.ranking.seed, count),
            ..StandingsInput::default()
        };
        if let Some(contest) = &self.contest {
            results.rounds = contest.outcomes(&self.engines());
        } else {
            results.unplayed = self.unplayed_wins();
        }
        let table = results.standings(&self.ranking.order);
        match self.contest.as_ref().and_then(Contest::places) {
            Some(places) => by_places(table, &places),
            None => table,
        }
    }

    /// The places of the participants, in the order of the standings.
    pub(crate) fn order(&self) -> Vec<usize> {
        let table = self.standings().into_iter();
        table.map(|row| usize::from(row.engine)).collect()
    }

    fn uneven_cells(&self) -> Vec<UnevenCell> {
        let cell = |(&(white, black), records): (&(usize, usize), &[Trinomial; 2])| UnevenCell {
            engines: [white as u16, black as u16],
            games: records
                .map(|record| [record.draws(), record.losses()].map(|games| games as u32)),
        };
        self.uneven.iter().map(cell).collect()
    }

    /// What engines have won without playing, in an event that is not played in rounds.
    fn unplayed_wins(&self) -> Vec<UnplayedWins> {
        let place = |engine: u16| u16::try_from(self.place_of(engine)?).ok();
        let walkovers = self.fault_counts().walkovers();
        let wins = walkovers.filter_map(|(winner, _, games)| {
            Some(UnplayedWins {
                winner: place(winner)?,
                half_points: u32::try_from(2 * games).ok()?,
            })
        });
        wins.collect()
    }

    /// The games that a participant has won of another without playing, in an event that is not played in rounds; fewer
    /// than none where it has lost them.
    pub(crate) fn unplayed_wins_of(&self, places: [usize; 2]) -> i64 {
        let both = places.map(|place| self.participants[place].seat.engine);
        match self.fault_counts().walkover(both) {
            Some((winner, _, games)) if self.contest.is_none() => {
                let games = games as i64;
                if winner == both[0] { games } else { -games }
            }
            _ => 0,
        }
    }

    /// The tie-breaks, in their order.
    pub(crate) fn tie_breaks(&self) -> &[TieBreak] {
        &self.ranking.order
    }

    fn double_wins(&self) -> Vec<u32> {
        let mut wins = vec![0u32; self.participants.len()];
        for ((smaller, larger), cells) in &self.pairs {
            wins[*smaller] = wins[*smaller].saturating_add(cells[4] as u32);
            wins[*larger] = wins[*larger].saturating_add(cells[0] as u32);
        }
        wins
    }
}

/// A group of a stage as an event of its own.
pub(crate) struct StageBoard {
    pub(crate) part: StageGroup,
    pub(crate) board: Scoreboard,
}

impl Scoreboard {
    /// The groups of the stages as below, the last stage first.
    pub(crate) fn stages_from_last(&self) -> Vec<StageBoard> {
        let mut stages = self.stages();
        stages.sort_by_key(|stage| Reverse(stage.part.rounds.start));
        stages
    }

    /// The groups of the stages that have begun or can begin, in order; none of an event without stages.
    pub(crate) fn stages(&self) -> Vec<StageBoard> {
        let parts = self.contest.iter().flat_map(Contest::groups);
        parts.map(|part| self.of_part(part)).collect()
    }

    fn of_part(&self, part: StageGroup) -> StageBoard {
        let own = part.engines.iter();
        let own = own.filter_map(|engine| Some(self.participants[self.place_of(*engine)?].clone()));
        let mut board = Scoreboard::new(&own.collect::<Vec<_>>());
        for history in [&part.history, &part.carried] {
            for (pair, spec) in history.pairs() {
                for (game, scores) in (0..).zip(history.results(pair)) {
                    let Some(scores) = scores else { continue };
                    board.count(CountedGame {
                        id: GameId { pair, game },
                        seats: spec.seats(game),
                        scores,
                        evidence: None,
                    });
                }
            }
        }
        board.ranking.order = part.tie_breaks();
        board.contest = self.contest.as_ref().map(|event| event.of_group(&part));
        board.table = Some(part.standings());
        StageBoard { part, board }
    }
}

/// In a tree and in stages it counts how far an engine has come, not its points.
fn by_places(mut table: Vec<Standing>, places: &[TreeStanding]) -> Vec<Standing> {
    let at = |row: &Standing| places.iter().position(|place| place.engine == row.engine);
    table.sort_by_key(|row| at(row).unwrap_or(places.len()));
    for row in &mut table {
        let place = at(row).map_or(places.len() + 1, |at| places[at].place);
        (row.place, row.decided_by) = (place, None);
    }
    table
}
