//! Policies before outside judges (`docs/policies.md`): the output of each is valid for Vulkan, and what `wgsl` leaves goes through naga
//! to WGSL and back, and still does what it did. naga is asked where it is installed; the validator has to be.

use std::path::Path;
use std::process::Command;

use reconverge::pipeline::Level;
use reconverge::structurize::{Block, Options, Origin, Policy, Reason};
use reconverge::{CompileOptions, Format, Run, Styled, compile};
use reconverge_ir::{Function, Module};
use reconverge_restructure::structurize;
use reconverge_spirv::{WriteOptions, write};
use reconverge_testing::agreement::modules_under;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::{shapes, wild};
use reconverge_testing::is_deep;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{as_shader, replay};
use reconverge_testing::walk::{Walk, compute_walks};
use reconverge_verify::verify;

fn graphs() -> Vec<PlainGraph> {
    let mut graphs: Vec<PlainGraph> = (0..25).map(|seed| wild::wild(seed, 3 + seed as usize % 18)).collect();
    graphs.extend((0..15).map(|seed| structured(seed, 30, Form::Optimized)));
    for cycles in [Cycles::Reducible, Cycles::Irreducible] {
        graphs.extend((0..15).map(|seed| random(seed, 8 + 2 * seed as usize, cycles)));
    }
    graphs.extend(shapes::SHAPES.iter().map(|(_, shape)| shape(5)));
    graphs
}

/// One shader of all graphs, structurized, and the functions of the graphs.
fn shader(graphs: &[PlainGraph], policy: Policy) -> (Module, Vec<Function>) {
    let filled = as_shader(graphs, 1);
    let mut module = filled.module;
    for function in module.functions().collect::<Vec<_>>() {
        structurize(&mut module, function, &Options::new().policy(policy)).expect("within the limits");
    }
    let findings = verify(&module);
    assert!(findings.is_empty(), "{}: {}", policy.name(), findings[0]);
    (module, filled.functions)
}

#[test]
fn every_policy_is_valid_for_vulkan() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    let graphs = graphs();
    for policy in Policy::ALL {
        let (module, _) = shader(&graphs, policy);
        let bytes = write(&module, &WriteOptions::default()).expect("it can be written");
        for environment in [Environment::Vulkan1_1, Environment::Vulkan1_3] {
            if let Err(message) = validator.validate(&bytes, environment) {
                panic!("{}, {}: {message}", policy.name(), environment.name());
            }
        }
    }
}

/// Runs a command in a folder. One that is not installed makes the test fail.
fn run(folder: &Path, command: &str, arguments: &[&str]) {
    let output = Command::new(command).args(arguments).current_dir(folder).output();
    let output =
        output.unwrap_or_else(|error| panic!("{command}: {error}: run `cargo xtask setup`, which installs it"));
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    let said = said.lines().take(12).collect::<Vec<_>>().join("\n");
    assert!(output.status.success(), "{command} {arguments:?}: {said}");
}

/// A walk through a graph that comes to an end.
fn finished_walk(graph: &PlainGraph) -> Option<Walk> {
    compute_walks(graph, 1, 8).into_iter().find(|walk| walk.is_finished)
}

/// A shader with one finished walk for each graph.
struct Walked {
    folder: tempfile::TempDir,
    answers: Vec<u32>,
    blocks: Vec<usize>,
}

impl Walked {
    /// Writes the shader of all graphs that have such a walk to `in.spv` in a folder of its own.
    fn new(graphs: Vec<PlainGraph>, policy: Policy) -> Walked {
        let walked: Vec<(PlainGraph, Walk)> =
            graphs.into_iter().filter_map(|graph| finished_walk(&graph).map(|walk| (graph, walk))).collect();
        let (graphs, walks): (Vec<PlainGraph>, Vec<Walk>) = walked.into_iter().unzip();
        let (module, _) = shader(&graphs, policy);
        let folder = tempfile::tempdir().expect("a folder for files");
        let bytes = write(&module, &WriteOptions::default()).expect("it can be written");
        std::fs::write(folder.path().join("in.spv"), &bytes).expect("a file");
        // `main` calls the functions in order, and each takes its answers where the one before stopped.
        let answers = walks.iter().flat_map(|walk| walk.answers.iter().copied()).collect();
        let blocks = walks.iter().flat_map(|walk| walk.blocks.iter().copied()).collect();
        let walked = Walked { folder, answers, blocks };
        assert!(walked.has_blocks("in.spv"), "our own output");
        walked
    }

