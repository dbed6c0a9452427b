//! Writes our IR as textual LLVM IR.
//!
//! | ours | LLVM's |
//! |---|---|
//! | block parameter, arguments of edges | `phi` |
//! | variable at module level | pointer parameter: `noalias`, unless it says Aliased; `dereferenceable` if all of it is certainly valid |
//! | pointer parameter | pointer parameter |
//! | `u_div` and the like | `udiv`: the divisor 0 is undefined behaviour in both |
//! | barrier | call of a `convergent` function |
//!
//! For functions at stage Graph of 32-bit numbers, booleans and pointers to numbers; only the last index of an access chain may differ from
//! 0. Everything else is an error with its name.

use std::fmt::Write as _;

use reconverge_interpret::Value;
use reconverge_ir::view::{self, Case};
use reconverge_ir::{Block, Function, Inst, Module, Op, Stage};

use crate::optimum::{last_index, memory};

/// The function `f` of an LLVM module.
///
/// # Errors
/// An instruction that cannot be expressed.
pub fn write(module: &Module, function: Function) -> Result<String, String> {
    if module.stage(function) != Stage::Graph && module.stage(function) != Stage::Generic {
        return Err("a structured function: lanes mean nothing here".to_owned());
    }
    let mut text = String::from("target triple = \"x86_64-pc-linux-gnu\"\n\n");
    let mut parameters = Vec::new();
    for parameter in module.parameters(function) {
        parameters.push(format!("{} {}", ty(module, parameter.into())?, name(module, parameter.into())?));
    }
    for memory in memory(module)? {
        let alias = if memory.is_aliased { "" } else { " noalias" };
        let exists = if memory.is_whole { " dereferenceable(4)" } else { "" };
        parameters.push(format!("ptr{alias}{exists} align 4 {}", name(module, memory.variable)?));
    }
    let result = module.ty(function).map_or(Ok("void"), |result| type_name(module, result))?;
    _ = writeln!(text, "define {result} @f({}) {{", parameters.join(", "));
    for block in module.blocks(function) {
        write_block(&mut text, module, block)?;
    }
    Ok(text + "}\n\ndeclare void @barrier() #0\n\nattributes #0 = { convergent nounwind }\n")
}

/// A C program that launches the function on the data of `optimum::measure`, and prints both counts and the result.
pub(super) fn driver(module: &Module, function: Function, arguments: &[Value]) -> Result<String, String> {
    let is_void = module.ty(function).is_none_or(|result| module.op(result) == Op::TypeVoid);
    let (kind, call) = if is_void { ("void", "unsigned r = 0; f") } else { ("unsigned", "unsigned r = f") };
    let mut values = Vec::new();
    for argument in arguments {
        values.push(argument.as_u32().ok_or("an argument that is no number")?.to_string());
    }
    let mut cells = Vec::new();
    for memory in memory(module)? {
        values.push(format!("&memory[{}]", cells.len()));
        cells.extend(memory.numbers.iter().map(u32::to_string));
    }
    cells.push("0".to_owned());
    let shown = if is_void { "" } else { "printf(\"%u\\n\", r);" };
    Ok(format!(
        "#include <stdio.h>\nstatic unsigned long instructions, terminators;\nstatic unsigned memory[] = {{{}}};\n\
         void count(unsigned long n) {{ instructions += n; terminators++; }}\nvoid barrier(void) {{}}\n{kind} f();\n\
         int main(void) {{ {call}({}); printf(\"%lu %lu\\n\", instructions, terminators); {shown} return 0; }}\n",
        cells.join(", "),
        values.join(", ")
    ))
}

fn write_block(text: &mut String, module: &Module, block: Block) -> Result<(), String> {
    _ = writeln!(text, "b{}:", block.inst().index());
    for (number, parameter) in module.parameters(block).enumerate() {
        let mut inputs = Vec::new();
        for edge in module.in_edges(block) {
            let from = module.block_of(edge.terminator).ok_or("a terminator without a block")?;
            let argument = module.arguments(edge.terminator).nth(number).ok_or("an argument is missing")?;
            inputs.push(format!("[ {}, %b{} ]", name(module, argument)?, from.inst().index()));
        }
        let inputs = inputs.join(", ");
        _ = writeln!(text, "  {} = phi {} {inputs}", name(module, parameter.into())?, ty(module, parameter.into())?);
    }
    for inst in module.children(block).filter(|&inst| module.op(inst) != Op::BlockParameter) {
        let line = match module.op(inst).is_terminator() {
            true => terminator(module, block)?,
            false => instruction(module, inst)?,
        };
        _ = writeln!(text, "  {line}");
    }
    Ok(())
}

