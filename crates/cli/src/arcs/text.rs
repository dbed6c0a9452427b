//! Rows as lines of text: arcs of box-drawing characters.

use super::{Row, bundles, count};

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
    let bundles = bundles(rows);
    let count = count(&bundles);
    let width = LANE * count + GAP;
    let mut cells = vec![vec![0_u8; width]; rows.len()];
    let mut is_target = vec![false; rows.len()];
    for bundle in &bundles {
        // Lane 0 is the one beside the text.
        let column = LANE * (count - 1 - bundle.lane);
        let [first, last] = bundle.span();
        for row in &mut cells[first..last] {
            row[column] |= DOWN;
        }
        for row in &mut cells[first + 1..=last] {
            row[column] |= UP;
        }
        for &end in bundle.from.iter().chain(&bundle.to) {
            cells[end][column] |= RIGHT;
            cells[end][column + 1..].iter_mut().for_each(|cell| *cell |= LEFT | RIGHT);
        }
        bundle.to.iter().for_each(|&target| is_target[target] = true);
    }
    let drawn = rows.iter().zip(&cells).zip(is_target).map(|((row, cells), is_target)| {
        let arcs: String = cells.iter().map(|&cell| line(cell)).collect();
        let head = match is_target {
            true => "▶ ",
            false if row.is_head() => "  ",
            false => "─ ",
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
        let row = |&(text, target): &(&str, Option<usize>)| Row {
            text: text.to_owned(),
            targets: target.into_iter().collect(),
            is_added: false,
        };
        rows.iter().map(row).collect()
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
    fn edges_of_rows_with_several_targets_share_a_lane() {
        let mut rows = rows(&[("a", None), ("  b, c", None), ("b", None), ("c", None), ("  goto a", Some(0))]);
        rows[1].targets = vec![2, 3];
        let expected = ["╭─────▶ a", "│ ╭────   b, c", "│ ├───▶ b", "│ ╰───▶ c", "╰──────   goto a"];
        assert_eq!(draw(&rows), expected);
    }

    #[test]
    fn a_block_may_lead_to_itself_and_nothing_may_lead_anywhere() {
        assert_eq!(draw(&rows(&[("a", None), ("  goto a", Some(0))])), ["╭───▶ a", "╰────   goto a"]);
        assert_eq!(draw(&rows(&[("a", None)])), ["    a"]);
        assert!(draw(&[]).is_empty());
    }
}
