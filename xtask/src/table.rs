//! A plain table for the terminal: columns as wide as needed, numbers to the right.

use std::fmt;

/// Headings and rows; every row has as many cells as there are headings.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings and no row yet.
    pub(crate) fn new(headings: &[&str]) -> Table {
        Table { rows: vec![headings.iter().map(|&heading| heading.to_owned()).collect()] }
    }

    /// Appends a row.
    pub(crate) fn push<const N: usize>(&mut self, cells: [String; N]) {
        assert_eq!(N, self.rows[0].len(), "invariant: a row has a cell for each heading");
        self.rows.push(cells.into());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max();
        let is_number = |column: usize| {
            self.rows[1..].iter().all(|row| row[column].starts_with(|first: char| first.is_ascii_digit()))
        };
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = width(column).unwrap_or(0);
                line += &match is_number(column) {
                    true => format!("{cell:>width$}  "),
                    false => format!("{cell:<width$}  "),
                };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right() {
        let mut table = Table::new(&["folder", "files"]);
        table.push(["kernels".to_owned(), "67".to_owned()]);
        table.push(["a".to_owned(), "285".to_owned()]);
        assert_eq!(table.to_string(), "folder   files\nkernels     67\na          285\n");
    }
}