fn terminator(module: &Module, block: Block) -> Result<String, String> {
    let terminator = module.terminator(block).ok_or("a block without a terminator")?;
    let label = |block: Inst| format!("label %b{}", block.index());
    let malformed = || format!("operands are missing at `{}`", module.op(terminator).name());
    Ok(match module.op(terminator) {
        Op::Branch => format!("br {}", label(view::Branch::of(module, terminator).ok_or_else(malformed)?.target)),
        Op::BranchIf => {
            let branch = view::BranchIf::of(module, terminator).ok_or_else(malformed)?;
            let condition = name(module, branch.condition)?;
            format!("br i1 {condition}, {}, {}", label(branch.true_target), label(branch.false_target))
        }
        Op::Switch => {
            let switch = view::Switch::of(module, terminator).ok_or_else(malformed)?;
            let mut cases = String::new();
            for Case { literal, target } in switch.cases.iter() {
                let value = module.literal_word(literal).ok_or("a case of more than 32 bits")?;
                _ = write!(cases, "\n    i32 {value}, {}", label(target));
            }
            format!("switch i32 {}, {} [{cases}\n  ]", name(module, switch.selector)?, label(switch.default))
        }
        Op::Return => "ret void".to_owned(),
        Op::ReturnValue => {
            let value = view::ReturnValue::of(module, terminator).ok_or_else(malformed)?.value;
            format!("ret {} {}", ty(module, value)?, name(module, value)?)
        }
        Op::Unreachable => "unreachable".to_owned(),
        other => return Err(format!("no way to say `{}`", other.name())),
    })
}

fn instruction(module: &Module, inst: Inst) -> Result<String, String> {
    let op = module.op(inst);
    let malformed = || format!("operands are missing at `{}`", op.name());
    if let Some(written) = binary(op) {
        let view::Binary { left, right } = view::Binary::of(module, inst).ok_or_else(malformed)?;
        let (ty, left, right) = (ty(module, left)?, name(module, left)?, name(module, right)?);
        return Ok(format!("{} = {written} {ty} {left}, {right}", name(module, inst)?));
    }
    Ok(match op {
        Op::Load => {
            let pointer = name(module, view::Load::of(module, inst).ok_or_else(malformed)?.pointer)?;
            format!("{} = load {}, ptr {pointer}, align 4", name(module, inst)?, ty(module, inst)?)
        }
        Op::Store => {
            let view::Store { pointer, object, .. } = view::Store::of(module, inst).ok_or_else(malformed)?;
            let (ty, object) = (ty(module, object)?, name(module, object)?);
            format!("store {ty} {object}, ptr {}, align 4", name(module, pointer)?)
        }
        Op::AccessChain | Op::InBoundsAccessChain => {
            let index = name(module, last_index(module, inst)?)?;
            let base = name(module, view::Chain::of(module, inst).ok_or_else(malformed)?.base)?;
            format!("{} = getelementptr inbounds i32, ptr {base}, i32 {index}", name(module, inst)?)
        }
        Op::Select => {
            let select = view::Select::of(module, inst).ok_or_else(malformed)?;
            let (ty, condition) = (ty(module, inst)?, name(module, select.condition)?);
            let [yes, no] = [name(module, select.true_value)?, name(module, select.false_value)?];
            format!("{} = select i1 {condition}, {ty} {yes}, {ty} {no}", name(module, inst)?)
        }
        Op::LogicalNot | Op::Not | Op::SNegate => {
            let operand = name(module, view::Unary::of(module, inst).ok_or_else(malformed)?.operand)?;
            let written = match op {
                Op::LogicalNot => format!("xor i1 {operand}, true"),
                Op::Not => format!("xor i32 {operand}, -1"),
                _ => format!("sub i32 0, {operand}"),
            };
            format!("{} = {written}", name(module, inst)?)
        }
        Op::ControlBarrier => "call void @barrier() #0".to_owned(),
        other => return Err(format!("no way to say `{}`", other.name())),
    })
}

/// LLVM's name of a binary operation.
fn binary(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::IAdd => "add",
        Op::ISub => "sub",
        Op::IMul => "mul",
        Op::UDiv => "udiv",
        Op::SDiv => "sdiv",
        Op::UMod => "urem",
        Op::SRem => "srem",
        Op::BitwiseAnd | Op::LogicalAnd => "and",
        Op::BitwiseOr | Op::LogicalOr => "or",
        Op::BitwiseXor | Op::LogicalNotEqual => "xor",
        Op::ShiftLeftLogical => "shl",
        Op::ShiftRightLogical => "lshr",
        Op::ShiftRightArithmetic => "ashr",
        Op::IEqual => "icmp eq",
        Op::INotEqual => "icmp ne",
        Op::ULessThan => "icmp ult",
        Op::ULessThanEqual => "icmp ule",
        Op::UGreaterThan => "icmp ugt",
        Op::UGreaterThanEqual => "icmp uge",
        Op::SLessThan => "icmp slt",
        Op::SLessThanEqual => "icmp sle",
        Op::SGreaterThan => "icmp sgt",
        Op::SGreaterThanEqual => "icmp sge",
        _ => return None,
    })
}

/// A value in an operand.
fn name(module: &Module, value: Inst) -> Result<String, String> {
    Ok(match module.op(value) {
        Op::Constant => module.constant_word(value).ok_or("a wide constant")?.to_string(),
        Op::ConstantTrue => "true".to_owned(),
        Op::ConstantFalse => "false".to_owned(),
        Op::Undef => "undef".to_owned(),
        _ => format!("%v{}", value.index()),
    })
}

fn ty(module: &Module, value: Inst) -> Result<&'static str, String> {
    type_name(module, module.ty(value).ok_or("a value without a type")?)
}

fn type_name(module: &Module, ty: Inst) -> Result<&'static str, String> {
    match module.op(ty) {
        Op::TypeVoid => Ok("void"),
        Op::TypeBool => Ok("i1"),
        Op::TypePointer => Ok("ptr"),
        Op::TypeInt if module.width(ty) == Some(32) => Ok("i32"),
        other => Err(format!("no type like `{}`", other.name())),
    }
}
