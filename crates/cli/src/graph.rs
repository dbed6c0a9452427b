//! `reconverge graph`: structurizes a graph from a file, without instructions.
//!
//! `docs/graph.md` describes the formats.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use reconverge::graph::skeleton;
use reconverge::structurize::DocumentCode;
use reconverge::structurize::json::Document;
use reconverge::structurize::{
    Listing, NamedGraph, Options, Origin, Plan, PlanBlock, SplitGraph, dot, structurize, text,
};
use reconverge::{CompileOptions, Error, Format, Kind, Level, Place};
use reconverge_diagnostic::Code;
use serde_json::json;

use crate::arcs::svg;
use crate::crash::{Trace, contained};
use crate::diagnostics::{Diagnostic, Reporter};
use crate::exit::{Exit, legend};
use crate::graph_page::{self, Texts};
use crate::graph_picture;
use crate::input::Input;
use crate::kinds::{self, kind_of};
use crate::messages::Messages;
use crate::needs::{Flag, Need, require};
use crate::output::Output;
use crate::shorten::{ShownLine, shortened};
use crate::structurizing::Structurizing;
use crate::why::{copied_text, policy_text};
use crate::{findings, output};

const EXAMPLES: &str = "Examples:
  echo 'a condbr b c | b condbr c d | c condbr b d | d ret' | reconverge graph -
  reconverge graph loop.cfg -o loop.svg          # two pictures, for documents
  reconverge graph loop.cfg -o loop.html         # a picture, before and after, with the reasons
  reconverge graph loop.cfg -o loop.spv          # a shader with this control flow
  reconverge graph graph.json -o plan.json       # for compilers in other languages";

const FORMS: &str = "A graph has one block per line: `name ret`, `name unreachable`, `name br A`, `name condbr T F` or `name switch D C1 C2 ...`. # begins a
comment. It may also be JSON (docs/graph.md describes both). The extension of the output determines its form, unless --to is given: .json, .dot,
.html, .svg, .spv, .spvasm, .ir, .cfg, and .txt for the plan as text, which is also the form without an extension.";

/// The most blocks and edges of a picture: it draws all of them, and the time is quadratic in the edges.
const PICTURE_ROWS: usize = 2000;

reconverge_diagnostic::codes! {
    /// Codes of inputs that are no text.
    pub(crate) enum GraphCode in "Graphs" {
        Encoding = "graph-encoding" Rejected
            "The graph is not UTF-8."
            "save the file as UTF-8";
    }
}

/// Structurize a control-flow graph without instructions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{FORMS}\n\n{}", legend()))]
pub(crate) struct Arguments {
    /// Input graph: a file, or - for stdin
    #[arg(value_name = "FILE.cfg")]
    input: PathBuf,
    /// Output file, or - for stdout
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Form of the input; the default is JSON if the input begins with a brace, else lines
    #[arg(long, value_name = "FORM", value_enum)]
    from: Option<InputForm>,
    /// Form of the output; the default depends on the extension
    #[arg(long, value_name = "FORM", value_enum)]
    to: Option<Form>,
    /// Print the added blocks and the reasons on stderr
    #[arg(long)]
    why: bool,
    #[command(flatten)]
    structurizing: Structurizing,
    #[command(flatten)]
    messages: Messages,
}

/// The format of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum InputForm {
    /// One block per line
    Text,
    /// JSON
    Json,
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// The plan as text: one line per block, with reasons and figures
    Plan,
    /// Graph and plan as JSON
    Json,
    /// The plan for Graphviz
    Dot,
    /// A page with the graph before and after, and the reasons, for any browser
    Html,
    /// Two pictures, before and after, for graphs of up to 2,000 blocks and edges
    Svg,
    /// The graph for Graphviz
    GraphDot,
    /// The graph as text
    Text,
    /// The graph as JSON
    GraphJson,
    /// A compute shader with this control flow, as SPIR-V
    Spirv,
    /// The same shader as SPIR-V assembly
    Asm,
    /// The same shader in the text form of the IR
    Ir,
}

impl Form {
    /// Returns whether only the graph is written, as it was read.
    fn is_of_input(self) -> bool {
        matches!(self, Form::GraphDot | Form::Text | Form::GraphJson)
    }

