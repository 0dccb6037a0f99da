//! The table of start positions: one row for each start with a game. The columns are in `docs/files.md`.

use super::engines::{allocation, limits};
use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::advantage::{PositionReport, RankVerdict};
use crate::text::{Cell, Column, Unit, csv};

/// A start position with its results and estimates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Played<'a> {
    statistics: &'a EventStatistics,
    pub(crate) start: &'a StartRecord,
    pub(crate) report: &'a PositionReport,
}

/// These positions, in their order.
pub(crate) fn played<'a>(
    statistics: &'a EventStatistics,
    positions: impl IntoIterator<Item = &'a PositionReport>,
) -> Vec<Played<'a>> {
    let found = positions.into_iter().filter_map(|report| {
        let start = statistics.start(report.start)?;
        Some(Played {
            statistics,
            start,
            report,
        })
    });
    found.collect()
}

/// Every position, in the order of start numbers: an order by estimate would look like a ranking.
pub(crate) fn all_played(statistics: &EventStatistics) -> Vec<Played<'_>> {
    played(statistics, &statistics.first_move.advantage.positions)
}

/// One row for each start with a game, as CSV.
pub(crate) fn positions_csv(statistics: &EventStatistics) -> String {
    csv(&Played::FOR_PROGRAMS, all_played(statistics).into_iter())
}

/// A column of a number of the report.
macro_rules! estimate {
    ($name:ident, $head:literal, $unit:expr) => {
        Column::new(stringify!($name), $head, $unit, |row| {
            Cell::real(row.report.$name)
        })
    };
    ($name:literal, $value:ident) => {
        Column::new($name, "", Unit::Number(3), |row| {
            Cell::real(row.report.$value)
        })
    };
}

