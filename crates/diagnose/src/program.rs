//! Data shared by all checks: the functions with their control flow, the call graph, positions and names of instructions.

use std::cell::OnceCell;

use reconverge_analysis::is_debug_set;
use reconverge_graph::{Components, Graph, Node};
use reconverge_ir::text::Printer;
use reconverge_ir::{Block, Function, Inst, Module, Op, OpGroup, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::AddressingModel;

use crate::flow::Flow;
use crate::source::Sources;
use crate::vocabulary::entry_points;
use crate::{Code, Diagnosis, Options, Step};

/// A module with the data for the checks.
pub(crate) struct Program<'m> {
    /// The module.
    pub(crate) module: &'m Module,
    /// The level of each check.
    pub(crate) options: &'m Options,
    /// The functions with a body, in order. Function numbers are indices into this.
    pub(crate) flows: Vec<Flow>,
    /// For each function, its calls of functions with a body, in order.
    pub(crate) calls: Vec<Vec<Call>>,
    /// For each function, whether it calls one without a body.
    pub(crate) calls_unknown: Vec<bool>,
    /// For each function, whether a call of it may end the invocation: functions without a body may.
    pub(crate) may_terminate: Vec<bool>,
    /// For each function, its callers.
    pub(crate) callers: Vec<Vec<Caller>>,
    /// For each function, whether it is an entry point or called from one, directly or through other functions.
    pub(crate) is_entered: Vec<bool>,
    /// Cycles of calls; numbered callees first.
    pub(crate) components: Components,
    /// True if pointers support arithmetic: the module's addressing model is not Logical.
    pub(crate) has_addresses: bool,
    numbers: FxHashMap<Function, usize>,
    positions: Vec<u32>,
    debug_sets: FxHashSet<Inst>,
    printer: OnceCell<Printer<'m>>,
    sources: Sources<'m>,
    has_lines: OnceCell<bool>,
}

/// A call of a function with a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The call.
    pub(crate) inst: Inst,
    /// Number of the callee.
    pub(crate) callee: usize,
}

/// A call as the callee sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    /// Number of the caller.
    pub(crate) number: usize,
    /// The call.
    pub(crate) call: Inst,
}

impl<'m> Program<'m> {
    /// Looks at every instruction once. Linear.
    pub(crate) fn compute(module: &'m Module, options: &'m Options) -> Program<'m> {
        let functions: Vec<Function> =
            module.functions().filter(|&function| module.entry(function).is_some()).collect();
        let numbers: FxHashMap<Function, usize> =
            functions.iter().enumerate().map(|(number, &function)| (function, number)).collect();
        let debug_sets = module.globals().filter(|&global| is_debug_set(module, global)).collect();
        let mut positions = vec![0; module.capacity()];
        let (mut calls, mut calls_unknown) = (vec![Vec::new(); functions.len()], vec![false; functions.len()]);
        for (number, &function) in functions.iter().enumerate() {
            let blocks =
                module.blocks(function).flat_map(|block| std::iter::once(block.into()).chain(module.children(block)));
            for (position, inst) in (1..).zip(blocks) {
                positions[inst.index()] = position;
                if module.op(inst) != Op::FunctionCall {
                    continue;
                }
                let callee = module.callee(inst).and_then(|callee| numbers.get(&callee));
                match callee {
                    Some(&callee) => calls[number].push(Call { inst, callee }),
                    None => calls_unknown[number] = true,
                }
            }
        }
        let lists = calls.iter().map(|calls| calls.iter().map(|call| Node::new(call.callee)));
        let components = Components::compute(&Graph::from_successors(Node::new(0), lists));
        let flows: Vec<Flow> = functions.iter().map(|&function| Flow::compute(module, function)).collect();
        let mut callers = vec![Vec::new(); flows.len()];
        for (number, calls) in calls.iter().enumerate() {
            calls.iter().for_each(|call| callers[call.callee].push(Caller { number, call: call.inst }));
        }
        let may_terminate = may_terminate(module, &flows, &calls_unknown, &callers);
        let entries = entry_points(module).filter_map(|entry| module.cast(entry.function));
        let is_entered = reached(entries.filter_map(|entry: Function| numbers.get(&entry).copied()), &calls);
        Program {
            module,
            options,
            flows,
            calls,
            calls_unknown,
            may_terminate,
            callers,
            is_entered,
            components,
            has_addresses: has_addresses(module),
            numbers,
            positions,
            debug_sets,
            printer: OnceCell::new(),
            sources: Sources::new(module),
            has_lines: OnceCell::new(),
        }
    }

    /// The name of an instruction in a use. If the module has lines of its source, it is in terms of the source: the line of a block, the name of a
    /// function or of a value, and for a value without a name its line.
    pub(crate) fn name(&self, inst: Inst) -> String {
        let written = self.printer.get_or_init(|| Printer::new(self.module)).operand_text(inst);
        if !self.has_lines() {
            return written;
        }
        let name = written.trim_start_matches(['%', '^']);
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let op = self.module.op(inst);
        let line = || self.module.function_of(inst).and_then(|_| self.sources.place(inst)).map(|place| place.line);
        match line() {
            Some(line) if op.is_block() => format!("line {line}"),
            Some(line) if is_number && op != Op::Function => format!("the value at line {line}"),
            _ if is_number || op.is_block() => written,
            // Without optimization, clang copies a parameter to a variable of this name.
            _ => format!("`{}`", name.strip_suffix(".addr").unwrap_or(name)),
        }
    }

    /// The end of a block in words: the line of its branch, or the block.
    pub(crate) fn end_of(&self, block: Block) -> String {
        let place = || self.module.terminator(block).and_then(|branch| self.sources.place(branch.inst()));
        match place().filter(|_| self.has_lines()) {
            Some(place) => format!("the branch at line {}", place.line),
            None => format!("the end of {}", self.name(block.into())),
        }
    }

    /// Returns whether a block of the module has a line of the source. Linear, once.
    fn has_lines(&self) -> bool {
        let blocks = || self.flows.iter().flat_map(|flow| self.module.blocks(flow.function));
        *self.has_lines.get_or_init(|| blocks().any(|block| self.sources.place(block.into()).is_some()))
    }

    /// The name of a function.
    pub(crate) fn function_name(&self, number: usize) -> String {
        self.name(self.flows[number].function.into())
    }

    /// The number of a function with a body.
    pub(crate) fn number(&self, function: Function) -> Option<usize> {
        self.numbers.get(&function).copied()
    }

    /// The position of an instruction or block in its function; comparable within a function.
    pub(crate) fn position(&self, inst: impl Into<Inst>) -> u32 {
        self.positions[inst.into().index()]
    }

    /// The number of instructions and blocks of a function.
    pub(crate) fn size(&self, flow: &Flow) -> usize {
        let last = self.module.blocks(flow.function).last();
        let end = last.and_then(|block| self.module.terminator(block));
        end.map_or(0, |end| self.position(end) as usize)
    }

    /// The component of calls that a function belongs to.
    pub(crate) fn component(&self, number: usize) -> Option<usize> {
        self.components.component(Node::new(number))
    }

    /// The functions, callees before their callers, except in cycles.
    pub(crate) fn callees_first(&self) -> impl Iterator<Item = usize> + '_ {
        let components = 0..self.components.count();
        components.flat_map(|component| self.components.members(component)).map(|node| node.index())
    }

    /// Returns whether an instruction is debug information in the form of an extended instruction: it executes nothing.
    pub(crate) fn is_debug(&self, inst: Inst) -> bool {
        view::ExtInst::of(self.module, inst).is_some_and(|extended| self.debug_sets.contains(&extended.set))
    }
}

