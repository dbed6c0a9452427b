//! `reconverge demo`: compiles and runs one kernel, with nothing to install and no file to write.
//!
//! The kernel is `examples/search.cl`, compiled by clang: a loop with two entries.

use reconverge::ir::text::Printer;
use reconverge::ir::{Function, Module, Op};
use reconverge::opencl::Reflection;
use reconverge::structurize::{Branch, InputBlock, Listing, NamedGraph};
use reconverge::{CompileOptions, Format, Level, Run};
use reconverge_run::{InterpreterOptions, Launch, interpret, interpret_compiled};

use crate::exit::Exit;
use crate::output;

const SOURCE: &str = include_str!("../../../examples/search.cl");
const MODULE: &[u8] = include_bytes!("../../../examples/search.spv");
const LAUNCH: &str = include_str!("../../../examples/search.json");

/// The pass before the structurizer.
const LAST_BEFORE: &str = "remove_unreachable";

const NEXT: &str = "\
Next:
  reconverge compile examples/search.spv -o search.vulkan.spv --reflection search.json
  reconverge run examples/search.spv --launch examples/search.json
  reconverge help
";

/// Compile and run an example kernel, and show each step
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

/// Runs the command.
pub(crate) fn run(_: &Arguments) -> Result<(), Exit> {
    output::print(&demonstrate().unwrap_or_else(|error| format!("the example does not run: {error}\n")))
}

fn demonstrate() -> Result<String, String> {
    let launch = Launch::from_json(LAUNCH).map_err(|error| error.to_string())?;
    let origin = reconverge::read(MODULE, Format::SPIRV).map_err(|error| error.to_string())?;
    let mut module = origin.clone();
    let mut graph = None;
    let run = reconverge::run(&mut module, &CompileOptions::new().level(Level::None), &mut |step, module| {
        if step.pass == LAST_BEFORE {
            graph = module.functions().next().map(|function| graph_of(module, function));
        }
    });
    let run = run.map_err(|error| error.to_string())?;
    let (graph, reflection) = graph.zip(run.reflection.as_ref()).ok_or("the pipeline has no structurizer")?;
    let spirv = reconverge::write(&module, Format::SPIRV).map_err(|error| error.to_string())?;
    Ok([
        section("The kernel: examples/search.cl", &numbered(SOURCE)),
        section(
            "Its control flow in clang's output: the loop has two entries, so it is irreducible",
            &graph.to_string(),
        ),
        plan(&run, &graph),
        results(&origin, &module, reflection, &launch)?,
        format!("The shader for Vulkan 1.2 has {} bytes of SPIR-V.\n\n", spirv.len()),
        NEXT.to_owned(),
    ]
    .concat())
}

/// The structurizer's plan: the blocks, and why some were added.
fn plan(run: &Run, graph: &NamedGraph) -> String {
    let Some(structurized) = run.structurized.first() else { return String::new() };
    let listing = Listing::new(&structurized.report.plan, graph);
    let blocks = section("The structured control flow that replaces it (# are added blocks)", &listing.to_string());
    blocks + &section("What was added, and why", &(listing.explain().join("\n") + "\n"))
}

/// The outputs of the kernel before compilation and after it.
fn results(origin: &Module, compiled: &Module, reflection: &Reflection, launch: &Launch) -> Result<String, String> {
    let options = InterpreterOptions::default();
    let before = interpret(origin, launch, options).map_err(|error| error.to_string())?;
    let after = interpret_compiled(compiled, reflection, launch, options).map_err(|error| error.to_string())?;
    let mut text = String::new();
    for (name, run) in [("as clang wrote it", before), ("compiled for Vulkan", after)] {
        if let Some(failure) = run.failure {
            return Err(failure.to_string());
        }
        for output in launch.outputs() {
            let element = output.buffer.element;
            let elements = run.buffers[output.index].chunks(element.size()).map(|bytes| element.text(bytes));
            text += &format!("{name}: {output} = {}\n", elements.collect::<Vec<_>>().join(" "));
        }
    }
    Ok(section("A run of 8 work-items on the interpreter, before and after", &text))
}

/// The control flow of a function, with the names of its blocks.
fn graph_of(module: &Module, function: Function) -> NamedGraph {
    let printer = Printer::new(module);
    let blocks: Vec<_> = module.blocks(function).filter(|&block| !module.is_bare_edge(block)).collect();
    let number = |wanted| blocks.iter().position(|&block| block == wanted).map(InputBlock::new);
    let mut graph = NamedGraph::default();
    for &block in &blocks {
        let behind_edges = module.successors(block).filter_map(|next| match module.is_bare_edge(next) {
            true => module.successors(next).next(),
            false => Some(next),
        });
        let successors: Vec<InputBlock> = behind_edges.filter_map(number).collect();
        let branch = match module.terminator(block).map(|end| module.op(end)) {
            Some(Op::Branch) => Branch::Jump,
            Some(Op::BranchIf) => Branch::Conditional,
            Some(Op::Switch) => Branch::Switch,
            Some(Op::Unreachable) => Branch::Unreachable,
            _ => Branch::Exit,
        };
        let name = printer.operand_text(block.into());
        graph.add_block(name.trim_start_matches('^'), branch, &successors);
    }
    graph
}

fn section(title: &str, text: &str) -> String {
    let set_in: String = text.lines().map(|line| format!("  {line}\n")).collect();
    format!("{title}\n\n{set_in}\n")
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(index, line)| format!("{:>2}  {line}\n", index + 1)).collect()
}
