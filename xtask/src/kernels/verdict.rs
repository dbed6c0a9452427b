//! Verdicts, and their transfer from a worker to the parent process: one line each.

/// The result of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The outputs are as expected.
    AsExpected,
    /// The outputs are as expected, and there is a data race: this one.
    Racy(String),
    /// The device lacks a feature that the kernel needs.
    Lacks(String),
    /// Anything else, with what.
    Wrong(String),
}

impl Verdict {
    /// As a line, without its end.
    pub(crate) fn line(&self) -> String {
        let (word, rest) = match self {
            Verdict::AsExpected => ("equal", ""),
            Verdict::Racy(race) => ("racy", race.as_str()),
            Verdict::Lacks(feature) => ("lacks", feature.as_str()),
            Verdict::Wrong(message) => ("wrong", message.as_str()),
        };
        format!("{word}\t{}", rest.lines().next().unwrap_or_default())
    }

    /// From a line.
    pub(crate) fn parse(line: &str) -> Option<Verdict> {
        let (word, rest) = line.split_once('\t')?;
        match word {
            "equal" => Some(Verdict::AsExpected),
            "racy" => Some(Verdict::Racy(rest.to_owned())),
            "lacks" => Some(Verdict::Lacks(rest.to_owned())),
            "wrong" => Some(Verdict::Wrong(rest.to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_what_its_line_says() {
        for verdict in [
            Verdict::AsExpected,
            Verdict::Racy("x".to_owned()),
            Verdict::Lacks("shaderInt64".to_owned()),
            Verdict::Wrong("it\tfell".to_owned()),
        ] {
            assert_eq!(Verdict::parse(&verdict.line()), Some(verdict));
        }
        assert_eq!(Verdict::parse("driver says hello"), None);
    }
}