/// For each function, whether it is one of those or called by them, directly or through other functions.
pub(crate) fn reached(functions: impl Iterator<Item = usize>, calls: &[Vec<Call>]) -> Vec<bool> {
    let mut pending: Vec<usize> = functions.collect();
    let mut reached = vec![false; calls.len()];
    pending.iter().for_each(|&number| reached[number] = true);
    while let Some(number) = pending.pop() {
        for call in &calls[number] {
            if !std::mem::replace(&mut reached[call.callee], true) {
                pending.push(call.callee);
            }
        }
    }
    reached
}

/// For each function, whether a call of it may end the invocation: itself, in what it calls, or in a function without a body.
fn may_terminate(module: &Module, flows: &[Flow], calls_unknown: &[bool], callers: &[Vec<Caller>]) -> Vec<bool> {
    let ends_itself = |flow: &Flow| {
        let reached = flow.order.sequence().iter().map(|&node| flow.whole.block(node));
        reached.filter_map(|block| module.terminator(block)).any(|end| is_termination(module.op(end)))
    };
    let pairs = flows.iter().zip(calls_unknown);
    let mut ends: Vec<bool> = pairs.map(|(flow, &unknown)| unknown || ends_itself(flow)).collect();
    let mut pending: Vec<usize> = (0..ends.len()).filter(|&number| ends[number]).collect();
    while let Some(number) = pending.pop() {
        for caller in &callers[number] {
            if !std::mem::replace(&mut ends[caller.number], true) {
                pending.push(caller.number);
            }
        }
    }
    ends
}

/// Terminators that end the invocation, not just the function.
pub(crate) fn is_termination(op: Op) -> bool {
    op.group() == OpGroup::LaneEnd
}

/// Returns whether the module has an addressing model other than Logical.
fn has_addresses(module: &Module) -> bool {
    let model = module.globals().find_map(|global| view::MemoryModel::of(module, global));
    model.is_some_and(|model| model.addressing_model != Some(AddressingModel::Logical))
}

/// The findings of a check.
pub(crate) struct Found {
    pub(crate) code: Code,
    /// The place: an instruction in a function, a block or a function.
    pub(crate) inst: Inst,
    pub(crate) message: String,
    pub(crate) path: Vec<Step>,
}

/// The diagnoses found so far.
#[derive(Default)]
pub(crate) struct Report {
    found: Vec<Diagnosis>,
}

impl Report {
    /// Adds a diagnosis, if its check runs.
    pub(crate) fn add(&mut self, program: &Program<'_>, found: Found) {
        let Found { code, inst, message, path } = found;
        let Some(severity) = program.options.severity(code) else { return };
        let module = program.module;
        let Some(function) = module.function_of(inst) else { return };
        let block = module.cast(inst).or_else(|| module.block_of(inst));
        let suggestion = code.suggestion().to_owned();
        self.found.push(Diagnosis { code, severity, message, function, block, inst, path, suggestion });
    }

    /// The same for a finding that no rule forbids, although other findings of the check break one: a warning, unless the options say
    /// otherwise.
    pub(crate) fn add_legal(&mut self, program: &Program<'_>, found: Found) {
        let known = self.found.len();
        let severity = program.options.severity_of_legal(found.code);
        self.add(program, found);
        for (diagnosis, severity) in self.found[known..].iter_mut().zip(severity) {
            diagnosis.severity = severity;
        }
    }

    /// The diagnoses in program order, those at the same place in order of their codes.
    pub(crate) fn into_sorted(mut self, program: &Program<'_>) -> Vec<Diagnosis> {
        self.found.sort_by_key(|diagnosis| {
            (program.number(diagnosis.function), program.position(diagnosis.inst), diagnosis.code)
        });
        self.found
    }
}
