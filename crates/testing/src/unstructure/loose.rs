//! Loose form: no value is used outside its block, no edge passes arguments, and there are no edge blocks.
//!
//! ```text
//! block ^a: %x = …                 block ^a: %x = … ; store %v, %x ; store %p, %y
//!           branch ^b(%y)     ⇒              branch ^b
//! block ^b(%q): … %x … %q          block ^b: %q = load %p ; … ; %w = load %v ; … %w … %q
//! ```
//!
//! Pointers cannot be stored; access chains are copied to their uses instead.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Copies, Function, Inst, Module, Op, Parameter, Position, Slot, Terminator, Use};

use super::surgery::{add_variable, blocks};

/// Converts a function at stage Graph to loose form.
///
/// # Errors
/// A value that no variable can contain; the function is unchanged or equivalent.
pub(super) fn loosen(module: &mut Module, function: Function) -> Result<(), String> {
    demote(module, function)?;
    demote_parameters(module, function);
    demote(module, function)?;
    dissolve_edges(module, function);
    Ok(())
}

/// Creates a variable for every value that another block uses.
///
/// # Errors
/// A value that no variable can contain.
pub(super) fn demote(module: &mut Module, function: Function) -> Result<(), String> {
    while let Some(used) = crossing_pointer(module, function)? {
        let Slot::Operand(index) = used.slot else { unreachable!("a pointer is nobody's type") };
        let pointer = module.operand(used.user, index);
        let mut editor = module.edit();
        let copy = editor.copy(&[pointer], &mut Copies::new())[0];
        editor.move_to(copy, Position::Before(used.user));
        editor.set_operand(used.user, index, copy);
    }
    for value in crossing_values(module, function) {
        let uses = crossing_uses(module, value);
        let ty = module.ty(value).expect("invariant: a value has a type");
        let variable = add_variable(module, function, ty);
        let mut editor = module.edit();
        // After the parameters, if it is one.
        let mut place = value;
        while let Some(next) = editor.module().next(place)
            && matches!(editor.module().op(place), Op::BlockParameter)
            && editor.module().op(next) == Op::BlockParameter
        {
            place = next;
        }
        editor.insert(Position::After(place), Op::Store, None, &[variable, value]);
        for used in uses {
            let Slot::Operand(index) = used.slot else { unreachable!("a value of a block is nobody's type") };
            let load = editor.insert(Position::Before(used.user), Op::Load, Some(ty), &[variable]);
            editor.set_operand(used.user, index, load);
        }
    }
    Ok(())
}

/// The uses of a value in other blocks than its own.
fn crossing_uses(module: &Module, value: Inst) -> Vec<Use> {
    let home = module.parent(value);
    let is_crossing = |used: &Use| {
        let block = module.parent(used.user);
        block != home && block.is_some_and(|block| module.cast::<Block>(block).is_some())
    };
    module.uses(value).filter(is_crossing).collect()
}

/// The values, except for variables, that some other block uses.
fn crossing_values(module: &Module, function: Function) -> Vec<Inst> {
    let values = blocks(module, function).into_iter().flat_map(|block| module.children(block));
    let values = values.filter(|&inst| module.ty(inst).is_some() && module.op(inst) != Op::Variable);
    values.filter(|&value| !crossing_uses(module, value).is_empty()).collect()
}

/// A use of a pointer of another block.
fn crossing_pointer(module: &Module, function: Function) -> Result<Option<Use>, String> {
    for value in crossing_values(module, function) {
        let ty = module.ty(value).expect("invariant: a value has a type");
        match (module.op(ty), module.op(value)) {
            (Op::TypePointer, Op::AccessChain | Op::InBoundsAccessChain) => {
                return Ok(crossing_uses(module, value).into_iter().next());
            }
            (Op::TypePointer | Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeRuntimeArray, op) => {
                return Err(format!("a value of {} that {} makes", module.op(ty).name(), op.name()));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Replaces block parameters by variables, which the edges store to.
fn demote_parameters(module: &mut Module, function: Function) {
    for block in blocks(module, function) {
        let parameters: Vec<Parameter> = module.parameters(block).collect();
        if parameters.is_empty() {
            continue;
        }
        let types: Vec<Inst> =
            parameters.iter().map(|&parameter| module.ty(parameter).expect("invariant: it has a type")).collect();
        let variables: Vec<Inst> = types.iter().map(|&ty| add_variable(module, function, ty)).collect();
        let terminators: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
        for terminator in terminators {
            let arguments: Vec<Inst> = module.arguments(terminator).collect();
            let mut editor = module.edit();
            for (&variable, &argument) in variables.iter().zip(&arguments) {
                editor.insert(Position::Before(terminator.into()), Op::Store, None, &[variable, argument]);
            }
            let target = editor.module().operand(terminator, operand::TARGET);
            editor.set_operands(terminator, &[target]);
        }
        let mut editor = module.edit();
        let last: Inst = parameters[parameters.len() - 1].into();
        let mut place = last;
        for ((&parameter, &variable), &ty) in parameters.iter().zip(&variables).zip(&types) {
            let load = editor.insert(Position::After(place), Op::Load, Some(ty), &[variable]);
            editor.replace_all_uses(parameter, load);
            place = load;
        }
        for parameter in parameters {
            editor.delete(parameter);
        }
    }
}

/// Removes empty edge blocks; the others become ordinary blocks.
fn dissolve_edges(module: &mut Module, function: Function) {
    for edge in blocks(module, function) {
        if module.op(edge) != Op::EdgeBlock {
            continue;
        }
        let children: Vec<Inst> = module.children(edge).collect();
        let mut editor = module.edit();
        if let [jump] = children[..] {
            let target = editor.module().operand(jump, operand::TARGET);
            editor.replace_all_uses(edge, target);
        } else {
            let block = editor.insert(Position::After(edge.into()), Op::Block, None, &[]);
            children.into_iter().for_each(|inst| editor.move_to(inst, Position::AtEnd(block)));
            editor.replace_all_uses(edge, block);
        }
        editor.delete(edge);
    }
}
