//! The registry of codes: the groups of the library, of the engines and of the command, in the order of lists.

use reconverge_diagnostic::{Code, Group};

use crate::{diagnostics, graph, input, pages, run, source};

/// The codes of all messages. Groups with one title belong together, and are listed where the first of them is.
pub(crate) fn groups() -> Vec<Group> {
    let mut groups = reconverge::code_groups();
    // After the checks and the rules.
    groups.insert(2, reconverge_run::UndefinedBehaviour::GROUP);
    groups.extend([
        diagnostics::CommandCode::GROUP,
        input::InputCode::GROUP,
        graph::GraphCode::GROUP,
        reconverge_run::LaunchCode::GROUP,
        reconverge_run::RunCode::GROUP,
        run::code::RunCode::GROUP,
        run::code::LaunchCode::GROUP,
    ]);
    #[cfg(feature = "vulkan")]
    groups.push(reconverge_run::vulkan::VulkanCode::GROUP);
    groups.push(source::FrontEndCode::GROUP);
    let mut titles: Vec<&str> = Vec::new();
    for group in &groups {
        if !titles.contains(&group.title) {
            titles.push(group.title);
        }
    }
    groups.sort_by_key(|group| titles.iter().position(|title| *title == group.title));
    groups
}

fn all() -> impl Iterator<Item = &'static Code> {
    groups().into_iter().flat_map(|group| group.codes)
}

/// Every code with a few words, by group.
pub(crate) fn list() -> String {
    let mut text = String::new();
    let mut last = "";
    for group in groups() {
        if group.title != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n", group.title);
            last = group.title;
        }
        for code in group.codes {
            let words = match code.title {
                "" => code.meaning.to_owned(),
                title => format!("{title} ({})", code.kind.level()),
            };
            text += &format!("  {:<24} {words}\n", code.name);
        }
    }
    text += "\nConcepts that messages name\n";
    for (name, words) in pages::concepts(|name| all().any(|code| code.name == name)) {
        text += &format!("  {name:<24} {words}\n");
    }
    text
}

/// The names of all codes, for tools.
pub(crate) fn names() -> Vec<&'static str> {
    all().map(|code| code.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest way around an example: title, blank line, meaning, blank line, heading, fences, help.
    const LEAST_LINES: usize = 10;

    #[test]
    fn every_code_has_a_page_with_its_meaning_and_help() {
        for code in all() {
            let page = pages::page(code.name).unwrap_or_else(|| panic!("{code} has no page docs/codes/{code}.md"));
            assert!(page.starts_with(&format!("# {code}")), "{code}: the title");
            assert!(page.lines().count() >= LEAST_LINES, "{code}: the page is shorter than {LEAST_LINES} lines");
            let mut paragraphs = page.split("\n\n");
            assert!(paragraphs.any(|paragraph| words(paragraph) == words(code.meaning)), "{code}: {}", code.meaning);
            assert!(page.contains("\n## What to do\n\n"), "{code}");
            assert!(paragraphs.any(|paragraph| is_help(paragraph, code.help)), "{code}: {}", code.help);
        }
    }

    /// Returns whether a paragraph is the help as a sentence.
    fn is_help(paragraph: &str, help: &str) -> bool {
        let mut letters = help.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        words(paragraph) == words(&format!("{first}{}.", letters.as_str()))
    }

    /// A text without its line ends.
    fn words(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_page_that_is_about_no_code_is_about_a_concept() {
        let names: Vec<&str> =
            pages::concepts(|name| all().any(|code| code.name == name)).map(|(name, _)| name).collect();
        assert_eq!(names, ["dispatch", "form", "header-split", "ladder", "pack", "scope", "trampoline"]);
    }

    #[test]
    fn no_code_stands_for_two_things() {
        let mut names = names();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
