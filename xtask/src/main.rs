//! The tasks of the workspace, one file per command: `cargo xtask <command>`.
//!
//! | command | what it does |
//! |---|---|
//! | `setup` | installs what the tests need and this machine lacks |
//! | `test` | all tests of the workspace, and the documentation examples |
//! | `bless` | rewrites the expectations of the filetests, and the generated pages |
//! | `book` | makes a site of the documentation |
//! | `tidy` | project rules that no compiler checks |
//! | `grammar` | writes the tables of requirements of `verify` from the grammar of SPIR-V |
//! | `corpus` | lists folders of SPIR-V modules that carry a manifest |
//! | `lanes` | runs random programs on Vulkan drivers, lane by lane |
//! | `agreement` | compares the verifier with spirv-val, on real and mutated modules |
//! | `snapshot` | records what the command does to every module, and compares |
//! | `torture` | runs the stress tests of the structurizer |
//! | `hunt` | looks for wrong outputs among random programs |
//! | `instructions` | counts the structurizer's machine instructions under valgrind |
//! | `kernels` | runs folders of OpenCL kernels on every engine |
//! | `hosts` | runs the example host programs over the kernels of this project |
//! | `dist` | builds the command for distribution |
//! | `release` | makes the archives, the package and the checksums of a release |
//! | `ci` | everything above that a change must pass |
//!
//! Every command returns `Err` with the sentence that `main` prints; the exit code is then 1.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask_setup::tools;

mod agreement;
mod bless;
mod book;
mod ci;
mod corpus;
mod dist;
mod grammar;
mod hosts;
mod hunt;
mod instructions;
mod kernels;
mod lanes;
mod pictures;
mod programs;
mod readme;
mod release;
mod snapshot;
mod table;
mod test;
mod tidy;
mod torture;

/// Tasks of the Reconverge workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install what the tests need and this machine lacks; says what could not be installed
    Setup,
    /// Run the tests of the workspace, then the documentation examples
    Test(test::Arguments),
    /// Rewrite the expectations of the filetests from what the code does now
    Bless {
        /// Bless only this file or folder, relative to tests/filetests or to here
        path: Option<PathBuf>,
    },
    /// Make a site of the documentation, by mdbook, in target/book
    Book,
    /// Make the pictures of the report in docs/images, by Chromium
    Pictures,
    /// Check layers, sizes, glossary, words, statements, leftovers, links and generated pages
    Tidy {
        /// Print the figures of the measured rules instead
        #[arg(long)]
        figures: bool,
    },
    /// Write the tables of requirements of the verifier from the grammar of SPIR-V
    Grammar,
    /// List folders of SPIR-V modules that carry a MANIFEST.tsv
    Corpus {
        /// A folder with a manifest, or a folder of such folders
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Run this pass over structured functions, or `all` that run on request, on the modules instead
        #[arg(long)]
        pass: Option<String>,
        /// Optimize the modules at this level instead, beside `spirv-opt -O`
        #[arg(long, conflicts_with = "pass")]
        level: Option<String>,
        /// Damage the structure of each module in so many ways, and hold that it compiles to what it did
        #[arg(long, value_name = "WAYS", conflicts_with_all = ["pass", "level"])]
        damage: Option<u64>,
        /// Drop the structure of each module, find it again, and compare how spirv-cross and naga write it with how they wrote it before
        #[arg(long, conflicts_with_all = ["pass", "level", "damage"])]
        text: bool,
        /// With --text: name the modules that read longer or deeper
        #[arg(long, requires = "text")]
        verbose: bool,
    },
    /// Run random programs on Vulkan drivers and compare what every lane does with what it must do
    Lanes(lanes::Arguments),
    /// Ask the verifier and spirv-val about modules, real and changed, and count where they differ
    Agreement(agreement::Arguments),
    /// Record what the command does to every module, or compare with a record: for changes that may change nothing
    #[command(subcommand)]
    Snapshot(snapshot::Action),
    /// Try the structurizer by every means there is, rung by rung, and count what fails
    Torture(torture::Arguments),
    /// Run folders of OpenCL kernels on every engine and compare what they give with what is expected
    Kernels(kernels::Arguments),
    /// Run the example host programs over the kernels of this project
    Hosts,
    /// Count the structurizer's machine instructions for each family of graphs and compare with the recorded table
    Instructions(instructions::Arguments),
    /// Look for outputs that are invalid or wrong, in new programs
    #[command(subcommand)]
    Hunt(hunt::Among),
    /// Build the command as it is handed out: optimized as one, sharing no libraries
    Dist,
    /// Make the archives, the package, the bill of materials and the checksums of a release
    Release,
    /// Everything that a change must pass
    Ci {
        /// Corpus folders to read; those that do not exist are left out with a note
        corpus: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Chore::Setup => tools::setup(),
        Chore::Test(arguments) => test::test(&arguments),
        Chore::Bless { path } => bless::bless(path.as_deref()),
        Chore::Book => book::book(),
        Chore::Pictures => pictures::pictures(),
        Chore::Grammar => grammar::grammar(),
        Chore::Tidy { figures: true } => tidy::figures(),
        Chore::Tidy { figures: false } => tidy::tidy(),
        Chore::Corpus { folders, level: Some(level), .. } => corpus::corpus_level(&folders, &level),
        Chore::Corpus { folders, pass: Some(pass), .. } => corpus::corpus_pass(&folders, &pass),
        Chore::Corpus { folders, damage: Some(ways), .. } => corpus::corpus_damage(&folders, ways),
        Chore::Corpus { folders, text: true, verbose, .. } => {
            let detail = if verbose { corpus::Detail::Modules } else { corpus::Detail::Sums };
            corpus::corpus_text(&folders, detail)
        }
        Chore::Corpus { folders, .. } => corpus::corpus(&folders),
        Chore::Lanes(arguments) => lanes::lanes(&arguments),
        Chore::Agreement(arguments) => agreement::agreement(&arguments),
        Chore::Snapshot(action) => snapshot::snapshot(&action),
        Chore::Torture(arguments) => torture::torture(&arguments),
        Chore::Instructions(arguments) => instructions::instructions(&arguments),
        Chore::Kernels(arguments) => kernels::kernels(&arguments),
        Chore::Hosts => hosts::hosts(),
        Chore::Hunt(among) => hunt::hunt(&among),
        Chore::Dist => dist::dist(),
        Chore::Release => release::release(),
        Chore::Ci { corpus } => ci::ci(&corpus),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
