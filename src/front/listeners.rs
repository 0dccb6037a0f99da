//! The listeners of a run: first the files, then the lines, one after the other on one thread.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::common::game_text::WrittenGames;
use super::common::output::{FactLines, GameStarts, Printed, SharedOutcome, print};
use super::common::settings::{BookFormat, Settings, Variant};
use super::cutechess::{CutechessLines, CutechessPgn, CutechessStandings};
use super::fastchess::blocks::ResultBlocks;
use super::fastchess::console::{Beginning, Console};
use super::fastchess::pgn::FastchessPgn;
use super::fastchess::warnings::SearchWarnings;
use super::files::{GameFileFormat, GameFileSink};
use super::prepared::Prepared;
use crate::run::signals::Stopper;
use crate::run::{RunError, Session};
use crate::schedule::Plan;
use crate::sink::{RunOutputs, Sinks};
use crate::store::Reader;
use crate::uci::{OptionKind, Ready};

/// Name and author of an engine, as it reports them; empty if it was not asked.
type Identity = (String, String);

impl Prepared {
    /// The warnings about options that each engine refuses.
    fn warnings(&self, ready: &[Ready], names: &[String]) -> Vec<Vec<String>> {
        let is_cutechess = self.line.settings.is_cutechess();
        let mark = if is_cutechess { ':' } else { ';' };
        let engines = names.iter().enumerate();
        let warnings = engines.map(|(index, engine)| {
            let Some(ready) = ready.get(index) else {
                return Vec::new();
            };
            let options = &ready.identity.options;
            let sent = self.options_sent(index);
            let refused = sent.iter().filter_map(|(name, value)| {
                let known = options.get(name);
                let Some(option) = known.filter(|_| !(is_cutechess && is_protocol(name))) else {
                    return Some(format!("Warning{mark} {engine} doesn't have option {name}"));
                };
                let fits = match option.kind {
                    OptionKind::Button => value == "true",
                    _ => options.canonical(name, value).is_ok(),
                };
                (!fits)
                    .then(|| format!("Warning{mark} Invalid value for option {name}{mark} {value}"))
            });
            refused.collect()
        });
        warnings.collect()
    }

