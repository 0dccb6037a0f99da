//! The rounds of an event side by side, and the brackets of trees.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::schedule::{Encounter, EncounterDecision, LOWER_BRACKET};
use crate::sink::{armageddon_words, decision_word, won_without_games};
use crate::tournament::{Contest, Scoreboard};

/// The address of the games of two participants.
pub(super) fn games_of(games: &str, one: usize, two: usize) -> String {
    format!("{games}players={one}-{two}")
}

/// The rounds of an event or of a group, side by side: the tree of an elimination is shown as a bracket, that of two
/// defeats as two. Rounds and boards begin with these numbers; the links are those of the event.
pub(super) fn rounds(
    board: &Scoreboard,
    first: (u16, u16),
    event: &Scoreboard,
    link: &str,
) -> Option<(&'static str, Markup)> {
    let contest = board.contest()?;
    let decided = contest.decided();
    let is_lower = |round, place| {
        let name = contest.progress().and_then(|tree| tree.name(round, place));
        name == Some(LOWER_BRACKET)
    };
    let encounters = contest.encounters();
    let mut cards = BTreeMap::<(bool, u16), Vec<Card>>::new();
    for ((round, place), encounter) in &encounters {
        let how = (decided.get(&(*round, *place)), link);
        let shown = card((event, first.1), contest, encounter, how);
        let group = cards.entry((is_lower(*round, *place), *round)).or_default();
        group.push((*place, shown));
    }
    // Byes without a board come last.
    let listed = contest.history.byes();
    let listed = listed.map(|bye| ((bye.round, u16::MAX), bye.engine, "has a bye"));
    for ((round, place), engine, words) in listed.chain(won_without_games(contest, &decided)) {
        let shown = html! { p.encounter { (board.engine_name(engine)) " " (words) } };
        let group = cards.entry((is_lower(round, place), round)).or_default();
        group.push((place, shown));
    }
    let progress = contest.progress();
    if let Some(tree) = &progress {
        for ((round, place), players) in tree.to_come() {
            if !encounters.contains_key(&(round, place)) {
                let shown = card_to_come(board, players, tree.name(round, place));
                let group = cards.entry((is_lower(round, place), round)).or_default();
                group.push((place, shown));
            }
        }
    }
    for cards in cards.values_mut() {
        cards.sort_by_key(|(place, _)| *place);
    }
    let title = if progress.is_some() {
        "Bracket"
    } else {
        "Rounds"
    };
    let mut pairs = encounters.values().flat_map(|encounter| &encounter.pairs);
    let comes_later = pairs.any(|(_, spec)| spec.section().is_some());
    let lower = cards.split_off(&(true, 0));
    let drawn = html! {
        @if cards.is_empty() { p { "No round is drawn yet." } }
        @if comes_later { p.source { "Games with swapped colours are played after all first games." } }
        @if !lower.is_empty() { h5.bracket { "Upper bracket and final" } }
        (bracket((contest, first.0), &cards))
        @if !lower.is_empty() { h5.bracket { "Lower bracket" } (bracket((contest, first.0), &lower)) }
    };
    Some((title, drawn))
}

/// An encounter or a bye: its board, and what is shown.
type Card = (u16, Markup);

/// An encounter of which no pair is chosen yet.
fn card_to_come(board: &Scoreboard, players: [Option<u16>; 2], name: Option<&str>) -> Markup {
    let known = players
        .iter()
        .flatten()
        .map(|engine| board.engine_name(*engine));
    html! {
        div.encounter {
            @for engine in known { p { (engine) } }
            @if players.contains(&None) { p.what { "not known yet" } }
            @if let Some(name) = name.filter(|name| !name.ends_with("bracket")) { p.state { b { (name) } } }
        }
    }
}

