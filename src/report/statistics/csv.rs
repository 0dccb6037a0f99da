//! Tables for other programs: RFC 4180, lines end in CRLF, what is not defined
//! is empty. The columns are in `docs/files.md`.

use crate::stats::advantage::Verdict;
use crate::stats::advantage::report::PositionReport;
use crate::stats::duplicates::StartDuplicates;
use crate::text::csv_field;

use super::text::pair_rows;
use crate::analysis::RatingModel;
use crate::analysis::{EventStatistics, StartRecord};

const POSITION_COLUMNS: &str = "number,back_rank,games,pairs,white_wins,draws,white_losses,\
    white_score,distinct,effective,first_divergence,raw,shrunk_a,shrunk_a_sd,reliability,alpha,sd,\
    lo,hi,model_score,elo,elo_lo,elo_hi,p_above_mean,lfsr,svalue,p_above_518,s_above_518,\
    expected_rank,exact_p_two,bh_q,verdict,allocation";

const ENGINE_COLUMNS: &str = "place,name,points,games,wins,draws,losses,elo,elo_error,se_pair,\
    se_position,best_place,worst_place,sonneborn_berger,double_wins,allocation";

const PAIR_COLUMNS: &str = "pair,number,first,second,first_as_white,first_as_black,first_points,\
    allocation";

/// A row a start with a game.
pub(crate) fn positions_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{POSITION_COLUMNS}\r\n");
    let copies = &statistics.duplicates.starts;
    for (start, position) in statistics
        .starts
        .iter()
        .zip(&statistics.first_move.advantage.positions)
    {
        let found = copies.binary_search_by_key(&start.start, |entry| entry.start);
        position_row(
            &mut text,
            start,
            position,
            found.ok().map(|place| &copies[place]),
        );
        text.push_str(&format!(",{}\r\n", allocation(statistics)));
    }
    text
}

fn position_row(
    text: &mut String,
    start: &StartRecord,
    p: &PositionReport,
    copies: Option<&StartDuplicates>,
) {
    let [losses, draws, wins] = start.results;
    let score =
        (p.games > 0).then(|| (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(p.games));
    let whole = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
    text.push_str(&whole(start.number));
    text.push(',');
    csv_field(text, &start.back_rank);
    for count in [p.games, p.pairs, wins, draws, losses] {
        text.push_str(&format!(",{count}"));
    }
    push(text, score);
    text.push_str(&format!(",{}", whole(copies.map(|copies| copies.distinct))));
    push(text, copies.map(|copies| copies.effective));
    text.push_str(&format!(
        ",{}",
        whole(copies.and_then(|copies| copies.first_divergence))
    ));
    let layers = [
        p.raw,
        p.shrunk_a,
        p.shrunk_a_sd,
        p.reliability,
        p.alpha,
        p.sd,
        p.lo,
        p.hi,
        p.white_score,
        p.elo,
        p.elo_lo,
        p.elo_hi,
        p.p_above_mean,
        p.lfsr,
        p.svalue,
        p.p_above_518,
        p.s_above_518,
        p.expected_rank,
        p.exact_p_two,
        p.bh_q,
    ];
    layers.into_iter().for_each(|value| push(text, value));
    text.push(',');
    text.push_str(p.verdict.map_or("", verdict_word));
}

/// The last column of every table: whether results decided where pairs went.
fn allocation(statistics: &EventStatistics) -> &'static str {
    match statistics.adaptive {
        Some(_) => "adaptive",
        None => "",
    }
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AboveAverage => "above_average",
        Verdict::BelowAverage => "below_average",
        Verdict::NotDistinguishable => "not_distinguishable",
    }
}

/// A row an engine, best first. Without ratings, as in self-play, there is none.
pub(crate) fn engines_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{ENGINE_COLUMNS}\r\n");
    let Some(field) = &statistics.ratings else {
        return text;
    };
    for row in &field.ratings.standings {
        let engine = statistics.engines.iter().position(|name| *name == row.name);
        let of =
            |list: &[Option<f64>]| engine.and_then(|engine| list.get(engine).copied().flatten());
        let headline = field.model == RatingModel::Logistic;
        let logistic = field.ratings.logistic.as_ref().filter(|_| headline);
        text.push_str(&format!("{},", row.place));
        csv_field(&mut text, &row.name);
        let counts = [row.games, row.wins, row.draws, row.losses].map(|count| count.to_string());
        text.push_str(&format!(",{},{}", row.points, counts.join(",")));
        let (elo, error) = engine.map_or((None, None), |engine| field.shown(engine));
        push(&mut text, elo);
        push(&mut text, error);
        push(&mut text, logistic.and_then(|l| of(&l.se_pair)));
        push(&mut text, logistic.and_then(|l| of(&l.se_position)));
        let ranks = engine.and_then(|engine| field.ranks.get(engine)?.as_ref());
        let ranks = ranks.filter(|_| headline);
        let (best, worst) = ranks.map_or_else(Default::default, |ranks| {
            (ranks.best.to_string(), ranks.worst.to_string())
        });
        text.push_str(&format!(
            ",{best},{worst},{},{},{}\r\n",
            row.sb,
            row.double_wins,
            allocation(statistics)
        ));
    }
    text
}

/// A row a complete pair, in order.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{PAIR_COLUMNS}\r\n");
    for row in pair_rows(statistics) {
        text.push_str(&format!("{},", row.pair));
        csv_field(&mut text, &row.start);
        for name in [row.first, row.second] {
            text.push(',');
            csv_field(&mut text, name);
        }
        let [as_white, as_black] = row.scores;
        text.push_str(&format!(
            ",{as_white},{as_black},{},{}\r\n",
            as_white + as_black,
            allocation(statistics)
        ));
    }
    text
}

fn push(text: &mut String, value: Option<f64>) {
    text.push(',');
    if let Some(value) = value.filter(|value| value.is_finite()) {
        text.push_str(&format!("{value:.6}"));
    }
}
