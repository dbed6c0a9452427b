//! Rows as pictures beside each other, in SVG. Colors follow the scheme of the viewer.

use std::fmt::Write;

use super::{Row, count, lanes};

/// A picture with its title.
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

const STYLE: &str = "\
text{font:13px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1b1f24;white-space:pre}\
.title{font:600 14px system-ui,sans-serif}\
.head{font-weight:600}\
.edge{fill:none;stroke:#6b7686;stroke-width:1.5}\
.tip{fill:#6b7686}\
.block{fill:#f6f7f9;stroke:#d5d9e0}\
.added{fill:#e2f4ec;stroke:#0b6e4f}\
.between{font-size:30px;fill:#6b7686}\
@media(prefers-color-scheme:dark){\
text{fill:#e4e8ee}.edge{stroke:#9aa5b4}.tip,.between{fill:#9aa5b4}\
.block{fill:#1f242c;stroke:#343b47}.added{fill:#15362a;stroke:#4cc38a}}";

/// The height of a row, the width of a character, and the distance of lanes.
const ROW: usize = 21;
const CHARACTER: usize = 8;
const LANE: usize = 14;

/// The height above the first row, and around a picture.
const TOP: usize = 40;
const MARGIN: usize = 12;

/// The most characters of a row; the rest is cut off.
const CHARACTERS: usize = 120;

/// The room between pictures.
const BETWEEN: usize = 50;

/// Draws pictures from left to right.
pub(crate) fn svg(pictures: &[Picture]) -> String {
    let mut inside = String::new();
    let mut x = MARGIN;
    let mut height = 0;
    let between = pictures.iter().map(|picture| picture.rows.len()).max().unwrap_or(0).min(8) / 2;
    for (index, picture) in pictures.iter().enumerate() {
        if index > 0 {
            let (middle, y) = (x + BETWEEN / 2 - 12, TOP + ROW * between);
            let _ = write!(inside, "<text class='between' x='{middle}' y='{y}'>⇒</text>");
            x += BETWEEN;
        }
        x += draw(&mut inside, picture, x);
        height = height.max(TOP + ROW * picture.rows.len());
    }
    let (width, height) = (x + MARGIN, height + MARGIN);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\
         <style>{STYLE}</style>{inside}</svg>\n"
    )
}

/// Draws a picture from `left` on, and returns its width.
fn draw(out: &mut String, picture: &Picture, left: usize) -> usize {
    let rows = &picture.rows;
    let lanes = lanes(rows);
    let arcs = LANE * count(&lanes) + 2 * LANE;
    let longest = rows.iter().map(|row| row.text.chars().count().min(CHARACTERS)).max().unwrap_or(0);
    let text = left + arcs;
    let width = longest * CHARACTER + 2 * MARGIN;
    let _ = write!(out, "<text class='title' x='{text}' y='{}'>{}</text>", TOP - 16, escaped(&picture.title));
    for (start, end) in blocks(rows) {
        let class = if rows[start].is_added { "block added" } else { "block" };
        let (y, height) = (TOP + ROW * start - 2, ROW * (end - start) - 2);
        let _ = write!(out, "<rect class='{class}' x='{text}' y='{y}' width='{width}' height='{height}' rx='4'/>");
    }
    for (index, row) in rows.iter().enumerate() {
        let class = if row.target.is_none() { " class='head'" } else { "" };
        let y = TOP + ROW * index + 14;
        let _ = write!(out, "<text{class} x='{}' y='{y}'>{}</text>", text + MARGIN, escaped(&row.text));
        if let (Some(target), Some(lane)) = (row.target, lanes[index]) {
            let lane = text - 2 * LANE - LANE * lane;
            let [from, to] = [index, target].map(|row| TOP + ROW * row + 9);
            let (bend, back) = if from < to { (from + 6, to - 6) } else { (from - 6, to + 6) };
            let _ = write!(
                out,
                "<path class='edge' d='M{text} {from}H{}Q{lane} {from} {lane} {bend}V{back}Q{lane} {to} {} {to}H{}'/>\
                 <path class='tip' d='M{text} {to}l-9 -5v10z'/>",
                lane + 6,
                lane + 6,
                text - 8,
            );
        }
    }
    arcs + width
}

/// The first row of each block, and the row after its last one.
fn blocks(rows: &[Row]) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].target.is_none()).collect();
    let ends = starts.iter().skip(1).copied().chain([rows.len()]);
    starts.iter().copied().zip(ends).collect()
}

/// A text of at most [`CHARACTERS`], as XML has it: without the characters that no document may contain.
fn escaped(text: &str) -> String {
    let is_cut = text.chars().count() > CHARACTERS;
    let shown = text.chars().take(if is_cut { CHARACTERS - 1 } else { CHARACTERS });
    let valid = |letter: char| match letter {
        '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        letter if letter.is_control() => '\u{FFFD}',
        letter => letter,
    };
    let shown: String = shown.map(valid).chain(is_cut.then_some('…')).collect();
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Picture, svg};
    use crate::arcs::Row;

    #[test]
    fn each_row_and_each_edge_is_drawn() {
        let row = |text: &str, target, is_added| Row { text: text.to_owned(), target, is_added };
        let rows = vec![row("a <", None, false), row("  goto b", Some(2), false), row("b", None, true)];
        let picture = || Picture { title: "one & two".to_owned(), rows: rows.clone() };
        let drawn = svg(&[picture(), picture()]);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        for (part, count) in [("a &lt;", 2), ("one &amp; two", 2), ("class='edge'", 2), ("block added", 2), ("⇒", 1)]
        {
            assert_eq!(drawn.matches(part).count(), count, "{part}: {drawn}");
        }
    }
}
