//! `cargo xtask hunt builtins`: every built-in function of OpenCL C on every type, from source, beside its definition.

use std::time::Instant;

use reconverge_testing::builtins::{Engine, Scope, compare_builtins};

/// The arguments of `cargo xtask hunt builtins`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare one kernel of so many
    #[arg(long, default_value_t = 1)]
    one_of: usize,
    /// With --one-of: begin at this kernel
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// Run on this engine alone; may be repeated
    #[arg(long, value_name = "ENGINE")]
    on: Vec<Chosen>,
}

/// An engine by its name on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Chosen {
    Interpreter,
    Cpu,
    Lavapipe,
}

impl From<Chosen> for Engine {
    fn from(chosen: Chosen) -> Engine {
        match chosen {
            Chosen::Interpreter => Engine::Interpreter,
            Chosen::Cpu => Engine::Cpu,
            Chosen::Lavapipe => Engine::Lavapipe,
        }
    }
}

/// Compares, and prints what differs; a difference makes the command fail.
pub(super) fn builtins(arguments: &Arguments) -> Result<(), String> {
    let start = Instant::now();
    let scope = match arguments.one_of {
        0 | 1 => Scope::Whole,
        number => Scope::OneOf { number, first: arguments.first },
    };
    let asked: Vec<Engine> = arguments.on.iter().map(|&chosen| chosen.into()).collect();
    let engines = if asked.is_empty() { &Engine::ALL[..] } else { &asked };
    let report = compare_builtins(scope, engines)?;
    for ((engine, reason), count) in &report.refused {
        println!("{count} kernels refused by {engine:?}: {reason}");
    }
    report.faults.iter().for_each(|fault| println!("{fault}"));
    println!("{} results compared, {:.0} s", report.compared, start.elapsed().as_secs_f64());
    if report.faults.is_empty() { Ok(()) } else { Err(format!("{} differences", report.faults.len())) }
}
