//! `[[playoff]]`: what is played while an encounter of a tree is level.

use super::engine::ReadEngine;
use super::keys::KeyKind::Whole;
use super::keys::keys;
use super::problem::Problem;
use super::section::{EntryPlace, Section};
use super::time::{Time, TimeKeys, of_games};
use super::value::words;
use crate::clock::Limits;
use crate::event::{ArmageddonWhite, Playoff};

/// The steps in their order, and where each is written.
pub(super) struct ReadPlayoffs<'a> {
    steps: Vec<Playoff>,
    pub(super) places: Vec<EntryPlace<'a>>,
    /// The limits of the event.
    usual: Option<[Limits; 2]>,
}

impl ReadPlayoffs<'_> {
    /// The steps where games have these limits, if not those of the event. A bid is a part of a time: where its step has
    /// none, of this one.
    pub(super) fn steps(&self, of_stage: Option<&[Limits; 2]>) -> Vec<Playoff> {
        let usual = of_stage.or(self.usual.as_ref());
        let steps = self.steps.iter().zip(&self.places).map(|(step, place)| {
            let mut step = step.clone();
            if !matches!(step.armageddon, Some(ArmageddonWhite::Bid { .. })) {
                return step;
            }
            step.limits = step.limits.or_else(|| usual.cloned());
            let white = step.limits.as_ref().map(|[white, _]| &white.time);
            if white.is_some_and(|time| time.scaled(0.5).is_none()) {
                let problem = Problem::error("a bid is a part of a time, and this step has none");
                place.fail::<()>(problem.help("time = { control = \"300+2\" } in this step"));
            }
            step
        });
        steps.collect()
    }
}

pub(super) fn read<'a>(
    sections: Vec<Section<'a>>,
    shared: &Time<'_>,
    engines: &[ReadEngine<'_>],
) -> ReadPlayoffs<'a> {
    let places: Vec<EntryPlace<'a>> = sections.iter().map(Section::place).collect();
    let count = sections.len();
    let steps = (1..).zip(sections).map(|(nth, section)| {
        let place = section.place();
        let step = read_step(PlayoffKeys::read(section), shared, engines);
        if step.armageddon.is_some() && nth < count {
            let help = "an armageddon game always has a winner: put it at the end";
            place.error("no step follows an armageddon game", help);
        }
        step
    });
    ReadPlayoffs {
        steps: steps.collect(),
        places,
        usual: shared.limits(None).map(|limits| [limits.clone(), limits]),
    }
}

