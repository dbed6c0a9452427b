//! Makes a report from a module after each pass.
//!
//! A line, a block, a function and the module-level lines are each stored once: a pass adds what it changed. A pass that changed nothing
//! costs constant time; another costs the printing of the module, and the pictures of the functions that are new.

use reconverge_analysis::uniformity::{ModuleUniformity, Scope};
use reconverge_control_tree::{ConstructKind, ControlTree, Jump, Node, Owner};
use reconverge_ir::text::Printer;
use reconverge_ir::{Block, Function, Inst, Module, Op, Stage};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use crate::layout;
use crate::names::Names;
use crate::report::{BlockCode, BlockVersion, Edge, FunctionVersion, Pass, Report, Role, SCHEMA, Shape};

/// The state after the last pass: machine code.
pub const MACHINE_CODE: &str = "machine code";

/// Whether a pass changed the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It did not.
    Nothing,
    /// It may have.
    Some,
}

/// Records a module after each pass.
///
/// ```
/// use reconverge_report::{Change, Recorder};
///
/// let module = reconverge_ir::text::parse("capability Shader\nmemory_model Logical, GLSL450\n")?;
/// let mut recorder = Recorder::new(&module);
/// recorder.record("dce", Some(1), Change::Nothing, &module);
/// let report = recorder.finish();
/// assert_eq!(report.passes.len(), 2);
/// assert!(report.page().starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Recorder {
    report: Report,
    lines: Once<String>,
    blocks: Once<BlockVersion>,
    functions: Once<FunctionVersion>,
    globals: Once<Vec<u32>>,
    /// True if blocks are shown without their instructions, except the terminator.
    is_bare: bool,
    /// By the head of a function, its blocks and their sizes: its picture.
    pictures: FxHashMap<(u32, Vec<u32>, Vec<Shape>), u32>,
    /// The texts for numbers in the last state.
    names: Names,
}

/// The places of values that are stored once. The values are in another list alone: copies of them would cost as much as the rest of a large
/// report.
#[derive(Debug)]
struct Once<T> {
    /// By hash: the last place of a value with it.
    last: FxHashMap<u64, u32>,
    /// By place: the place before it of a value with the same hash.
    before: Vec<Option<u32>>,
    values: PhantomData<T>,
}

impl<T> Default for Once<T> {
    fn default() -> Once<T> {
        Once { last: FxHashMap::default(), before: Vec::new(), values: PhantomData }
    }
}

impl<T: Eq + Hash> Once<T> {
    /// The place of the value, which is added if it is new.
    fn place(&mut self, value: T, stored: &mut Vec<T>) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        let mut known = self.last.get(&hash).copied();
        while let Some(place) = known {
            if stored[place as usize] == value {
                return place;
            }
            known = self.before[place as usize];
        }
        let place = stored.len() as u32;
        stored.push(value);
        self.before.push(self.last.insert(hash, place));
        place
    }
}

/// A part of the machine code of a function.
#[derive(Clone, Debug)]
pub struct CodePart<'a> {
    /// The block that it was made of; none for what belongs to the function as a whole.
    pub block: Option<Block>,
    /// Its purpose for the block, in a word: [`BODY`](crate::BODY) for the instructions of the block.
    pub role: &'a str,
    /// The lines of the assembly.
    pub lines: Vec<&'a str>,
}

/// A module that is recorded.
struct Source<'m> {
    module: &'m Module,
    printer: Printer<'m>,
    names: Names,
    uniformity: Option<ModuleUniformity>,
    /// The machine code, by the blocks that it was made of.
    code: FxHashMap<Block, Vec<&'m CodePart<'m>>>,
}

impl<'m> Source<'m> {
    fn new(module: &'m Module) -> Source<'m> {
        let is_concrete = module.generic_use().is_none();
        let uniformity = is_concrete.then(|| ModuleUniformity::compute(module, Scope::Subgroup));
        let printer = Printer::by_handle(module);
        let names = Names::of(module, &printer);
        Source { module, printer, names, uniformity, code: FxHashMap::default() }
    }
}

impl Recorder {
    /// Starts with a module as it was read.
    pub fn new(input: &Module) -> Recorder {
        Recorder::default().start(input)
    }

    /// Starts with a module that represents a graph: of each block only its head and its terminator are shown, and no lanes are run.
    pub fn of_graph(graph: &Module) -> Recorder {
        let mut recorder = Recorder { is_bare: true, ..Recorder::default() }.start(graph);
        recorder.report.is_graph = true;
        recorder.report.lanes.absent = "A graph has no conditions to run.".to_owned();
        recorder
    }