impl Played<'_> {
    pub(crate) const NUMBER: Column<Self> = Column::new("number", "number", Unit::Count, |row| {
        Cell::whole(row.start.number)
    });
    pub(crate) const BACK_RANK: Column<Self> =
        Column::new("back_rank", "back rank", Unit::Text, |row| {
            Cell::Text(row.start.back_rank.clone())
        });
    pub(crate) const GAMES: Column<Self> = Column::new("games", "games", Unit::Count, |row| {
        Cell::whole(Some(row.report.games))
    });
    pub(crate) const WDL: Column<Self> = Column::new("", "White W-D-L", Unit::Count, |row| {
        let [losses, draws, wins] = row.start.results.map(u64::from);
        Cell::Results([wins, draws, losses])
    });
    pub(crate) const WINS: Column<Self> = Column::new("white_wins", "", Unit::Count, |row| {
        Cell::whole(Some(row.start.results[2]))
    });
    pub(crate) const DRAWS: Column<Self> = Column::new("draws", "", Unit::Count, |row| {
        Cell::whole(Some(row.start.results[1]))
    });
    pub(crate) const LOSSES: Column<Self> = Column::new("white_losses", "", Unit::Count, |row| {
        Cell::whole(Some(row.start.results[0]))
    });
    pub(crate) const SCORE: Column<Self> =
        Column::new("white_score", "score", Unit::Share, |row| {
            Cell::real(row.score())
        });
    pub(crate) const RAW: Column<Self> = estimate!(raw, "", Unit::Share);
    pub(crate) const SHRUNK: Column<Self> = estimate!(shrunk, "shrunk", Unit::Share);
    pub(crate) const ELO: Column<Self> = estimate!(elo, "Elo", Unit::Elo(0));
    pub(crate) const ELO_LO: Column<Self> = estimate!(elo_lo, "", Unit::Elo(0));
    pub(crate) const ELO_HI: Column<Self> = estimate!(elo_hi, "", Unit::Elo(0));
    pub(crate) const INTERVAL: Column<Self> = Column::new("", "95 %", Unit::Elo(0), |row| {
        row.interval(row.report.elo_lo, row.report.elo_hi)
    });
    pub(crate) const OWN: Column<Self> = Column::new("", "own 95 %", Unit::Elo(0), |row| {
        row.interval(row.report.own_elo_lo, row.report.own_elo_hi)
    });
    pub(crate) const TOGETHER: Column<Self> = Column::new("", "together", Unit::Elo(0), |row| {
        let report = row.report;
        row.interval(report.simultaneous_elo_lo, report.simultaneous_elo_hi)
    });
    pub(crate) const P: Column<Self> = estimate!(p_above_mean, "P", Unit::Number(2));
    pub(crate) const S: Column<Self> = estimate!(svalue, "s", Unit::Number(3));
    pub(crate) const VERDICT: Column<Self> =
        Column::new("verdict", "may be said", Unit::Text, |row| {
            Cell::Text(row.report.verdict.map_or("", verdict_word).to_owned())
        });

    /// All that is known of a position.
    pub(crate) const FOR_PROGRAMS: [Column<Self>; 33] = [
        Self::NUMBER,
        Self::BACK_RANK,
        Self::GAMES,
        Column::new("pairs", "", Unit::Count, |row| {
            Cell::whole(Some(row.report.pairs))
        }),
        Self::WINS,
        Self::DRAWS,
        Self::LOSSES,
        Self::SCORE,
        Column::new("distinct", "", Unit::Count, |row| {
            Cell::whole(row.start.copies.as_ref().map(|copies| copies.distinct))
        }),
        Column::new("effective", "", Unit::Number(3), |row| {
            Cell::real(row.start.copies.as_ref().map(|copies| copies.effective))
        }),
        Column::new("first_divergence", "", Unit::Count, |row| {
            let copies = row.start.copies.as_ref();
            Cell::whole(copies.and_then(|copies| copies.first_divergence))
        }),
        Self::RAW,
        Self::SHRUNK,
        estimate!(shrunk_sd, "", Unit::Share),
        estimate!(reliability, "", Unit::Share),
        Self::ELO,
        Self::ELO_LO,
        Self::ELO_HI,
        estimate!(own_elo_lo, "", Unit::Elo(0)),
        estimate!(own_elo_hi, "", Unit::Elo(0)),
        estimate!(simultaneous_elo_lo, "", Unit::Elo(0)),
        estimate!(simultaneous_elo_hi, "", Unit::Elo(0)),
        Self::P,
        estimate!(lfsr, "", Unit::Number(3)),
        estimate!(p_value, "", Unit::Number(3)),
        Self::S,
        estimate!("p_above_518", p_above_reference),
        estimate!(p_equivalent, "", Unit::Number(3)),
        Self::VERDICT,
        Column::new("allocation", "", Unit::Text, |row| {
            Cell::Text(allocation(row.statistics).to_owned())
        }),
        Column::new("engines", "", Unit::Text, |row| {
            Cell::Text(row.statistics.first_move.advantage.engines.join("; "))
        }),
        Column::new("limits", "", Unit::Text, |row| {
            Cell::Text(limits(row.statistics))
        }),
        Column::new("level", "", Unit::Number(2), |row| {
            Cell::Real(row.statistics.level)
        }),
    ];

    /// What is said of positions that are named.
    pub(crate) const NAMED: [Column<Self>; 9] = [
        Self::NUMBER,
        Self::BACK_RANK,
        Self::GAMES,
        Self::SCORE,
        Self::ELO,
        Self::INTERVAL,
        Self::TOGETHER,
        Self::P,
        Self::S,
    ];

    /// White's points per game.
    pub(crate) fn score(&self) -> Option<f64> {
        let [losses, draws, wins] = self.start.results.map(f64::from);
        let games = losses + draws + wins;
        (games > 0.0).then(|| (wins + draws / 2.0) / games)
    }

    pub(crate) fn games(&self) -> u32 {
        self.start.results.iter().sum()
    }

    /// `+13 [−26, +55]`, or empty without a model.
    pub(crate) fn estimate(&self) -> String {
        let words = || format!("{} {}", Self::ELO.shown(self), Self::INTERVAL.shown(self));
        self.report.elo.map(|_| words()).unwrap_or_default()
    }

    /// The start number; `-` for a start without one.
    pub(crate) fn label(&self) -> String {
        Self::NUMBER.shown(self)
    }

    /// Whether it may be named.
    pub(crate) fn is_named(&self) -> bool {
        let verdict = self.report.verdict;
        matches!(
            verdict,
            Some(RankVerdict::AboveAverage | RankVerdict::BelowAverage)
        )
    }

    /// An interval of its Elo, if it has one.
    fn interval(&self, low: Option<f64>, high: Option<f64>) -> Cell {
        match self.report.elo {
            Some(_) => Cell::interval(low, high),
            None => Cell::Missing("-"),
        }
    }
}

fn verdict_word(verdict: RankVerdict) -> &'static str {
    match verdict {
        RankVerdict::AboveAverage => "above_average",
        RankVerdict::BelowAverage => "below_average",
        RankVerdict::NotDistinguishable => "not_distinguishable",
    }
}
