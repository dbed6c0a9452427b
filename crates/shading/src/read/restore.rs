//! Replaces the calls and numbers that [`markers`](super::markers) and [`overrides`](super::overrides) inserted for naga by the original
//! constructs.
//!
//! ```text
//! call %wgsl.discard                    ⇒      demote_to_helper_invocation
//! call %wgsl.uniform_load                      a load with the decoration UniformId Workgroup, between its barriers
//! %n = call %wgsl.override.0            ⇒      %N = spec_constant 7 {decorate SpecId 0}
//! type_array %t 1021                    ⇒      type_array %t %N
//! call %wgsl.let.0                      ⇒      0
//! ```
//!
//! `discard` ends no invocation: it becomes a helper invocation, which continues for the derivatives of the others. Linear in the module.

use reconverge_ir::decoration::{BuiltIn, SpecId};
use reconverge_ir::{Builder, Function, Inst, Module, Op, Position, view};
use rustc_hash::FxHashMap;
use spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, Scope};

use super::lets::VALUE;
use super::markers::{DISCARD, UNIFORM_LOAD, override_function};
use super::overrides::{Folded, Node, Overrides};

/// Replaces the calls and numbers that represent something else.
pub(super) fn restore(module: &mut Module, overrides: &Overrides) {
    let functions: FxHashMap<String, Function> = module
        .functions()
        .filter_map(|function| Some((module.name(function).filter(|name| name.starts_with("wgsl."))?, function)))
        .collect();
    if let Some(&function) = functions.get(DISCARD) {
        demote(module, function);
    }
    if let Some(&function) = functions.get(UNIFORM_LOAD) {
        decorate_loads(module, function);
    }
    let is_value = |&function: &Function| module.name(function).is_some_and(|name| name.starts_with(VALUE));
    let values: Vec<Function> = module.functions().filter(is_value).collect();
    values.into_iter().for_each(|function| put_returned(module, function));
    let mut constants: FxHashMap<usize, Inst> = FxHashMap::default();
    for constant in &overrides.constants {
        let Some(&function) = functions.get(&override_function(constant.place)) else { continue };
        let Some(made) = specialized(module, function, constant) else { continue };
        constants.insert(constant.place, made);
        for call in calls(module, function) {
            module.edit().replace_all_uses(call, made);
            module.edit().delete(call);
        }
        module.edit().delete(function);
    }
    for (number, folded) in &overrides.lengths {
        let length = value(module, folded, &constants, None);
        let is_array = |&inst: &Inst| {
            view::TypeArray::of(module, inst).is_some_and(|array| module.constant_word(array.length) == Some(*number))
        };
        let arrays: Vec<Inst> = module.globals().filter(is_array).collect();
        arrays.into_iter().for_each(|array| module.edit().set_operand(array, 1, length));
    }
    set_sizes(module, overrides, &constants);
}

fn calls(module: &Module, function: Function) -> Vec<Inst> {
    let users = module.uses(function).map(|used| used.user);
    users.filter(|&user| module.op(user) == Op::FunctionCall).collect()
}

fn demote(module: &mut Module, function: Function) {
    for call in calls(module, function) {
        let location = module.explicit_location(call);
        let demote = module.edit().insert(Position::Before(call), Op::DemoteToHelperInvocation, None, &[]);
        module.edit().set_location(demote, location);
        module.edit().delete(call);
    }
    module.edit().delete(function);
    let mut build = Builder::new(module);
    let capability = build.enumerant(Capability::DemoteToHelperInvocation);
    build.editor().append_global(Op::Capability, None, &[capability]);
    let name = build.editor().text("SPV_EXT_demote_to_helper_invocation");
    build.editor().append_global(Op::Extension, None, &[name]);
}

/// Replaces the calls of a function by the constant that it returns.
fn put_returned(module: &mut Module, function: Function) {
    let returned = module.descendants(function).find(|&inst| module.op(inst) == Op::ReturnValue);
    let Some(value) = returned.map(|inst| module.operand(inst, 0)) else { return };
    for call in calls(module, function) {
        module.edit().replace_all_uses(call, value);
        module.edit().delete(call);
    }
    module.edit().delete(function);
}

/// Decorates the load after each call: all invocations of the workgroup load the same value.
fn decorate_loads(module: &mut Module, function: Function) {
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let workgroup = build.constant_word(u32_type, Scope::Workgroup as u32);
    let uniform = build.enumerant(Decoration::UniformId);
    let decoration = build.editor().unique(Op::DecorateId, None, &[uniform, workgroup]);
    for call in calls(module, function) {
        let following = std::iter::successors(module.next(call), |&inst| module.next(inst));
        let load = following.into_iter().find(|&inst| matches!(module.op(inst), Op::Load | Op::AtomicLoad));
        if let Some(load) = load {
            module.edit().decorate(load, decoration);
        }
        module.edit().delete(call);
    }
    module.edit().delete(function);
}

