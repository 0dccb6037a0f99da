//! What a decision changes: the event is read without it and with it, before it is written.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{ArbiterAct, GameId, PairId};
use crate::store::{Reader, StoreError, StoredAct};
use crate::text::count;
use crate::tournament::{Contest, EventState, RoundPairings, Scoreboard};

use super::{DecisionRefusal, Desk, PreparedDecision, refuse, supposed};

/// Number of games that are listed by name; for the others only their number is given.
const NAMED: usize = 8;

/// Why a result changes nothing.
const NOTHING_COUNTS: &str =
    "one of the two plays no more, and this game does not count, or counts so without it";

/// An event as far as a decision can change it.
#[derive(Debug, PartialEq)]
struct EventSnapshot {
    /// Points and place of every participant, by stage and name: where there are stages, in each of them.
    table: BTreeMap<[String; 2], (f64, usize)>,
    /// The games that need not be played any more.
    settled: BTreeSet<GameId>,
    /// The engines that play no more.
    out: BTreeSet<u16>,
    /// The boards of the round that is paired next, if one can be paired now.
    next: Option<(u16, Vec<String>)>,
    /// Whether a sequential test is decided: nothing more is played then.
    is_decided: bool,
    /// The games of which the statistics are made.
    evidence: BTreeSet<GameId>,
}

/// The rows of the event's table, or of the tables of its stages.
fn rows(board: &Scoreboard) -> BTreeMap<[String; 2], (f64, usize)> {
    let stages = board.stages();
    let own = stages
        .iter()
        .map(|stage| (format!("{}, ", stage.part.name), &stage.board));
    let mut tables: Vec<(String, &Scoreboard)> = own.collect();
    if tables.is_empty() {
        tables.push((String::new(), board));
    }
    let rows = tables.iter().flat_map(|(stage, board)| {
        let rows = board.standings().into_iter();
        rows.map(move |row| {
            let name = &board.participants()[usize::from(row.engine)].name;
            ([stage.clone(), name.clone()], (row.points(), row.place))
        })
    });
    rows.collect()
}

/// The round that can be paired now, and who meets whom on its boards.
fn next_round(state: &EventState) -> Option<(u16, Vec<String>)> {
    let next = state.board().contest()?.next()?;
    let rounds = RoundPairings::of_chosen(&next, |seat| state.roster().name(seat));
    let round = rounds.first()?.round;
    let boards = rounds.iter().flat_map(|round| round.boards.values());
    Some((round, boards.map(|names| names.join(" – ")).collect()))
}

