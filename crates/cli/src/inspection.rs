//! Options of `reconverge compile` for people who work on passes.

use reconverge::pipeline;

use crate::named::Named;

/// Options for debugging passes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Debugging passes (`reconverge passes` lists them)")]
pub(crate) struct Inspection {
    /// Run these passes after the pipeline, in this order; may be repeated
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "PASS,…", value_delimiter = ',', value_parser = pass_parser())]
    pub(crate) passes: Vec<String>,
    /// Verify the module after every pass, not only at the end
    #[arg(long, hide_short_help = true)]
    pub(crate) verify_each: bool,
    /// Stop after this pass and write the module
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "PASS", value_parser = pass_parser())]
    pub(crate) stop_after: Option<String>,
    /// Print the module as text on stderr after this pass, or after every pass that changes it; may be repeated
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "PASS|all", value_parser = printed_parser())]
    pub(crate) print_after: Vec<String>,
    /// Run at most this many optimization passes, and skip the rest
    ///
    /// To find the pass that breaks a program, search for the largest number with which the program is still correct. -v prints the numbers.
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub(crate) opt_bisect_limit: Option<usize>,
    /// Print the time of every pass, with totals
    #[arg(long, hide_short_help = true)]
    pub(crate) time_passes: bool,
    /// Panic in this pass, to test the handling of bugs
    #[arg(long, value_name = "PASS", value_parser = pass_parser(), hide = true)]
    pub(crate) crash_after: Option<String>,
}

/// The hint at the command that lists all passes.
const LISTING: &str = "`reconverge passes` lists all passes";

/// The argument that names every pass.
pub(crate) const ALL: &str = "all";

fn pass_parser() -> Named<String> {
    let find = |name: &str| pipeline::find(name).map(|pass| pass.name.to_owned());
    Named::new(|| pipeline::all().map(|pass| pass.name).collect(), find).listed_by(LISTING)
}

/// A pass, or `all`.
fn printed_parser() -> Named<String> {
    let find = |name: &str| (name == ALL || pipeline::find(name).is_some()).then(|| name.to_owned());
    Named::new(|| std::iter::once(ALL).chain(pipeline::all().map(|pass| pass.name)).collect(), find).listed_by(LISTING)
}
