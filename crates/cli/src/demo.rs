//! `reconverge demo`: compiles and runs one kernel, shows each step, and writes the report.
//!
//! The kernel is `examples/search.cl`, compiled by clang: a loop with two entries. The pictures have the words of its source ([`CAPTIONS`]).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reconverge::ir::text::Printer;
use reconverge::ir::{Function, Module, Op};
use reconverge::opencl::{KernelOptions, Pointers};
use reconverge::structurize::{Branch, InputBlock, NamedGraph, Plan};
use reconverge::{CompileOptions, Format, Run, Step};
use reconverge_report::Report;
use reconverge_run::{CpuKernel, CpuOptions, InterpreterOptions, Launch, cpu, interpret, interpret_compiled};

use crate::arcs::{self, Drawing, Picture, When, Words, svg};
use crate::exit::Exit;
use crate::input::Input;
use crate::lanes::GivenLaunch;
use crate::messages::Color;
use crate::output;
use crate::output_format::OutputFormat;
use crate::recording::{Ended, Recording, in_format_of};

const SOURCE: &str = include_str!("../../../examples/search.cl");
const MODULE: &[u8] = include_bytes!("../../../examples/search.spv");
const LAUNCH: &str = include_str!("../../../examples/search.json");
const NAME: &str = "examples/search.spv";

/// The pass before the structurizer.
const LAST_BEFORE: &str = "remove_unreachable";

/// A block in the words of the source.
struct Caption {
    /// The name in the module.
    block: &'static str,
    /// The label in the source.
    name: &'static str,
    /// What it does.
    does: &'static str,
    /// When each successor is next.
    ways: &'static [&'static str],
}

const CAPTIONS: [Caption; 4] = [
    Caption { block: "entry", name: "start", does: "i = item", ways: &["if item is even", "if item is odd"] },
    Caption { block: "test.i", name: "test", does: "data[i] == key?", ways: &["if yes", "if no"] },
    Caption { block: "step.i", name: "step", does: "i = i + 1; i < count?", ways: &["if yes", "if no"] },
    Caption { block: "__clang_ocl_kern_imp_search.exit", name: "done", does: "answer[item] = result", ways: &[] },
];

/// The name of the added block.
const ADDED: &str = "loop";

const NEXT: &str = "\
Next, in a clone of the project:
  reconverge compile examples/search.spv -o search.spv --reflection search.json   # a shader for Vulkan
  reconverge run examples/search.spv --launch examples/search.json                # runs it on this CPU
  reconverge report YOURS.spv -o report.html                                      # your own module
  reconverge help
";

/// Compile and run an example kernel, show each step, and write its report
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The report; with .json the same as data, with .svg the pictures before and after
    #[arg(short, long, value_name = "FILE.html", default_value = "reconverge-demo.html")]
    output: PathBuf,
    /// Open the report in the browser
    #[arg(long)]
    open: bool,
    /// When the output has colors
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    color: Color,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let path = &arguments.output;
    let Demonstration { text, pictures, report } = demonstrate().map_err(|error| {
        eprintln!("error: the example does not run: {error}");
        Exit::Internal
    })?;
    let is_picture = output::extension(path).is_some_and(|extension| extension == "svg");
    let report = if is_picture { svg(&pictures) } else { in_format_of(&report, path) };
    let written = output::write(path, report.as_bytes());
    if output::is_stdout(path) {
        return written.map_err(|_| Exit::Io);
    }
    let shows = if is_picture { "has both pictures" } else { "shows what each pass did, and plays the work-items" };
    let page = match &written {
        Err(error) => format!("The report was not written to {}: {error}.", path.display()),
        Ok(()) if arguments.open => format!("{} {shows}.", path.display()),
        Ok(()) => format!("{} {shows} (--open opens it).", path.display()),
    };
    let text = format!("{text}{}{NEXT}", section("The report", &page));
    output::print(&if arguments.color.is_on_for_output() { text } else { plain(&text) })?;
    written.map_err(|_| Exit::Io)?;
    if arguments.open
        && let Err(error) = open(path)
    {
        eprintln!("note: {error}: open {} by hand", path.display());
    }
    Ok(())
}

/// What the command shows.
struct Demonstration {
    text: String,
    pictures: [Picture; 2],
    report: Report,
}

fn demonstrate() -> Result<Demonstration, String> {
    let launch = Launch::from_json(LAUNCH).map_err(|error| error.to_string())?;
    let origin = reconverge::read(MODULE, Format::SPIRV).map_err(|error| error.to_string())?;
    let input = Input::new(NAME.to_owned(), MODULE.to_vec(), Format::SPIRV);
    let mut recording = Recording::start(&origin, &input);
    let mut graph = None;
    let Compiled { module, run } = Compiled::new(&origin, KernelOptions::default(), &mut |step, module| {
        recording.step(step, module);
        if step.pass == LAST_BEFORE {
            graph = module.functions().next().map(|function| graph_of(module, function));
        }
    })?;
    let (graph, structurized) = graph.zip(run.structurized.first()).ok_or("the pipeline has no structurizer")?;
    let pictures = pictures(&graph, &structurized.report.plan);
    let text = [
        section("An OpenCL kernel with gotos (examples/search.cl)", &numbered(SOURCE)),
        section(&pictures[0].title, &drawn(&pictures[0])),
        section(&pictures[1].title, &drawn(&pictures[1])),
        section(
            "Why a block was added",
            "Shaders have only structured loops, and these have one entry. So both entries lead\nto the added block, and the variable `next` says which of them is meant.",
        ),
        section(
            "The result as text (WGSL; SPIR-V, GLSL, HLSL, MSL, machine code are others)",
            &function_text(&origin)?,
        ),
        section("Eight work-items, before and after", &results(&origin, &launch)?),
    ];
    let given = GivenLaunch { launch, file: "examples/search.json".to_owned() };
    let format = OutputFormat::of_module(Format::SPIRV);
    let report =
        recording.finish(&Ended { ran: Ok(&run), module: &module, code: Ok(None), launch: Some(&given), format });
    Ok(Demonstration { text: text.concat(), pictures, report })
}

