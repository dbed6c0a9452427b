//! What consumers of SPIR-V make of each policy (docs/policies.md).
//!
//! ```text
//! cargo run --release -p reconverge-testing --example consumers -- [SET]
//! ```
//!
//! Each graph is a compute shader that records the blocks it walks through. It is structurized under each policy, and:
//!
//! | column | means |
//! |---|---|
//! | blocks | blocks out for each block in, median |
//! | naga trace | `naga in.spv out.spv`, run by the interpreter: the walks on which it records what it should |
//! | naga wgsl | `naga in.spv out.wgsl`: written; braces and kilobytes of the greatest |
//! | spirv-cross | `spirv-cross -V --version 450`: written; kilobytes |

use std::path::Path;
use std::process::Command;

use reconverge_ir::Function;
use reconverge_restructure::structurize;
use reconverge_spirv::{WriteOptions, write};
use reconverge_structurize::{Options, Policy};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::{shapes, wild};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{as_shader, replay};
use reconverge_testing::walk::{Walk, compute_walks};

/// Walks that a graph is run on, at most.
const WALKS: usize = 8;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let folder = tempfile::tempdir().expect("a folder for files");
    println!("| set | policy | blocks | naga reads | naga trace | naga wgsl | braces | KB | spirv-cross | KB |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, graphs) in sets().into_iter().filter(|(name, _)| name.contains(&wanted)) {
        for policy in Policy::ALL {
            let mut row = Row::default();
            graphs.iter().for_each(|graph| row.add(graph, policy, folder.path()));
            println!("| {name} | {} | {} |", policy.name(), row.text());
        }
    }
}

fn sets() -> Vec<(String, Vec<PlainGraph>)> {
    let sized = |generate: &dyn Fn(u64, usize) -> PlainGraph| {
        (0..24).map(|seed| generate(seed, 12 + 2 * seed as usize)).collect::<Vec<_>>()
    };
    vec![
        ("structured".to_owned(), sized(&|seed, size| structured(seed, size, Form::Plain))),
        ("loop-simplified".to_owned(), sized(&|seed, size| structured(seed, size, Form::LoopSimplified))),
        ("random reducible".to_owned(), sized(&|seed, size| random(seed, size, Cycles::Reducible))),
        ("random irreducible".to_owned(), sized(&|seed, size| random(seed, size, Cycles::Irreducible))),
        ("wild, with switches".to_owned(), sized(&|seed, size| wild::wild(seed, size / 2))),
        ("shapes of 6".to_owned(), shapes::SHAPES.iter().map(|(_, shape)| shape(6)).collect()),
        ("three breaks, 100".to_owned(), vec![shapes::three_breaks(100)]),
        ("ladder, 200".to_owned(), vec![shapes::ladder(200)]),
        ("early returns, 200".to_owned(), vec![shapes::early_returns(200)]),
    ]
}

#[derive(Default)]
struct Row {
    graphs: usize,
    walks: usize,
    growths: Vec<usize>,
    naga_reads: usize,
    naga_equal: usize,
    naga_writes: usize,
    braces: usize,
    wgsl_bytes: usize,
    cross_writes: usize,
    glsl_bytes: usize,
}

impl Row {
    fn add(&mut self, graph: &PlainGraph, policy: Policy, folder: &Path) {
        let filled = as_shader(std::slice::from_ref(graph), 1);
        let mut module = filled.module.clone();
        let functions: Vec<Function> = module.functions().collect();
        for function in functions {
            let report = structurize(&mut module, function, &Options::new().policy(policy)).expect("within the limits");
            if function == filled.functions[0] {
                let statistics = report.expect("it has a body").plan.statistics();
                self.growths.push(statistics.plan_blocks * 100 / statistics.input_blocks);
            }
        }
        let path = |name: &str| folder.join(name);
        std::fs::write(path("in.spv"), write(&module, &WriteOptions::default()).expect("it can be written"))
            .expect("a file");
        let walks: Vec<Walk> = compute_walks(graph, 1, WALKS).into_iter().filter(|walk| walk.is_finished).collect();
        let walks = &walks[..walks.len().min(WALKS)];
        self.graphs += 1;
        self.walks += walks.len();
        assert_eq!(equal_walks(&path("in.spv"), walks), walks.len(), "our own output: {graph}");
        if is_done("naga", &["in.spv", "naga.spv"], folder) {
            self.naga_reads += 1;
            self.naga_equal += equal_walks(&path("naga.spv"), walks);
        }
        if is_done("naga", &["in.spv", "naga.wgsl"], folder) {
            let text = std::fs::read_to_string(path("naga.wgsl")).unwrap_or_default();
            self.naga_writes += 1;
            self.braces = self.braces.max(braces(&text));
            self.wgsl_bytes = self.wgsl_bytes.max(text.len());
        }
        if is_done("spirv-cross", &["-V", "--version", "450", "in.spv", "--output", "out.comp"], folder) {
            self.cross_writes += 1;
            let bytes = std::fs::metadata(path("out.comp")).map_or(0, |data| data.len() as usize);
            self.glsl_bytes = self.glsl_bytes.max(bytes);
        }
    }

    fn text(mut self) -> String {
        self.growths.sort_unstable();
        let growth = self.growths[self.growths.len() / 2] as f64 / 100.0;
        let (graphs, walks) = (self.graphs, self.walks);
        format!(
            "{growth:.2} | {}/{graphs} | {}/{walks} | {}/{graphs} | {} | {} | {}/{graphs} | {}",
            self.naga_reads,
            self.naga_equal,
            self.naga_writes,
            self.braces,
            self.wgsl_bytes / 1024,
            self.cross_writes,
            self.glsl_bytes / 1024,
        )
    }
}

/// Whether a command ends well and writes the last file that it names.
fn is_done(command: &str, arguments: &[&str], folder: &Path) -> bool {
    let out = folder.join(arguments[arguments.len() - 1]);
    // A file of an earlier run says nothing.
    let _ = std::fs::remove_file(&out);
    let output = Command::new(command).args(arguments).current_dir(folder).output();
    let Ok(output) = output else { return false };
    let is_done = output.status.success() && out.exists();
    if !is_done && std::env::var_os("RECONVERGE_SHOW").is_some() {
        let said = String::from_utf8_lossy(&output.stderr);
        eprintln!("{command}: {}", said.lines().take(6).collect::<Vec<_>>().join(" / "));
        if let Some(kept) = std::env::var_os("RECONVERGE_KEEP") {
            let _ = std::fs::copy(folder.join(arguments[arguments.len() - 2]), Path::new(&kept).join("refused.spv"));
        }
    }
    is_done
}

/// How deep braces nest.
fn braces(text: &str) -> usize {
    let (mut depth, mut greatest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        greatest = greatest.max(depth);
    }
    greatest
}

/// How many of the walks the shader in a file records as it should.
fn equal_walks(path: &Path, walks: &[Walk]) -> usize {
    let bytes = std::fs::read(path).unwrap_or_default();
    let is_equal = |walk: &&Walk| match replay(&bytes, &walk.answers, walk.blocks.len()) {
        Ok(blocks) => blocks == walk.blocks,
        Err(error) => {
            eprintln!("{error}");
            false
        }
    };
    walks.iter().filter(is_equal).count()
}
