//! Rows of the table.

use std::fmt;

use crate::contestant::Contestant;
use crate::isolation::Answer;
use crate::measure::Measure;
use crate::sets::Set;

/// One contestant on one set.
pub(crate) struct Row {
    pub(crate) set: String,
    pub(crate) contestant: Contestant,
    pub(crate) measures: Vec<Measure>,
    graphs: usize,
    refused: usize,
    crashed: usize,
    timed_out: usize,
}

/// The middle and the greatest of some numbers.
#[derive(Clone, Copy)]
pub(crate) struct Summary {
    pub(crate) median: f64,
    pub(crate) greatest: f64,
}

impl Summary {
    /// `None` of nothing.
    pub(crate) fn of(numbers: impl Iterator<Item = f64>) -> Option<Summary> {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_by(f64::total_cmp);
        Some(Summary { median: *sorted.get(sorted.len() / 2)?, greatest: *sorted.last()? })
    }
}

impl Row {
    pub(crate) fn new(set: &Set, contestant: Contestant, answers: &[Answer]) -> Row {
        let count = |is_it: fn(&Answer) -> bool| answers.iter().filter(|answer| is_it(answer)).count();
        let measures = answers.iter().filter_map(|answer| match answer {
            Answer::Measured(measure) => Some(*measure),
            _ => None,
        });
        Row {
            set: set.name.clone(),
            contestant,
            measures: measures.collect(),
            graphs: set.graphs.len(),
            refused: count(|answer| matches!(answer, Answer::Refused)),
            crashed: count(|answer| matches!(answer, Answer::Crashed)),
            timed_out: count(|answer| matches!(answer, Answer::TimedOut)),
        }
    }

    /// Phis in the output, and the variables that stand for some.
    pub(crate) fn parameters(&self) -> Option<Summary> {
        Summary::of(self.measures.iter().map(|measure| (measure.phis_after + measure.variables) as f64))
    }

    /// Blocks out to blocks in.
    pub(crate) fn growth(&self) -> Option<Summary> {
        Summary::of(self.measures.iter().map(|measure| measure.blocks_after as f64 / measure.blocks_before as f64))
    }

    /// Phis in the input.
    pub(crate) fn own_phis(&self) -> Option<Summary> {
        Summary::of(self.measures.iter().map(|measure| measure.phis_before as f64))
    }

    /// Phis in the output.
    pub(crate) fn phis(&self) -> Option<Summary> {
        Summary::of(self.measures.iter().map(|measure| measure.phis_after as f64))
    }

    /// Whether the validator refused none, though it may not have been asked.
    pub(crate) fn is_all_valid(&self) -> bool {
        self.measures.len() == self.graphs && self.measures.iter().all(|measure| measure.is_valid != Some(false))
    }

    /// How many outputs the validator accepts, and why there are no others.
    pub(crate) fn validity(&self) -> String {
        let said: Vec<bool> = self.measures.iter().filter_map(|measure| measure.is_valid).collect();
        let missing = self.measures.len() - said.len();
        let mut text = match said.is_empty() && missing > 0 {
            true => "no answer".to_owned(),
            false => format!("{} of {}", said.iter().filter(|&&is_valid| is_valid).count(), self.graphs - missing),
        };
        let ends = [("refused", self.refused), ("crashed", self.crashed), ("timed out", self.timed_out)];
        for (name, count) in ends.into_iter().filter(|&(_, count)| count > 0) {
            text += &format!(", {count} {name}");
        }
        text
    }

    /// The variables that hold what would be phis, all graphs together.
    fn variables(&self) -> String {
        match self.measures.iter().map(|measure| measure.variables).sum() {
            0 => String::new(),
            count => format!(" and {count} variables in all"),
        }
    }

    /// Counts for a single graph, a ratio for a set.
    fn blocks(&self) -> String {
        match &self.measures[..] {
            [only] => format!("{} → {}", only.blocks_before, only.blocks_after),
            _ => pair(self.growth(), 2),
        }
    }
}

/// `median (greatest)`, one number where they are the same.
fn pair(summary: Option<Summary>, digits: usize) -> String {
    match summary {
        None => "–".to_owned(),
        Some(Summary { median, greatest }) if median == greatest => format!("{median:.digits$}"),
        Some(Summary { median, greatest }) => format!("{median:.digits$} ({greatest:.digits$})"),
    }
}

/// Prints the head of the table.
pub(crate) fn print_header() {
    println!("| set | by | valid | same trace | blocks | phis | nesting | plan ms | step ms | whole ms |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measures = &self.measures;
        let equal = measures.iter().filter(|measure| measure.is_equal).count();
        let nesting = Summary::of(measures.iter().filter_map(|measure| measure.nesting).map(|nesting| nesting as f64));
        let plan = Summary::of(measures.iter().filter_map(|measure| measure.times.plan));
        let step = Summary::of(measures.iter().map(|measure| measure.times.step));
        let whole = Summary::of(measures.iter().map(|measure| measure.times.whole));
        write!(out, "| {} | {} | {} |", self.set, self.contestant.name(), self.validity())?;
        write!(out, " {equal} of {} | {} |", self.graphs, self.blocks())?;
        write!(out, " {} → {}{} |", pair(self.own_phis(), 0), pair(self.phis(), 0), self.variables())?;
        write!(out, " {} |", pair(nesting, 0))?;
        write!(out, " {} | {} | {} |", pair(plan, 2), pair(step, 2), pair(whole, 2))
    }
}
