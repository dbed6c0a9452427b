//! Reads the commands of README.md, so that `ci` runs what a new user would type.

/// Every line of every `sh` code block, in order.
pub(crate) fn commands(text: &str) -> Vec<&str> {
    let mut commands = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        match (line.trim().strip_prefix("```"), fence) {
            (Some(language), None) => fence = Some(language),
            (Some(_), Some(_)) => fence = None,
            (None, Some("sh")) if !line.trim().is_empty() => commands.push(line.trim()),
            _ => {}
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_of_sh_blocks_alone() {
        let text = "a\n```sh\none -o x\n\n  two\n```\n```text\nthree\n```\n```\nfour\n```\n```sh\nfive\n```\n";
        assert_eq!(commands(text), ["one -o x", "two", "five"]);
    }
}
