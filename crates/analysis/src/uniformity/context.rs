//! What holds for all functions of a module: the scope, the summaries of callees, whose memory is whose.

use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::cause::Source;
use super::level::Level;
use super::propagation::Summary;
use super::sources::{Memory, memory_of};
use super::variables::private_variables;
use super::variation::Scope;

/// SPIR-V's number of the execution mode that gives the local size, and of the execution models that have one.
const LOCAL_SIZE: u32 = 17;
const GL_COMPUTE: u32 = 5;
const KERNEL: u32 = 6;

/// What the propagation in one function needs to know of the others.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) scope: Scope,
    /// Whether every workgroup is a line of lanes: N × 1 × 1.
    is_line: bool,
    summaries: FxHashMap<Function, Summary>,
    private: FxHashMap<Function, Vec<Inst>>,
}

impl Context {
    /// The context of a module of whose functions nothing is known yet.
    pub(super) fn compute(module: &Module, scope: Scope) -> Context {
        Context {
            scope,
            is_line: is_line(module),
            summaries: FxHashMap::default(),
            private: private_variables(module),
        }
    }

    pub(super) fn summary(&self, function: Function) -> Option<Summary> {
        self.summaries.get(&function).copied()
    }

    pub(super) fn add_summary(&mut self, summary: Summary) {
        self.summaries.insert(summary.function, summary);
    }

    /// The module's variables that belong to the function alone.
    pub(super) fn private(&self, function: Function) -> &[Inst] {
        self.private.get(&function).map_or(&[], |list| list)
    }

    /// A function that others call has no memory to itself at module level.
    pub(super) fn forget_private(&mut self, function: Function) {
        self.private.remove(&function);
    }

    /// What is in the memory that a pointer without access chains points to.
    pub(super) fn memory_of(&self, module: &Module, root: Inst) -> Memory {
        match module.op(root) {
            Op::Variable => memory_of(module, root, self.scope, self.is_line),
            _ => Memory::Known(Level::Divergent, Source::SharedMemory),
        }
    }
}

/// Whether every entry point that has workgroups says that they are lines.
fn is_line(module: &Module) -> bool {
    let entries = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let mut functions = entries
        .filter(|&entry| matches!(module.literal_word(module.operand(entry, 0)), Some(GL_COMPUTE | KERNEL)))
        .map(|entry| module.operand(entry, 1));
    let modes: Vec<Inst> = module.globals().filter(|&global| module.op(global) == Op::ExecutionMode).collect();
    let size_of = |function: Inst| {
        let mode = modes.iter().find(|&&mode| {
            module.operand(mode, 0) == function && module.literal_word(module.operand(mode, 1)) == Some(LOCAL_SIZE)
        })?;
        let size: Vec<Option<u32>> = module.operands(*mode).skip(2).map(|word| module.literal_word(word)).collect();
        Some(size.len() == 3 && size[1..] == [Some(1), Some(1)])
    };
    let Some(first) = functions.next() else { return false };
    std::iter::once(first).chain(functions).all(|function| size_of(function).unwrap_or(false))
}
