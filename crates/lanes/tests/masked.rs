//! The structure of masked functions, by a walk of its own: the verifier accepts them, all lanes decide every branch alike, and where a
//! barrier is that all lanes come to, no execution mask covers it.

use std::fs;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_codegen::CPU_MACHINE;
use reconverge_codegen::CodegenError;
use reconverge_codegen::pipeline::{self, LOOPS, MASKS};
use reconverge_ir::{Function, Module, Op, Stage, text};
use reconverge_lanes::{Facts, InputFact, LaunchFacts, PackValues, Variation};
use reconverge_rewrite::specialize::{Others, specialize};
use reconverge_run::bind;
use reconverge_testing::generators::lanes::{LaneOptions, Outside, SubgroupUse, lanes_program, lower};
use reconverge_testing::is_deep;
use reconverge_verify::verify_whole;
use spirv::BuiltIn;

use crate::kernels::{cases, root};

/// Lanes of a pack follow each other in the first dimension, and all are launched or not.
fn facts(is_full: bool) -> Facts {
    let mut facts = Facts { is_full, ..Facts::default() };
    let mut set = |built_in: BuiltIn, component: u32, shape: Variation| {
        facts.inputs.insert((built_in, component), InputFact { variation: shape, range: (0, 1 << 20) });
    };
    for built_in in [BuiltIn::LocalInvocationId, BuiltIn::GlobalInvocationId] {
        (0..3).for_each(|place| {
            set(built_in, place, if place == 0 { Variation::Affine { stride: 1 } } else { Variation::Uniform })
        });
    }
    for built_in in [BuiltIn::WorkgroupId, BuiltIn::NumWorkgroups] {
        (0..3).for_each(|place| set(built_in, place, Variation::Uniform));
    }
    set(BuiltIn::LocalInvocationIndex, 0, Variation::Affine { stride: 1 });
    set(BuiltIn::SubgroupLocalInvocationId, 0, Variation::Affine { stride: 1 });
    set(BuiltIn::SubgroupSize, 0, Variation::Uniform);
    facts
}

/// A masked function is valid, and all lanes take its branches together.
fn check_structure(module: &Module, function: Function, facts: &Facts, name: &str) {
    let print = || text::print(module);
    let findings = verify_whole(module);
    assert!(findings.is_empty(), "{name}: {}\n{}", findings[0], print());
    assert_eq!(module.stage(function), Stage::Masked, "{name}");
    let shapes = PackValues::compute(module, function, facts);
    for inst in module.blocks(function).flat_map(|block| module.children(block)) {
        if matches!(module.op(inst), Op::BranchIf | Op::Switch) {
            let condition = module.operand(inst, 0);
            assert!(shapes.is_uniform(condition), "{name}: {}\n{}", text::print_inst(module, inst), print());
        }
    }
}

fn mask_kernels(folder: &std::path::Path, level: Level, step: usize) {
    for case in cases(folder).into_iter().step_by(step) {
        for path in &case.modules {
            let name = format!("{} -O{}", path.display(), level.name());
            let mut options = CompileOptions::new().level(level);
            options.kernel.kernels = case.launch.kernel.iter().cloned().collect();
            let output = reconverge::compile(
                &fs::read(path).expect("the corpus compiles"),
                Format::SPIRV,
                Format::TEXT,
                &options,
            )
            .expect("the corpus compiles");
            let binding =
                bind(&case.launch, &output.run.reflection.expect("the corpus compiles")).expect("the corpus compiles");
            let values: Vec<(u32, u64)> =
                binding.specialization.iter().map(|&(id, value)| (id, value.into())).collect();
            let mut module = output.module;
            specialize(&mut module, &values, Others::Defaults).expect("the corpus compiles");
            let entry = module.globals().find(|&inst| module.op(inst) == Op::EntryPoint).expect("the corpus compiles");
            let function: Function = module.cast(module.operand(entry, 1)).expect("the corpus compiles");
            let calls = module.blocks(function).flat_map(|block| module.children(block));
            if calls.into_iter().any(|inst| module.op(inst) == Op::FunctionCall) {
                continue;
            }
            let facts = facts(true);
            make_lanes_explicit(&mut module, function, &facts).unwrap_or_else(|error| panic!("{name}: {error}"));
            // A barrier may be under a mask: whether all lanes are set is asked when it runs.
            check_structure(&module, function, &facts, &name);
        }
    }
}

fn make_lanes_explicit(module: &mut Module, function: Function, facts: &Facts) -> Result<(), CodegenError> {
    let facts = LaunchFacts { inputs: facts.clone(), ..LaunchFacts::default() };
    pipeline::run(module, function, facts, CPU_MACHINE, &[&["scalarize"], LOOPS, MASKS])
}

#[test]
fn kernels_of_the_project() {
    let step = if is_deep() { 1 } else { 5 };
    for level in [Level::None, Level::Speed] {
        mask_kernels(&root().join("tests/kernels"), level, step);
    }
}

#[test]
fn kernels_of_hard_control_flow() {
    let step = if is_deep() { 1 } else { 2 };
    for level in [Level::None, Level::Speed] {
        mask_kernels(&root().join("tests/kernels/flow"), level, step);
    }
}

#[test]
fn random_programs() {
    for seed in 0..if is_deep() { 20_000 } else { 200 } {
        let subgroup = [SubgroupUse::Everywhere, SubgroupUse::Recorded, SubgroupUse::None][seed as usize % 3];
        let options =
            LaneOptions { subgroup, barriers: seed % 5 == 1, returns: seed % 5 != 1, ..LaneOptions::default() };
        let program = lanes_program(seed, 4 + seed as usize % 60, &options);
        let lowered = lower(&program, Outside::Shader { local_size: 8 });
        let mut module = lowered.module;
        let entry = module.globals().find(|&inst| module.op(inst) == Op::EntryPoint).unwrap();
        let function: Function = module.cast(module.operand(entry, 1)).unwrap();
        let functions: Vec<Function> = module.functions().collect();
        let limit = 1 << 20;
        let limits = reconverge_optimize::InlineLimits { body: limit, module: limit };
        reconverge_optimize::inline_worthwhile(&mut module, &functions, limits);
        let facts = facts(seed % 2 == 0);
        let masked = make_lanes_explicit(&mut module, function, &facts);
        masked.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{program}"));
        check_structure(&module, function, &facts, &format!("seed {seed}"));
    }
}
