//! `[swiss]`: the rules of a Swiss.

use super::engine::ReadEngine;
use super::keys::KeyKind::{List, Text, Whole};
use super::keys::keys;
use super::participants::{engine_named, name, seeds};
use super::problem::Problem;
use super::section::Entry;
use super::value::{WrittenValue, words};
use crate::event::{ByePoints, SwissRules};
use crate::text::count;

/// The rules of a Swiss of so many engines.
pub(super) fn swiss(
    keys: &SwissKeys<'_>,
    engines: &[ReadEngine<'_>],
    entered: usize,
    pairs: u32,
) -> SwissRules {
    let groups = keys.groups.value;
    keys.groups
        .fail_if(groups != 1 && !groups.is_multiple_of(2), || {
            let title =
                "each group of seeds meets another in the first round: their number is even";
            Problem::error(title).help("1, 2, 4, …; with 1 neighbours meet")
        });
    let forbidden = keys.forbidden.value.iter().flatten();
    let rules = SwissRules {
        seeds: seeds(keys.seeds.entry.as_ref(), engines),
        pairs,
        rounds: keys.rounds.value.unwrap_or(1),
        groups,
        forbidden: forbidden
            .filter_map(|pair| forbidden_pair(pair, engines))
            .collect(),
        bye: keys.bye.value,
    };
    let many = entered > 1 && usize::from(rules.rounds) > entered - 1 + entered % 2;
    keys.rounds.fail_if(many, || {
        let (rounds, engines) = (count(rules.rounds, "round"), count(entered, "engine"));
        let title = format!("{rounds} are more than {engines} have opponents");
        let help = "engines will meet again; a round-robin of two cycles may be what is meant";
        Problem::warning(title).help(help)
    });
    if let Some(entry) = &keys.forbidden.entry {
        check_pairable(entry, &rules, engines);
    }
    rules
}

fn forbidden_pair(
    pair: &WrittenValue<'_, Vec<Entry<'_>>>,
    engines: &[ReadEngine<'_>],
) -> Option<[u16; 2]> {
    let names = pair.value.iter();
    let named: Option<Vec<u16>> = names.map(|name| engine_named(name, engines)).collect();
    let &[one, other] = named?.as_slice() else {
        let help = "for example: forbidden = [[\"A\", \"B\"], [\"A\", \"C\"]]";
        let problem = Problem::error("a forbidden pair has two names").help(help);
        return pair.entry.fail(problem);
    };
    if one == other {
        let problem = Problem::error("no engine meets itself").help("name another one");
        return pair.entry.fail(problem);
    }
    Some([one, other])
}

/// Tries to pair the first round. Later rounds can only be harder; their failures are reported when they come.
fn check_pairable(entry: &Entry<'_>, rules: &SwissRules, engines: &[ReadEngine<'_>]) {
    if rules.seeds.len() < 2 {
        return;
    }
    if let Err(conflict) = crate::schedule::first_swiss_round(rules) {
        let pairs = conflict.conflict.iter();
        let pairs: Vec<String> = pairs
            .map(|[one, other]| format!("{} – {}", name(engines, *one), name(engines, *other)))
            .collect();
        let title = "too many pairs are forbidden: not even the first round can be paired";
        let help = format!("with any one of these allowed it can: {}", pairs.join(", "));
        entry.fail::<()>(Problem::error(title).help(help));
    }
}

words! {
    ByePoints { "win" => Win, "draw" => Draw, "nothing" => Nothing }
}

keys! {
    /// The values of `[swiss]`.
    SwissKeys<'a>, "swiss", "[swiss]", "In each round engines with about the same points meet, by TCEC's system; no two meet again while that can be avoided.";

    /// How many rounds are played. More can be added later.
    rounds: u16 [required] Whole(1, 1000), "rounds",
        "rounds = 7";
    /// All engines by name, the first seed first.
    seeds: Entry<'a> [or "the order of the file"] List(&Text), "",
        "rounds = 7\nseeds = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice, or not at all"];
    /// In the first round the first group of seeds meets the second, and so on. With 1 neighbours meet.
    groups: u16 [= 2] Whole(1, 500), "groups",
        "rounds = 7\ngroups = 4",
        refused ["an odd number beyond 1"];
    /// Engines that do not meet, two names each: [["A", "B"], ["A", "C"]].
    forbidden: Vec<WrittenValue<'a, Vec<Entry<'a>>>> [or "none"], "",
        "rounds = 7\nforbidden = []",
        refused ["no engine of this name", "not two names", "too many to pair the first round"];
    /// The points of a round without an opponent: all of an encounter, half of them, or none.
    bye: ByePoints [= "win"], "",
        "rounds = 7\nbye = \"draw\"";
}
