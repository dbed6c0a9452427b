//! Code for the VC4: ours beside that of the compiler VC4C, on the emulator.
//!
//! ```text
//! cargo run --release -p vc4 -- --vc4c PATH --cache FOLDER tests/kernels ../shared/corpus/kernels
//! cargo run --release -p vc4 -- --vc4c PATH --cache FOLDER --only collatz tests/kernels
//! ```
//!
//! A kernel is a source `NAME.cl`, the SPIR-V that clang makes of it, `NAME.spv`, and a launch, `NAME.json`. VC4C compiles the source, ours
//! the SPIR-V. Both codes run the launch on the emulator of this project, and both have to give the expected outputs.
//!
//! # What is compared
//!
//! - Words: instructions of 64 bits. Both codes go through all work-groups.
//! - Cycles of the launch: those of all QPUs together, waiting included. One QPU runs the whole launch, unless work-items wait for each other.
//!   Here the host goes through the work-groups with VC4C's code, since the work-items of a group wait for each other in the loop of the code.
//! - Cycles of a pass: the same, divided by how often the code of a work-item runs. A pass of ours is 16 work-items, one in each lane. A pass of
//!   VC4C's code is one work-item: VC4C runs each on a QPU of its own, and uses lanes for vectors of the source alone.
//!
//! | file | what |
//! |---|---|
//! | `kernels.rs` | sources, launches and expected outputs |
//! | `vc4c.rs` | VC4C and the modules that it writes |
//! | `theirs.rs`, `ours.rs` | a launch on the emulator |
//! | `layout.rs` | where buffers are |
//! | `report.rs` | Markdown |

mod arguments;
mod kernels;
mod layout;
mod ours;
mod report;
mod theirs;
mod vc4c;

use arguments::Arguments;
use kernels::Kernel;
use report::{Report, Row};
use vc4c::Groups;

fn main() {
    let result = Arguments::read(std::env::args().skip(1)).and_then(|arguments| run(&arguments));
    if let Err(error) = result {
        eprintln!("{error}\n{}", arguments::USAGE);
        std::process::exit(2);
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let mut report = Report::default();
    for kernel in kernels::find(&arguments.folders)? {
        if arguments.only.is_empty() || arguments.only.contains(&kernel.name) {
            match compare(arguments, &kernel) {
                Ok(row) => {
                    eprintln!("{}", report::line(&row));
                    report.rows.push(row);
                }
                Err(reason) => {
                    eprintln!("{}: {reason}", kernel.name);
                    report.left_out.entry(reason).or_default().push(kernel.name);
                }
            }
        }
    }
    print!("{}", report::markdown(&report));
    Ok(())
}

/// What a launch of some code has cost.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Words of the code.
    words: usize,
    /// Cycles of all QPUs together.
    cycles: u64,
    /// How often the code of a work-item ran.
    passes: u64,
}

/// Both codes of a kernel, or why they are not compared.
fn compare(arguments: &Arguments, kernel: &Kernel) -> Result<Row, String> {
    let compile = |groups| vc4c::compile(&arguments.vc4c, &arguments.cache, kernel, groups);
    let words = compile(Groups::InCode)?.code.len();
    let module = compile(Groups::ByHost)?;
    let ours = ours::run(kernel).map_err(|error| format!("ours: {error}"))?;
    let theirs = theirs::run(kernel, &module).map_err(|error| format!("VC4C: {error}"))?;
    Ok(Row { name: kernel.name.clone(), ours, theirs: Cost { words, ..theirs } })
}
