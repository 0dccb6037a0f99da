//! The text of every stored game, as `games.pgn` has it.

use std::borrow::Cow;
use std::collections::btree_map::{BTreeMap, Entry};
use std::hash::Hasher as _;
use std::io::Write;
use std::path::Path;

use twox_hash::XxHash3_64;

use crate::chess::start::Variant;
use crate::chess::{FenDialect, Position};
use crate::event::{ArbiterDecision, GameId, GameNames, GameRuling, PlayedGame};
use crate::pgn::{
    Comments, EngineTags, EventTags, GameEnd, RulingTags, ending_words, write_game_with,
    write_unplayed,
};
use crate::referee::{GameRecord, Outcome, VoidReason};
use crate::sink::SinkError;
use crate::store::{Reader, StoreError, StoredGame};
use crate::tournament::fault_counts::FaultCounts;
use crate::tournament::{fault_counts, game_names, stored_limits};

/// Writes all finished games of a store as PGN, as `games.pgn` has them.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub fn write_pgn(reader: &Reader, out: &mut dyn Write) -> Result<(), SinkError> {
    write_selected_pgn(reader, Comments::default(), false, out)
}

/// Writes the finished games of a store as PGN, with these comments after the moves: all, or only those that are `counted`
/// in the standings, so no game of a disqualified engine whose games are annulled.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn write_selected_pgn(
    reader: &Reader,
    comments: Comments,
    counted: bool,
    out: &mut dyn Write,
) -> Result<(), SinkError> {
    let fault_counts = counted.then(|| fault_counts(reader));
    let fault_counts = fault_counts.transpose()?;
    for_each(reader, 0, comments, |_, game, text| {
        let counts = |fault_counts: &FaultCounts| {
            !game.record.outcome.is_void() && !fault_counts.annuls(game.seats)
        };
        if fault_counts.as_ref().is_none_or(counts) {
            out.write_all(text).map_err(SinkError::Output)?;
        }
        Ok(true)
    })?;
    if let Some(fault_counts) = &fault_counts {
        write_awards(reader, fault_counts, out)?;
    }
    out.flush().map_err(SinkError::Output)
}

/// Writes the games that the arbiter has given to one side and that were never played, so that other programs can count
/// them from their tags.
fn write_awards(
    reader: &Reader,
    fault_counts: &FaultCounts,
    out: &mut dyn Write,
) -> Result<(), SinkError> {
    let awards = reader.awards()?;
    if awards.is_empty() {
        return Ok(());
    }
    let tags = event_tags(reader, reader.revision()?)?;
    for award in awards {
        let verdict = reader.decisions().verdict(award.id);
        let Some((_, by)) = verdict.filter(|_| !fault_counts.annuls(award.seats)) else {
            continue;
        };
        let game = PlayedGame {
            id: award.id,
            cycle: 0,
            number: None,
            seats: award.seats,
            started: by.decided,
            ended: by.decided,
            record: GameRecord {
                outcome: award.outcome,
                ..GameRecord::unplayed(Position::standard(), Vec::new())
            },
        };
        let mut text = String::new();
        write_unplayed(&mut text, &tags, &game, &by.words());
        out.write_all(text.as_bytes()).map_err(SinkError::Output)?;
    }
    Ok(())
}

/// Writes the last position of every finished game as a line of EPD.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn write_final_positions(reader: &Reader, out: &mut dyn Write) -> Result<(), SinkError> {
    let names = game_names(reader)?;
    for stored in reader.games() {
        let game = stored?.game;
        let fen = game.record.board().position().fen(FenDialect::XFen);
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let round = names.name(game.id);
        let result = game.record.outcome.result();
        writeln!(out, "{} id \"{round}\"; c0 \"{result}\";", fields.join(" "))
            .map_err(SinkError::Output)?;
    }
    out.flush().map_err(SinkError::Output)
}

/// Each game after this place in the order of finishing: the place, the game as the arbiter's decisions have it, and its
/// text; `take` says whether to continue.
pub(super) fn for_each(
    reader: &Reader,
    after: u64,
    comments: Comments,
    mut take: impl FnMut(u64, &PlayedGame, &[u8]) -> Result<bool, SinkError>,
) -> Result<(), SinkError> {
    let mut tags: BTreeMap<u32, EventTags> = BTreeMap::new();
    let mut text = String::new();
    for stored in reader.games_after(after) {
        let stored = stored?;
        let tags = match tags.entry(stored.revision) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(event_tags(reader, stored.revision)?),
        };
        text.clear();
        let (game, ruling) = ruled(reader, &stored);
        let end = GameEnd::Over(ruling.as_ref());
        write_game_with(&mut text, tags, &game, end, comments);
        if !take(stored.sequence, &game, text.as_bytes())? {
            break;
        }
    }
    Ok(())
}

