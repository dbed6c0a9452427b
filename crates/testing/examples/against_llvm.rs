//! The kernels of `tests/filetests/optimum`, through our code motion and through LLVM's passes: executed instructions and terminators.
//!
//! ```text
//! apt install clang-22 llvm-22
//! cargo run --release -p reconverge-testing --example against_llvm
//! ```
//!
//! Each program runs; where LLVM's returns something else than ours, its cell says so. *Optimum* is the least number of instructions that any
//! legal placement of ours leaves. Rows are kernels, columns pipelines; a cell is instructions+terminators. What code motion leaves and the optimum
//! are of the graph as it is; *ours, -O1* is behind all of the level, structure and guarded loops included.

use std::path::Path;

use reconverge_testing::filetest::{Kernel, kernels_below};
use reconverge_testing::llvm::{PIPELINES, Pipeline, cost, is_same};
use reconverge_testing::optimum::{compiled, judge, ladder, measure};

/// How many arms the switch has that is no file.
const ARMS: u32 = 1_000;

fn main() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests/optimum");
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let names: Vec<&str> = PIPELINES.iter().map(|pipeline| pipeline.name).collect();
    println!("| kernel | as written | code motion | optimum | ours, -O1 | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(4 + names.len()));
    let large = [ladder(ARMS, ARMS / 2)?, ladder(ARMS, ARMS)?];
    for kernel in kernels_below(&folder)?.into_iter().chain(large) {
        let judged = judge(&kernel.module, kernel.function, &kernel.launch())?;
        let optimum = judged.optimum.map_or("–".to_owned(), |optimum| optimum.to_string());
        let whole = compiled(&kernel.module, kernel.function, &kernel.launch())?;
        print!("| {} `{}` | {} | {} | {optimum} | {whole} |", kernel.name, kernel.call, judged.before, judged.after);
        for pipeline in PIPELINES {
            print!(" {} |", cell(&kernel, pipeline, scratch.path()));
        }
        println!();
    }
    Ok(())
}

fn cell(kernel: &Kernel, pipeline: &Pipeline, scratch: &Path) -> String {
    let ours = measure(&kernel.module, kernel.function, &kernel.launch());
    match (cost(kernel, pipeline, scratch), ours) {
        (Ok((cost, result)), Ok(ours)) if is_same(result, ours.result()) => cost.to_string(),
        (Ok((cost, result)), _) => format!("{cost}, **returns {result:?}**"),
        (Err(error), _) => {
            eprintln!("{}, {}: {error}", kernel.name, pipeline.name);
            "–".to_owned()
        }
    }
}
