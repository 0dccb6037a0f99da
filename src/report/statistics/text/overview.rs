//! What was counted, and what was not.

use crate::report::statistics::collection::SourceKind;
use crate::report::statistics::event::EventStatistics;
use crate::sink::printable;
use crate::stats::ratings::RatingWarning;

use super::numbers::{count, line, percent};

/// Engines, limits, counts, warnings.
pub fn overview(statistics: &EventStatistics) -> String {
    let mut text = String::new();
    for source in &statistics.sources {
        let kind = match source.kind {
            SourceKind::Store => "event",
            SourceKind::Pgn => "PGN",
        };
        let running = if source.running {
            ", being played now"
        } else {
            ""
        };
        let games = count(source.games, "game");
        text += &line(
            kind,
            &format!("{}: {games}{running}", printable(&source.path)),
        );
    }
    if !statistics.limits.is_empty() {
        text += &line("limits", &printable(&statistics.limits.join("; ")));
    }
    text += &adaptive(statistics);
    text += &counted(statistics);
    for warning in warnings(statistics) {
        text += &line("warning", &warning);
    }
    text
}

/// The label of an adaptive event; nothing for others.
pub fn adaptive(statistics: &EventStatistics) -> String {
    let Some(label) = &statistics.adaptive else {
        return String::new();
    };
    line(
        "adaptive",
        &format!(
            "{label}: raw scores, and all that is computed from them without the model, are \
             biased; believe the model's estimates"
        ),
    )
}

fn counted(statistics: &EventStatistics) -> String {
    let games = &statistics.games;
    let pairs = &games.pairs;
    let mut text = line(
        "counted",
        &format!(
            "{}: {} complete, {} incomplete, {} outside pairs",
            count(pairs.games as u64, "game"),
            count(pairs.complete_pairs as u64, "pair"),
            count(pairs.incomplete_pairs as u64, "pair"),
            count(pairs.single_games as u64, "game"),
        ),
    );
    text += &line(
        "of these",
        &format!(
            "{} forfeits, {} adjudicated, {} copies drawn independently",
            games.forfeits, games.adjudicated, games.coincidences
        ),
    );
    text + &line(
        "left out",
        &format!(
            "{} replays, {} without a result, {} unreadable or illegal, {} voided",
            games.replays, games.unfinished, games.unreadable, games.voided
        ),
    )
}

/// What the reader must be told before he believes a number.
pub fn warnings(statistics: &EventStatistics) -> Vec<String> {
    let copies = &statistics.duplicates;
    let mut warnings = Vec::new();
    if copies.warning {
        warnings.push(format!(
            "{} of all games are copies of others: {} replays are left out, {} drawn independently \
             are counted",
            percent(copies.share),
            copies.replays,
            copies.coincidences
        ));
    }
    for source in &statistics.sources {
        if source.annulled > 0 {
            let path = printable(&source.path);
            warnings.push(format!(
                "{path}: {} of disqualified engines are annulled and left out",
                count(source.annulled, "game")
            ));
        }
        if let Some(first) = &source.first_unreadable {
            let path = printable(&source.path);
            warnings.push(format!(
                "{path}: {} cannot be used: {first}",
                count(source.unreadable, "game")
            ));
        }
    }
    let ratings = statistics
        .ratings
        .as_ref()
        .and_then(|field| field.ratings.logistic.as_ref());
    let several = statistics.engines.len() > 2;
    for warning in ratings
        .iter()
        .flat_map(|ratings| &ratings.warnings)
        .filter(|_| several)
    {
        warnings.push(rating_warning(*warning).to_owned());
    }
    warnings
}

fn rating_warning(warning: RatingWarning) -> &'static str {
    match warning {
        RatingWarning::Disconnected => {
            "the engines fall into groups that never met: ratings of different groups cannot be compared"
        }
        RatingWarning::EnginesUnrated => {
            "engines that lost or won everything have no finite rating; their games are left out of \
             the others' ratings"
        }
        RatingWarning::WhiteAdvantageLeftOut => {
            "White's advantage is not determined by these games and was left out of the ratings"
        }
        RatingWarning::FewClusters => {
            "fewer than 20 independent observations: the ratings' intervals use Student's t"
        }
        RatingWarning::NoErrors => "too few independent observations for errors of the ratings",
        RatingWarning::NoVariation => {
            "every game ended as expected: the ratings' errors of zero are not to be believed"
        }
    }
}