impl Desk<'_> {
    /// A decision with what follows from it. In a tree the pairs that were chosen by the results so far, and by others
    /// would not be, are taken back with it; the next round of a Swiss is paired by the results at that time.
    ///
    /// # Errors
    /// Nothing follows, or something else than it says.
    pub(crate) fn prepare(&self, act: ArbiterAct) -> Result<PreparedDecision, DecisionRefusal> {
        // The run may finish games meanwhile.
        let mut reader = Reader::of_one_moment(self.reader.folder())?;
        let version = reader.version()?;
        let before = self.snapshot(&reader)?.0;
        let known = reader.decisions().clone();
        reader.suppose(supposed(&known, &act, &[]));
        let (mut after, contest) = self.snapshot(&reader)?;
        let unpairs: Vec<PairId> = match contest.map(|contest| contest.superseded()) {
            None => Vec::new(),
            Some(Ok(pairs)) => pairs.into_iter().collect(),
            Some(Err((round, board))) => {
                return refuse(format!(
                    "round {round} board {board} has been paired with the engines that went on by the results so far, \
                     another would go on now, and a game of it counts: nothing was written"
                ));
            }
        };
        if !unpairs.is_empty() {
            reader.suppose(supposed(&known, &act, &unpairs));
            after = self.snapshot(&reader)?.0;
        }
        let mut consequences = table_lines(&before, &after);
        if self.is_played && matches!(act, ArbiterAct::Withdraw { .. }) {
            let words = "Its games in progress are played to their end, and count as they end.";
            consequences.push(words.to_owned());
        }
        consequences.extend(self.game_lines(&before, &after));
        consequences.extend(self.unpaired_line(&unpairs));
        if before.next != after.next
            && let Some((round, boards)) = &after.next
        {
            consequences.push(format!("Round {round}: {}.", boards.join(", ")));
        }
        self.check_effect(&act, &before, after)?;
        Ok(PreparedDecision {
            version,
            written: StoredAct { act, unpairs },
            consequences,
        })
    }

    /// The event as this reader has it, read once, and its rounds.
    fn snapshot(&self, reader: &Reader) -> Result<(EventSnapshot, Option<Contest>), StoreError> {
        let mut results = Vec::new();
        let state = EventState::under(reader, self.identity.clone(), |result| {
            results.push((result.id, result.seats, result.outcome.is_evidence()));
        })?;
        let board = state.board();
        let awards = reader.awards()?.into_iter().map(|award| award.id);
        let played = results.iter().map(|(id, ..)| *id);
        let out = board.rulings().into_iter().map(|ruling| ruling.engine);
        let counts = |seats| !board.fault_counts().annuls(seats);
        let evidence = results
            .iter()
            .filter(|(_, seats, is)| *is && counts(*seats));
        let snapshot = EventSnapshot {
            table: rows(board),
            settled: played.chain(awards).collect(),
            next: next_round(&state),
            out: out.collect(),
            is_decided: state.is_decided(),
            evidence: evidence.map(|(id, ..)| *id).collect(),
        };
        Ok((snapshot, board.contest().cloned()))
    }

    fn game_lines(&self, before: &EventSnapshot, after: &EventSnapshot) -> Vec<String> {
        // Of one that is played again this goes without saying.
        let is_played = |id: &GameId| before.settled.contains(id) && after.settled.contains(id);
        let moved = |old: &EventSnapshot, new: &EventSnapshot| -> BTreeSet<GameId> {
            let moved = old.evidence.difference(&new.evidence).copied();
            moved.filter(is_played).collect()
        };
        let lists = [
            ("To be played again", &before.settled - &after.settled),
            (
                "Not to be played any more",
                &after.settled - &before.settled,
            ),
            ("Not in the statistics any more", moved(before, after)),
            ("In the statistics again", moved(after, before)),
        ];
        let line = |(what, games): (&str, BTreeSet<GameId>)| {
            let name = |game: &GameId| self.roster.games.name(*game).into();
            let names: Vec<String> = games.iter().take(NAMED).map(name).collect();
            let more = if games.len() > NAMED { ", …" } else { "" };
            let (games, names) = (count(games.len(), "game"), names.join(", "));
            format!("{what}, {games}: {names}{more}.")
        };
        let lists = lists.into_iter().filter(|(_, games)| !games.is_empty());
        lists.map(line).collect()
    }

    /// The encounters that others play than those who were paired.
    fn unpaired_line(&self, unpairs: &[PairId]) -> Option<String> {
        let place = |pair: &PairId| self.roster.games.place(*pair);
        let places = unpairs.iter().filter_map(place);
        let boards = places.map(|place| (place.round, place.board));
        let boards: BTreeSet<(u16, u16)> = boards.collect();
        let name = |(round, board): &(u16, u16)| format!("round {round} board {board}");
        let names = boards.iter().map(name).collect::<Vec<_>>().join(", ");
        (!names.is_empty()).then(|| format!("Paired anew, no game of it counts: {names}."))
    }

    /// A decision must do what it says.
    fn check_effect(
        &self,
        act: &ArbiterAct,
        before: &EventSnapshot,
        mut after: EventSnapshot,
    ) -> Result<(), DecisionRefusal> {
        let why = match act {
            ArbiterAct::Replay { .. } | ArbiterAct::Purge { .. } => {
                return self.check_replay(act, &after);
            }
            ArbiterAct::Withdraw { .. } => "it is disqualified, and plays no more",
            ArbiterAct::Forfeit { seats, .. } | ArbiterAct::Uneven { seats, .. } => {
                if seats.iter().any(|seat| after.out.contains(&seat.engine)) {
                    // It is not played, whatever is decided.
                    after.settled.clone_from(&before.settled);
                }
                NOTHING_COUNTS
            }
            ArbiterAct::Result { .. } => NOTHING_COUNTS,
            // They say what may be done from now on.
            ArbiterAct::Add { .. }
            | ArbiterAct::Replace { .. }
            | ArbiterAct::Extend { .. }
            | ArbiterAct::Bid { .. }
            | ArbiterAct::Undo { .. }
            | ArbiterAct::Announce { .. }
            | ArbiterAct::Control { .. } => return Ok(()),
        };
        if *before == after {
            refuse(format!(
                "nothing would follow from it: {why}; nothing was written"
            ))
        } else {
            Ok(())
        }
    }

    /// An engine that is out plays no game again; its opponent would win a game that was played.
    fn check_replay(&self, act: &ArbiterAct, after: &EventSnapshot) -> Result<(), DecisionRefusal> {
        let mut absent = None;
        for game in act.games() {
            let stored = self.reader.game(game)?;
            let seats = stored.into_iter().flat_map(|stored| stored.game.seats);
            let mut engines = seats.map(|seat| seat.engine);
            match engines.find(|engine| after.out.contains(engine)) {
                Some(engine) => absent = Some((game, engine)),
                None if after.is_decided => {
                    return refuse(
                        "it would not be played again: the test is decided without it, and nothing more is played; \
                         nothing was written",
                    );
                }
                None => return Ok(()),
            }
        }
        match absent {
            Some((game, engine)) => refuse(format!(
                "game {} would not be played again, because {} plays no more: its opponent would win it instead. \
                 `result` and `forfeit` give a game another result; nothing was written",
                self.roster.games.name(game),
                self.roster.engine_name(engine)
            )),
            None => Ok(()),
        }
    }
}

fn table_lines(before: &EventSnapshot, after: &EventSnapshot) -> Vec<String> {
    let rows = after.table.iter();
    let both = rows.filter_map(|(key, new)| Some((key, before.table.get(key)?, new)));
    let changed = both.filter(|(_, old, new)| old != new);
    let changed = changed.map(|([stage, name], old, new)| {
        let points = (old.0 != new.0).then(|| format!(", {:.1} before", old.0));
        let place = (old.1 != new.1).then(|| format!(", {} before", old.1));
        let [points, place] = [points, place].map(Option::unwrap_or_default);
        let words = format!("{:.1} points{points}; place {}{place}", new.0, new.1);
        (stage, new.1, format!("{stage}{name}: {words}."))
    });
    let mut changed: Vec<(&String, usize, String)> = changed.collect();
    if changed.is_empty() {
        return vec!["The table stays as it is.".to_owned()];
    }
    changed.sort_by_key(|(stage, place, _)| (*stage, *place));
    changed.into_iter().map(|(.., line)| line).collect()
}
