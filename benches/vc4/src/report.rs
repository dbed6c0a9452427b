//! The comparison as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::Cost;

/// A kernel.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ours: Cost,
    pub(crate) theirs: Cost,
}

/// All kernels.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    /// The kernels that are not compared, by reason.
    pub(crate) left_out: BTreeMap<String, Vec<String>>,
}

/// What is compared, as ours divided by VC4C's.
type Measure = fn(&Cost) -> f64;

const MEASURES: [(&str, Measure); 3] = [
    ("words", |cost| cost.words as f64),
    ("cycles of the launch", |cost| cost.cycles as f64),
    ("cycles of a pass", |cost| cost.cycles as f64 / cost.passes as f64),
];

impl Row {
    fn ratio(&self, measure: Measure) -> f64 {
        measure(&self.ours) / measure(&self.theirs)
    }
}

/// A kernel in one line of text.
pub(crate) fn line(row: &Row) -> String {
    let ratios = MEASURES.map(|(name, measure)| format!("{:.2} {name}", row.ratio(measure)));
    format!("{}: {}", row.name, ratios.join(", "))
}

/// All kernels, medians, and the kernels that are left out.
pub(crate) fn markdown(report: &Report) -> String {
    let mut text = String::from(
        "| kernel | words: ours | VC4C | ratio | cycles: ours | VC4C | ratio | of a pass: ours | VC4C | ratio |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in &report.rows {
        let _ = write!(text, "| {} ", row.name);
        for (_, measure) in MEASURES {
            let (ours, theirs, ratio) = (measure(&row.ours), measure(&row.theirs), row.ratio(measure));
            let _ = write!(text, "| {ours:.0} | {theirs:.0} | {ratio:.3} ");
        }
        text.push_str("|\n");
    }
    text.push('\n');
    for (name, measure) in MEASURES {
        let mut ratios: Vec<f64> = report.rows.iter().map(|row| row.ratio(measure)).collect();
        ratios.sort_by(f64::total_cmp);
        if let (Some(least), Some(most)) = (ratios.first(), ratios.last()) {
            let median = ratios[ratios.len() / 2];
            let count = ratios.len();
            let _ = writeln!(text, "- {name}: median {median:.3} of {count} kernels, {least:.3} to {most:.3}");
        }
    }
    text.push('\n');
    for (reason, names) in &report.left_out {
        let _ = writeln!(text, "- {} left out: {reason} ({})", names.len(), names.join(", "));
    }
    text
}