    fn start(self, input: &Module) -> Recorder {
        let mut recorder = self;
        recorder.report.schema = SCHEMA;
        recorder.record("input", None, Change::Some, input);
        recorder
    }

    /// Adds the module after a pass.
    pub fn record(&mut self, name: &str, optimization: Option<usize>, change: Change, module: &Module) {
        let before = self.report.passes.last().filter(|_| change == Change::Nothing);
        let mut pass = match before {
            Some(before) => Pass { notes: Vec::new(), names: BTreeMap::new(), is_failed: false, ..before.clone() },
            None => {
                let functions = module.functions().filter(|&function| module.entry(function).is_some());
                self.module(&Source::new(module), functions)
            }
        };
        let before = self.report.passes.last();
        // What a pass changed and then was as before is no change.
        let is_same =
            before.is_some_and(|before| (&before.functions, before.globals) == (&pass.functions, pass.globals));
        (pass.name, pass.optimization, pass.is_changed) = (name.to_owned(), optimization, !is_same);
        self.report.passes.push(pass);
    }

    /// Adds the machine code of a function of a module, which a pass left: each block has the code that was made of it. Code that belongs to no
    /// block is that of the entry.
    pub fn record_code(&mut self, module: &Module, function: Function, parts: &[CodePart<'_>]) {
        let mut source = Source::new(module);
        for part in parts {
            let block = part.block.or_else(|| module.entry(function));
            source.code.entry(block.expect("invariant: a function with code has blocks")).or_default().push(part);
        }
        let mut pass = self.module(&source, std::iter::once(function));
        pass.instructions = parts.iter().map(|part| part.lines.len()).sum();
        (pass.name, pass.is_changed) = (MACHINE_CODE.to_owned(), true);
        self.report.passes.push(pass);
    }

    /// The report so far, to which notes can be added.
    pub fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    /// The report.
    pub fn finish(self) -> Report {
        self.report
    }

    fn line(&mut self, line: String) -> u32 {
        self.lines.place(line, &mut self.report.lines)
    }

    fn module(&mut self, source: &Source<'_>, functions: impl Iterator<Item = Function>) -> Pass {
        let module = source.module;
        let mut globals = Vec::new();
        for global in module.ordered_globals() {
            globals.push(self.line(source.printer.line(global)));
        }
        let globals = self.globals.place(globals, &mut self.report.globals);
        let names = source.names.since(&self.names);
        self.names = source.names.clone();
        let mut pass = Pass { globals, names, ..Pass::default() };
        for function in functions {
            let place = self.function(source, function);
            pass.blocks += module.blocks(function).filter(|&block| !module.is_bare_edge(block)).count();
            pass.instructions += module.blocks(function).map(|block| module.children(block).count()).sum::<usize>();
            pass.functions.push(place);
        }
        pass
    }

    fn function(&mut self, source: &Source<'_>, function: Function) -> u32 {
        let Source { module, printer, uniformity, names, .. } = source;
        let head = self.line(printer.line(function.into()));
        let is_structured = module.stage(function) == Stage::Structured;
        let tree = is_structured.then(|| ControlTree::compute(module, function).ok()).flatten();
        let uniformity = uniformity.as_ref().and_then(|uniformity| uniformity.function(function));
        let depths = loop_depths(tree.as_ref());
        let mut blocks = Vec::new();
        for block in module.blocks(function) {
            let mut version = self.block(source, block);
            version.loop_depth = depths.get(&block).copied().unwrap_or(0);
            version.roles = roles(module, function, block, tree.as_ref());
            version.is_converged = uniformity.is_none_or(|facts| facts.is_converged(block));
            version.is_uniform = uniformity.is_none_or(|facts| facts.is_uniform_branch(block));
            blocks.push(self.blocks.place(version, &mut self.report.blocks));
        }
        let versions = blocks.iter().map(|&block| &self.report.blocks[block as usize]).collect::<Vec<_>>();
        let sizes = versions.iter().map(|version| layout::size(version, &self.report.lines, names)).collect();
        let key = (head, blocks.clone(), sizes);
        if let Some(&place) = self.pictures.get(&key) {
            return place;
        }
        let name = printer.operand_text(function.into());
        let mut version = layout::draw(module, function, tree.as_ref(), &versions, &key.2);
        for (node, &block) in version.nodes.iter_mut().zip(&key.1) {
            node.block = block;
        }
        (version.name, version.head, version.stage) = (name, head, module.stage(function).to_string());
        let place = self.functions.place(version, &mut self.report.functions);
        self.pictures.insert(key, place);
        place
    }

    fn block(&mut self, source: &Source<'_>, block: Block) -> BlockVersion {
        let Source { module, printer, code, .. } = source;
        let mut version = BlockVersion {
            id: Inst::from(block).index() as u32,
            name: printer.operand_text(block.into()),
            is_edge: module.is_bare_edge(block),
            ..BlockVersion::default()
        };
        let parameters = module.parameters(block).count();
        let terminator = module.terminator(block).map(Inst::from);
        let is_bare = self.is_bare;
        let is_shown = |inst: &Inst| !is_bare || Some(*inst) == terminator;
        let contents = source_lines(module, block);
        let head = contents[0];
        let contents = contents.into_iter().skip(1 + parameters).filter(|(inst, _)| is_shown(inst));
        for (inst, source) in std::iter::once(head).chain(contents) {
            version.lines.push(self.line(printer.statement(inst).trim().to_owned()));
            version.source.push(source);
        }
        if version.source.iter().all(|&line| line == 0) {
            version.source.clear();
        }
        version.edges = edges(module, block, printer);
        for part in code.get(&block).into_iter().flatten() {
            let lines = part.lines.iter().map(|&line| self.line(line.to_owned())).collect();
            version.code.push(BlockCode { role: part.role.to_owned(), lines });
        }
        version.is_edge &= version.code.is_empty();
        version
    }
}

/// A block and what is in it, each with its line of the source, or 0 if that is unknown: its own line, or that of what is before it in the block.
fn source_lines(module: &Module, block: Block) -> Vec<(Inst, u32)> {
    let mut current = 0;
    let insts = std::iter::once(Inst::from(block)).chain(module.children(block));
    let with_line = |inst| {
        if let Some(location) = module.explicit_location(inst) {
            current = location.line.map_or(0, |line| line.line);
        }
        (inst, current)
    };
    insts.map(with_line).collect()
}

/// The edges of a block, with their conditions.
fn edges(module: &Module, block: Block, printer: &Printer<'_>) -> Vec<Edge> {
    let Some(terminator) = module.terminator(block) else { return Vec::new() };
    let labels = match module.op(terminator) {
        Op::BranchIf | Op::If => vec!["true".to_owned(), "false".to_owned()],
        Op::Switch | Op::StructuredSwitch => {
            let cases = module.cases(terminator).map(|(literal, _)| printer.operand_text(literal));
            std::iter::once("default".to_owned()).chain(cases).collect()
        }
        _ => vec![String::new()],
    };
    let edges = module.successors(block).zip(labels);
    edges.map(|(to, label)| Edge { to: Inst::from(to).index() as u32, label }).collect()
}

/// The roles of a block in the constructs of the function.
fn roles(module: &Module, function: Function, block: Block, tree: Option<&ControlTree>) -> Vec<Role> {
    let mut roles = Vec::new();
    if module.entry(function) == Some(block) {
        roles.push(Role::Entry);
    }
    let Some(tree) = tree else { return roles };
    if let Some(closed) = tree.closed_by(block) {
        let is_loop = tree.construct(closed).kind == ConstructKind::Loop;
        roles.push(if is_loop { Role::Break } else { Role::Merge });
    }
    if let Some(looped) = tree.innermost_loop(block).map(|construct| tree.construct(construct)) {
        let places = [(looped.loop_header, Role::Header), (looped.continue_target, Role::Continue)];
        roles.extend(places.into_iter().filter(|(place, _)| *place == Some(block)).map(|(_, role)| role));
    }
    let is_latch = |edge| matches!(tree.jump(edge), Some(Jump::Back(_)));
    roles.extend(module.out_edges(block).any(is_latch).then_some(Role::Latch));
    let opened = tree.opened_by(block).map(|construct| tree.construct(construct).kind);
    roles.extend(opened.and_then(|kind| match kind {
        ConstructKind::If | ConstructKind::Scope => Some(Role::Selection),
        ConstructKind::Switch => Some(Role::Switch),
        ConstructKind::Loop => Some(Role::Preheader),
        ConstructKind::Exit => None,
    }));
    roles
}

/// The number of loops that are around each block. Of a function without structure, only what its tree would say is known: nothing.
fn loop_depths(tree: Option<&ControlTree>) -> FxHashMap<Block, u32> {
    let mut depths = FxHashMap::default();
    let Some(tree) = tree else { return depths };
    let mut of_lists = vec![0_u32; tree.lists().len()];
    for list in tree.lists() {
        if let Owner::Construct(construct, _) = tree.owner(list) {
            let is_loop = tree.construct(construct).kind == ConstructKind::Loop;
            of_lists[list.index()] = of_lists[tree.parent(construct).index()] + u32::from(is_loop);
        }
        for node in tree.nodes(list) {
            if let Node::Block(block) = *node {
                depths.insert(block, of_lists[list.index()]);
            }
        }
    }
    depths
}
