//! Specialization: values in place of specialization constants.
//!
//! ```text
//! %n: %u32 = spec_constant 1 {SpecId 0}          %n: %u32 = constant 64
//! %m: %u32 = spec_constant_op i_mul %n, %two     %m: %u32 = constant 128
//! %s: %v3 = spec_constant_composite %n, %one, %one {BuiltIn WorkgroupSize}
//! %a = type_array %u32, %m                   ⇒   %a = type_array %u32, %m
//! execution_mode %f, LocalSize, 1, 1, 1          execution_mode %f, LocalSize, 64, 1, 1
//! ```
//!
//! Each specialization constant is replaced by an ordinary one after those among its operands. Types that use it are hoistable, and so
//! they merge into equal ones. Linear in the globals and their operands, except for merges of types.

use std::error::Error;
use std::fmt;

use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind, evaluate};
use reconverge_ir::{Inst, Module, Op, decoration, view};
use rustc_hash::FxHashSet;
use spirv::{BuiltIn, ExecutionMode};

use crate::constants::constant_inst;

/// The treatment of specialization constants that get no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// They get their defaults: no specialization constant is left.
    Defaults,
    /// They get their defaults. An operation whose value is not known stays, and so does what depends on it.
    Fixed,
    /// They stay, and so do those that depend on them.
    Open,
}

/// A specialization constant whose value is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The constant, or the execution mode that names it.
    pub at: Inst,
    /// A description, for messages.
    pub what: String,
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)
    }
}

impl Error for Unknown {}

fn unknown(at: Inst, what: impl Into<String>) -> Unknown {
    Unknown { at, what: what.into() }
}

/// Gives specialization constants the values of `values`, a pair of `SpecId` and bits each; of several values for one id the last counts. Sizes
/// of work-groups whose parts are known then are written into `LocalSize`.
///
/// # Errors
/// A `spec_constant_op` whose value is not known, with the name of its operation, if none may stay; a value for a constant that is no number.
pub fn specialize(module: &mut Module, values: &[(u32, u64)], others: Others) -> Result<(), Unknown> {
    let mut size = module.globals().find(|&global| is_work_group_size(module, global));
    let constants = module.globals().filter(|&global| module.op(global).is_specialization_constant());
    let mut worklist: Vec<Inst> = constants.collect();
    worklist.reverse();
    let mut opened = FxHashSet::default();
    // Operands come first: a constant stays below them on the stack.
    while let Some(&constant) = worklist.last() {
        let is_due = module.is_live(constant);
        if is_due && opened.insert(constant) {
            let before = worklist.len();
            let parts = module.operands(constant).filter(|&part| module.op(part).is_specialization_constant());
            worklist.extend(parts.filter(|part| !opened.contains(part)));
            if worklist.len() > before {
                continue;
            }
        }
        worklist.pop();
        if is_due && !stays_open(module, constant, values, others) {
            let new = match ordinary(module, constant, values) {
                Err(_) if others != Others::Defaults && module.op(constant) == Op::SpecConstantOp => continue,
                made => made?,
            };
            module.edit().replace_all_uses(constant, new);
            module.edit().delete(constant);
            size = if size == Some(constant) { Some(new) } else { size };
        }
    }
    match size.is_some_and(|size| module.op(size).is_specialization_constant()) {
        true => Ok(()),
        false => write_sizes(module, size),
    }
}

/// Returns whether a constant gets no value and needs one, or depends on such a constant.
fn stays_open(module: &Module, constant: Inst, values: &[(u32, u64)], others: Others) -> bool {
    match (module.op(constant), others) {
        (_, Others::Defaults) => false,
        (Op::SpecConstantComposite | Op::SpecConstantOp, _) => {
            module.operands(constant).any(|part| module.op(part).is_specialization_constant())
        }
        (_, Others::Fixed) => false,
        (_, Others::Open) => given(module, constant, values).is_none(),
    }
}

/// The ordinary constant with the value of a specialization constant.
fn ordinary(module: &mut Module, constant: Inst, values: &[(u32, u64)]) -> Result<Inst, Unknown> {
    let ty = module.ty(constant).expect("invariant: a constant has a type");
    let operands: Vec<Inst> = module.operands(constant).collect();
    if let Some(bits) = given(module, constant, values) {
        let kind = ScalarKind::of(module, ty);
        let kind = kind.ok_or_else(|| unknown(constant, "a specialization constant that is no number"))?;
        let bits = if kind == ScalarKind::Bool { u64::from(bits != 0) } else { bits };
        return Ok(constant_inst(module, ty, &Constant::Scalar(Scalar::new(kind, bits))));
    }
    let op = match module.op(constant) {
        Op::SpecConstantTrue => Op::ConstantTrue,
        Op::SpecConstantFalse => Op::ConstantFalse,
        Op::SpecConstant => Op::Constant,
        Op::SpecConstantComposite => Op::ConstantComposite,
        _ => return folded(module, constant, ty),
    };
    Ok(module.edit().unique(op, Some(ty), &operands))
}

