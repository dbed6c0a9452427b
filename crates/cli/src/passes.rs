//! `reconverge passes`: the pipeline, and why it has the order that it has.

use std::fmt::Write as _;
use std::path::Path;

use reconverge::ir::Stage;
use reconverge::pipeline::{Level, ON_REQUEST, OPTIMIZATIONS, ORDER, PASSES, REASONS};

use crate::diagnostics::io_diagnostic;
use crate::exit::Exit;
use crate::messages::Messages;
use crate::output;

/// Print the passes, their order, and the reasons for it
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Print the page docs/passes.md
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    messages: Messages,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let text = if arguments.markdown { markdown() } else { plain() };
    match output::write(Path::new("-"), text.as_bytes()) {
        Ok(()) => Exit::Done,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                arguments.messages.reporter().report(&[io_diagnostic("cannot write", &error, None)]);
            }
            Exit::Io
        }
    }
}

/// What each level runs at each stage.
fn sequences() -> impl Iterator<Item = (Level, Stage, Vec<&'static str>)> {
    let stages = [Stage::Graph, Stage::Structured];
    let all = Level::ALL
        .into_iter()
        .flat_map(move |level| stages.map(|stage| (level, stage, level.sequence(stage).collect::<Vec<_>>())));
    all.filter(|(_, _, names)| !names.is_empty())
}

fn plain() -> String {
    let width = PASSES.iter().map(|pass| pass.name.len()).max().unwrap_or(0);
    let mut text = String::from("Pipeline, in order:\n");
    for (index, pass) in PASSES.iter().enumerate() {
        let stages = format!("{} → {}", pass.from, pass.to);
        let _ = writeln!(text, "{:>3}  {:width$}  {stages:19}  {}", index + 1, pass.name, pass.summary);
    }
    text.push_str("\nOptimizations, before and after the structurizer (compile -O1, -Os):\n");
    let width = OPTIMIZATIONS.iter().map(|pass| pass.name.len()).max().unwrap_or(0);
    for pass in OPTIMIZATIONS {
        let _ = writeln!(text, "     {:width$}  {}", pass.name, pass.summary);
    }
    for (level, stage, names) in sequences() {
        let _ = writeln!(text, "  -O{} at stage {stage}: {}", level.name(), names.join(", "));
    }
    text.push_str("\nOptional passes, after the pipeline (compile --passes):\n");
    let width = ON_REQUEST.iter().map(|pass| pass.name.len()).max().unwrap_or(0);
    for pass in ON_REQUEST {
        let _ = writeln!(text, "     {:width$}  {}", pass.name, pass.summary);
    }
    text.push_str("\nReasons for the order:\n");
    for ordering in ORDER.iter().chain(REASONS) {
        let _ = writeln!(text, "  {} before {}: {}", ordering.before, ordering.after, ordering.reason);
    }
    text
}

fn markdown() -> String {
    let mut text = String::from(
        "# Passes\n\n\
         The pipeline of `reconverge compile`. This page is what `reconverge passes --markdown` prints; `cargo xtask bless` writes \
         it anew.\n\n\
         ## In order\n\n\
         | | pass | what it does | needs stage | leaves stage |\n|---|---|---|---|---|\n",
    );
    for (index, pass) in PASSES.iter().enumerate() {
        let _ = writeln!(text, "| {} | `{}` | {} | {} | {} |", index + 1, pass.name, pass.summary, pass.from, pass.to);
    }
    text.push_str("\nA pass skips functions that are already past the stage that it needs.\n");
    text.push_str(
        "\n## Optimizations\n\nAround the structurizer, in the sequences of the level that is asked for (`compile -O1`, `-Os`).\n\n\
         | pass | what it does |\n|---|---|\n",
    );
    for pass in OPTIMIZATIONS {
        let _ = writeln!(text, "| `{}` | {} |", pass.name, pass.summary);
    }
    text.push_str("\n| level | stage | in order |\n|---|---|---|\n");
    for (level, stage, names) in sequences() {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "| `-O{}` | {stage} | {} |", level.name(), names.join(", "));
    }
    text.push_str(
        "\n## On request\n\nBehind the pipeline, over structured functions, if `compile --passes` names them; in the order named.\n\n\
         | pass | what it does |\n|---|---|\n",
    );
    for pass in ON_REQUEST {
        let _ = writeln!(text, "| `{}` | {} |", pass.name, pass.summary);
    }
    text.push_str("\n## Why in this order\n\n| first | later | because |\n|---|---|---|\n");
    for ordering in ORDER.iter().chain(REASONS) {
        let _ = writeln!(text, "| `{}` | `{}` | {} |", ordering.before, ordering.after, ordering.reason);
    }
    text
}
