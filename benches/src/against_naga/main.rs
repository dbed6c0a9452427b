//! Conditions of branches that are uniform: which of them naga finds, and which we do.
//!
//! ```text
//! cargo run --release --bin against_naga -- FOLDER
//! ```
//!
//! Every SPIR-V module of the folders that naga reads and accepts is read by both. A condition is known by its id; it is compared if
//! naga branches on the very expression. For compute shaders uniform means: in the whole workgroup; for all others: in the draw call.
//! The process fails if naga proves something uniform that we do not. What naga calls uniform by an [`Assumption`] that does not hold
//! is no proof; each run of this program shows that it does not, see [`counterexamples`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reconverge::Format;
use reconverge::ir::terminator::operand;
use reconverge::ir::{Module, Op};
use reconverge_analysis::uniformity::{ModuleUniformity, Scope};
use verdicts::{Assumption, Verdict, verdicts};

mod counterexamples;
mod places;
mod verdicts;

const GL_COMPUTE: u32 = 5;

fn main() {
    let folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        eprintln!("usage: against_naga FOLDER...");
        std::process::exit(2);
    }
    counterexamples::hold();
    let mut total = Counts::default();
    for path in folders.iter().flat_map(|folder| modules(folder)) {
        let bytes = std::fs::read(&path).expect("a file of the folder can be read");
        match verdicts(&bytes) {
            Ok(theirs) => total.add(&path, &theirs, &ours(&bytes)),
            Err(_) => total.refused += 1,
        }
    }
    total.print();
    std::process::exit(i32::from(total.missed > 0));
}

/// The SPIR-V files of a folder, by name.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    paths
}

/// Whether our analysis finds the conditions of a module uniform, by id.
fn ours(bytes: &[u8]) -> BTreeMap<u32, bool> {
    let module = reconverge::read(bytes, Format::SPIRV).expect("modules of the corpus are read");
    let uniformity = ModuleUniformity::compute(&module, scope(&module));
    let mut found = BTreeMap::new();
    for function in module.functions() {
        let Some(uniformity) = uniformity.function(function) else { continue };
        for block in module.blocks(function) {
            let Some(terminator) = module.terminator(block) else { continue };
            if matches!(module.op(terminator), Op::BranchIf | Op::If | Op::Switch | Op::StructuredSwitch) {
                let condition = module.operand(terminator, operand::CONDITION);
                *found.entry(condition.index() as u32).or_insert(true) &= uniformity.is_uniform_branch(block);
            }
        }
    }
    found
}

fn scope(module: &Module) -> Scope {
    let is_compute =
        |inst| module.op(inst) == Op::EntryPoint && module.literal_word(module.operand(inst, 0)) == Some(GL_COMPUTE);
    if module.globals().any(is_compute) { Scope::Workgroup } else { Scope::Draw }
}

#[derive(Default)]
struct Counts {
    modules: usize,
    refused: usize,
    both: usize,
    ours_alone: usize,
    neither: usize,
    /// naga assumes it to be uniform by results of calls, and we do not.
    by_calls: usize,
    /// naga assumes it to be uniform by workgroup memory, and we do not.
    by_memory: usize,
    /// naga proves it and we do not.
    missed: usize,
}

impl Counts {
    fn add(&mut self, path: &Path, theirs: &BTreeMap<u32, Verdict>, ours: &BTreeMap<u32, bool>) {
        self.modules += 1;
        for (&id, &verdict) in theirs {
            let Some(&is_uniform) = ours.get(&id) else { continue };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match (verdict, is_uniform) {
                (Verdict::Uniform | Verdict::Assumed(_), true) => self.both += 1,
                (Verdict::NonUniform, true) => self.ours_alone += 1,
                (Verdict::NonUniform, false) => self.neither += 1,
                (Verdict::Assumed(Assumption::ResultOfCall), false) => self.by_calls += 1,
                (Verdict::Assumed(Assumption::WorkgroupMemory), false) => self.by_memory += 1,
                (Verdict::Uniform, false) => {
                    println!("{name}: %{id} is uniform for naga and not for us");
                    self.missed += 1;
                }
            }
        }
    }

    fn print(&self) {
        println!("modules that naga accepts {}, refuses {}", self.modules, self.refused);
        println!(
            "conditions uniform for both {}, for us alone {}, for neither {}",
            self.both, self.ours_alone, self.neither
        );
        println!(
            "uniform for naga alone: by results of calls {}, by workgroup memory {}, by proof {}",
            self.by_calls, self.by_memory, self.missed
        );
    }
}
