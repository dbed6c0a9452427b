//! Decorations (SPIR-V sections 2.16.2 and 3.1.20).
//!
//! - D01: a decoration has the right operands and a valid target; one of a member names a member of its struct.
//! - D02: no target has a decoration twice, or two that exclude each other. How memory is accessed may be said twice: front ends do.
//! - D03: externally visible memory has an explicit layout: members have offsets, arrays have strides, matrices have strides and an order,
//!   and there are no booleans.

mod form;
mod layouts;
mod targets;

use reconverge_ir::decoration::{LinkageAttributes, Note};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashSet;
use spirv::{Decoration, LinkageType};

use crate::Code;
use crate::layout::{Layout, Line};
use crate::report::Report;
use crate::typing::Context;

/// Checks the decorations of all instructions in a module. Linear in them, and in the types of the buffers.
pub(crate) fn verify_annotations(report: &mut Report<'_>, context: &Context<'_>, layout: &Layout, everything: &[Line]) {
    let module = report.module();
    for &Line { inst, op, .. } in everything {
        let decorations = module.decorations(inst);
        if decorations.is_empty() && op != Op::Function {
            continue;
        }
        for &decoration in decorations {
            if let Some(problem) = form::problem(context, inst, op, decoration) {
                report.at(Code::D01, inst, problem);
            }
        }
        if decorations.len() > 1
            && let Some(problem) = repetition_problem(module, decorations)
        {
            report.at(Code::D02, inst, problem);
        }
        if op == Op::Function
            && let Some(problem) = import_problem(module, inst)
        {
            report.at(Code::D01, inst, problem);
        }
        if op == Op::TypeStruct
            && let Some(problem) = mixture_problem(module, inst)
        {
            report.at(Code::D01, inst, problem);
        }
    }
    if context.declared.is_shader() {
        layouts::verify_layouts(report, context, layout);
    }
}

/// Decorations that exclude each other.
const EXCLUSIVE: [(Decoration, Decoration); 5] = [
    (Decoration::Block, Decoration::BufferBlock),
    (Decoration::Restrict, Decoration::Aliased),
    (Decoration::RestrictPointer, Decoration::AliasedPointer),
    (Decoration::RowMajor, Decoration::ColMajor),
    (Decoration::FPFastMathMode, Decoration::NoContraction),
];

/// Decorations that mean the same when they are given twice, as glslang does for `coherent volatile`, or that differ in what they say.
const MAY_REPEAT: [Decoration; 6] = [
    Decoration::Coherent,
    Decoration::Volatile,
    Decoration::Restrict,
    Decoration::NonReadable,
    Decoration::NonWritable,
    Decoration::UserSemantic,
];

fn repetition_problem(module: &Module, decorations: &[Inst]) -> Option<String> {
    let mut seen = FxHashSet::default();
    for &inst in decorations {
        // Decorations with ids or strings may occur several times.
        if !matches!(module.op(inst), Op::Decorate | Op::MemberDecorate) {
            continue;
        }
        let Some(note) = Note::of(module, inst) else { continue };
        let (Some(decoration), member) = (note.kind(), note.member) else { continue };
        let may_repeat =
            MAY_REPEAT.contains(&decoration) || member.is_none() && decoration == Decoration::FuncParamAttr;
        if !seen.insert((decoration as u32, member)) && !may_repeat {
            return Some(format!("{decoration:?} is given twice"));
        }
        for (one, two) in EXCLUSIVE {
            let other = if one == decoration {
                two
            } else if two == decoration {
                one
            } else {
                continue;
            };
            if seen.contains(&(other as u32, member)) {
                return Some(format!("{one:?} and {two:?} exclude each other"));
            }
        }
    }
    None
}

/// Imported functions have no body, and functions without a body are imported, by themselves or with the generic that they are in.
fn import_problem(module: &Module, function: Inst) -> Option<String> {
    let linkages = module.decorated(function).iter().filter_map(|note| note.read::<LinkageAttributes>());
    let is_imported = linkages.into_iter().any(|linkage| linkage.linkage == LinkageType::Import);
    if module.parent(function) != Some(module.root()) && !is_imported {
        return None;
    }
    let is_declared = module.cast(function).is_some_and(|function| module.blocks(function).next().is_none());
    match (is_imported, is_declared) {
        (true, false) => Some("a function with blocks must not be imported".to_owned()),
        (false, true) => Some("a function without blocks must be imported".to_owned()),
        _ => None,
    }
}

/// All members of a struct are built-ins, or none is.
fn mixture_problem(module: &Module, ty: Inst) -> Option<String> {
    let built_in = module.decorated(ty).members().filter(|note| note.is(Decoration::BuiltIn));
    let members: FxHashSet<u32> = built_in.filter_map(|note| note.member).collect();
    let other = (0..module.operand_count(ty) as u32).find(|member| !members.contains(member))?;
    (!members.is_empty()).then(|| format!("some members are built-in, but member {other} is not"))
}

/// Returns whether an instruction or one of its members has a decoration.
fn has(module: &Module, inst: Inst, member: Option<u32>, wanted: &[Decoration]) -> bool {
    let notes = module.decorated(inst);
    let notes = member.map_or(notes, |member| notes.member(member));
    wanted.iter().any(|&wanted| notes.has(wanted))
}
