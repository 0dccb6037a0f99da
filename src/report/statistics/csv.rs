//! Tables for other programs: RFC 4180, lines end in CRLF, what is not defined
//! is empty. The columns are in `docs/files.md`.

use crate::stats::advantage::RankVerdict;
use std::io::{self, Write};

use crate::analysis::RatingModel;
use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::advantage::draws::JointDraws;
use crate::stats::advantage::report::PositionReport;
use crate::text::{csv_number, csv_row};

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
    let origin = [
        statistics.first_move.advantage.engines.join("; "),
        limits(statistics),
        statistics.level.to_string(),
    ];
    let positions = &statistics.first_move.advantage.positions;
    for (start, position) in statistics.starts.iter().zip(positions) {
        let mut fields = position_fields(start, position);
        fields.push(allocation(statistics).to_owned());
        fields.extend(intervals(position).map(csv_number));
        fields.extend(origin.iter().cloned());
        end_row(&mut text, &fields);
    }
    text
}

fn end_row(text: &mut String, fields: &[String]) {
    csv_row(text, fields);
    text.push_str("\r\n");
}

/// What was played under.
fn limits(statistics: &EventStatistics) -> String {
    statistics.limits.join("; ")
}

fn whole(number: Option<u32>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// Everything up to the verdict.
fn position_fields(start: &StartRecord, p: &PositionReport) -> Vec<String> {
    let copies = start.copies.as_ref();
    let [losses, draws, wins] = start.results;
    let score =
        (p.games > 0).then(|| (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(p.games));
    let mut fields = vec![whole(start.number), start.back_rank.clone()];
    fields.extend([p.games, p.pairs, wins, draws, losses].map(|count| count.to_string()));
    fields.extend([
        csv_number(score),
        whole(copies.map(|copies| copies.distinct)),
        csv_number(copies.map(|copies| copies.effective)),
        whole(copies.and_then(|copies| copies.first_divergence)),
    ]);
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
        p.p_above_reference,
        p.s_above_reference,
        p.expected_rank,
        p.exact_p_two,
        p.bh_q,
    ];
    fields.extend(layers.map(csv_number));
    fields.push(p.verdict.map_or("", verdict_word).to_owned());
    fields
}

/// The position's own intervals, and what would be said of it if advantages were normal.
fn intervals(p: &PositionReport) -> [Option<f64>; 9] {
    [
        p.own_lo,
        p.own_hi,
        p.own_elo_lo,
        p.own_elo_hi,
        p.selected_elo_lo,
        p.selected_elo_hi,
        p.p_equivalent,
        p.alpha_if_normal,
        p.svalue_if_normal,
    ]
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
        let (elo, error) = engine.map_or((None, None), |engine| found.shown(engine));
        let ranks = engine.and_then(|engine| found.ranks.get(engine)?.as_ref());
        let ranks = ranks.filter(|_| headline);
        let place = |place: Option<usize>| place.map_or_else(String::new, |p| p.to_string());
        let mut fields = vec![
            row.place.to_string(),
            row.name.clone(),
            row.points.to_string(),
        ];
        fields.extend([row.games, row.wins, row.draws, row.losses].map(|count| count.to_string()));
        let se_pair = logistic.and_then(|l| of(&l.se_pair));
        let se_position = logistic.and_then(|l| of(&l.se_position));
        fields.extend([elo, error, se_pair, se_position].map(csv_number));
        fields.extend([
            place(ranks.map(|ranks| ranks.best)),
            place(ranks.map(|ranks| ranks.worst)),
            row.sb.to_string(),
            row.double_wins.to_string(),
            allocation(statistics).to_owned(),
            found.model.name().to_owned(),
            limits(statistics),
            statistics.level.to_string(),
        ]);
        end_row(&mut text, &fields);
    }
    text
}

/// A row a complete pair, in order.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    let mut text = format!("{PAIR_COLUMNS}\r\n");
    let limits = limits(statistics);
    for row in pair_rows(statistics) {
        let [as_white, as_black] = row.scores;
        let fields = [
            row.pair.to_string(),
            whole(row.start.and_then(|start| start.number)),
            row.start.map_or_else(String::new, |s| s.back_rank.clone()),
            row.first.to_owned(),
            row.second.to_owned(),
            as_white.to_string(),
            as_black.to_string(),
            (as_white + as_black).to_string(),
            allocation(statistics).to_owned(),
            limits.clone(),
        ];
        end_row(&mut text, &fields);
    }
    text
}

/// A row a joint draw of all positions' advantages, Elo between equal engines; the columns are start
/// numbers, or names where there are none. Without a model of the advantages there is no row.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn draws_csv(statistics: &EventStatistics, out: &mut dyn Write) -> io::Result<()> {
    let draws = &statistics.first_move.advantage.draws;
    let mut header = String::from("draw,");
    csv_row(&mut header, labels(statistics, draws));
    write!(out, "{header}\r\n")?;
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
    let mut header = String::from("number,");
    csv_row(&mut header, &labels);
    write!(out, "{header}\r\n")?;
    let Some(covariance) = draws.covariance() else {
        return Ok(());
    };
    for (row, label) in labels.iter().enumerate() {
        let mut begun = String::new();
        csv_row(&mut begun, [label]);
        write!(out, "{begun}")?;
        for column in 0..labels.len() {
            write!(out, ",{}", covariance.at(row, column))?;
        }
        write!(out, "\r\n")?;
    }
    Ok(())
}

/// Numbers or names of the positions.
fn labels(statistics: &EventStatistics, draws: &JointDraws) -> Vec<String> {
    let label = |start: &u32| match statistics.start(*start) {
        Some(StartRecord {
            number: None,
            back_rank,
            ..
        }) => back_rank.clone(),
        _ => start.to_string(),
    };
    draws.starts.iter().map(label).collect()
}
