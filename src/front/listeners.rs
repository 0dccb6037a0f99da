//! The listeners of a run: first the files, then the lines, one after the other on one thread.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::common::output::{FactLines, Printed, Told, print};
use super::common::settings::{BookFormat, CommandLine, Cutechess, Variant};
use super::common::starts::GameStarts;
use super::cutechess;
use super::fastchess::blocks::ResultBlocks;
use super::fastchess::complaints::Complaints;
use super::fastchess::console::{Beginning, Console};
use super::fastchess::pgn::FastchessPgn;
use super::files::{Added, GameFileFormat};
use super::prepared::{GoesOn, Prepared};
use super::written::WrittenGames;
use crate::run::signals::Stopper;
use crate::run::{RunError, Session};
use crate::schedule::Plan;
use crate::sink::{RunOutputs, Sinks};
use crate::store::Reader;
use crate::uci::Ready;

impl Prepared {
    /// The warnings about options that each engine refuses.
    fn warnings(&self, ready: &[Ready], names: &[String]) -> Vec<Vec<String>> {
        let is_cutechess = self.line.settings.unwritten.cutechess.is_some();
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
                let is_button = option.kind == crate::uci::OptionKind::Button;
                let fits = match is_button {
                    true => value == "true",
                    false => options.validate(name, value).is_ok(),
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
        if self.line.settings.unwritten.cutechess.is_some() {
            let last: BTreeMap<String, String> = options.into_iter().collect();
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
        (told, stopper): (&Arc<Mutex<Told>>, Stopper),
    ) -> Result<RunOutputs, RunError> {
        let CommandLine {
            settings,
            engines,
            stats,
            ..
        } = &self.line;
        let reader = session.reader()?;
        let games = self.written(&reader)?;
        let mut files = Sinks::default();
        let (pgn, epd) = (&settings.pgn, &settings.epd);
        let asked = [
            (GameFileFormat::Pgn, &pgn.file, pgn.append_file),
            (GameFileFormat::Epd, &epd.file, epd.append_file),
        ];
        for (content, file, append) in asked {
            if !file.is_empty() {
                let known = (&reader, settings.recover);
                let added = Added::open(content, (file, append), games.clone(), known, told);
                files.add(added?);
            }
        }
        let plan = self.tournament.plan().map_err(std::io::Error::other)?;
        if let Some(own) = &settings.unwritten.cutechess {
            let lines =
                self.cutechess_lines((session, &reader), own, plan, (stopper.clone(), told))?;
            files.add(self.caught_up(lines, &reader, &stopper)?);
            return Ok(RunOutputs {
                files,
                ..RunOutputs::default()
            });
        }
        let own_names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
        let console = Console::new(Beginning {
            settings: settings.clone(),
            engines: engines.clone(),
            blocks: ResultBlocks::new(settings, engines, session.ready()),
            starts: GameStarts::new(plan),
            stats: stats.clone(),
            warnings: self.warnings(session.ready(), &own_names),
            complaints: Complaints::new(session.searches().follow(), settings, engines),
            log: self.log.clone(),
            stopper: stopper.clone(),
            store: self.place.folder.to_string_lossy().into_owned(),
            told: Arc::clone(told),
        });
        files.add(self.caught_up(console, &reader, &stopper)?);
        Ok(RunOutputs {
            files,
            ..RunOutputs::default()
        })
    }

    /// How the games of a run are written to files.
    fn written(&self, reader: &Reader) -> Result<WrittenGames, RunError> {
        let CommandLine {
            settings, engines, ..
        } = &self.line;
        let identities = self.identities(reader)?;
        if let Some(own) = &settings.unwritten.cutechess {
            return Ok(WrittenGames::Cutechess(Arc::new(cutechess::CutechessPgn {
                options: settings.pgn.clone(),
                variant: settings.variant,
                engines: engines.clone(),
                names: shown_names(own, &identities),
                plan: self.tournament.plan().map_err(std::io::Error::other)?,
            })));
        }
        Ok(WrittenGames::Fastchess(FastchessPgn {
            options: settings.pgn.clone(),
            variant: settings.variant,
            engines: engines.clone(),
            identities,
            before: self.before,
        }))
    }

    fn cutechess_lines(
        &self,
        (session, reader): (&Session, &Reader),
        own: &Cutechess,
        plan: Plan,
        (stopper, told): (Stopper, &Arc<Mutex<Told>>),
    ) -> Result<cutechess::CutechessLines, RunError> {
        let CommandLine {
            settings, engines, ..
        } = &self.line;
        let names = shown_names(own, &self.identities(reader)?);
        let habits = cutechess::Habits {
            ratings: u64::try_from(settings.ratinginterval).unwrap_or(0),
            outcomes: own.outcomes,
            recovers: settings.recover,
        };
        // It takes a PGN file without a game for an empty one.
        let unreadable = match settings.opening.format {
            BookFormat::Pgn => BTreeMap::new(),
            _ => self.tournament.unreadable.clone(),
        };
        let warnings = self.warnings(session.ready(), &names);
        let warnings = engines.iter().zip(warnings).map(|(engine, texts)| {
            let restarts = engine.restart;
            cutechess::StartWarnings { texts, restarts }
        });
        let warnings = warnings.collect();
        Ok(cutechess::CutechessLines::new(
            cutechess::CutechessStandings::new((settings, own), engines),
            habits,
            names,
            GameStarts::new(plan).with_unreadable(unreadable),
            warnings,
            (stopper, Arc::clone(told)),
        ))
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
        let says = self.goes_on == GoesOn::AfterKill;
        if says {
            print(&format!(
                "Resuming from {} games\n",
                reader.counts()?.finished
            ))?;
        }
        for stored in reader.games_after(0) {
            let game = stored?.game;
            if game.record.outcome.is_void() || lines.is_silent() {
                continue;
            }
            match says {
                true => print(&lines.finish_game(&game))?,
                false => lines.recall(&game),
            }
        }
        if lines.is_silent() {
            // The run was killed after its last game and before its end.
            stopper.void_games();
        }
        Ok(Printed(lines))
    }

    /// Name and author of every engine, from the store.
    fn identities(&self, reader: &Reader) -> Result<Vec<(String, String)>, RunError> {
        let entries = reader.engines(reader.revision()?)?;
        let said: BTreeMap<u16, (String, String)> = entries
            .into_iter()
            .map(|entry| {
                let name = entry.id_name.unwrap_or_default();
                (entry.engine, (name, entry.author.unwrap_or_default()))
            })
            .collect();
        let engines = 0..u16::try_from(self.line.engines.len()).unwrap_or(u16::MAX);
        Ok(engines
            .map(|engine| said.get(&engine).cloned().unwrap_or_default())
            .collect())
    }
}

/// Whether an option belongs to the protocol: cutechess-cli does not let users set it.
fn is_protocol(name: &str) -> bool {
    name == "Ponder"
        || name.starts_with("UCI_") && !["UCI_LimitStrength", "UCI_Elo"].contains(&name)
}

/// The names that engines were given, or else the names that they give themselves.
fn shown_names(own: &Cutechess, identities: &[(String, String)]) -> Vec<String> {
    let both = own.names.iter().zip(identities);
    both.map(|(given, (said, _))| if given.is_empty() { said } else { given })
        .cloned()
        .collect()
}
