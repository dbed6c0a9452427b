//! Rows as lines of text: arcs of box-drawing characters.

use super::{Row, count, lanes};

/// The sides of a cell to which lines lead.
const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// The characters of a lane, and of the way from the last lane to the text.
const LANE: usize = 2;
const GAP: usize = 2;

/// Draws rows. O(E² + E·R) for E edges and R rows.
pub(crate) fn draw(rows: &[Row]) -> Vec<String> {
    let lanes = lanes(rows);
    let count = count(&lanes);
    let width = LANE * count + GAP;
    let mut cells = vec![vec![0_u8; width]; rows.len()];
    for (from, lane) in lanes.iter().enumerate() {
        let (Some(lane), Some(to)) = (lane, rows[from].target) else { continue };
        // Lane 0 is the one beside the text.
        let column = LANE * (count - 1 - lane);
        let (first, last) = (from.min(to), from.max(to));
        for row in &mut cells[first..last] {
            row[column] |= DOWN;
        }
        for row in &mut cells[first + 1..=last] {
            row[column] |= UP;
        }
        for end in [from, to] {
            cells[end][column] |= RIGHT;
            cells[end][column + 1..].iter_mut().for_each(|cell| *cell |= LEFT | RIGHT);
        }
    }
    let is_target = |index: usize| rows.iter().any(|row| row.target == Some(index));
    let drawn = rows.iter().zip(&cells).enumerate().map(|(index, (row, cells))| {
        let arcs: String = cells.iter().map(|&cell| line(cell)).collect();
        let head = if is_target(index) {
            "▶ "
        } else if row.target.is_some() {
            "─ "
        } else {
            "  "
        };
        format!("{arcs}{head}{}", row.text)
    });
    drawn.collect()
}

fn line(cell: u8) -> char {
    const BOTH: u8 = UP | DOWN;
    const ACROSS: u8 = LEFT | RIGHT;
    let vertical = cell & BOTH;
    match (vertical, cell & ACROSS) {
        (0, 0) => ' ',
        (0, _) => '─',
        (BOTH, 0) => '│',
        (BOTH, RIGHT) => '├',
        (BOTH, _) => '┼',
        (DOWN, RIGHT) => '╭',
        (UP, RIGHT) => '╰',
        (DOWN, _) => '┬',
        _ => '┴',
    }
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::arcs::Row;

    fn rows(rows: &[(&str, Option<usize>)]) -> Vec<Row> {
        rows.iter().map(|&(text, target)| Row { text: text.to_owned(), target, is_added: false }).collect()
    }

    #[test]
    fn arcs_lead_down_and_up() {
        let drawn = draw(&rows(&[
            ("a", None),
            ("  if: b", Some(3)),
            ("  else: c", Some(5)),
            ("b", None),
            ("  goto a", Some(0)),
            ("c", None),
        ]));
        let expected = [
            "╭───────▶ a",
            "│   ╭────   if: b",
            "│ ╭─┼────   else: c",
            "│ │ ╰───▶ b",
            "╰─┼──────   goto a",
            "  ╰─────▶ c",
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_block_may_lead_to_itself_and_nothing_may_lead_anywhere() {
        assert_eq!(draw(&rows(&[("a", None), ("  goto a", Some(0))])), ["╭───▶ a", "╰────   goto a"]);
        assert_eq!(draw(&rows(&[("a", None)])), ["    a"]);
        assert!(draw(&[]).is_empty());
    }
}
