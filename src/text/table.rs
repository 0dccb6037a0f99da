//! Tables for people, written from columns, documents of them, and the writer of each form.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};
use textwrap::core::display_width;

use super::column::{CellValue, Column, ColumnUnit, NAME_WIDTH, short_name};
use super::harmless::{csv_row, printable, printable_lines};
use super::page::{labelled, page_width, wrap};

/// A table for people.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    /// The heads of the columns, and how their values are shown.
    pub(crate) heads: Vec<(String, ColumnUnit)>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Where the table is wider than the page, the columns after these are folded: they stand below each other, after
    /// these once more. 0: cells are broken instead.
    pub(crate) kept: usize,
}

impl Table {
    /// Without rows; the columns in `words` begin at the left.
    pub(crate) fn new<T: AsRef<str>>(heads: &[T], words: &[usize]) -> Table {
        let unit = |place: usize| {
            if words.contains(&place) {
                ColumnUnit::Text
            } else {
                ColumnUnit::Count
            }
        };
        let heads = heads.iter().map(AsRef::as_ref).enumerate();
        Table {
            heads: heads
                .map(|(place, head)| (head.to_owned(), unit(place)))
                .collect(),
            rows: Vec::new(),
            kept: 0,
        }
    }

    /// These columns of these rows; a column in which no row has a value is left out.
    pub(crate) fn from_columns<R>(columns: &[Column<R>], rows: &[R]) -> Table {
        let is_missing = |column: &&Column<R>| {
            let mut values = rows.iter().map(|row| (column.value)(row));
            !rows.is_empty() && values.all(|value| matches!(value, CellValue::Missing(_)))
        };
        let columns: Vec<&Column<R>> = columns.iter().filter(|one| !is_missing(one)).collect();
        let heads = columns
            .iter()
            .map(|column| (column.head.to_owned(), column.unit));
        let cells = |row| columns.iter().map(|column| column.shown(row)).collect();
        Table {
            heads: heads.collect(),
            rows: rows.iter().map(cells).collect(),
            kept: 0,
        }
    }

    /// With one more column.
    pub(crate) fn push(
        &mut self,
        head: impl Into<String>,
        unit: ColumnUnit,
        cells: impl IntoIterator<Item = String>,
    ) {
        self.heads.push((head.into(), unit));
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
    }

    /// Without the first of these columns, and the next ones, as long as the terminal is too narrow for all.
    pub(crate) fn narrowed(mut self, heads: &[&str]) -> Table {
        for head in heads {
            let found = self.heads.iter().position(|(own, _)| own == head);
            if let Some(column) = found.filter(|_| self.width() > page_width()) {
                self.heads.remove(column);
                for row in &mut self.rows {
                    row.remove(column);
                }
            }
        }
        self
    }

    /// The width that it takes where nothing is broken.
    fn width(&self) -> usize {
        self.widths().map(|width| 3 + width).sum()
    }

    /// The widest cell of each column; a name is cut.
    fn widths(&self) -> impl Iterator<Item = usize> {
        let heads = self.heads.iter().enumerate();
        heads.map(|(column, (head, _))| {
            let cells = self.rows.iter().map(|row| &row[column]).chain([head]);
            let widths = cells.map(|cell| display_width(cell).min(NAME_WIDTH));
            widths.max().unwrap_or(0)
        })
    }

    /// As few tables as there can be that are no wider than `width`, with `space` between columns: each has the kept
    /// columns, and a part of the others, all about as wide.
    pub(crate) fn parts(&self, [width, space]: [usize; 2]) -> Vec<Table> {
        let widths: Vec<usize> = self.widths().map(|width| space + width).collect();
        let room = width.saturating_sub(widths.iter().take(self.kept).sum());
        let filled = |room: usize| {
            let mut parts = vec![Vec::new()];
            let mut left = room;
            for (column, width) in widths.iter().enumerate().skip(self.kept) {
                if *width > left && parts.last() != Some(&Vec::new()) {
                    parts.push(Vec::new());
                    left = room;
                }
                left = left.saturating_sub(*width);
                parts
                    .last_mut()
                    .into_iter()
                    .for_each(|part| part.push(column));
            }
            parts
        };
        let fewest = filled(room).len();
        let mut rooms = (0..room).map(&filled);
        let even = rooms.find(|parts| parts.len() == fewest);
        let parts = even.unwrap_or_else(|| filled(room)).into_iter();
        parts.map(|columns| self.part(&columns)).collect()
    }

