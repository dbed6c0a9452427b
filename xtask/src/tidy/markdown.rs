//! The parts of Markdown that the checks read: tables, code spans, links, headings.

/// A line outside code blocks, with its number from 1.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            return None;
        }
        (!is_code).then_some((index + 1, line))
    })
}

/// The rows of all tables whose heading starts with `first_heading`, with their line numbers.
/// Each row has as many cells as its heading; cells are trimmed.
pub(crate) fn table<'a>(text: &'a str, first_heading: &str) -> Vec<(usize, Vec<&'a str>)> {
    let mut rows = Vec::new();
    let mut columns = 0;
    for (number, line) in prose(text) {
        let mut row = cells(line);
        match columns {
            _ if row.is_empty() => columns = 0,
            0 if row[0] == first_heading => columns = row.len(),
            0 => {}
            _ if row[0].starts_with("--") => {}
            _ => {
                row.resize(columns, "");
                rows.push((number, row));
            }
        }
    }
    rows
}

/// The texts between backticks.
pub(crate) fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The line without what is between backticks.
pub(crate) fn without_code_spans(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of `[text](target)` and of `[name]: target`.
pub(crate) fn link_targets(line: &str) -> Vec<&str> {
    let mut targets: Vec<&str> =
        line.split("](").skip(1).filter_map(|rest| rest.split(')').next()?.split_whitespace().next()).collect();
    if line.starts_with('[')
        && let Some((_, target)) = line.split_once("]: ")
    {
        targets.extend(target.split_whitespace().next());
    }
    targets
}

/// The anchors of all headings, as the usual hosts derive them.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    prose(text).filter(|(_, line)| line.starts_with('#')).map(|(_, line)| anchor(line)).collect()
}

fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn cells(line: &str) -> Vec<&str> {
    match line.trim().strip_prefix('|') {
        Some(inside) => inside.strip_suffix('|').unwrap_or(inside).split('|').map(str::trim).collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_by_their_first_heading() {
        let text = "| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n|---|---|\n| 3 |\n| 4 | 5 |\ntext\n| 6 | 7 |\n";
        assert_eq!(table(text, "c"), [(7, vec!["3", ""]), (8, vec!["4", "5"])]);
        let twice = format!("{text}{text}");
        assert_eq!(table(&twice, "a"), [(3, vec!["1", "2"]), (13, vec!["1", "2"])]);
        assert_eq!(table(text, "none"), []);
    }

    #[test]
    fn code_is_no_prose() {
        let lines: Vec<_> = prose("a\n```sh\nb\n```\nc").collect();
        assert_eq!(lines, [(1, "a"), (5, "c")]);
        assert_eq!(without_code_spans("a `[b](c)` d"), "a  d");
        assert_eq!(code_spans("`a` b `c`").collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn links_and_anchors() {
        assert_eq!(link_targets("[a](b.md#c) and [d](e \"title\")"), ["b.md#c", "e"]);
        assert_eq!(link_targets("[a]: b.md"), ["b.md"]);
        assert_eq!(anchors("# The house, and `it`\n```\n# code\n```\n## a_b"), ["the-house-and-it", "a_b"]);
    }
}