/// The compiled kernel.
struct Compiled {
    module: Module,
    run: Run,
}

impl Compiled {
    fn new(
        origin: &Module,
        kernel: KernelOptions,
        observe: &mut dyn FnMut(&Step, &Module),
    ) -> Result<Compiled, String> {
        let mut module = origin.clone();
        let options = CompileOptions::new().kernel(kernel);
        let run = reconverge::run(&mut module, &options, observe).map_err(|error| error.to_string())?;
        Ok(Compiled { module, run })
    }
}

/// The kernel in a shading language, from the head of its function on.
fn function_text(origin: &Module) -> Result<String, String> {
    let options = KernelOptions::new().pointers(Pointers::Bindings);
    let Compiled { module, .. } = Compiled::new(origin, options, &mut |_, _| {})?;
    let text = reconverge::write(&module, Format::WGSL).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let start = text.find("fn search").unwrap_or(0);
    Ok(text[start..].to_owned())
}

/// The outputs of the kernel as clang wrote it, and of the code that it becomes.
fn results(origin: &Module, launch: &Launch) -> Result<String, String> {
    let before = interpret(origin, launch, InterpreterOptions::default()).map_err(|error| error.to_string())?;
    if let Some(failure) = before.failure {
        return Err(failure.to_string());
    }
    let mut text = outputs("before, on the interpreter", launch, &before.buffers);
    let Compiled { module, run } = Compiled::new(origin, cpu::kernel_options(), &mut |_, _| {})?;
    let reflection = run.reflection.as_ref().ok_or("the module has no kernel")?;
    let options = CpuOptions::default();
    let after = CpuKernel::compile(&module, reflection, launch, options)
        .and_then(|kernel| kernel.launch(reflection, launch, options.threads));
    match after {
        Ok(ran) => text += &outputs("after, as machine code of this CPU", launch, &ran.buffers),
        // Machine code is that of x86-64 alone.
        Err(error) => {
            text += &format!("{error}\n");
            let ran = interpret_compiled(&module, reflection, launch, InterpreterOptions::default());
            let ran = ran.map_err(|error| error.to_string())?;
            text += &outputs("after, on the interpreter", launch, &ran.buffers);
        }
    }
    Ok(text)
}

fn outputs(title: &str, launch: &Launch, buffers: &[Vec<u8>]) -> String {
    let mut text = String::new();
    for output in launch.outputs() {
        let element = output.buffer.element;
        let elements = buffers[output.index].chunks(element.size()).map(|bytes| element.text(bytes));
        text += &format!("{title:<35}: {output} = {}\n", elements.collect::<Vec<_>>().join(" "));
    }
    text
}

/// The words of the source for a graph of the kernel.
fn captions(graph: &NamedGraph, block: InputBlock) -> &'static Caption {
    let name = graph.name(block);
    CAPTIONS.iter().find(|caption| caption.block == name).expect("invariant: each block of the kernel has a caption")
}

/// The pictures before and after.
fn pictures(graph: &NamedGraph, plan: &Plan) -> [Picture; 2] {
    let words = Words {
        name: &|block| captions(graph, block).name.to_owned(),
        does: &|block| captions(graph, block).does.to_owned(),
        way: &|block, way| When::Words(captions(graph, block).ways[way].to_owned()),
        added: &|_| ADDED.to_owned(),
        why: &|_| "the only entry of the loop".to_owned(),
    };
    let drawing = Drawing { graph, words };
    [
        Picture { title: "Before: the loop is entered at `test` and at `step`".to_owned(), rows: drawing.before() },
        Picture { title: "After: a loop with one entry, as shaders need it".to_owned(), rows: drawing.after(plan) },
    ]
}

/// A picture as text. The rows of added blocks are green.
fn drawn(Picture { rows, .. }: &Picture) -> String {
    let lines = arcs::draw(rows).into_iter().zip(rows);
    let lines = lines.map(|(line, row)| if row.is_added { format!("{GREEN}{line}{PLAIN}") } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

/// The control flow of a function, with the names of its blocks.
fn graph_of(module: &Module, function: Function) -> NamedGraph {
    let printer = Printer::new(module);
    let blocks: Vec<_> = module.blocks(function).filter(|&block| !module.is_bare_edge(block)).collect();
    let number = |wanted| blocks.iter().position(|&block| block == wanted).map(InputBlock::new);
    let mut graph = NamedGraph::default();
    for &block in &blocks {
        let after_edges = module.successors(block).filter_map(|next| match module.is_bare_edge(next) {
            true => module.successors(next).next(),
            false => Some(next),
        });
        let successors: Vec<InputBlock> = after_edges.filter_map(number).collect();
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

/// Opens a file with the program that the system has for it.
fn open(path: &Path) -> Result<(), String> {
    let words: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["cmd", "/C", "start", ""],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{} does not open it", words[0])),
    }
}

const BOLD: &str = "\x1b[1m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

/// A text without colors.
fn plain(text: &str) -> String {
    [BOLD, GREEN, PLAIN].iter().fold(text.to_owned(), |text, color| text.replace(color, ""))
}

fn section(title: &str, text: &str) -> String {
    let set_in: String = text.lines().map(|line| format!("  {line}\n")).collect();
    format!("{BOLD}{title}{PLAIN}\n\n{set_in}\n")
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(index, line)| format!("{:>2}  {line}\n", index + 1)).collect()
}
