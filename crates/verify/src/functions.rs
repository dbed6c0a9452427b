//! Functions: heads, calls, variables.
//!
//! - I06: the function type's return type is the function's type, and its parameter types are those of the parameters.
//! - I07: a call names a function, passes arguments of its parameter types, and has its return type.
//! - R7: a variable of class Function is in the entry block, after nothing but variables and extended instructions; all
//!   others are at module level. Its type is a pointer to its own class.
//! - R13 (in part): a function has at most 524,287 variables.
//! - E05, of whole modules: functions without blocks are before those with blocks.

use reconverge_ir::{Function, Inst, Op, view};
use spirv::StorageClass;

use crate::Code;
use crate::layout::{Extent, Layout};
use crate::report::Report;

/// SPIR-V section 2.17.
const VARIABLE_LIMIT: usize = 524_287;

/// Checks every function and the variables at module level. Linear.
pub(crate) fn verify_functions(report: &mut Report<'_>, layout: &Layout) {
    for global in layout.globals().iter().filter(|global| global.op == Op::Variable) {
        if report.module().is_variable_of(global.inst, StorageClass::Function) {
            report.at(Code::R7, global.inst, "a variable of class Function is at module level");
        }
        verify_variable_type(report, global.inst);
    }
    let functions = layout.functions().iter().filter(|extent| !report.is_broken(extent.function));
    let functions: Vec<&Extent> = functions.collect();
    for &extent in &functions {
        verify_head(report, extent.function);
        verify_variables(report, layout, extent);
        // With type-level code, types are compared after substitution: `generics/calls.rs`.
        let has_plain_types = !layout.is_generic();
        for call in layout.lines(extent).iter().filter(|line| has_plain_types && line.op == Op::FunctionCall) {
            verify_call(report, call.inst);
        }
    }
}

/// Checks that functions are declared before others are defined. Linear.
pub(crate) fn verify_order(report: &mut Report<'_>, layout: &Layout) {
    let is_declared = |extent: &&Extent| layout.blocks(extent).0.is_empty();
    let root = report.module().root();
    let is_global = |extent: &&Extent| report.module().parent(extent.function) == Some(root);
    let behind: Vec<&Extent> = layout.functions().iter().filter(is_global).skip_while(is_declared).collect();
    for extent in behind.into_iter().filter(is_declared) {
        report.at(Code::E05, extent.function, "a function declaration comes after a function definition");
    }
}

fn verify_head(report: &mut Report<'_>, function: Function) {
    let module = report.module();
    let function_type = module.operand(function, view::Function::SLOT.function_type);
    let Some(expected) = view::TypeFunction::of(module, function_type) else {
        let found = report.name(function_type);
        return report.at(Code::I06, function, format!("the function type should be a `type_function`, found {found}"));
    };
    if Some(expected.result) != module.ty(function) {
        report.at(Code::I06, function, "the return type differs from the return type of the function type");
    }
    let parameters = module.parameters(function).map(|parameter| module.ty(parameter));
    if !parameters.eq(expected.parameters.iter().map(Some)) {
        report.at(Code::I06, function, "the parameters' types are not those that the function type has");
    }
}

fn verify_call(report: &mut Report<'_>, call: Inst) {
    let module = report.module();
    let Some(view::FunctionCall { function, arguments }) = view::FunctionCall::of(module, call) else { return };
    let Some(callee) = module.cast::<Function>(function) else {
        let found = report.name(function);
        return report.at(Code::I07, call, format!("the callee should be a function, found {found}"));
    };
    let callee_type = view::Function::of(module, callee).map(|callee| callee.function_type);
    let Some(expected) = callee_type.and_then(|ty| view::TypeFunction::of(module, ty)) else { return };
    if Some(expected.result) != module.ty(call) {
        report.at(Code::I07, call, "the call's type is not the callee's return type");
    }
    if arguments.iter().any(|argument| module.op(argument) == Op::Function) {
        report.at(Code::I07, call, "a function cannot be an argument");
    }
    let arguments = arguments.iter().map(|argument| module.ty(argument));
    if !arguments.eq(expected.parameters.iter().map(Some)) {
        report.at(Code::I07, call, "the types of the arguments differ from those of the callee's parameters");
    }
}

fn verify_variables(report: &mut Report<'_>, layout: &Layout, extent: &Extent) {
    let mut count = 0;
    for (number, &span) in layout.blocks(extent).1.iter().enumerate() {
        let mut is_top = number == 0;
        for line in layout.held(span) {
            if line.op != Op::Variable {
                is_top = is_top && stands_above_variables(line.op);
                continue;
            }
            count += 1;
            verify_variable_type(report, line.inst);
            if !report.module().is_variable_of(line.inst, StorageClass::Function) {
                report.at(Code::R7, line.inst, "a variable in a function should be of class Function");
            } else if !is_top {
                report.at(Code::R7, line.inst, "a variable should be at the top of the entry block");
            }
        }
    }
    if count > VARIABLE_LIMIT {
        let message = format!("the function has {count} variables, more than {VARIABLE_LIMIT}");
        report.at(Code::R13, extent.function, message);
    }
}

fn stands_above_variables(op: Op) -> bool {
    op.is_type() || op.is_constant() || matches!(op, Op::ExtInst | Op::BlockParameter)
}

fn verify_variable_type(report: &mut Report<'_>, variable: Inst) {
    let module = report.module();
    let Some(ty) = module.ty(variable) else { return };
    // Literals are compared, since a storage class may be unknown.
    let class = |inst, slot| module.operands(inst).nth(slot);
    let pointer = Some(ty).filter(|&ty| module.op(ty) == Op::TypePointer);
    let of_pointer = pointer.and_then(|pointer| class(pointer, view::TypePointer::SLOT.storage_class));
    if of_pointer.is_none() || of_pointer != class(variable, view::Variable::SLOT.storage_class) {
        let found = report.name(ty);
        let message = format!("the type of a variable should be a pointer to its own storage class, found {found}");
        report.at(Code::R7, variable, message);
    }
}
