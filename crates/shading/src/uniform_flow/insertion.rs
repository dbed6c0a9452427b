//! Puts values through workgroup memory: each becomes an argument of a function, which returns the value of the first invocation.
//!
//! ```text
//! var<private> invocation_index: u32;
//! var<workgroup> shared_condition: bool;
//!
//! fn uniform_condition(condition: bool) -> bool {
//!     if (invocation_index == 0u) {
//!         shared_condition = condition;
//!     }
//!     return workgroupUniformLoad(&shared_condition);
//! }
//! ```
//!
//! One invocation stores, because several stores would be a data race. The load has a barrier before it and another one behind it, so the store is
//! visible to all, and the store of the next value comes after all have this one. There is one function for each type. Callers of a function come
//! behind it, so the functions become the first ones.

use super::sharing::{Chosen, callees};
use super::sources::{built_in, is_compute};
use crate::syntax::{
    Arguments, Binary, Callee, Effects, Expr, Function, FunctionId, Global, GlobalId, GlobalKind, Literal, Local,
    LocalId, LocalKind, Parameter, Scalar, Shape, Statement, StatementKind, Text, Type, TypeShape,
};

/// The built-in number of an invocation in its workgroup.
const INDEX: &str = "local_invocation_index";

/// Puts the chosen values through memory.
pub(super) fn insert(text: &mut Text, chosen: &[Chosen]) {
    let mut types: Vec<Type> = chosen.iter().map(|chosen| text.expressions[chosen.expr].ty).collect();
    types.sort_unstable();
    types.dedup();
    let uint = text.types.numbers(Scalar::UINT, 1);
    let index = variable(text, "invocation_index", "var<private>", uint);
    set_index(text, index, chosen);
    let functions: Vec<Function> = types.iter().map(|&ty| function(text, ty, index)).collect();
    for expression in text.expressions.all_mut() {
        if let Shape::Call { callee: Callee::Function(id), .. } = &mut expression.shape {
            id.0 += functions.len() as u32;
        }
    }
    text.functions.splice(0..0, functions);
    for Chosen { expr, .. } in chosen {
        let found = text.expressions[*expr].clone();
        let position = types.binary_search(&found.ty).expect("invariant: each type has its function");
        let value = text.expressions.add(found.shape, found.ty, found.effects);
        let callee = Callee::Function(FunctionId(position as u32));
        let arguments = [value].into_iter().collect();
        text.expressions.replace(*expr, Shape::Call { callee, arguments }, EFFECTS);
    }
}

/// The effects of a load for the whole workgroup.
const EFFECTS: Effects = Effects::READS.with(Effects::WRITES).with(Effects::CONVERGENT);

/// Adds a variable of the module.
fn variable(text: &mut Text, name: &str, prefix: &str, ty: Type) -> GlobalId {
    text.add_global(Global {
        name: name.to_owned(),
        ty,
        kind: GlobalKind::Variable(None),
        prefix: prefix.to_owned(),
        suffix: String::new(),
        is_written: true,
    })
}

fn read(text: &mut Text, global: GlobalId) -> Expr {
    let ty = text.global(global).ty;
    text.expressions.add(Shape::Global(global), ty, Effects::READS)
}

/// The function that returns the value of the first invocation.
fn function(text: &mut Text, ty: Type, index: GlobalId) -> Function {
    let boolean = text.types.numbers(Scalar::BOOL, 1);
    let noun = if ty == boolean { "condition" } else { "value" };
    let shared = variable(text, &format!("shared_{noun}"), "var<workgroup>", ty);
    let local = LocalId(0);
    let value = text.expressions.add(Shape::Local(local), ty, Effects::PURE);
    let target = read(text, shared);
    let store = StatementKind::Assign { target, operator: None, value };
    let uint = text.types.numbers(Scalar::UINT, 1);
    let zero = text.expressions.add(Shape::Literal(Literal::Uint(0)), uint, Effects::PURE);
    let left = read(text, index);
    let is_first = Shape::Binary { operator: Binary::Equal, left, right: zero };
    let condition = text.expressions.add(is_first, boolean, Effects::PURE);
    let choice = StatementKind::If { condition, accept: vec![store.into()], reject: Vec::new() };
    let place = read(text, shared);
    let arguments: Arguments = [place].into_iter().collect();
    let load = Shape::Call { callee: Callee::Intrinsic("workgroupUniformLoad"), arguments };
    let load = text.expressions.add(load, ty, EFFECTS);
    Function {
        name: format!("uniform_{noun}"),
        origin: None,
        attributes: Vec::new(),
        workgroup_size: Vec::new(),
        prefix: String::new(),
        suffix: String::new(),
        parameters: vec![parameter(local, "")],
        result: ty,
        locals: vec![Local { name: Some(noun.to_owned()), ty, kind: LocalKind::Parameter, prefix: "" }],
        body: vec![choice.into(), StatementKind::Return(Some(load)).into()],
        is_entry: false,
    }
}

fn parameter(local: LocalId, prefix: &str) -> Parameter {
    Parameter { local, is_written: false, prefix: prefix.to_owned(), suffix: String::new() }
}

/// Assigns the index of the invocation at the begin of each entry point that needs it.
fn set_index(text: &mut Text, index: GlobalId, chosen: &[Chosen]) {
    let mut needs_index: Vec<bool> = vec![false; text.functions.len()];
    for number in 0..text.functions.len() {
        let is_user = chosen.iter().any(|chosen| chosen.function == number);
        needs_index[number] =
            is_user || callees(text, &text.functions[number]).into_iter().any(|callee| needs_index[callee]);
    }
    for number in (0..text.functions.len()).filter(|&number| needs_index[number]) {
        if is_compute(&text.functions[number]) {
            let value = index_of_invocation(text, number);
            let target = read(text, index);
            let store = Statement::from(StatementKind::Assign { target, operator: None, value });
            text.functions[number].body.insert(0, store);
        }
    }
}

/// The index of the invocation in an entry point: a parameter, or a member of one.
fn index_of_invocation(text: &mut Text, number: usize) -> Expr {
    let uint = text.types.numbers(Scalar::UINT, 1);
    let is_index = |attributes: &str| built_in(attributes) == Some(INDEX);
    let entry = &text.functions[number];
    for found in &entry.parameters {
        let ty = entry[found.local].ty;
        if is_index(&found.prefix) {
            return text.expressions.add(Shape::Local(found.local), uint, Effects::PURE);
        }
        if let TypeShape::Struct(id) = text.types[ty]
            && let Some(member) = text.structure(id).members.iter().position(|member| is_index(&member.prefix))
        {
            let base = text.expressions.add(Shape::Local(found.local), ty, Effects::PURE);
            return text.expressions.add(Shape::Member { base, member: member as u32 }, uint, Effects::PURE);
        }
    }
    let entry = &mut text.functions[number];
    let name = Some(INDEX.to_owned());
    let local = entry.add(Local { name, ty: uint, kind: LocalKind::Parameter, prefix: "" });
    entry.parameters.push(parameter(local, &format!("@builtin({INDEX})")));
    text.expressions.add(Shape::Local(local), uint, Effects::PURE)
}