    /// The form for the extension of an output; the plan if there is no extension.
    fn from_path(path: &Path) -> Result<Form, String> {
        let Some(extension) = output::extension(path) else { return Ok(Form::Plan) };
        let found = EXTENSIONS.iter().find(|(names, _)| names.contains(&&*extension)).map(|&(_, form)| form);
        let known = || EXTENSIONS.iter().map(|(names, _)| format!(".{}", names[0])).collect();
        found.ok_or_else(|| output::no_format("form", &extension, known()))
    }
}

/// The form for each extension, with its other spellings behind it.
const EXTENSIONS: [(&[&str], Form); 10] = [
    (&["json"], Form::Json),
    (&["dot"], Form::Dot),
    (&["gv"], Form::Dot),
    (&["html", "htm"], Form::Html),
    (&["svg"], Form::Svg),
    (&["cfg"], Form::Text),
    (&["txt"], Form::Plan),
    (&["spv"], Form::Spirv),
    (&["spvasm"], Form::Asm),
    (&["ir"], Form::Ir),
];

impl Arguments {
    /// The form of the output.
    fn form(&self) -> Result<Form, String> {
        self.to.map_or_else(|| Form::from_path(&self.output), Ok)
    }
}

/// What the flags need, and what they exclude, for a form of the output.
const FLAGS: &[Flag<Arguments, Form>] = &[
    Flag::always(&[NO_BINARY_FOR_A_TERMINAL]),
    Flag::new("--assume", |given| !given.structurizing.assume.is_empty(), &[ABOUT_GRAPHS, PLAN]),
    Flag::new("--policy", |given| given.structurizing.policy.is_some(), &[PLAN]),
    Flag::new("--nesting-limit", |given| given.structurizing.nesting_limit.is_some(), &[PLAN]),
    Flag::new("--block-limit", |given| given.structurizing.block_limit.is_some(), &[PLAN]),
    Flag::new("--split-blocks", |given| given.structurizing.split_blocks.is_some(), &[PLAN]),
    Flag::new("--why", |given| given.why, &[PLAN]),
];

const NO_BINARY_FOR_A_TERMINAL: Need<Arguments, Form> = Need::of(|given, form, _| match form? {
    Form::Spirv => output::binary_for_terminal(&given.output),
    _ => None,
});

const ABOUT_GRAPHS: Need<Arguments, Form> = Need::of(|given, _, _| given.structurizing.unmet_need_of_graph());

const PLAN: Need<Arguments, Form> = Need::of(|_, form, flag| {
    form?.is_of_input().then(|| format!("{flag} is for plans and shaders, but the output is the graph as it was read"))
});

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Exit> {
    let reporter = arguments.messages.reporter("graph");
    let form = arguments.form().map_err(|message| reporter.wrong_usage(message))?;
    require(FLAGS, arguments, Some(&form), reporter)?;
    let mut input = Input::read_as(&arguments.input, Format::TEXT, reporter)?;
    let text = input.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&input.bytes);
    let looks_like_json = text.trim_ascii_start().starts_with(b"{");
    let from = arguments.from.unwrap_or(if looks_like_json { InputForm::Json } else { InputForm::Text });
    input.extension = if from == InputForm::Json { "json" } else { "cfg" };
    contained(&input, Some(&arguments.output), reporter, |trace| {
        Job { arguments, input: &input, from, to: form, reporter, trace }.run()
    })
}

/// The structurizing of one graph.
struct Job<'a> {
    arguments: &'a Arguments,
    input: &'a Input,
    from: InputForm,
    to: Form,
    reporter: Reporter,
    trace: &'a Trace,
}

/// A graph and its plan.
#[derive(Clone, Copy)]
struct Planned<'a> {
    /// The graph as it was read.
    graph: &'a NamedGraph,
    /// The graph that the plan belongs to, with copies of blocks.
    planned: &'a NamedGraph,
    /// The copies, if there are some.
    split: Option<&'a SplitGraph>,
    plan: &'a Plan,
}

