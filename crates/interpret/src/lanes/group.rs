//! Group operations, derivatives and quad image operations, executed with the operands of lanes.

use reconverge_ir::Op;

use crate::Value;
use crate::code::image;
use crate::code::instruction::Instruction;
use crate::fault::Fault;
use crate::groups::{GroupCall, Member, async_copy, has_scope};
use crate::images::sampling;
use crate::lanes::frame::Lane;
use crate::lanes::machine::Machine;

impl Machine<'_> {
    /// Executes a group operation, derivative, or quad image operation. Returns one result for each member, none for an op without a
    /// result.
    pub(crate) fn group(&mut self, call: &GroupCall<'_>, instruction: &Instruction) -> Result<Vec<Value>, Fault> {
        match call.op {
            Op::GroupAsyncCopy => async_copy::copy(&mut self.memory, call, instruction),
            Op::GroupWaitEvents => async_copy::wait(&mut self.memory, call).map(|()| Vec::new()),
            op if image::is_implicit(op) => {
                sampling::evaluate(self.images.as_ref().ok_or_else(|| Fault::op(op))?, call)
            }
            _ => call.evaluate(),
        }
    }

    /// The result of a group operation in a group of one lane. Not inlined, so that [`Machine::step`] stays small.
    #[inline(never)]
    pub(super) fn group_alone(&mut self, lane: &Lane<'_>, instruction: &Instruction, op: Op) -> Result<Value, Fault> {
        let call = GroupCall {
            op,
            ty: instruction.ty,
            literals: &lane.frame.code.literals[instruction.literals.range()],
            types: &lane.program.types,
            shape: [1; 3],
            subgroup_size: 1,
            members: vec![Member { number: 0, operands: operands(lane, instruction, op)? }],
        };
        let mut results = self.group(&call, instruction)?;
        Ok(results.pop().unwrap_or(Value::Undefined))
    }
}

/// The operands of a group operation in a lane, without the scope.
pub(crate) fn operands(lane: &Lane<'_>, instruction: &Instruction, op: Op) -> Result<Vec<Value>, Fault> {
    let first = usize::from(has_scope(op));
    let operands = lane.operands(instruction.operands).iter().skip(first);
    operands.map(|&operand| lane.read(operand).cloned()).collect()
}
