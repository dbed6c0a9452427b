//! Our IR as textual LLVM IR.
//!
//! | ours | LLVM's |
//! |---|---|
//! | block parameter, arguments of edges | `phi` |
//! | variable at module level | pointer parameter: `noalias`, unless it says Aliased; `dereferenceable` if it exists whole for certain |
//! | pointer parameter | pointer parameter |
//! | `u_div` and the like | `udiv`: the divisor 0 is undefined behaviour in both |
//! | barrier | call of a `convergent` function |
//!
//! For functions at stage Graph of 32-bit numbers, booleans and pointers to numbers; of an access chain only the last index is not 0. Everything else is an
//! error that names it.

use std::fmt::Write as _;

use reconverge_interpret::Value;
use reconverge_ir::{Block, Function, Inst, Module, Op, Stage};

use crate::optimum::{last_index, memory};

/// The function `f` of a module of LLVM's.
///
/// # Errors
/// What it cannot express.
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

/// A program in C that launches the function on what `optimum::measure` gives it, and prints both counts and the result.
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
    let operand = |index: usize| module.operand(terminator, index);
    Ok(match module.op(terminator) {
        Op::Branch => format!("br {}", label(operand(0))),
        Op::BranchIf => format!("br i1 {}, {}, {}", name(module, operand(0))?, label(operand(1)), label(operand(2))),
        Op::Switch => {
            let mut cases = String::new();
            for (value, target) in module.cases(terminator) {
                let value = module.literal_word(value).ok_or("a case of more than 32 bits")?;
                _ = write!(cases, "\n    i32 {value}, {}", label(target));
            }
            format!("switch i32 {}, {} [{cases}\n  ]", name(module, operand(0))?, label(operand(1)))
        }
        Op::Return => "ret void".to_owned(),
        Op::ReturnValue => format!("ret {} {}", ty(module, operand(0))?, name(module, operand(0))?),
        Op::Unreachable => "unreachable".to_owned(),
        other => return Err(format!("no way to say `{}`", other.name())),
    })
}

fn instruction(module: &Module, inst: Inst) -> Result<String, String> {
    let op = module.op(inst);
    let operand = |index: usize| name(module, module.operand(inst, index));
    if let Some(written) = binary(op) {
        let ty = ty(module, module.operand(inst, 0))?;
        return Ok(format!("{} = {written} {ty} {}, {}", name(module, inst)?, operand(0)?, operand(1)?));
    }
    Ok(match op {
        Op::Load => format!("{} = load {}, ptr {}, align 4", name(module, inst)?, ty(module, inst)?, operand(0)?),
        Op::Store => {
            format!("store {} {}, ptr {}, align 4", ty(module, module.operand(inst, 1))?, operand(1)?, operand(0)?)
        }
        Op::AccessChain | Op::InBoundsAccessChain => {
            let index = name(module, last_index(module, inst)?)?;
            format!("{} = getelementptr inbounds i32, ptr {}, i32 {index}", name(module, inst)?, operand(0)?)
        }
        Op::Select => format!(
            "{} = select i1 {}, {} {}, {} {}",
            name(module, inst)?,
            operand(0)?,
            ty(module, inst)?,
            operand(1)?,
            ty(module, inst)?,
            operand(2)?
        ),
        Op::LogicalNot => format!("{} = xor i1 {}, true", name(module, inst)?, operand(0)?),
        Op::Not => format!("{} = xor i32 {}, -1", name(module, inst)?, operand(0)?),
        Op::SNegate => format!("{} = sub i32 0, {}", name(module, inst)?, operand(0)?),
        Op::ControlBarrier => "call void @barrier() #0".to_owned(),
        other => return Err(format!("no way to say `{}`", other.name())),
    })
}

/// LLVM's word for an operation on two operands of one type.
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
        Op::Constant => module.literal_word(module.operand(value, 0)).ok_or("a wide constant")?.to_string(),
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
        Op::TypeInt if module.literal_word(module.operand(ty, 0)) == Some(32) => Ok("i32"),
        other => Err(format!("no type like `{}`", other.name())),
    }
}