fn bracket(
    (contest, first_round): (&Contest, u16),
    rounds: &BTreeMap<(bool, u16), Vec<Card>>,
) -> Markup {
    let progress = contest.progress();
    let is_joined = |((_, round), cards): (&(bool, u16), &Vec<Card>)| {
        let tree = progress.as_ref();
        let joins =
            |(place, _): &&Card| tree.is_some_and(|tree| tree.joins_winners(*round, *place));
        cards.iter().filter(joins).count()
    };
    let following = rounds.iter().skip(1).map(is_joined).chain([0]);
    html! {
        div.wide tabindex="0" role="group" aria-label="Rounds" { div.rounds.tree[progress.is_some()] {
            @for (((_, round), cards), joining) in rounds.iter().zip(following) {
                // Lines lead from two encounters to the one of their winners, beside which losers may meet for the third place.
                section.round.joined[2 * joining == cards.len()] {
                    h5 { "Round " (round + first_round - 1) @match contest.rounds.rounds() {
                        Some(planned) if first_round == 1 => { " of " (planned) },
                        Some(planned) => { " (" (round) " of " (planned) ")" },
                        None => {}
                    } }
                    div.encounters { @for (_, card) in cards { div { (card) } } }
                }
            }
        } }
    }
}

/// The points of a side of an encounter, with those of games that nobody played because an engine is out.
fn points(contest: &Contest, encounter: &Encounter, side: usize) -> f64 {
    let half_points = encounter.half_points[side];
    if encounter.is_complete() {
        return f64::from(half_points) / 2.0;
    }
    let outcomes = contest.outcomes(&[encounter.engines[side]]);
    let round = u32::from(encounter.place.round);
    let own = outcomes.iter().filter(|one| one.round == round);
    let with_awarded = own.map(|one| one.outcome.half_points()).sum::<u32>();
    f64::from(with_awarded) / 2.0
}

/// Who wins an encounter that is not played to its end, because an engine is out.
fn walkover(board: &Scoreboard, encounter: &Encounter) -> String {
    let rulings = board.rulings();
    let stays = |engine: &u16| rulings.iter().all(|ruling| ruling.engine != *engine);
    let winner = encounter.engines.into_iter().find(stays);
    let name = winner.map(|winner| board.engine_name(winner));
    name.map_or_else(|| "both out".to_owned(), |name| name + " wins by walkover")
}

fn card(
    (board, first_board): (&Scoreboard, u16),
    contest: &Contest,
    encounter: &Encounter,
    (decided, games): (Option<&(u16, EncounterDecision)>, &str),
) -> Markup {
    let open = !encounter.is_complete() && contest.history.is_open(encounter);
    let place = encounter.place;
    let progress = contest.progress();
    let name = progress.and_then(|progress| progress.name(place.round, place.board));
    let of_both = encounter.engines.map(|engine| board.place_of(engine));
    html! {
        div.encounter {
            @for (side, engine) in encounter.engines.into_iter().enumerate() {
                @let won = decided.is_some_and(|(winner, _)| *winner == engine);
                p class=[won.then_some("won")] {
                    span { (board.engine_name(engine)) }
                    span { (format!("{:.1}", points(contest, encounter, side))) }
                }
            }
            p.state {
                // One child: the style sheet spreads several children over the line.
                span {
                    @if let Some(name) = name.filter(|name| !name.ends_with("bracket")) { b { (name) } ", " }
                    @match of_both {
                        [Some(one), Some(two)] if encounter.played > 0 => a href=(games_of(games, one, two)) { "board " (place.board + first_board - 1) },
                        _ => { "board " (place.board + first_board - 1) }
                    }
                    @if let Some(words) = armageddon_words(board, contest, encounter) { ", " (words) }
                    @if let Some((_, by)) = decided { @if *by != EncounterDecision::Points { ", decided by " (decision_word(*by)) } }
                    @else if open { ", " (encounter.played) " of " (encounter.games) " games" }
                    @else if !encounter.is_complete() { ", " (walkover(board, encounter)) }
                }
            }
        }
    }
}
