//! `reconverge passes`: the pipeline, and the reasons for its order.

use std::fmt::Write as _;
use std::path::Path;

use reconverge::Target;
use reconverge::ir::Stage;
use reconverge::pipeline::{self, Level, ORDER, PipelineStep, REASONS, REPAIRS};
use reconverge_rewrite::pass::Pass;

use crate::exit::Exit;
use crate::messages::Messages;
use crate::output::{self, Output};
use crate::output_format::OutputFormat;
use crate::pipeline_picture::{Step, svg};
use crate::source::InputKind;

/// Print the passes, their order, and the reasons for it
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Print the page docs/passes.md
    #[arg(long)]
    markdown: bool,
    /// Print a picture of the pipeline
    #[arg(long, conflicts_with = "markdown")]
    svg: bool,
    #[command(flatten)]
    messages: Messages,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let text = match arguments {
        Arguments { markdown: true, .. } => markdown(),
        Arguments { svg: true, .. } => picture(),
        Arguments { .. } => plain(),
    };
    let output = Output { path: Path::new("-"), bytes: text.as_bytes() };
    output::write_or_report(&[output], arguments.messages.reporter("passes"))
}

/// The passes of each level at each stage.
fn sequences() -> impl Iterator<Item = (Level, Stage, Vec<&'static str>)> {
    let stages = [Stage::Graph, Stage::Structured];
    let all = Level::ALL
        .into_iter()
        .flat_map(move |level| stages.map(|stage| (level, stage, level.sequence(stage).collect::<Vec<_>>())));
    all.filter(|(_, _, names)| !names.is_empty())
}

/// The stages that a pass accepts, and the stage that it produces.
fn stages(pass: &Pass) -> String {
    match pass.leads_to {
        Some(stage) => format!("{} → {stage}", pass.accepts),
        None => pass.accepts.to_string(),
    }
}

/// The passes of the pipeline, in order.
fn pipeline() -> impl Iterator<Item = &'static Pass> {
    pipeline::pipeline_passes(Target::default()).filter_map(pipeline::find)
}

/// The passes that are not in the pipeline.
fn others() -> impl Iterator<Item = &'static Pass> {
    let in_pipeline = |name: &str| pipeline::pipeline_passes(Target::default()).any(|other| other == name);
    pipeline::all().filter(move |pass| !in_pipeline(pass.name))
}

/// The passes that are in a level but not in the pipeline.
fn optimizations() -> impl Iterator<Item = &'static Pass> {
    others().filter(|pass| !pipeline::is_optional(pass.name))
}

/// The passes that run only on request.
fn optional() -> impl Iterator<Item = &'static Pass> {
    others().filter(|pass| pipeline::is_optional(pass.name))
}

/// The pipeline as a picture.
fn picture() -> String {
    let owned = |names: Vec<&'static str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let listed = |title: &str, names| Step { title: title.to_owned(), parts: vec![(String::new(), owned(names))] };
    let mut steps = vec![listed("Read", InputKind::names())];
    let mut passes = REPAIRS.to_vec();
    for step in Target::default().pipeline() {
        match step {
            PipelineStep::Pass(_, name) => {
                let stage = pipeline::find(name).and_then(|pass| pass.leads_to);
                if stage == Some(Stage::Structured) {
                    steps.extend((!passes.is_empty()).then(|| listed("Passes", std::mem::take(&mut passes))));
                    steps.push(Step { title: format!("{name}: leads to stage structured"), parts: Vec::new() });
                } else {
                    passes.push(name);
                }
            }
            PipelineStep::Optimizations(at) => {
                steps.extend((!passes.is_empty()).then(|| listed("Passes", std::mem::take(&mut passes))));
                let levels = sequences().filter(|(_, stage, _)| *stage == at);
                let parts = levels.map(|(level, _, names)| (format!("-O{}", level.name()), owned(names)));
                steps.push(Step { title: format!("Optimizations at stage {at}"), parts: parts.collect() });
            }
        }
    }
    steps.extend((!passes.is_empty()).then(|| listed("Passes", passes)));
    steps.push(listed("Write", OutputFormat::written().map(|format| format.name).collect()));
    svg(&steps)
}

fn plain() -> String {
    let width = pipeline::all().map(|pass| pass.name.len()).max().unwrap_or(0);
    let mut text = String::from("Pipeline, in order:\n");
    for (index, pass) in pipeline().enumerate() {
        let _ = writeln!(text, "{:>3}  {:width$}  {:19}  {}", index + 1, pass.name, stages(pass), pass.summary);
    }
    text.push_str("\nOptimizations, before and after the structurizer (compile -O1, -Os):\n");
    for pass in optimizations() {
        let _ = writeln!(text, "     {:width$}  {:19}  {}", pass.name, stages(pass), pass.summary);
    }
    for (level, stage, names) in sequences() {
        let _ = writeln!(text, "  -O{} at stage {stage}: {}", level.name(), names.join(", "));
    }
    text.push_str("\nOptional passes (compile --passes, which accepts any pass of this list):\n");
    for pass in optional() {
        let _ = writeln!(text, "     {:width$}  {:19}  {}", pass.name, stages(pass), pass.summary);
    }
    text.push_str("\nReasons for the order:\n");
    for constraint in ORDER.iter().chain(REASONS) {
        let _ = writeln!(text, "  {} before {}: {}", constraint.before, constraint.after, constraint.reason);
    }
    text
}

fn markdown() -> String {
    let mut text = String::from(
        "# Passes\n\n\
         The pipeline of `reconverge compile`. `reconverge passes --markdown` prints this page; `cargo xtask bless` \
         regenerates it. `reconverge passes --svg` draws the picture.\n\n\
         ![what is read, the passes in order, and what is written](images/pipeline.svg)\n\n\
         ## In order\n\n\
         | | pass | what it does | stage |\n|---|---|---|---|\n",
    );
    for (index, pass) in pipeline().enumerate() {
        let _ = writeln!(text, "| {} | `{}` | {} | {} |", index + 1, pass.name, pass.summary, stages(pass));
    }
    text.push_str("\nA pass skips functions at a stage that it does not accept.\n");
    text.push_str(
        "\n## Optimizations\n\nBefore and after the structurizer, in the sequences of the level (`compile -O1`, `-Os`).\n\n\
         | pass | what it does | stage |\n|---|---|---|\n",
    );
    for pass in optimizations() {
        let _ = writeln!(text, "| `{}` | {} | {} |", pass.name, pass.summary, stages(pass));
    }
    text.push_str("\n| level | stage | in order |\n|---|---|---|\n");
    for (level, stage, names) in sequences() {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "| `-O{}` | {stage} | {} |", level.name(), names.join(", "));
    }
    text.push_str(
        "\n## Optional passes\n\n`compile --passes` runs any pass of this page after the pipeline, in the given order. These passes run only this way.\n\n\
         | pass | what it does | stage |\n|---|---|---|\n",
    );
    for pass in optional() {
        let _ = writeln!(text, "| `{}` | {} | {} |", pass.name, pass.summary, stages(pass));
    }
    text.push_str("\n## Why in this order\n\n| first | later | because |\n|---|---|---|\n");
    for constraint in ORDER.iter().chain(REASONS) {
        let _ = writeln!(text, "| `{}` | `{}` | {} |", constraint.before, constraint.after, constraint.reason);
    }
    text
}
