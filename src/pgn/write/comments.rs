//! The comments of a PGN file.

use std::str::FromStr;

/// The parts of the comment after each move. The file `games.pgn` has all but the variations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comments {
    /// The score, `[%eval 0.31]`.
    pub(crate) eval: bool,
    /// The clock, `[%clk 0:00:09.8]`.
    pub(crate) clock: bool,
    /// The time charged for the move, `[%emt 0:00:00.312]`, and if the host took some more, all of its time.
    pub(crate) time: bool,
    /// The depth, `d=18/24`.
    pub(crate) depth: bool,
    /// The nodes, `n=123456`.
    pub(crate) nodes: bool,
    /// The principal variation as the engine wrote it, `pv=e2e4 e7e5`.
    pub(crate) pv: bool,
    /// The format of the comments.
    pub(crate) dialect: PgnDialect,
}

/// The format of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PgnDialect {
    /// `{[%eval 0.31] [%clk 0:00:09.8] [%emt 0:00:00.312] d=18/24 n=123456}`
    #[default]
    Standard,
    /// In the format that the viewers of the TCEC read: `{d=18, sd=24, mt=312, tl=9800, …, mb=+0+0+0+0+0,}`
    Tcec,
}

impl FromStr for PgnDialect {
    type Err = String;

    fn from_str(text: &str) -> Result<PgnDialect, String> {
        match text {
            "standard" => Ok(PgnDialect::Standard),
            "tcec" => Ok(PgnDialect::Tcec),
            _ => Err(format!("\"{text}\" is none of standard, tcec")),
        }
    }
}

impl Default for Comments {
    fn default() -> Comments {
        // Everything but the variation.
        let mut comments = Comments::ALL;
        comments.pv = false;
        comments
    }
}

impl Comments {
    const ALL: Comments = Comments {
        eval: true,
        clock: true,
        time: true,
        depth: true,
        nodes: true,
        pv: true,
        dialect: PgnDialect::Standard,
    };

    pub(crate) const NONE: Comments = Comments {
        eval: false,
        clock: false,
        time: false,
        depth: false,
        nodes: false,
        pv: false,
        dialect: PgnDialect::Standard,
    };

    /// The same parts in this format. Comments of the TCEC always have every key, or are left out.
    pub(crate) fn in_dialect(self, dialect: PgnDialect) -> Comments {
        Comments { dialect, ..self }
    }
}

impl FromStr for Comments {
    type Err = String;

    /// Words with commas: `eval,clock,time,depth,nodes,pv`, or `all`, or `none`.
    fn from_str(text: &str) -> Result<Comments, String> {
        let mut comments = Comments::NONE;
        for word in text.split(',').map(str::trim) {
            match word {
                "all" => comments = Comments::ALL,
                "none" => comments = Comments::NONE,
                "eval" => comments.eval = true,
                "clock" => comments.clock = true,
                "time" => comments.time = true,
                "depth" => comments.depth = true,
                "nodes" => comments.nodes = true,
                "pv" => comments.pv = true,
                _ => {
                    return Err(format!(
                        "\"{word}\" is none of eval, clock, time, depth, nodes, pv, all, none"
                    ));
                }
            }
        }
        Ok(comments)
    }
}
