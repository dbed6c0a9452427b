//! `cargo xtask hunt builtins`: every built-in function of OpenCL C on every type, from source, beside its definition.

use std::time::Instant;

use reconverge_testing::builtins::{Engine, Scope, compare_builtins};

/// What `cargo xtask hunt builtins` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare one kernel of so many
    #[arg(long, default_value_t = 1)]
    one_of: usize,
    /// Run on the interpreter alone
    #[arg(long)]
    interpreter: bool,
}

/// Compares, and prints what differs; a difference makes the command fail.
pub(super) fn builtins(arguments: &Arguments) -> Result<(), String> {
    let start = Instant::now();
    let scope = if arguments.one_of > 1 { Scope::OneOf(arguments.one_of) } else { Scope::Whole };
    let engines = [Engine::Interpreter, Engine::Cpu, Engine::Lavapipe];
    let engines = if arguments.interpreter { &engines[..1] } else { &engines[..] };
    let report = compare_builtins(scope, engines)?;
    for ((engine, reason), count) in &report.refused {
        println!("{count} kernels refused by {engine:?}: {reason}");
    }
    report.faults.iter().for_each(|fault| println!("{fault}"));
    println!("{} results compared, {:.0} s", report.compared, start.elapsed().as_secs_f64());
    if report.faults.is_empty() { Ok(()) } else { Err(format!("{} differences", report.faults.len())) }
}
