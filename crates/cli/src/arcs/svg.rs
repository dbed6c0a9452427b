//! Rows as pictures beside each other, in SVG. Colors follow the scheme of the viewer.

use std::fmt::Write;

use super::{Bundle, Row, bundles, count};

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

/// The height of a row, the most that a character of a row or a title is wide, and the distance of lanes.
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
    document(x + MARGIN, height + MARGIN, STYLE, &inside)
}

/// An SVG document of this size in pixels, with its style sheet and its elements.
pub(crate) fn document(width: usize, height: usize, style: &str, elements: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\
         <style>{style}</style>{elements}</svg>\n"
    )
}

/// Draws a picture from `left` on, and returns its width.
fn draw(out: &mut String, picture: &Picture, left: usize) -> usize {
    let rows = &picture.rows;
    let bundles = bundles(rows);
    let arcs = LANE * count(&bundles) + 2 * LANE;
    let longest = rows.iter().map(|row| row.text.chars().count().min(CHARACTERS)).max().unwrap_or(0);
    let text = left + arcs;
    let title = CHARACTER * picture.title.chars().count();
    let width = (longest * CHARACTER + 2 * MARGIN).max(title);
    let _ = write!(out, "<text class='title' x='{text}' y='{}'>{}</text>", TOP - 16, escaped(&picture.title));
    for (start, end) in blocks(rows) {
        let class = if rows[start].is_added { "block added" } else { "block" };
        let (y, height) = (TOP + ROW * start, ROW * (end - start) - 2);
        let _ = write!(out, "<rect class='{class}' x='{text}' y='{y}' width='{width}' height='{height}' rx='4'/>");
    }
    for (index, row) in rows.iter().enumerate() {
        let class = if row.is_head() { " class='head'" } else { "" };
        let y = TOP + ROW * index + 14;
        let _ = write!(out, "<text{class} x='{}' y='{y}'>{}</text>", text + MARGIN, escaped(&row.text));
    }
    for bundle in &bundles {
        let lane = text - 2 * LANE - LANE * bundle.lane;
        let _ = write!(out, "<path class='edge' d='{}'/>", edge(bundle, text, lane));
        for target in &bundle.to {
            let _ = write!(out, "<path class='tip' d='M{text} {}l-9 -5v10z'/>", middle(*target));
        }
    }
    arcs + width
}

/// The height of the edges of a row.
fn middle(row: usize) -> usize {
    TOP + ROW * row + 10
}

/// Edges along a lane, from and to the text: the line between the outermost ends, then the other ends.
fn edge(bundle: &Bundle, text: usize, lane: usize) -> String {
    let near = lane + 6;
    let end = |row: usize| if bundle.to.contains(&row) { text - 8 } else { text };
    if let ([from], [to]) = (&bundle.from[..], &bundle.to[..]) {
        let ([from, to], is_down) = ([middle(*from), middle(*to)], from < to);
        let (bend, back) = if is_down { (from + 6, to - 6) } else { (from - 6, to + 6) };
        return format!(
            "M{text} {from}H{near}Q{lane} {from} {lane} {bend}V{back}Q{lane} {to} {near} {to}H{}",
            text - 8
        );
    }
    let [first, last] = bundle.span();
    let [top, bottom] = [first, last].map(middle);
    let [start, stop] = [first, last].map(end);
    let mut path = format!(
        "M{start} {top}H{near}Q{lane} {top} {lane} {}V{}Q{lane} {bottom} {near} {bottom}H{stop}",
        top + 6,
        bottom - 6
    );
    for &row in bundle.from.iter().chain(&bundle.to).filter(|&&row| row != first && row != last) {
        let _ = write!(path, "M{lane} {}H{}", middle(row), end(row));
    }
    path
}

/// The first row of each block, and the row after its last one.
fn blocks(rows: &[Row]) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].is_head()).collect();
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
        let row = |text: &str, targets: &[usize], is_added| Row {
            text: text.to_owned(),
            targets: targets.to_vec(),
            is_added,
        };
        let rows = vec![row("a <", &[], false), row("  goto b", &[2], false), row("b", &[], true)];
        let picture = || Picture { title: "one & two".to_owned(), rows: rows.clone() };
        let drawn = svg(&[picture(), picture()]);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        for (part, count) in [("a &lt;", 2), ("one &amp; two", 2), ("class='edge'", 2), ("block added", 2), ("⇒", 1)]
        {
            assert_eq!(drawn.matches(part).count(), count, "{part}: {drawn}");
        }
    }
}