    /// Whether a module of the folder records the blocks of the walks.
    fn has_blocks(&self, name: &str) -> bool {
        let bytes = std::fs::read(self.folder.path().join(name)).expect("a file");
        replay(&bytes, &self.answers, self.blocks.len()).as_ref() == Ok(&self.blocks)
    }
}

#[test]
fn naga_writes_wgsl_and_reads_it_back() {
    let walked = Walked::new(graphs(), Policy::Wgsl);
    let folder = walked.folder.path();
    run(folder, "naga", &["in.spv", "out.wgsl"]);
    run(folder, "naga", &["out.wgsl", "back.spv"]);
    assert!(walked.has_blocks("back.spv"), "by way of WGSL");
}

/// The text that SPIRV-Cross writes does what the module did, but for two graphs of this set: it takes a break through several switches,
/// and a `continue` inside of a scope, for something else. Under `flat`, which has neither, there is none. By default an eighth is tried.
#[test]
fn spirv_cross_writes_glsl_and_glslang_reads_it_back() {
    let step = if is_deep() { 1 } else { 8 };
    for (policy, faults) in [(Policy::Spirv, 2), (Policy::Bare, 2), (Policy::Flat, 0)] {
        let mut wrong = 0;
        for graph in graphs().into_iter().filter(|graph| finished_walk(graph).is_some()).step_by(step) {
            let walked = Walked::new(vec![graph], policy);
            let folder = walked.folder.path();
            let write_glsl = ["-V", "--version", "450", "in.spv", "--output", "out.comp"];
            let read_glsl = ["-V", "--target-env", "vulkan1.1", "out.comp", "-o", "back.spv"];
            run(folder, "spirv-cross", &write_glsl);
            run(folder, "glslangValidator", &read_glsl);
            wrong += usize::from(!walked.has_blocks("back.spv"));
        }
        assert!(wrong <= faults, "{}: {wrong} texts do something else", policy.name());
    }
}

/// What is optimized behind the structurizer leaves no construct in a way that the policy does not have: structurized under the same
/// policy once more, no function gets a block. Under `wgsl` a chain of exits may begin or end where it did not before: then a header is split, or a
/// continue target added.
#[test]
fn optimizations_keep_the_policy() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let files = modules_under(&[folder])?;
    let compiled = |bytes: &[u8], policy: Policy, level: Level| {
        let structurize = Options::new().policy(policy);
        let options = CompileOptions::new().level(level).structurize(structurize).styled(Styled::Everything);
        compile(bytes, Format::SPIRV, Format::SPIRV, &options)
    };
    let (mut held, mut forced) = (0, 0);
    for path in files.iter().step_by(3) {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        for (policy, level) in [(Policy::Wgsl, Level::Speed), (Policy::Flat, Level::Speed), (Policy::Flat, Level::Size)]
        {
            // Some are there to be refused.
            let Ok(once) = compiled(&bytes, policy, level) else { continue };
            let twice = compiled(&once.bytes, policy, Level::None).map_err(|error| error.to_string())?;
            let keeps_a_chain_flat = |reason: &Reason| {
                policy == Policy::Wgsl && matches!(reason, Reason::HeaderSplit { .. } | Reason::Latch { .. })
            };
            let is_forced = |block: &&Block| match &block.origin {
                Origin::Added(reason) => !keeps_a_chain_flat(reason),
                Origin::Input(_) => false,
            };
            let added = |run: &Run| {
                let blocks = run.structurized.iter().flat_map(|it| &it.report.plan.blocks);
                blocks.filter(is_forced).count()
            };
            assert_eq!(added(&twice.run), 0, "{}, {policy:?} at -O{}", path.display(), level.name());
            forced += added(&once.run);
            held += 1;
        }
    }
    assert!(held > 100 && forced > 50, "{held} compiled, {forced} blocks added at first");
    Ok(())
}
