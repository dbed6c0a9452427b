//! The pipeline as a picture in SVG: formats that are read, passes by stage, formats that are written.
//!
//! ```text
//! ┌ read ─────────────┐
//! └────────┬──────────┘
//! ┌ passes ───────────┐     in the order of the pipeline
//! └────────┬──────────┘
//! ┌ optimizations ────┐     the sequence of each level
//! └────────┬──────────┘
//! ┌ structurize ──────┐     the pass that leads to the next stage
//! └────────┬──────────┘
//! ┌ write ────────────┐
//! └───────────────────┘
//! ```
//!
//! Linear in the passes and formats.

use std::fmt::Write as _;

use crate::arcs::document;

/// A box of the picture.
pub(crate) struct Step {
    pub(crate) title: String,
    /// Each is what its names are, and the names in order.
    pub(crate) parts: Vec<(String, Vec<String>)>,
}

const STYLE: &str = "\
text{font:12px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1b1f24;white-space:pre}\
.title{font:600 14px system-ui,sans-serif}\
.part{font:italic 12px system-ui,sans-serif;fill:#566070}\
.box{fill:#f6f7f9;stroke:#d5d9e0}\
.step{fill:#e2f4ec;stroke:#0b6e4f}\
.edge{stroke:#6b7686;stroke-width:1.5}\
.tip{fill:#6b7686}\
@media(prefers-color-scheme:dark){\
text{fill:#e4e8ee}.part{fill:#aab3c0}.edge{stroke:#9aa5b4}.tip{fill:#9aa5b4}\
.box{fill:#1f242c;stroke:#343b47}.step{fill:#15362a;stroke:#4cc38a}}";

/// The width of the picture, around a box, and between boxes.
const WIDTH: usize = 780;
const MARGIN: usize = 12;
const BETWEEN: usize = 26;

/// The height of a line, and its characters.
const LINE: usize = 18;
const CHARACTERS: usize = 100;

/// Draws steps from top to bottom.
pub(crate) fn svg(steps: &[Step]) -> String {
    let (mut inside, mut y) = (String::new(), MARGIN);
    for (index, step) in steps.iter().enumerate() {
        if index > 0 {
            let (middle, end) = (WIDTH / 2, y + BETWEEN);
            let _ = write!(inside, "<path class='edge' d='M{middle} {y}V{}'/>", end - 8);
            let _ = write!(inside, "<path class='tip' d='M{middle} {end}l-5 -9h10z'/>");
            y = end;
        }
        y += draw(&mut inside, step, y);
    }
    document(WIDTH, y + MARGIN, STYLE, &inside)
}

/// Draws a step from `top` on, and returns its height.
fn draw(out: &mut String, step: &Step, top: usize) -> usize {
    let mut lines = String::new();
    let mut y = top + LINE + 2;
    let left = 2 * MARGIN;
    let _ = write!(lines, "<text class='title' x='{left}' y='{y}'>{}</text>", step.title);
    for (what, names) in &step.parts {
        if !what.is_empty() {
            y += LINE + 2;
            let _ = write!(lines, "<text class='part' x='{left}' y='{y}'>{what}</text>");
        }
        for line in wrapped(names) {
            y += LINE;
            let _ = write!(lines, "<text x='{left}' y='{y}'>{line}</text>");
        }
    }
    let (height, width) = (y + MARGIN - top, WIDTH - 2 * MARGIN);
    let class = if step.parts.is_empty() { "step" } else { "box" };
    let _ =
        write!(out, "<rect class='{class}' x='{MARGIN}' y='{top}' width='{width}' height='{height}' rx='4'/>{lines}");
    height
}

/// Names as lines.
fn wrapped(names: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let name = if index + 1 < names.len() { format!("{name},") } else { name.clone() };
        match lines.last_mut() {
            Some(line) if line.len() + 1 + name.len() <= CHARACTERS => *line = format!("{line} {name}"),
            _ => lines.push(name),
        }
    }
    lines
}