    /// The options that the other runner sends an engine: cutechess-cli each once and by name, fastchess each as often as it
    /// is given and Threads first.
    fn options_sent(&self, engine: usize) -> Vec<(String, String)> {
        let mut options = self.line.engines[engine].options.clone();
        if self.line.settings.is_cutechess() {
            let named = options.into_iter().filter(|(name, _)| !name.is_empty());
            let last: BTreeMap<String, String> = named.collect();
            return last.into_iter().collect();
        }
        options.sort_by_key(|(name, _)| name != "Threads");
        if self.line.settings.variant == Variant::Chess960 {
            options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        options
    }

    /// The listeners of a run.
    ///
    /// # Errors
    /// A file or the store cannot be read or written.
    pub(super) fn listeners(
        &self,
        session: &Session,
        (outcome, stopper): (&SharedOutcome, Stopper),
    ) -> Result<RunOutputs, RunError> {
        let (settings, engines) = (&self.line.settings, &self.line.engines);
        let reader = session.reader()?;
        let identities = self.identities(&reader)?;
        let names = self.shown_names(&identities);
        let warnings = self.warnings(&session.ready, &names);
        let games = self.written(identities, &names)?;
        let mut files = Sinks::default();
        let (pgn, epd) = (&settings.pgn, &settings.epd);
        let asked = [
            (GameFileFormat::Pgn, &pgn.file, pgn.append_file),
            (GameFileFormat::Epd, &epd.file, epd.append_file),
        ];
        for (content, file, append) in asked {
            if !file.is_empty() {
                let known = (&reader, settings.recover);
                let added =
                    GameFileSink::open(content, (file, append), games.clone(), known, outcome);
                files.add(added?);
            }
        }
        let mut starts = GameStarts::new(self.plan()?);
        if let Some(standing) = CutechessStandings::of_line(&self.line) {
            // It takes a PGN file without a game for an empty one.
            if settings.opening.format != BookFormat::Pgn {
                starts.unreadable.clone_from(&self.tournament.unreadable);
            }
            let ends = (stopper.clone(), outcome.clone());
            let lines = CutechessLines::new(standing, names, starts, warnings, ends);
            files.add(self.caught_up(lines, &reader, &stopper)?);
        } else {
            let console = Console::new(Beginning {
                line: self.line.clone(),
                blocks: ResultBlocks::new(settings, engines, &session.ready),
                starts,
                of_options: warnings,
                warnings: SearchWarnings::new(session.searches.follow(), settings, engines),
                log: self.log.clone(),
                stopper: stopper.clone(),
                store: self.place.folder.to_string_lossy().into_owned(),
                outcome: outcome.clone(),
            });
            files.add(self.caught_up(console, &reader, &stopper)?);
        }
        Ok(RunOutputs {
            files,
            ..RunOutputs::default()
        })
    }

    fn plan(&self) -> Result<Plan, RunError> {
        Ok(self.tournament.plan().map_err(std::io::Error::other)?)
    }

    /// How the games of a run are written to files.
    fn written(
        &self,
        identities: Vec<Identity>,
        names: &[String],
    ) -> Result<Arc<dyn WrittenGames>, RunError> {
        let line = self.line.clone();
        if line.settings.is_cutechess() {
            let (names, plan) = (names.to_vec(), self.plan()?);
            return Ok(Arc::new(CutechessPgn { line, names, plan }));
        }
        let before = self.before;
        Ok(Arc::new(FastchessPgn {
            line,
            identities,
            before,
        }))
    }

    /// Lines that know the stored games: the lines of a run that was killed are printed again.
    fn caught_up<L: FactLines>(
        &self,
        mut lines: L,
        reader: &Reader,
        stopper: &Stopper,
    ) -> Result<Printed<L>, RunError> {
        if reader.last_place()? == 0 {
            return Ok(Printed(lines));
        }
        let says = !self.is_asked;
        let games = reader.counts()?.finished;
        if says {
            print(&format!("Resuming from {games} games\n"))?;
        } else if !self.line.settings.is_cutechess() {
            let Settings { pgn, epd, .. } = &self.line.settings;
            let files = [
                ("-pgnout", &pgn.file, pgn.append_file),
                ("-epdout", &epd.file, epd.append_file),
            ];
            for (option, file, appends) in files {
                if !appends && !file.is_empty() {
                    print(&format!(
                        "Resuming from {games} games, ignoring {option} append=false.\n"
                    ))?;
                }
            }
        }
        for stored in reader.games_after(0) {
            let game = stored?.game;
            if game.record.outcome.is_void() || lines.starts().silent {
                continue;
            }
            if says {
                print(&lines.finish_game(&game))?
            } else {
                lines.recall(&game)
            }
        }
        if lines.starts().silent {
            // The run was killed after its last game and before its end.
            stopper.void_games();
        }
        Ok(Printed(lines))
    }

    /// Name and author of every engine, from the store.
    fn identities(&self, reader: &Reader) -> Result<Vec<Identity>, RunError> {
        let mut identities = vec![Identity::default(); self.line.engines.len()];
        for entry in reader.engines(reader.revision()?)? {
            if let Some(identity) = identities.get_mut(usize::from(entry.engine)) {
                let (name, author) = (entry.id_name, entry.author);
                *identity = (name.unwrap_or_default(), author.unwrap_or_default());
            }
        }
        Ok(identities)
    }

    /// The names of the engines; in cutechess-cli an engine that was given none gives its own.
    fn shown_names(&self, identities: &[Identity]) -> Vec<String> {
        let (settings, engines) = (&self.line.settings, &self.line.engines);
        let Some(own) = &settings.unwritten.cutechess else {
            return engines.iter().map(|engine| engine.name.clone()).collect();
        };
        let both = own.names.iter().zip(identities);
        both.map(|(given, (said, _))| if given.is_empty() { said } else { given })
            .cloned()
            .collect()
    }
}

/// Whether an option belongs to the protocol: cutechess-cli does not let users set it.
fn is_protocol(name: &str) -> bool {
    name == "Ponder"
        || name.starts_with("UCI_") && !["UCI_LimitStrength", "UCI_Elo"].contains(&name)
}
