//! Tables for other programs: RFC 4180, lines end in CRLF, what is not defined
//! is empty. The columns are in `docs/files.md`.

use crate::stats::advantage::RankVerdict;
use std::io::{self, Write};

use crate::analysis::RatingModel;
use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::advantage::draws::JointDraws;
use crate::stats::advantage::report::PositionReport;
use crate::text::csv_field;

use super::text::pair_rows;

const POSITION_COLUMNS: &str = "number,back_rank,games,pairs,white_wins,draws,white_losses,\
    white_score,distinct,effective,first_divergence,raw,shrunk_a,shrunk_a_sd,reliability,alpha,sd,\
    lo,hi,model_score,elo,elo_lo,elo_hi,p_above_mean,lfsr,svalue,p_above_518,s_above_518,\
    expected_rank,exact_p_two,bh_q,verdict,allocation,own_lo,own_hi,own_elo_lo,own_elo_hi,\
    selected_elo_lo,selected_elo_hi,p_equivalent,alpha_if_normal,svalue_if_normal,engines,limits,level";

const ENGINE_COLUMNS: &str = "place,name,points,games,wins,draws,losses,elo,elo_error,se_pair,\
    se_position,best_place,worst_place,sonneborn_berger,double_wins,allocation,model,limits,level";

const PAIR_COLUMNS: &str = "pair,number,back_rank,first,second,first_as_white,first_as_black,\
    first_points,allocation,limits";

/// A row a start with a game.
pub(crate) fn positions_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{POSITION_COLUMNS}\r\n");
    let origin = format!(
        "{},{},{}",
        field(&statistics.first_move.advantage.engines.join("; ")),
        limits(statistics),
        statistics.level
    );
    for (start, position) in statistics
        .starts
        .iter()
        .zip(&statistics.first_move.advantage.positions)
    {
        position_row(&mut text, start, position);
        text.push_str(&format!(",{}", allocation(statistics)));
        let p = position;
        let last = [
            p.own_lo,
            p.own_hi,
            p.own_elo_lo,
            p.own_elo_hi,
            p.selected_elo_lo,
            p.selected_elo_hi,
            p.p_equivalent,
            p.alpha_if_normal,
            p.svalue_if_normal,
        ];
        last.into_iter().for_each(|value| push(&mut text, value));
        text.push_str(&format!(",{origin}\r\n"));
    }
    text
}

/// What was played under.
fn limits(statistics: &EventStatistics) -> String {
    field(&statistics.limits.join("; "))
}

fn field(text: &str) -> String {
    let mut quoted = String::new();
    csv_field(&mut quoted, text);
    quoted
}

fn position_row(text: &mut String, start: &StartRecord, p: &PositionReport) {
    let copies = start.copies.as_ref();
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

fn verdict_word(verdict: RankVerdict) -> &'static str {
    match verdict {
        RankVerdict::AboveAverage => "above_average",
        RankVerdict::BelowAverage => "below_average",
        RankVerdict::NotDistinguishable => "not_distinguishable",
    }
}

/// A row an engine, best first. Without ratings, as in self-play, there is none.
pub(crate) fn engines_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{ENGINE_COLUMNS}\r\n");
    let Some(found) = &statistics.ratings else {
        return text;
    };
    for row in &found.ratings.standings {
        let engine = statistics.engines.iter().position(|name| *name == row.name);
        let of =
            |list: &[Option<f64>]| engine.and_then(|engine| list.get(engine).copied().flatten());
        let headline = found.model == RatingModel::Logistic;
        let logistic = found.ratings.logistic.as_ref().filter(|_| headline);
        text.push_str(&format!("{},", row.place));
        csv_field(&mut text, &row.name);
        let counts = [row.games, row.wins, row.draws, row.losses].map(|count| count.to_string());
        text.push_str(&format!(",{},{}", row.points, counts.join(",")));
        let (elo, error) = engine.map_or((None, None), |engine| found.shown(engine));
        push(&mut text, elo);
        push(&mut text, error);
        push(&mut text, logistic.and_then(|l| of(&l.se_pair)));
        push(&mut text, logistic.and_then(|l| of(&l.se_position)));
        let ranks = engine.and_then(|engine| found.ranks.get(engine)?.as_ref());
        let ranks = ranks.filter(|_| headline);
        let (best, worst) = ranks.map_or_else(Default::default, |ranks| {
            (ranks.best.to_string(), ranks.worst.to_string())
        });
        text.push_str(&format!(
            ",{best},{worst},{},{},{},{},{},{}\r\n",
            row.sb,
            row.double_wins,
            allocation(statistics),
            found.model.name(),
            limits(statistics),
            statistics.level
        ));
    }
    text
}

/// A row a complete pair, in order.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{PAIR_COLUMNS}\r\n");
    for row in pair_rows(statistics) {
        text.push_str(&format!("{},", row.pair));
        let number = row.start.and_then(|start| start.number);
        text.push_str(&number.map_or_else(String::new, |number| number.to_string()));
        text.push(',');
        csv_field(&mut text, row.start.map_or("", |start| &start.back_rank));
        for name in [row.first, row.second] {
            text.push(',');
            csv_field(&mut text, name);
        }
        let [as_white, as_black] = row.scores;
        text.push_str(&format!(
            ",{as_white},{as_black},{},{},{}\r\n",
            as_white + as_black,
            allocation(statistics),
            limits(statistics)
        ));
    }
    text
}

fn push(text: &mut String, value: Option<f64>) {
    text.push(',');
    if let Some(value) = value.filter(|value| value.is_finite()) {
        // The shortest text that is read back as the same number.
        text.push_str(&value.to_string());
    }
}

/// A row a joint draw of all positions' advantages, Elo between equal engines; the columns are start
/// numbers, or names where there are none. Without a model of the advantages there is no row.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn draws_csv(statistics: &EventStatistics, out: &mut dyn Write) -> io::Result<()> {
    let draws = &statistics.first_move.advantage.draws;
    write!(out, "draw,{}\r\n", labels(statistics, draws).join(","))?;
    for (number, draw) in (1..).zip(&draws.elo) {
        write!(out, "{number}")?;
        for elo in draw {
            write!(out, ",{elo}")?;
        }
        write!(out, "\r\n")?;
    }
    Ok(())
}

/// The matrix of the draws' covariances in Elo², a row a position.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn covariance_csv(statistics: &EventStatistics, out: &mut dyn Write) -> io::Result<()> {
    let draws = &statistics.first_move.advantage.draws;
    let labels = labels(statistics, draws);
    write!(out, "number,{}\r\n", labels.join(","))?;
    let Some(covariance) = draws.covariance() else {
        return Ok(());
    };
    for (row, label) in labels.iter().enumerate() {
        write!(out, "{label}")?;
        for column in 0..labels.len() {
            write!(out, ",{}", covariance.at(row, column))?;
        }
        write!(out, "\r\n")?;
    }
    Ok(())
}

/// Numbers or names of the positions, as fields.
fn labels(statistics: &EventStatistics, draws: &JointDraws) -> Vec<String> {
    let label = |start: &u32| match statistics.start(*start) {
        Some(StartRecord {
            number: None,
            back_rank,
            ..
        }) => field(back_rank),
        _ => start.to_string(),
    };
    draws.starts.iter().map(label).collect()
}
