//! The kernels of `tests/filetests/optimum`, behind our `-O1` and behind Cranelift's optimizer: executed instructions and terminators.
//!
//! ```text
//! cargo run --release --bin against_cranelift             a table
//! cargo run --release --bin against_cranelift -- KERNEL   the functions that Cranelift was given and made of them
//! ```
//!
//! ```text
//! Module ──▶ write.rs ──▶ CLIF ──▶ Context::optimize ──▶ CLIF ──▶ count.rs: Cranelift's interpreter, counting
//! ```
//!
//! Cranelift optimizes for x86-64 wherever this runs, with its verifier on; counted is its IR in front of the choice of machine
//! instructions. Each program runs; where Cranelift's returns something else than ours or leaves other memory, its cell says so.

use std::path::Path;

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::print_errors::pretty_error;
use cranelift_codegen::settings::Configurable;
use cranelift_codegen::{Context, ir, isa, settings};
use reconverge_testing::filetest::{Kernel, kernels_below};
use reconverge_testing::llvm::is_same;
use reconverge_testing::optimum::{Measured, compiled, ladder, measure, memory, numbers};

use count::{Ran, run};
use exits::put_exits_first;
use write::write;

mod count;
mod exits;
#[cfg(test)]
mod tests;
mod write;

/// How many arms the switch has that is no file.
const ARMS: u32 = 1_000;

/// A way through Cranelift.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// What the table calls it.
    name: &'static str,
    /// Cranelift's `opt_level`.
    level: &'static str,
    /// What is done to the translation before.
    prepare: fn(&mut Context),
}

/// The ways that are compared.
const WAYS: [Way; 3] = [
    Way { name: "Cranelift, as translated", level: "none", prepare: |_| () },
    Way { name: "Cranelift, speed", level: "speed", prepare: |_| () },
    Way { name: "Cranelift, exits first, speed", level: "speed", prepare: put_exits_first },
];

fn main() -> Result<(), String> {
    let shown = std::env::args().nth(1);
    let large = [ladder(ARMS, ARMS / 2)?, ladder(ARMS, ARMS)?];
    let kernels: Vec<Kernel> = kernels()?.into_iter().chain(large).collect();
    match shown {
        Some(name) => show(kernels.iter().find(|kernel| kernel.name == name).ok_or("no kernel of that name")?),
        None => table(&kernels),
    }
}

fn kernels() -> Result<Vec<Kernel>, String> {
    kernels_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/filetests/optimum"))
}

fn show(kernel: &Kernel) -> Result<(), String> {
    for way in &WAYS {
        println!("; {}\n{}", way.name, optimized(kernel, way)?);
    }
    Ok(())
}

fn table(kernels: &[Kernel]) -> Result<(), String> {
    println!("| kernel | as written | ours, -O1 | {} |", WAYS.map(|way| way.name).join(" | "));
    println!("|---|{}", "---|".repeat(2 + WAYS.len()));
    for kernel in kernels {
        let written = measure(&kernel.module, kernel.function, &kernel.launch())?;
        let ours = compiled(&kernel.module, kernel.function, &kernel.launch())?;
        let cells = WAYS.map(|way| cell(kernel, &way, &written));
        println!("| {} `{}` | {} | {ours} | {} |", kernel.name, kernel.call, written.cost, cells.join(" | "));
    }
    Ok(())
}

fn cell(kernel: &Kernel, way: &Way, ours: &Measured) -> String {
    match ran(kernel, way) {
        Ok(ran) if !is_same(ran.result, ours.result()) => format!("{}, **returns {:?}**", ran.cost, ran.result),
        Ok(ran) if !is_same_memory(kernel, &ran, ours) => format!("{}, **leaves other memory**", ran.cost),
        Ok(ran) => ran.cost.to_string(),
        Err(error) => {
            eprintln!("{}, {}: {error}", kernel.name, way.name);
            "–".to_owned()
        }
    }
}

/// Runs what Cranelift makes of a kernel, on what [`measure`] gives it.
fn ran(kernel: &Kernel, way: &Way) -> Result<Ran, String> {
    let function = optimized(kernel, way)?;
    let arguments: Option<Vec<u32>> = kernel.arguments.iter().map(|argument| argument.as_u32()).collect();
    let given: Vec<Vec<u32>> = memory(&kernel.module)?.into_iter().map(|memory| memory.numbers).collect();
    run(&function, &arguments.ok_or("an argument that is no number")?, &given)
}

fn is_same_memory(kernel: &Kernel, ran: &Ran, ours: &Measured) -> bool {
    let variables = memory(&kernel.module).unwrap_or_default().into_iter().map(|memory| memory.variable);
    let left = variables.map(|variable| ours.outcome.variable(variable, 0).and_then(numbers));
    left.eq(ran.memory.iter().cloned().map(Some))
}

/// What Cranelift makes of a kernel.
fn optimized(kernel: &Kernel, way: &Way) -> Result<ir::Function, String> {
    let isa = target(way.level)?;
    let mut context = Context::for_function(write(&kernel.module, kernel.function, isa.frontend_config())?);
    (way.prepare)(&mut context);
    match context.optimize(isa.as_ref(), &mut ControlPlane::default()) {
        Ok(()) => Ok(context.func),
        Err(error) => Err(pretty_error(&context.func, error)),
    }
}

fn target(level: &str) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", level), ("enable_verifier", "true")] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = isa::lookup_by_name("x86_64-unknown-linux-gnu").map_err(|error| error.to_string())?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}
