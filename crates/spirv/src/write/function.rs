//! Functions: signature, blocks, phis.
//!
//! ```text
//! ^p: branch ^b(%a)                            ^p: OpBranch ^b
//! ^q: branch ^b(%b)               ⇒            ^q: OpBranch ^b
//! ^b(%x):                                      ^b: %x = OpPhi %t %a ^p %b ^q
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Class, Inst, Op};

use super::contract::Contracted;
use super::emit::Emitter;
use super::exit;
use crate::error::{WriteCode, at_inst};
use crate::opcode;

/// Writes a function.
pub(super) fn emit(emitter: &mut Emitter<'_>, contracted: &Contracted) -> Result<(), Diagnostic> {
    let function = contracted.function;
    let module = emitter.module;
    let inst = Inst::from(function);
    emitter.function_line(inst)?;
    let start = emitter.begin(opcode::FUNCTION);
    emitter.results(inst)?;
    emitter.operand(inst, module.operand(inst, reconverge_ir::function::CONTROL))?;
    emitter.operand(inst, module.operand(inst, reconverge_ir::function::FUNCTION_TYPE))?;
    emitter.end(start, inst)?;
    for parameter in module.parameters(function) {
        emit_defining(emitter, parameter.into(), opcode::FUNCTION_PARAMETER)?;
    }
    let splits = exit::splits(emitter, contracted);
    let strays = stray_variables(emitter, contracted);
    for (place, &block) in contracted.blocks().iter().enumerate() {
        emit_defining(emitter, block.into(), opcode::LABEL)?;
        emit_phis(emitter, contracted, &splits, block)?;
        if place == 0 {
            strays.iter().try_for_each(|&variable| emitter.instruction(variable))?;
        }
        emit_instructions(emitter, block, place)?;
        exit::emit(emitter, contracted, &splits, block)?;
        emitter.end_block();
    }
    let start = emitter.begin(opcode::FUNCTION_END);
    emitter.end(start, inst)
}

/// Writes an instruction without operands: a parameter or a label.
fn emit_defining(emitter: &mut Emitter<'_>, inst: Inst, opcode: u16) -> Result<(), Diagnostic> {
    emitter.line(inst)?;
    let start = emitter.begin(opcode);
    emitter.results(inst)?;
    emitter.end(start, inst)
}

fn is_variable(emitter: &Emitter<'_>, inst: Inst) -> bool {
    emitter.module.op(inst) == Op::Variable
}

/// The variables outside the entry block. SPIR-V allows them only there.
fn stray_variables(emitter: &Emitter<'_>, contracted: &Contracted) -> Vec<Inst> {
    let others = contracted.blocks().iter().skip(1);
    let insts = others.flat_map(|&block| emitter.module.children(block));
    insts.filter(|&inst| is_variable(emitter, inst)).collect()
}

fn emit_phis(
    emitter: &mut Emitter<'_>,
    contracted: &Contracted,
    splits: &exit::Splits,
    block: Block,
) -> Result<(), Diagnostic> {
    let module = emitter.module;
    let incoming = contracted.incoming(block);
    for (number, parameter) in module.parameters(block).enumerate() {
        let inst = Inst::from(parameter);
        emitter.line(inst)?;
        let start = emitter.begin(opcode::PHI);
        emitter.results(inst)?;
        for (source, arguments) in incoming {
            emitter.operand(inst, arguments[number])?;
            let label = splits.last_label(emitter, *source);
            emitter.word(label);
        }
        emitter.end(start, inst)?;
    }
    Ok(())
}

/// Emits the block at a place in its function. Variables are only in the first one.
fn emit_instructions(emitter: &mut Emitter<'_>, block: Block, place: usize) -> Result<(), Diagnostic> {
    let module = emitter.module;
    let last = module.terminator(block).map(Inst::from);
    for inst in module.children(block).filter(|&inst| Some(inst) != last) {
        match module.op(inst).class() {
            Class::Terminator => {
                return Err(at_inst(WriteCode::Block, inst, "expected the terminator to be last in its block"));
            }
            Class::Structure if module.op(inst) == Op::BlockParameter => {}
            _ if is_variable(emitter, inst) && place > 0 => {}
            _ => emitter.instruction(inst)?,
        }
    }
    Ok(())
}
