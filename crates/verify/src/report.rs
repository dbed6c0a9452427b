//! The report: collects findings and adds their place and context.

use std::cell::OnceCell;

use reconverge_ir::text::Printer;
use reconverge_ir::{Block, Function, Inst, Module};
use rustc_hash::FxHashSet;

use crate::{Code, Finding};

/// The maximal length of a printed instruction in a finding. A switch can have 100,000 characters.
const CONTEXT_LIMIT: usize = 240;

/// The findings so far, and their module.
pub(crate) struct Report<'m> {
    module: &'m Module,
    /// Created for the first finding: it computes the names of all instructions of the module.
    printer: OnceCell<Printer<'m>>,
    findings: Vec<Finding>,
    broken: FxHashSet<Function>,
    is_broken_outside: bool,
}

impl<'m> Report<'m> {
    pub(crate) fn new(module: &'m Module) -> Report<'m> {
        Report {
            module,
            printer: OnceCell::new(),
            findings: Vec::new(),
            broken: FxHashSet::default(),
            is_broken_outside: false,
        }
    }

    pub(crate) fn module(&self) -> &'m Module {
        self.module
    }

    /// The number of findings.
    pub(crate) fn len(&self) -> usize {
        self.findings.len()
    }

    /// Returns whether there is a finding at module level, which all functions depend on.
    pub(crate) fn is_broken_outside_functions(&self) -> bool {
        self.is_broken_outside
    }

    /// Returns whether there is a finding in a function.
    pub(crate) fn is_broken(&self, function: Function) -> bool {
        self.broken.contains(&function)
    }

    pub(crate) fn finish(self) -> Vec<Finding> {
        self.findings
    }

    /// The name of an instruction in messages.
    pub(crate) fn name(&self, inst: impl Into<Inst>) -> String {
        self.printer().operand_text(inst.into())
    }

    /// A finding about an instruction.
    pub(crate) fn at(&mut self, code: Code, inst: impl Into<Inst>, message: impl Into<String>) {
        let inst = inst.into();
        let block = self.module.cast(inst).or_else(|| self.module.block_of(inst));
        self.add(code, inst, block, message.into());
    }

    /// Replaces the suggestion of the last finding.
    pub(crate) fn suggest(&mut self, suggestion: &str) {
        if let Some(finding) = self.findings.last_mut() {
            finding.suggestion = Some(suggestion.to_owned());
        }
    }

    /// A finding about an edge between blocks.
    pub(crate) fn at_edge(&mut self, code: Code, edge: (Block, Block), message: impl Into<String>) {
        let inst = self.module.terminator(edge.0).map_or(edge.0.inst(), Inst::from);
        self.add(code, inst, Some(edge.0), message.into());
        if let Some(finding) = self.findings.last_mut() {
            finding.edge = Some(edge);
        }
    }

    fn add(&mut self, code: Code, inst: Inst, block: Option<Block>, message: String) {
        let context = self.context(inst);
        let function = self.module.function_of(inst);
        match function {
            Some(function) => drop(self.broken.insert(function)),
            None => self.is_broken_outside = true,
        }
        self.findings.push(Finding {
            code,
            function,
            block,
            inst: Some(inst),
            edge: None,
            message,
            context,
            suggestion: Some(code.suggestion().to_owned()),
        });
    }

    /// The instruction, printed and shortened; printed once for consecutive findings about the same one, which may be a wide switch.
    fn context(&self, inst: Inst) -> String {
        if let Some(last) = self.findings.last().filter(|last| last.inst == Some(inst)) {
            return last.context.clone();
        }
        let mut line = self.printer().statement(inst);
        if let Some((end, _)) = line.char_indices().nth(CONTEXT_LIMIT) {
            line.truncate(end);
            line.push_str(" …");
        }
        line
    }

    fn printer(&self) -> &Printer<'m> {
        self.printer.get_or_init(|| Printer::new(self.module))
    }
}
