//! `arbiter960 adjudicate`: what rules of adjudication would have done to stored games.

use std::io::Write;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches};

use crate::analysis::{AdjudicationReport, NamedRule};
use crate::cli::exit;
use crate::config::{Preset, WordValue, parse_rule, rule_of_words};
use crate::event::StageRules;
use crate::report::adjudication::adjudication_text;
use crate::store::Reader;
use crate::text::write_json;

/// Replay rules of adjudication over the games of an event: how many half-moves each would have
/// saved, and which games it would have judged wrongly.
///
/// A rule gets the scores that the engines gave, move by move, until it ends the game. Where the game
/// went on to its end on the board, that end says whether the verdict was right. Play some games
/// without any rule, and look here before you choose one (docs/adjudication.md).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 adjudicate results/quickstart
  arbiter960 adjudicate results/quickstart --rule fishtest --rule tcec
  arbiter960 adjudicate results/quickstart --rule school=cutechess draw.from=40 draw.moves=8 \\
      draw.score=10 resign.moves=4 resign.score=600 resign.both=true
  arbiter960 adjudicate results/quickstart --json

The words of a rule: a preset (tcec, fishtest, ccrl), or school=arbiter960|fastchess|cutechess|tcec,
draw.from=, draw.moves=, draw.score=, resign.moves=, resign.score=, resign.both=true|false,
max_moves=. Words beside a preset take the place of its own.")]
pub(crate) struct AdjudicateArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    #[command(flatten)]
    rules: Rules,

    /// Everything as JSON
    #[arg(long)]
    json: bool,
}

/// The words of each `--rule`: an option that takes several words, several times.
#[derive(Debug)]
struct Rules(Vec<Vec<String>>);

impl clap::FromArgMatches for Rules {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Rules, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("rule");
        let words = occurrences.into_iter().flatten();
        Ok(Rules(words.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Rules::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Rules {
    fn augment_args(command: clap::Command) -> clap::Command {
        let rule = Arg::new("rule")
            .long("rule")
            .value_name("WORD")
            .num_args(1..);
        let help = "A rule; may be repeated. Without one: the presets, and the event's own";
        command.arg(rule.action(ArgAction::Append).help(help))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Rules::augment_args(command)
    }
}

/// Runs the command.
///
/// # Errors
/// A rule is not valid, or the event cannot be read.
pub(crate) fn run(arguments: &AdjudicateArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let asked = arguments.rules.0.iter().map(|words| named(words));
    let mut rules = asked.collect::<anyhow::Result<Vec<_>>>()?;
    let reader = Reader::open(&arguments.results)?;
    if rules.is_empty() {
        rules = usual(&reader)?;
    }
    let report = AdjudicationReport::new(&reader, &rules)?;
    if arguments.json {
        write_json(out, &report)?
    } else {
        write!(out, "{}", adjudication_text(&report))?
    }
    Ok(exit::DONE)
}

fn named(words: &[String]) -> anyhow::Result<NamedRule> {
    let rules = parse_rule(&rule_of_words(words)?)?;
    if !rules.has_any() {
        anyhow::bail!(
            "--rule {}: this ends no game; a rule has draw.moves= and draw.score=, or resign.moves= \
             and resign.score=, or max_moves=",
            words.join(" ")
        );
    }
    Ok(NamedRule {
        name: words.join(" "),
        rules,
    })
}

/// The presets, the event's own rules, and those of stages that have others.
fn usual(reader: &Reader) -> anyhow::Result<Vec<NamedRule>> {
    let presets = Preset::WORDS.iter().map(|(name, preset)| NamedRule {
        name: (*name).to_owned(),
        rules: preset.rules(),
    });
    let mut all: Vec<_> = presets.collect();
    if let Some(accepted) = reader.identity()? {
        let of_stage = |stage: &StageRules| {
            let rules = stage.adjudication.clone()?;
            let name = format!("those of {}", stage.name);
            Some(NamedRule { name, rules })
        };
        all.push(NamedRule {
            name: "the event's own".to_owned(),
            rules: accepted.identity.adjudication.clone(),
        });
        all.extend(accepted.identity.stages.iter().filter_map(of_stage));
    }
    all.retain(|rule| rule.rules.has_any());
    Ok(all)
}