impl Job<'_> {
    fn run(&self) -> Result<(), Exit> {
        let graph = match self.read() {
            Ok(graph) => graph,
            Err((exit, diagnostic)) => {
                let kind = kind_of(Path::new(&self.input.name), &self.input.bytes);
                let kind = kind.filter(|kind| ![kinds::GRAPH, kinds::JSON, kinds::TEXT].contains(kind));
                let wrong = kind.map(|kind| findings::of_wrong_kind(kind, self.input));
                let wrong = wrong.map(|wrong| match kind {
                    Some(kinds::FileKind::Module(_)) => findings::of_module_for_a_graph(wrong),
                    _ => wrong,
                });
                self.reporter.report(&[wrong.unwrap_or(*diagnostic)]);
                return Err(exit);
            }
        };
        self.trace.finished("read");
        let options = self.arguments.structurizing.options();
        let split = graph.split(options.split_blocks);
        let planned = split.as_ref().map_or(&graph, |(graph, _)| graph);
        let plan = structurize(planned, &options).map_err(|error| {
            self.reporter.report(&[self.diagnostic(error.code, error.message)]);
            Exit::Limit
        })?;
        self.trace.finished("structurize");
        let split = split.as_ref().map(|(_, split)| split);
        let bytes = self.written(&Planned { graph: &graph, planned, split, plan: &plan }, options)?;
        let output = Output { path: &self.arguments.output, bytes: &bytes };
        output::write_or_report(&[output], self.reporter)?;
        if self.arguments.why {
            self.explain(planned, split, &plan);
        }
        Ok(())
    }

    fn read(&self) -> Result<NamedGraph, (Exit, Box<Diagnostic>)> {
        let text = std::str::from_utf8(&self.input.bytes).map_err(|error| {
            let valid = String::from_utf8_lossy(&self.input.bytes[..error.valid_up_to()]);
            let mut diagnostic = self.diagnostic(GraphCode::Encoding.declared(), "the input is not UTF-8".to_owned());
            diagnostic.place = Some(Place::in_text(&valid, valid.len()));
            (Exit::Rejected, Box::new(diagnostic))
        })?;
        match self.from {
            InputForm::Text => text::parse(text).map_err(|error| {
                let (exit, place) = (error.kind().into(), error.place);
                (exit, Box::new(Job::placed(self.diagnostic(error.code, error.message), place, text)))
            }),
            InputForm::Json => self.read_json(text),
        }
    }

    fn read_json(&self, text: &str) -> Result<NamedGraph, (Exit, Box<Diagnostic>)> {
        let refused = |error: reconverge_diagnostic::Diagnostic| {
            let (exit, place) = (error.kind().into(), error.place);
            let diagnostic = self.diagnostic(error.code, error.message);
            (exit, Box::new(Job::placed(diagnostic, place, text)))
        };
        let document = Document::from_json(text).map_err(refused)?;
        document.graph.ok_or_else(|| {
            let message = "the document has no \"graph\"".to_owned();
            (Exit::Rejected, Box::new(self.diagnostic(DocumentCode::Syntax.declared(), message)))
        })
    }

    fn diagnostic(&self, code: impl Into<&'static Code>, message: String) -> Diagnostic {
        Diagnostic { code: code.into(), message, file: Some(self.input.name.clone()), ..Diagnostic::default() }
    }

    /// The diagnostic at a place of the input.
    fn placed(diagnostic: Diagnostic, place: Place, text: &str) -> Diagnostic {
        Diagnostic { place: place.known(), line: ShownLine::at(place, text), ..diagnostic }
    }

    /// The output; an error of writing is reported.
    fn written(&self, whole: &Planned<'_>, options: Options) -> Result<Vec<u8>, Exit> {
        let Planned { graph, planned, plan, .. } = *whole;
        let text = match self.to {
            Form::Plan => plan_text(planned, plan),
            Form::Json => Document { graph: Some(planned.clone()), plan: Some(plan.clone()) }.to_json(),
            Form::Dot => dot::plan(plan, planned),
            Form::Html => self.page(whole, options)?,
            Form::Svg => self.pictures(whole)?,
            Form::GraphDot => dot::graph(graph),
            Form::Text => graph.to_string(),
            Form::GraphJson => Document { graph: Some(graph.clone()), plan: None }.to_json(),
            Form::Ir => return self.module(graph, options, Format::TEXT),
            Form::Spirv => return self.module(graph, options, Format::SPIRV),
            Form::Asm => {
                let bytes = self.module(graph, options, Format::SPIRV)?;
                reconverge_spirv::disassemble(&bytes).map_err(|message| {
                    self.trace.failed(&message);
                    Exit::Internal
                })?
            }
        };
        Ok(text.into_bytes())
    }

    fn page(&self, whole: &Planned<'_>, options: Options) -> Result<String, Exit> {
        let Planned { graph, planned, split, plan } = *whole;
        let listing = Listing::new(plan, planned);
        let copies = split.iter().flat_map(|split| split.explain()).map(|line| listing.in_names(&line)).collect();
        let texts = Texts { plan: plan_text(planned, plan), copies, trace: self.trace };
        let options = CompileOptions::new().structurize(options).level(Level::None);
        self.trace.finished("plan as text");
        let page = graph_page::page(graph, self.input, &options, texts).map_err(|error| self.refuse(&error))?;
        self.trace.finished("page");
        Ok(page)
    }

    fn pictures(&self, whole: &Planned<'_>) -> Result<String, Exit> {
        let Planned { graph, planned, plan, .. } = *whole;
        let rows = graph_picture::count_rows(graph, plan);
        if rows > PICTURE_ROWS {
            return Err(self.reporter.wrong_usage(format!(
                "a picture shows up to {PICTURE_ROWS} blocks and edges, and this one would have {rows}: write .html, which any browser shows"
            )));
        }
        Ok(svg(&graph_picture::pictures(graph, planned, plan)))
    }

    fn module(&self, graph: &NamedGraph, options: Options, format: Format) -> Result<Vec<u8>, Exit> {
        let options = CompileOptions::new().structurize(options).level(Level::None);
        let module = skeleton(graph, &options).map_err(|error| self.refuse(&error))?;
        self.trace.finished("skeleton");
        reconverge::write(&module, format).map_err(|error| self.refuse(&error))
    }

    fn refuse(&self, error: &Error) -> Exit {
        let mut diagnostics = findings::of_error(error, self.input, None);
        diagnostics.iter_mut().for_each(|diagnostic| diagnostic.line = None);
        self.reporter.report(&diagnostics);
        if error.kind() == Kind::Internal {
            self.trace.failed(&error.message());
        }
        Exit::from(error.kind())
    }

    /// Prints what was added and why, and the figures, on stderr.
    fn explain(&self, graph: &NamedGraph, split: Option<&SplitGraph>, plan: &Plan) {
        let listing = Listing::new(plan, graph);
        for line in split.iter().flat_map(|split| split.explain()) {
            let message = listing.in_names(&line);
            self.reporter.note(
                &message,
                &json!({ "kind": "why", "function": null, "block": null, "reason": "copied", "message": message }),
            );
        }
        for (index, block) in plan.blocks.iter().enumerate() {
            let Some((reason, message)) = plan.reason(PlanBlock::new(index)) else { continue };
            let (name, message) = (listing.name(PlanBlock::new(index)), listing.in_names(&message));
            let message = shortened(&message);
            let told = if let Origin::Added(_) = block.origin { format!("added {name}: ") } else { String::new() };
            self.reporter.note(
                &format!("{told}{message}"),
                &json!({ "kind": "why", "function": null, "block": name, "reason": reason, "message": message }),
            );
        }
        for assumption in &plan.assumptions {
            let message = listing.in_names(&assumption.to_string());
            self.reporter.note(
                &format!("assumed: {message}"),
                &json!({ "kind": "why", "function": null, "block": null, "reason": "assumption", "message": message }),
            );
        }
        let statistics = plan.statistics();
        let fallback = plan.fell_back.map(|fallback| fallback.to_string());
        let fell_back = fallback.as_ref().map_or_else(String::new, |fallback| format!("; {fallback}"));
        self.reporter.note(
            &format!("{statistics}{}{}{fell_back}", copied_text(split), policy_text(self.arguments.structurizing.policy())),
            &json!({
                "kind": "summary", "function": null, "blocks_in": statistics.input_blocks, "blocks_out": statistics.plan_blocks,
                "added": statistics.added, "selectors": statistics.selectors, "nesting": statistics.nesting_depth,
                "policy": self.arguments.structurizing.policy().name(), "fallback": fallback,
            }),
        );
    }
}

/// The plan as text: the blocks, then why some were added, then the figures.
fn plan_text(graph: &NamedGraph, plan: &Plan) -> String {
    let listing = Listing::new(plan, graph);
    let mut text = listing.to_string();
    let reasons = listing.explain();
    if !reasons.is_empty() {
        text.push('\n');
    }
    for reason in reasons {
        text += &reason;
        text.push('\n');
    }
    text + &format!("\n{}\n", plan.statistics())
}