/// A stored game as the arbiter's decisions have it, with these comments; nothing of one that is
/// played again.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn text_of(
    reader: &Reader,
    stored: &StoredGame,
    comments: Comments,
) -> Result<Option<String>, SinkError> {
    let (game, ruling) = ruled(reader, stored);
    if game.record.outcome.is_void() {
        return Ok(None);
    }
    let tags = event_tags(reader, stored.revision)?;
    let mut text = String::new();
    let end = GameEnd::Over(ruling.as_ref());
    write_game_with(&mut text, &tags, &game, end, comments);
    Ok(Some(text))
}

/// A game as the arbiter's decisions have it: one that is played again has no result.
fn ruled<'a>(
    reader: &'a Reader,
    stored: &'a StoredGame,
) -> (Cow<'a, PlayedGame>, Option<RulingTags>) {
    let decisions = reader.decisions();
    let (outcome, by) = match decisions.ruling(stored.game.id, stored.playing) {
        GameRuling::AsPlayed => return (Cow::Borrowed(&stored.game), None),
        GameRuling::Ruled { outcome, by } => (outcome, Some(by)),
        GameRuling::Superseded { by } => (Outcome::Void(VoidReason::Interrupted), by),
    };
    let played = &stored.game.record.outcome;
    let ruling = RulingTags {
        words: by.map_or_else(
            || "a replay that was taken back".to_owned(),
            ArbiterDecision::words,
        ),
        played_result: played.result(),
        played_termination: played.termination().to_string(),
        played_ending: ending_words(&stored.game.record),
    };
    let mut game = stored.game.clone();
    game.record.outcome = outcome;
    (Cow::Owned(game), Some(ruling))
}

/// The tags of games played under one revision of the identity.
pub(crate) fn event_tags(reader: &Reader, revision: u32) -> Result<EventTags, SinkError> {
    let mut event = reader.described()?;
    let mut value = |key: &str| event.remove(key);
    let variant = value("variant").unwrap_or_default().parse();
    let variant: Variant = variant.map_err(|_| StoreError::Damaged {
        file: reader.file().to_path_buf(),
        detail: "unknown variant".to_owned(),
    })?;
    let engines = reader.engines(revision)?.into_iter();
    let engines = engines.map(|engine| EngineTags {
        name: engine.name,
        version: engine.id_name,
        options: engine.options,
        time_control: engine.time_control,
    });
    let [name, site] = ["name", "site"].map(|key| value(key).unwrap_or_default());
    Ok(EventTags {
        variant_tag: value("variant_tag"),
        games: game_names(reader)?,
        time_given: reader.time_given()?,
        limits: stored_limits(reader, revision)?,
        ..EventTags::new(&name, &site, variant, engines.collect())
    })
}

/// The places of pairs chosen since the tags were read come from the store, where they were written before the first
/// game of the pair; of events in rounds.
pub(crate) fn place(tags: &mut EventTags, id: GameId, folder: &Path) -> Result<(), SinkError> {
    if tags.games.place(id.pair).is_none() {
        tags.games = game_names(&Reader::open(folder)?)?;
    }
    Ok(())
}

/// A hash of everything that the texts up to this revision depend on, except the games: the tags, and the program that
/// writes them.
pub(super) fn hash_of_tags(reader: &Reader, revision: u32) -> Result<u64, SinkError> {
    let mut hash = XxHash3_64::default();
    hash.write(env!("CARGO_PKG_VERSION").as_bytes());
    for revision in 1..=revision {
        let mut tags = event_tags(reader, revision)?;
        // They are chosen once; more of them come while the event is played.
        tags.games = GameNames::default();
        tags.time_given.clear();
        hash.write(format!("{tags:?}").as_bytes());
    }
    if !reader.decisions().is_empty() {
        hash.write(format!("{:?}", reader.decisions().all()).as_bytes());
    }
    Ok(hash.finish())
}
