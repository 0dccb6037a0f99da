//! The printed form of a position.

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use serde::Serialize;

use crate::chess::start::{self, BoardStyle, Setup, StartError, StartNumber, Variant};
use crate::chess::{FenDialect, FenError, Position};

/// The forms in which a position can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PositionFormat {
    /// FEN with KQkq, the file only where the outermost rook is not meant
    Xfen,
    /// FEN whose castling rights are the files of the rooks
    Shredder,
    /// X-FEN without the counters
    Epd,
    /// The start number
    Number,
    /// The number that DGT's clocks show for a start of Chess960: 1 to 960, where 960 is start 0
    Dgt,
    /// The pieces of the first rank, after a slash Black's where they are independent
    Backrank,
    /// A drawing of the board, with an empty line after it
    Board,
    /// One object a line with all of these
    Json,
}

/// A position, and its number if it is a start.
pub(super) struct ShownPosition {
    pub(super) variant: Variant,
    pub(super) number: Option<StartNumber>,
    pub(super) position: Position,
}

impl ShownPosition {
    /// A numbered start, or its left-right mirror.
    pub(super) fn start(
        variant: Variant,
        number: StartNumber,
        mirror: bool,
    ) -> Result<Self, StartError> {
        let number = if mirror {
            start::mirror(variant, number)?
        } else {
            number
        };
        Ok(Self {
            variant,
            number: Some(number),
            position: start::position(variant, number)?,
        })
    }

    /// Any position, or its left-right mirror.
    pub(super) fn from_position(
        variant: Variant,
        given: Position,
        mirror: bool,
    ) -> Result<Self, FenError> {
        let mirrored = || start::mirrored_position(&given, variant);
        let position = if mirror { mirrored()? } else { given };
        Ok(Self {
            variant,
            number: start::number_of(variant, &position),
            position,
        })
    }

    /// The position in this form, line feed included.
    pub(super) fn text(&self, format: PositionFormat, style: BoardStyle) -> Result<String> {
        let line = match format {
            PositionFormat::Xfen => self.xfen(),
            PositionFormat::Shredder => self.position.fen(FenDialect::Shredder),
            PositionFormat::Epd => start::epd(&self.xfen()),
            PositionFormat::Number => self.number()?.to_string(),
            PositionFormat::Dgt => self.shown_by_clocks()?.to_string(),
            PositionFormat::Backrank => {
                start::back_rank_text(&Setup::new(self.variant, self.number()?)?)
            }
            PositionFormat::Board => start::board(&self.position, style),
            PositionFormat::Json => serde_json::to_string(&self.json()?)?,
        };
        Ok(line + "\n")
    }

    pub(super) fn xfen(&self) -> String {
        self.position.fen(FenDialect::XFen)
    }

    /// The number, or an error that names the variant in which the position has one.
    fn number(&self) -> Result<StartNumber> {
        if let Some(number) = self.number {
            return Ok(number);
        }
        let (fen, variant) = (self.xfen(), self.variant);
        for other in Variant::ALL {
            if let Some(number) = start::number_of(other, &self.position) {
                bail!(
                    "`{fen}` is no start of {variant}, but start {number} of {other}: --variant {other}"
                );
            }
        }
        bail!("`{fen}` is no start of {variant}, so it has no number")
    }

    /// Chess clocks number the 960 starts from 1 to 960; the last of them is Scharnagl's 0.
    fn shown_by_clocks(&self) -> Result<u32> {
        ensure!(
            self.variant == Variant::Chess960,
            "DGT's clocks know the starts of chess960 alone: --format number"
        );
        Ok(match self.number()? {
            StartNumber(0) => 960,
            StartNumber(number) => number,
        })
    }

    fn json(&self) -> Result<Json, StartError> {
        let number = self.number;
        let setup = number.map(|number| Setup::new(self.variant, number));
        let setup = setup.transpose()?;
        let sides = number.and_then(|number| start::white_and_black(self.variant, number));
        let mirror = number.and_then(|number| start::mirror(self.variant, number).ok());
        Ok(Json {
            variant: self.variant.name(),
            number: number.map(|StartNumber(number)| number),
            white_number: sides.map(|(white, _)| white),
            black_number: sides.map(|(_, black)| black),
            white: setup.map(|setup| setup.white.to_string()),
            black: setup.map(|setup| setup.black.to_string()),
            mirror: mirror.map(|StartNumber(number)| number),
            xfen: self.xfen(),
            shredder: self.position.fen(FenDialect::Shredder),
            epd: start::epd(&self.xfen()),
        })
    }
}

/// One line of `--format json`. What a position does not have is null.
#[derive(Serialize)]
struct Json {
    variant: &'static str,
    number: Option<u32>,
    white_number: Option<u32>,
    black_number: Option<u32>,
    white: Option<String>,
    black: Option<String>,
    mirror: Option<u32>,
    xfen: String,
    shredder: String,
    epd: String,
}
