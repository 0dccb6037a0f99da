//! What is said of playing on the command line of `run` and `match`, and the files that it asks for.

use std::fs::{self, File};
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::listeners::{RunDisplay, RunListeners};
use super::serve::{address, public_address};
use super::worker::FarmArguments;
use crate::config::Tournament;
use crate::event::identity::EventIdentity;
use crate::pgn::{Comments, PgnDialect};
use crate::schedule::Shard;
use crate::sink::{write_final_positions, write_selected_pgn};
use crate::store::Reader;
use crate::text::{printable, tell};
use crate::web::{BroadcastTarget, LiveEvent};

/// How to play an event, and what to show.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Play {
    /// The folder of all events; each has a folder of its own name below it
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,

    /// Print the plan, its first ten pairs with start number, engines and colours; start no engine
    #[arg(long)]
    pub dry_run: bool,

    /// With --dry-run: print every pair
    #[arg(long, requires = "dry_run")]
    pub all: bool,

    /// Begin again: an old folder of this name is moved aside first
    #[arg(long)]
    pub fresh: bool,

    /// Go on though the event file has changed since the first game; the change is recorded
    #[arg(long)]
    pub accept_changes: bool,

    /// Show no progress, only the result
    #[arg(long, conflicts_with = "json")]
    pub quiet: bool,

    /// Write down all that runner and engines say to each other, with time stamps, in log/engines
    #[arg(long)]
    pub log_engines: bool,

    /// Print one JSON event a line on stdout: always `start` first and `end` last (docs/files.md)
    #[arg(long)]
    pub json: bool,

    /// Write no report.html at the end
    #[arg(long)]
    pub no_report: bool,

    /// Also write the games to this PGN file when the run ends
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,

    /// The comments in the file of --pgn: eval, clock, time, depth, nodes, pv, with commas; all, or none
    #[arg(long, value_name = "WORDS", requires = "pgn")]
    pub pgn_comments: Option<Comments>,

    /// The words of the comments in the files of --pgn and --live-pgn: standard, or those that the viewers of
    /// the TCEC read
    #[arg(long, value_name = "DIALECT")]
    pub pgn_dialect: Option<PgnDialect>,

    /// Keep live.pgn in the event's folder: the running games and those of their round that are finished,
    /// replaced once a second at most, for broadcasts
    #[arg(long)]
    pub live_pgn: bool,

    /// Push live.pgn to a round of a Lichess broadcast:
    /// https://lichess.org/api/broadcast/round/ROUND/push. Needs curl
    #[arg(long, value_name = "ADDRESS", requires = "broadcast_token")]
    pub(crate) broadcast: Option<String>,

    /// The file with the token for --broadcast, of the scope study:write
    #[arg(long, value_name = "FILE", requires = "broadcast")]
    pub(crate) broadcast_token: Option<PathBuf>,

    /// Show the event as it is played on a page at this address: 9600, or 127.0.0.1:9600 for this machine
    /// alone, 0.0.0.0:9600 for all
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub web: Option<SocketAddr>,

    /// Let the page at /desk change the event, for whoever has the token that is printed. For this machine
    /// alone, or with TLS in front of the page, at this address
    #[arg(long, value_name = "https://HOST", requires = "web", num_args = 0..=1, require_equals = true,
        default_missing_value = "", value_parser = public_address)]
    pub desk: Option<String>,

    /// Write the last position of every game to this EPD file when the run ends
    #[arg(long, value_name = "FILE")]
    pub epd_out: Option<PathBuf>,

    /// Let the exit code say how the SPRT ended: 10 H1 accepted, 11 H0 accepted, 12 undecided,
    /// 13 both engines played the same moves
    #[arg(long)]
    pub exit_verdict: bool,

    /// Play only one of N parts of the plan, I from 1, into a folder of its own; `merge` makes one
    /// event of all (docs/many-machines.md)
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// With --shard: the SPRT, strikes and adaptive choices wait until the shards are merged
    #[arg(long, requires = "shard", conflicts_with = "exit_verdict")]
    pub judge_after_merge: bool,

    #[command(flatten)]
    pub farm: FarmArguments,

    /// Games at once, if the command says so: it counts more than what `control` has said before.
    #[arg(skip)]
    pub concurrency: Option<NonZeroUsize>,
}

