//! What holds for all functions of a module: the scope, the summaries of callees, whose memory is whose.

use std::sync::Arc;

use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

use super::cause::Source;
use super::level::Level;
use super::sources::{Memory, Setting, built_in, built_in_of, memory_of};
use super::summary::Summary;
use super::tables::Tables;
use super::variables::private_variables;
use super::variation::Scope;

/// SPIR-V's number of the execution mode that gives the local size, and of the execution models that have one; the number of the
/// capability of kernels is that of their model.
const LOCAL_SIZE: u32 = 17;
const GL_COMPUTE: u32 = 5;
const KERNEL: u32 = 6;

/// What the propagation in one function needs to know of the others.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) setting: Setting,
    /// The size of every workgroup, where it is known and the same for all entry points.
    pub(super) local_size: Option<[u32; 3]>,
    tables: Arc<Tables>,
    /// By place of the function.
    summaries: Vec<Option<Summary>>,
    private: FxHashMap<Function, Vec<Inst>>,
}

impl Context {
    /// The context of a module of whose functions nothing is known yet.
    pub(super) fn compute(module: &Module, tables: &Arc<Tables>, scope: Scope) -> Context {
        let sizes = local_sizes(module);
        let first = sizes.first().copied().flatten();
        let is_line = !sizes.is_empty() && sizes.iter().all(|size| size.is_some_and(|size| size[1..] == [1, 1]));
        Context {
            setting: Setting { scope, is_line, has_kernels: has_kernels(module) },
            local_size: first.filter(|&first| sizes.iter().all(|&size| size == Some(first))),
            tables: Arc::clone(tables),
            summaries: vec![None; tables.function_count()],
            private: private_variables(module),
        }
    }

    pub(super) fn summary(&self, function: Function) -> Option<Summary> {
        self.summaries[self.index_of(function)?]
    }

    /// Sets the summary of the function at this place.
    pub(super) fn set_summary(&mut self, index: usize, summary: Summary) {
        self.summaries[index] = Some(summary);
    }

    /// The place of a function among those with a body.
    pub(super) fn index_of(&self, function: Function) -> Option<usize> {
        self.tables.index_of(function)
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
            Op::Variable => memory_of(module, root, self.setting),
            _ => Memory::Known(Level::Divergent, Source::SharedMemory),
        }
    }
}

/// Whether a module has kernels, or is a part of a program that may have some.
fn has_kernels(module: &Module) -> bool {
    let is_kernels = |global: Inst| {
        module.op(global) == Op::Capability && module.literal_word(module.operand(global, 0)) == Some(KERNEL)
    };
    module.globals().any(is_kernels) || entry_points(module, |model| model == KERNEL).next().is_some()
}

/// The functions of the entry points with such execution models.
fn entry_points(module: &Module, is_wanted: impl Fn(u32) -> bool) -> impl Iterator<Item = Inst> {
    let points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let wanted = points.filter(move |&point| module.literal_word(module.operand(point, 0)).is_some_and(&is_wanted));
    wanted.map(|point| module.operand(point, 1))
}

/// The size of the workgroups of each entry point that has some, where it is known: a constant that is decorated as the size decides
/// instead of what the entry point says.
fn local_sizes(module: &Module) -> Vec<Option<[u32; 3]>> {
    let is_decided =
        |inst| module.op(inst) != Op::Variable && built_in_of(module, inst) == Some(built_in::WORKGROUP_SIZE);
    let is_overridden = module.globals().any(is_decided);
    let is_size = |&mode: &Inst| {
        module.op(mode) == Op::ExecutionMode && module.literal_word(module.operand(mode, 1)) == Some(LOCAL_SIZE)
    };
    let modes = module.globals().filter(is_size).map(|mode| (module.operand(mode, 0), mode));
    let modes: FxHashMap<Inst, Inst> = modes.collect();
    let size_of = |function: Inst| {
        let mode = *modes.get(&function)?;
        let size: Option<Vec<u32>> = module.operands(mode).skip(2).map(|word| module.literal_word(word)).collect();
        size?.try_into().ok().filter(|_| !is_overridden)
    };
    entry_points(module, |model| matches!(model, GL_COMPUTE | KERNEL)).map(size_of).collect()
}