/// The value that a launch gives to a specialization constant.
fn given(module: &Module, constant: Inst, values: &[(u32, u64)]) -> Option<u64> {
    let decoration::SpecId(id) = module.decorated(constant).find()?;
    values.iter().rev().find(|&&(given, _)| given == id).map(|&(_, bits)| bits)
}

/// The constant that a `spec_constant_op` of constants computes.
fn folded(module: &mut Module, constant: Inst, ty: Inst) -> Result<Inst, Unknown> {
    let op =
        view::SpecConstantOp::of(module, constant).and_then(|view| Op::from_opcode(u16::try_from(view.opcode).ok()?));
    let op = op.ok_or_else(|| unknown(constant, "a spec_constant_op of an unknown operation"))?;
    let (mut parts, mut literals) = (Vec::new(), Vec::new());
    let no_value = || unknown(constant, format!("a spec_constant_op {} whose value is not known", op.name()));
    for operand in module.operands(constant).skip(view::SpecConstantOp::SLOT.operands) {
        match module.op(operand).is_literal() {
            true => literals.push(module.literal_word(operand).ok_or_else(no_value)?),
            false => parts.push(Constant::of(module, operand).ok_or_else(no_value)?),
        }
    }
    let value = evaluate(module, op, ty, &parts, &literals).ok_or_else(no_value)?;
    Ok(constant_inst(module, ty, &value))
}

fn is_work_group_size(module: &Module, inst: Inst) -> bool {
    module.op(inst).is_constant() && module.decorated(inst).find() == Some(decoration::BuiltIn(BuiltIn::WorkgroupSize))
}

/// Writes work-group sizes as literals of `LocalSize`: that of the constant that was decorated `WorkgroupSize`, which counts for every entry
/// point, or those of `LocalSizeId`. An ordinary constant loses the decoration.
fn write_sizes(module: &mut Module, constant: Option<Inst>) -> Result<(), Unknown> {
    let parts = constant.map(|constant| module.operands(constant).collect::<Vec<Inst>>());
    let whole = constant.zip(parts).map(|(constant, parts)| size_of(module, constant, &parts)).transpose()?;
    let globals: Vec<Inst> = module.globals().collect();
    let mut sized: FxHashSet<Inst> = FxHashSet::default();
    for &global in &globals {
        let Some(view::Mode { function, mode, parameters }) = view::Mode::of(module, global) else { continue };
        let is_open = parameters.iter().any(|part| module.op(part).is_specialization_constant());
        let size = match (mode, whole) {
            // It gets a size when its parts have values.
            (Some(ExecutionMode::LocalSizeId), None) if is_open => continue,
            (Some(ExecutionMode::LocalSize | ExecutionMode::LocalSizeId), Some(size)) => size,
            (Some(ExecutionMode::LocalSizeId), None) => {
                size_of(module, global, &parameters.iter().collect::<Vec<Inst>>())?
            }
            _ => continue,
        };
        if sized.insert(function) {
            write_mode(module, function, size);
        }
        module.edit().delete(global);
    }
    let Some((constant, size)) = constant.zip(whole) else { return Ok(()) };
    let functions = globals.iter().filter(|&&global| module.is_live(global));
    let functions = functions.filter_map(|&global| view::EntryPoint::of(module, global).map(|entry| entry.function));
    let unsized_yet: Vec<Inst> = functions.filter(|&function| sized.insert(function)).collect();
    unsized_yet.into_iter().for_each(|function| write_mode(module, function, size));
    module.edit().retain_decorations(constant, |module, note| {
        let built_in = decoration::Note::of(module, note).and_then(decoration::Note::read);
        built_in != Some(decoration::BuiltIn(BuiltIn::WorkgroupSize))
    });
    Ok(())
}

fn size_of(module: &Module, at: Inst, parts: &[Inst]) -> Result<[u32; 3], Unknown> {
    let words: Option<Vec<u32>> = parts.iter().map(|&part| module.constant_word(part)).collect();
    let size = words.and_then(|words| <[u32; 3]>::try_from(words).ok());
    size.ok_or_else(|| unknown(at, "a work-group size that is not three numbers"))
}

fn write_mode(module: &mut Module, function: Inst, size: [u32; 3]) {
    let mut edit = module.edit();
    let mut operands = vec![function, edit.enumerant(ExecutionMode::LocalSize)];
    operands.extend(size.map(|extent| edit.word(extent)));
    edit.append_global(Op::ExecutionMode, None, &operands);
}