fn read_step(keys: PlayoffKeys<'_>, shared: &Time<'_>, engines: &[ReadEngine<'_>]) -> Playoff {
    let is_armageddon = keys.armageddon.value;
    for (is_written, key) in [(&keys.pairs, "pairs"), (&keys.times, "times")] {
        let title = format!("an armageddon game is one game: `{key}` says nothing here");
        is_written.error_if(is_armageddon, title, "take this line out");
    }
    let by_bid = keys.white.value == WhiteWord::Bid;
    let title = "`white` is about an armageddon game, and this step is none";
    let help = "armageddon = true, or take this line out";
    keys.white.error_if(!is_armageddon, title, help);
    let about_bids = [&keys.bids.entry, &keys.bid_time.entry];
    for entry in about_bids.into_iter().flatten().filter(|_| !by_bid) {
        let title = format!("`{}` says nothing here", entry.key);
        entry.error(title, "white = \"bid\" lets bids decide");
    }
    let by_command = keys.bid_time.is_written();
    let nobody = is_armageddon && by_bid && !keys.bids.is_written() && !by_command;
    let title = "white = \"bid\", and there are no bids";
    let help = "bids = { A = 60, B = 55 }: the part of White's time that each wants for Black, in percent; or bid_time = 3600";
    keys.white.error_if(nobody, title, help);
    let bids = keys.bids.value.map_or_else(
        || vec![None; engines.len()],
        |section| bids(&section, engines, by_command),
    );
    let armageddon = is_armageddon.then_some(match keys.white.value {
        WhiteWord::HigherSeed => ArmageddonWhite::HigherSeed,
        WhiteWord::LowerSeed => ArmageddonWhite::LowerSeed,
        WhiteWord::Lot => ArmageddonWhite::Lot,
        WhiteWord::Bid => ArmageddonWhite::Bid {
            bids,
            wait_seconds: keys.bid_time.value.unwrap_or(0),
        },
    });
    Playoff {
        pairs: if is_armageddon { 1 } else { keys.pairs.value },
        times: if is_armageddon { 1 } else { keys.times.value },
        limits: keys.time.value.and_then(|time| of_games(time, shared)),
        armageddon,
    }
}

/// The bid of every engine, in the order of the file; `None` where it comes by a command.
fn bids(section: &Section<'_>, engines: &[ReadEngine<'_>], by_command: bool) -> Vec<Option<u8>> {
    let mut bids = vec![None; engines.len()];
    for entry in section.all() {
        let bid = entry.integer(1..=100_u8).unwrap_or(100);
        let mut names = engines.iter().map(|engine| &engine.spec.name);
        if let Some(engine) = names.position(|name| name == entry.key) {
            bids[engine] = Some(bid);
            continue;
        }
        let title = format!("no engine is called \"{}\"", entry.key);
        entry.error(title, "the names are those of the [[engine]]s");
    }
    let without = engines.iter().zip(&bids).filter(|(_, bid)| bid.is_none());
    let without = without.map(|(engine, _)| engine.spec.name.as_str());
    let without: Vec<&str> = without.collect();
    if !without.is_empty() && !by_command {
        let help = "name one for each, or let operators bid by a command: bid_time = 3600";
        section.error(format!("no bid of {}", without.join(", ")), help);
    }
    bids
}

words! {
    /// Who has White in an armageddon game, as the word in the file says it.
    pub(super) enum WhiteWord {
        "higher-seed" => HigherSeed,
        "lower-seed" => LowerSeed,
        "lot" => Lot,
        "bid" => Bid,
    }
}

keys! {
    /// The values of `[[playoff]]`.
    PlayoffKeys<'a>, "playoff", "[[playoff]]", "A step in which a level encounter of a tree is played off, after the extra pairs; the steps follow each other while it stays level.";

    /// Pairs that are played in this step.
    pairs: u32 [= 1] Whole(1, 1000), in "pairs of games", "pairs = 2", refused ["with armageddon"];
    /// How often the step is played at most, while the encounter stays level.
    times: u32 [= 1] Whole(1, 1000), in "times", "times = 3", refused ["with armageddon"];
    /// The limits of all engines in this step, as in `[time]`.
    time: TimeKeys<'a> [or "as before"], "time = { control = \"60+0.6\" }",
        refused ["`margin_ms` and `nodes_jitter`"];
    /// Whether the step is one game, in which a draw wins the encounter for Black.
    armageddon: bool [= false],
        "armageddon = true\ntime = { white = { control = \"300+2\" }, black = { control = \"240+2\" } }",
        refused ["before another step"];
    /// Who has White in an armageddon game: the higher seed, the lower seed, who is drawn, or who bids more.
    white: WhiteWord [= "lot"], "armageddon = true\nwhite = \"lower-seed\"",
        refused ["without armageddon"];
    /// The part of White's time that each engine wants for Black, in percent; who bids less has Black and that time.
    bids: Section<'a> [or "none"], in "percent",
        "armageddon = true\nwhite = \"bid\"\nbids = { New = 60, two = 55 }",
        refused ["without white = \"bid\"", "an engine without a bid, where there is no `bid_time`"];
    /// How long it is waited, from when the game is due, for the bids that are not in `bids`: `arbiter960 decide RESULTS
    /// bid`. One that does not come is 100 percent.
    bid_time: u32 [or "every engine has a bid in `bids`"] Whole(1, 604_800), in "seconds",
        "armageddon = true\nwhite = \"bid\"\nbid_time = 3600",
        refused ["without white = \"bid\""];
}