/// The specialization constant for an override. Its type is the result type of the function that represents it.
fn specialized(module: &mut Module, function: Function, constant: &super::overrides::Constant) -> Option<Inst> {
    let ty = module.ty(function)?;
    let mut build = Builder::new(module);
    let id = build.decoration(SpecId(constant.id));
    let word = build.editor().word(constant.value);
    let (op, operands) = match (constant.is_bool, constant.value) {
        (true, 0) => (Op::SpecConstantFalse, Vec::new()),
        (true, _) => (Op::SpecConstantTrue, Vec::new()),
        (false, _) => (Op::SpecConstant, vec![word]),
    };
    let made = build.editor().append_global(op, Some(ty), &operands);
    build.editor().decorate(made, id);
    if let Some(name) = &constant.name {
        build.editor().set_name(made, name);
    }
    Some(made)
}

/// A folded value as a constant; `wanted` is its type, if it differs from that in the text. Operations may mix signedness of equal width.
fn value(module: &mut Module, folded: &Folded, constants: &FxHashMap<usize, Inst>, wanted: Option<Inst>) -> Inst {
    let mut build = Builder::new(module);
    let mut values: Vec<Inst> = Vec::new();
    for &(node, signedness) in &folded.nodes {
        let ty = build.int_type_of(32, signedness);
        let operation = |build: &mut Builder<'_>, op: spirv::Op, operands: &[Inst]| {
            let mut all = vec![build.editor().word(op as u32)];
            all.extend(operands);
            build.editor().append_global(Op::SpecConstantOp, Some(ty), &all)
        };
        let made = match node {
            Node::Number(number) => build.constant_word(ty, number),
            Node::Override(place) => constants.get(&place).copied().unwrap_or_else(|| build.constant_word(ty, 1)),
            Node::Unary(op, operand) => operation(&mut build, op, &[values[operand]]),
            Node::Binary(op, left, right) => operation(&mut build, op, &[values[left], values[right]]),
        };
        values.push(made);
    }
    let made = *values.last().expect("invariant: a folded value has an operation");
    match wanted {
        Some(wanted) if build.module().ty(made) != Some(wanted) => {
            let zero = build.constant_word(wanted, 0);
            let add = build.editor().word(spirv::Op::IAdd as u32);
            build.editor().append_global(Op::SpecConstantOp, Some(wanted), &[add, made, zero])
        }
        _ => made,
    }
}

/// Declares the sizes of workgroups. The built-in constant applies to every entry point, so several entry points have modes of their own.
fn set_sizes(module: &mut Module, overrides: &Overrides, constants: &FxHashMap<usize, Inst>) {
    let model = |inst: Inst| view::EntryPoint::of(module, inst).map(|entry| (entry.execution_model, entry.name));
    let compute: Vec<Inst> = module
        .globals()
        .filter(|&inst| model(inst).is_some_and(|(model, _)| model == Some(ExecutionModel::GLCompute)))
        .collect();
    for (name, sizes) in &overrides.sizes {
        let entry = compute
            .iter()
            .find(|&&entry| view::EntryPoint::of(module, entry).is_some_and(|entry| entry.name == name.as_str()));
        let Some(function) = entry.and_then(|&entry| Some(view::EntryPoint::of(module, entry)?.function)) else {
            continue;
        };
        let u32_type = Builder::new(module).int_type(32);
        let sizes = sizes.each_ref().map(|size| value(module, size, constants, Some(u32_type)));
        if compute.len() == 1 {
            let mut build = Builder::new(module);
            let three = build.editor().word(3);
            let ty = build.editor().unique(Op::TypeVector, None, &[u32_type, three]);
            let built_in = build.decoration(BuiltIn(spirv::BuiltIn::WorkgroupSize));
            let size = build.editor().append_global(Op::SpecConstantComposite, Some(ty), &sizes);
            build.editor().decorate(size, built_in);
            continue;
        }
        let is_size = |&inst: &Inst| {
            let mode = view::Mode::of(module, inst);
            mode.is_some_and(|mode| mode.function == function && mode.mode == Some(ExecutionMode::LocalSize))
        };
        let modes: Vec<Inst> = module.globals().filter(is_size).collect();
        let mut build = Builder::new(module);
        modes.into_iter().for_each(|mode| build.editor().delete(mode));
        let mode = build.enumerant(ExecutionMode::LocalSizeId);
        let operands: Vec<Inst> = [function, mode].into_iter().chain(sizes).collect();
        build.editor().append_global(Op::ExecutionModeId, None, &operands);
    }
}