    /// The kept columns and these.
    fn part(&self, columns: &[usize]) -> Table {
        let columns = || (0..self.kept).chain(columns.iter().copied());
        let row = |row: &Vec<String>| columns().map(|at| row[at].clone()).collect();
        Table {
            heads: columns().map(|at| self.heads[at].clone()).collect(),
            rows: self.rows.iter().map(row).collect(),
            kept: 0,
        }
    }

    /// For other programs: RFC 4180.
    pub(crate) fn csv(&self) -> String {
        let heads = self.heads.iter().map(|(head, _)| head).collect();
        let rows = self.rows.iter().map(|row| row.iter().collect());
        let mut text = String::new();
        for row in std::iter::once::<Vec<&String>>(heads).chain(rows) {
            csv_row(&mut text, row);
            text += "\r\n";
        }
        text
    }

    /// At most as wide as the terminal, a line under the head.
    pub(crate) fn text(&self) -> String {
        if self.kept > 0 {
            let parts = self.parts([page_width(), 3]);
            let parts: Vec<String> = parts.iter().map(Table::text).collect();
            return parts.join("\n");
        }
        let ruled =
            const { TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')) };
        let mut table = comfy_table::Table::new();
        table.load_style(ruled);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(page_width()).unwrap_or(u16::MAX));
        table.set_header(self.heads.iter().map(|(head, _)| head));
        for row in &self.rows {
            table.add_row(
                row.iter()
                    .zip(&self.heads)
                    .map(|(cell, (_, unit))| match unit {
                        ColumnUnit::Name => short_name(cell),
                        _ => printable(cell).into_owned(),
                    }),
            );
        }
        for (column, (_, unit)) in table.column_iter_mut().zip(&self.heads) {
            if !unit.is_words() {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let text = table.to_string();
        text.lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect()
    }

    /// For documents.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let cell = |text: &str| printable(text).replace('|', "\\|");
        let heads = self.heads.iter().map(|(head, _)| cell(head)).collect();
        let rules = self
            .heads
            .iter()
            .map(|(_, unit)| if unit.is_words() { "---" } else { "---:" });
        let rows = self.rows.iter();
        let rows = rows.map(|row| line(row.iter().map(|text| cell(text)).collect()));
        line(heads) + &line(rules.map(str::to_owned).collect()) + &rows.collect::<String>()
    }
}

// A text of statistics as data: written once for a terminal, a page of HTML (`page`) and Markdown.

/// The width of the labels of lines.
const LABEL_COLUMNS: usize = 20;

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextPart {
    /// The title of a section, or of a table in it.
    Title(String),
    /// A label and its text.
    Line(String, String),
    Paragraph(String),
    Table(Table),
}

/// A text, part by part.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Document(pub(crate) Vec<TextPart>);

impl Document {
    /// The text that this writes.
    pub(crate) fn written(write: impl FnOnce(&mut Document)) -> Document {
        let mut document = Document::default();
        write(&mut document);
        document
    }

    /// Adds a title.
    pub(crate) fn title(&mut self, text: impl Into<String>) {
        self.0.push(TextPart::Title(text.into()));
    }

    /// Adds a labelled line.
    pub(crate) fn line(&mut self, label: impl Into<String>, text: impl Into<String>) {
        self.0.push(TextPart::Line(label.into(), text.into()));
    }

    /// Adds a paragraph.
    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        self.0.push(TextPart::Paragraph(text.into()));
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, table: Table) {
        self.0.push(TextPart::Table(table));
    }

    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (place, part) in self.0.iter().enumerate() {
            match part {
                TextPart::Title(title) => {
                    text += if place > 0 { "\n" } else { "" };
                    text += &format!("{}\n", printable_lines(title));
                }
                TextPart::Line(label, said) => {
                    text += &labelled(&format!("  {label}"), LABEL_COLUMNS, &printable_lines(said));
                }
                TextPart::Paragraph(said) => {
                    let lines = wrap(&printable_lines(said), page_width(), "  ", "  ");
                    text.extend(lines.into_iter().map(|line| line + "\n"));
                }
                TextPart::Table(table) => text += &table.text(),
            }
        }
        text
    }

    /// For documents.
    pub(crate) fn markdown(&self) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Title(title) => format!("## {}\n\n", printable_lines(title)),
            TextPart::Line(label, said) => format!("* **{label}**: {}\n", printable_lines(said)),
            TextPart::Paragraph(said) => format!("\n{}\n", printable_lines(said)),
            TextPart::Table(table) => format!("\n{}\n", table.markdown()),
        };
        self.0.iter().map(part).collect()
    }
}
