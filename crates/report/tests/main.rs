//! Tests of the report.

mod browser;
mod lanes;
mod names;
mod pictures;
mod records;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_report::{BODY, Change, CodePart, InputFile, Note, NoteKind, Recorder, Report};

/// Modules of this project, each with its pipeline.
const MODULES: [&str; 10] = [
    "tests/kernels/barrier_break.spv",
    "tests/kernels/bit_fields.spv",
    "tests/kernels/bool_arrays.spv",
    "tests/kernels/atomics_local.O0.spv",
    "tests/kernels/fused_multiply.spv",
    "tests/kernels/vector_widths.spv",
    "tests/kernels/async_loads.O0.spv",
    "tests/kernels/as_types.spv",
    "tests/kernels/align_mask.O0.spv",
    "examples/gotos.spv",
];

/// The report about a module of this project.
fn report_of(path: &str) -> Report {
    let file = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let module = reconverge::read(&bytes, Format::SPIRV).expect("the modules of this project are valid");
    let mut report = recorded(module, &optimized());
    report.input = InputFile::new(path, &bytes);
    report
}

/// Options of a compilation with all optimizations.
fn optimized() -> CompileOptions {
    CompileOptions::new().level(Level::Speed)
}

/// The report about the pipeline over a module.
fn recorded(mut module: reconverge::ir::Module, options: &CompileOptions) -> Report {
    recorder_of(&mut module, options).finish()
}

/// A recorder of the pipeline over a module.
fn recorder_of(module: &mut reconverge::ir::Module, options: &CompileOptions) -> Recorder {
    let mut recorder = Recorder::new(module);
    let observe = &mut |step: &reconverge::Step, module: &reconverge::ir::Module| {
        let change = if step.functions_changed > 0 { Change::Some } else { Change::Nothing };
        recorder.record(step.pass, step.optimization, change, module);
    };
    reconverge::run(module, options, observe).expect("the modules compile");
    recorder
}

/// A function of so many blocks: loops and selections in turn.
fn long_module(blocks: usize) -> reconverge::ir::Module {
    use std::fmt::Write as _;
    let mut text = "capability Shader\nmemory_model Logical, GLSL450\n%void = type_void\n%bool = type_bool\n%u32 = type_int 32, 0\n\
                    %one: %u32 = constant 1\nentry_point GLCompute, %main, \"main\"\nexecution_mode %main, LocalSize 1, 1, 1\n\
                    %pointer = type_pointer Private, %u32\n%x: %pointer = variable Private\nfunc %main: %void () stage graph {\nblock ^b0:\n  branch ^b1\n"
        .to_owned();
    for block in (1..blocks).step_by(4) {
        let [head, then, join, next] = [0, 1, 2, 3].map(|offset| block + offset);
        let back = if block % 3 == 0 { head } else { next };
        write!(
            text,
            "block ^b{head}:\n  %v{head}: %u32 = load %x\n  %c{head}: %bool = u_less_than %v{head}, %one\n  branch_if %c{head} ^b{then} ^e{join}\n\
             block ^b{then}:\n  store %x, %v{head}\n  branch ^b{join}\nedge ^e{join}:\n  branch ^b{join}\n\
             block ^b{join}:\n  %d{join}: %bool = i_equal %v{head}, %one\n  branch_if %d{join} ^f{join} ^g{join}\nedge ^f{join}:\n  branch ^b{back}\n\
             edge ^g{join}:\n  branch ^b{next}\nblock ^b{next}:\n  branch ^b{}\n",
            next + 1
        )
        .expect("a string takes everything");
    }
    let last = (1..blocks).step_by(4).next_back().unwrap_or(1) + 4;
    write!(text, "block ^b{last}:\n  return\n}}\n").expect("a string takes everything");
    reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The report about a module, and about machine code that was made of two of its blocks.
fn code_report() -> Report {
    let mut module = long_module(9);
    let options = CompileOptions::new().level(Level::None);
    let mut recorder = recorder_of(&mut module, &options);
    let function = module.functions().next().expect("there is a function");
    let mut blocks = module.blocks(function);
    let [first, second] = [(); 2].map(|()| blocks.next());
    let part = |block, role, lines: &[&'static str]| CodePart { block, role, lines: lines.to_vec() };
    let parts = [
        part(None, "prologue", &["push"]),
        part(first, BODY, &["add"]),
        part(second, BODY, &["mul", "jump"]),
        part(None, "epilogue", &["ret"]),
    ];
    recorder.record_code(&module, function, &parts);
    recorder.finish()
}

/// The page of a graph: an irreducible cycle with a way out of its middle.
fn graph_report() -> Report {
    graph_report_of("a condbr b c\nb condbr c d\nc condbr b e\nd switch b e f\ne br f\nf ret\n")
}

/// The page of a graph in its text form.
fn graph_report_of(text: &str) -> Report {
    let graph = reconverge::structurize::text::parse(text).expect("the graph is valid");
    let (mut recorder, options) = (None, CompileOptions::new().level(Level::None));
    let observe = &mut |module: &reconverge::ir::Module| recorder = Some(Recorder::of_graph(module));
    let skeleton = reconverge::graph::skeleton_observed(&graph, &options, observe).expect("every graph has a plan");
    let mut recorder = recorder.expect("the shader is observed");
    recorder.record("structurize", None, Change::Some, &skeleton.module);
    let report = &skeleton.structurized.report;
    let printer = reconverge::ir::text::Printer::by_handle(&skeleton.module);
    let reasons = report.blocks.iter().enumerate().filter_map(|(index, &block)| {
        let (code, text) = report.plan.reason(reconverge::structurize::PlanBlock::new(index))?;
        let name = printer.operand_text(block.into());
        let [function, code, value] = ["%main", code, ""].map(str::to_owned);
        Some(Note { kind: NoteKind::Why, function, block: name, value, code, text })
    });
    recorder.report().passes[1].notes = reasons.collect();
    recorder.finish()
}
