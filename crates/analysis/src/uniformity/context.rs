//! Facts that hold for all functions of a module: the scope, the summaries of callees, the owners of memory.

use std::sync::Arc;

use reconverge_ir::{Function, Inst, Module, Op, view};
use rustc_hash::FxHashMap;
use spirv::{BuiltIn, Capability, ExecutionMode, ExecutionModel};

use super::rules::{Execution, Setting, built_in_of};
use super::summary::Summary;
use super::tables::Tables;
use super::variables::private_variables;
use super::variation::{Evidence, Scope};

/// The facts about other functions that the propagation in one function needs.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) setting: Setting,
    pub(super) evidence: Evidence,
    tables: Arc<Tables>,
    /// By index of the function.
    summaries: Vec<Option<Summary>>,
    private: FxHashMap<Function, Vec<Inst>>,
}

impl Context {
    /// The context of a module before its functions are analyzed.
    pub(super) fn compute(module: &Module, tables: &Arc<Tables>, scope: Scope, evidence: Evidence) -> Context {
        let sizes = local_sizes(module);
        let first = sizes.first().copied().flatten();
        let is_line = !sizes.is_empty() && sizes.iter().all(|size| size.is_some_and(|size| size[1..] == [1, 1]));
        let local_size = first.filter(|&first| sizes.iter().all(|&size| size == Some(first)));
        Context {
            setting: Setting {
                scope,
                execution: Execution::Any,
                local_size,
                is_line,
                has_kernels: has_kernels(module),
            },
            evidence,
            tables: Arc::clone(tables),
            summaries: vec![None; tables.function_count()],
            private: private_variables(module),
        }
    }

    pub(super) fn summary(&self, function: Function) -> Option<Summary> {
        self.summaries[self.index_of(function)?]
    }

    /// Sets the summary of the function with this index.
    pub(super) fn set_summary(&mut self, index: usize, summary: Summary) {
        self.summaries[index] = Some(summary);
    }

    /// The index of a function among those with a body.
    pub(super) fn index_of(&self, function: Function) -> Option<usize> {
        self.tables.index_of(function)
    }

    /// The module's variables that belong to the function alone.
    pub(super) fn private(&self, function: Function) -> &[Inst] {
        self.private.get(&function).map_or(&[], |list| list)
    }

    /// Removes the private memory of a function that others call.
    pub(super) fn forget_private(&mut self, function: Function) {
        self.private.remove(&function);
    }
}

/// Returns whether a module has kernels, or is a part of a program that may have some.
fn has_kernels(module: &Module) -> bool {
    let is_kernels = |global: Inst| {
        view::Capability::of(module, global).is_some_and(|declared| declared.capability == Some(Capability::Kernel))
    };
    module.globals().any(is_kernels) || entry_points(module, |model| model == ExecutionModel::Kernel).next().is_some()
}

/// The functions of the entry points with such execution models.
fn entry_points(module: &Module, is_wanted: impl Fn(ExecutionModel) -> bool) -> impl Iterator<Item = Inst> {
    let points = module.globals().filter_map(|global| view::EntryPoint::of(module, global));
    points.filter(move |point| point.execution_model.is_some_and(&is_wanted)).map(|point| point.function)
}

/// The size of the workgroups of each entry point that has some, if it is known. A constant that is decorated as the size takes precedence
/// over the entry point.
fn local_sizes(module: &Module) -> Vec<Option<[u32; 3]>> {
    let is_decided =
        |inst| module.op(inst) != Op::Variable && built_in_of(module, inst) == Some(BuiltIn::WorkgroupSize);
    let is_overridden = module.globals().any(is_decided);
    let modes = module.globals().filter_map(|global| view::ExecutionMode::of(module, global));
    let sizes = modes.filter(|mode| mode.mode == Some(ExecutionMode::LocalSize));
    let sizes: FxHashMap<Inst, view::Operands<'_>> = sizes.map(|mode| (mode.function, mode.parameters)).collect();
    let size_of = |function: Inst| {
        let size: Option<Vec<u32>> = sizes.get(&function)?.iter().map(|word| module.literal_word(word)).collect();
        size?.try_into().ok().filter(|_| !is_overridden)
    };
    entry_points(module, |model| matches!(model, ExecutionModel::GLCompute | ExecutionModel::Kernel))
        .map(size_of)
        .collect()
}