impl Play {
    /// What an event of a name has recorded, if it has begun and is not begun again.
    pub(crate) fn recorded(&self) -> impl Fn(&str) -> Option<EventIdentity> {
        let results = (!self.fresh).then(|| self.results.clone());
        let shard = self.shard;
        move |name| {
            let results = results.as_ref().filter(|_| !name.is_empty())?;
            let folder = match shard {
                Some(shard) => results.join(shard.folder_name(name)),
                None => results.join(name),
            };
            Some(Reader::open(&folder).ok()?.identity().ok()??.identity)
        }
    }

    /// The broadcast, with the token for it.
    ///
    /// # Errors
    /// The token cannot be read.
    pub(super) fn broadcast(&self) -> Result<Option<BroadcastTarget>> {
        let asked = self.broadcast.clone().zip(self.broadcast_token.as_ref());
        let Some((address, file)) = asked else {
            return Ok(None);
        };
        let token = fs::read_to_string(file);
        let token = token.with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Some(BroadcastTarget { address, token }))
    }

    /// Prints an event that is complete, or is to be played.
    pub(super) fn shown(&self, complete: bool, web: Option<&Arc<LiveEvent>>) -> RunListeners {
        let display = match (complete, self.quiet, self.json) {
            (false, true, _) | (true, _, false) => RunDisplay::Quiet,
            (_, _, true) => RunDisplay::Json,
            (false, false, false) => RunDisplay::Progress,
        };
        let dialect = self.pgn_dialect.unwrap_or_default();
        let live_pgn = self.live_pgn || self.broadcast.is_some();
        RunListeners {
            display,
            report: !self.no_report,
            live_pgn: live_pgn.then_some(dialect),
            web: web.cloned(),
        }
    }
}

/// The event for this shard. Rules that depend on the results of all shards wait for the merge, if requested.
///
/// # Errors
/// The event cannot be played in shards.
pub(crate) fn in_shard(
    tournament: Tournament,
    shard: Shard,
    judge_after_merge: bool,
) -> Result<Tournament> {
    if tournament.seed_drawn {
        bail!("all shards need the same seed, and none is given: seed = N in [event], or --seed N");
    }
    if tournament.rounds().is_some() {
        bail!(
            "an event in rounds cannot be played in shards: what a round brings depends on the games of \
             all before it; play it on one machine, or with a coordinator and workers"
        );
    }
    let waiting = [
        (tournament.sprt.is_some(), "[sprt]"),
        (tournament.adaptive.is_some(), "[adaptive]"),
        (tournament.faults.strikes.is_some(), "`strikes` in [faults]"),
    ];
    let waiting = waiting.iter().filter(|(there, _)| *there);
    let waiting: Vec<&str> = waiting.map(|(_, what)| *what).collect();
    if !waiting.is_empty() && !judge_after_merge {
        bail!(
            "{} would be judged by the games of one shard alone: with --judge-after-merge every shard \
             plays all of its pairs (with [sprt] its part of max_pairs, with [adaptive] what is played \
             before the first choice), and `arbiter960 merge` judges them together",
            waiting.join(" and ")
        );
    }
    Ok(tournament.in_shard(shard))
}

/// Writes the files that the command line asks for; after a run that was stopped only those that no reader has to be
/// waited for.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub(super) fn copies(folder: &Path, options: &Play, stopped: bool) -> Result<()> {
    let dialect = options.pgn_dialect.unwrap_or_default();
    let comments = options.pgn_comments.unwrap_or_default();
    let comments = comments.in_dialect(dialect);
    for (path, is_pgn) in [(&options.pgn, true), (&options.epd_out, false)] {
        let Some(path) = path else { continue };
        // Whoever asks for an end does not wait for the reader of a pipe.
        if stopped && fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let path = printable(&path.display().to_string()).into_owned();
            let words = "is no plain file, and is not written after a stop";
            tell(&format!("warning: {path} {words}"));
            continue;
        }
        let reader = Reader::open(folder)?;
        if reader.identity()?.is_none() {
            continue;
        }
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut file = io::BufWriter::new(file);
        let written = if is_pgn {
            write_selected_pgn(&reader, comments, false, &mut file)
        } else {
            write_final_positions(&reader, &mut file)
        };
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
