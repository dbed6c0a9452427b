//! The origin of an undefined value: its operands are followed backwards through the calls of the lane.
//!
//! The registers of all open calls hold the values of this iteration, so the operand of an instruction that is undefined is the one that
//! made its result undefined. Vectors are followed component by component. A value that was loaded has the origin of what was stored
//! there, or it was never written.
//!
//! Complexity: at most [`STEPS`] steps, each linear in the function: it finds the instruction of a register. Called only for undefined
//! values.

use reconverge_ir::Op;

use crate::code::image;
use crate::code::instruction::{Action, Code, Instruction, Operand, Source};
use crate::lanes::frame::{CallFrame, Lane};
use crate::memory::Memory;
use crate::origins::{Cause, FoundAccess, FoundOrigin};
use crate::{Pointer, Value};

/// The greatest number of instructions that are followed.
const STEPS: usize = 256;
/// A component of a shuffle that has no value.
const NO_COMPONENT: u32 = u32::MAX;

/// The position of the search: an operand in a call, and the instruction that uses it.
struct Point<'a> {
    frame: CallFrame<'a>,
    operand: Operand,
    /// The element that is undefined; the first one if not known.
    component: Option<usize>,
    user: usize,
}

/// The next thing to look at.
enum Back {
    Operand(Operand, Option<usize>),
    Origin(FoundOrigin),
    Unknown,
}

/// The origin of an undefined operand of the instruction that a lane executes.
pub(crate) fn origin(
    memory: &Memory,
    lane: &Lane<'_>,
    operand: Operand,
    component: Option<usize>,
) -> Option<FoundOrigin> {
    let frames: Vec<CallFrame<'_>> = lane.frames().copied().collect();
    let mut level = frames.len() - 1;
    let mut point = Point { frame: frames[level], operand, component, user: frames[level].current };
    for _ in 0..STEPS {
        let code = point.frame.code;
        let register = match point.operand.source() {
            Source::Constant(_) => return Some(no_value(code.instructions.get(point.user)?)),
            Source::Global(_) => return None,
            Source::Register(register) => register as u32,
        };
        if let Some(index) = code.instructions.iter().position(|one| one.result == register) {
            let at = Search { memory, lane, frame: &point.frame };
            match at.back(&code.instructions[index], point.component) {
                Back::Operand(operand, component) => point = Point { operand, component, user: index, ..point },
                Back::Origin(origin) => return Some(origin),
                Back::Unknown => return None,
            }
        } else if register < code.blocks.first()?.parameters.start {
            level = level.checked_sub(1)?;
            let frame = frames[level];
            let user = frame.current.checked_sub(1)?;
            let call = frame.code.instructions.get(user)?;
            let operand = *frame.code.operands[call.operands.range()].get(register as usize)?;
            point = Point { frame, operand, user, ..point };
        } else {
            let at = Search { memory, lane, frame: &point.frame };
            let (operand, user) = at.incoming(register, point.component)?;
            point = Point { operand, user, ..point };
        }
    }
    None
}

/// The origin of what made an instruction fail: its first operand that is undefined, or the memory that it reads.
pub(crate) fn of_failure(memory: &Memory, lane: &Lane<'_>) -> Option<FoundOrigin> {
    let instruction = lane.frame.code.instructions.get(lane.frame.current)?;
    let operands = lane.operands(instruction.operands);
    let found = operands.iter().find(|&&operand| lane.peek(operand).is_some_and(Value::has_undefined));
    match found {
        Some(&operand) => origin(memory, lane, operand, None),
        None => match lane.peek(*operands.first()?)? {
            Value::Pointer(pointer) => Some(of_memory(memory, instruction, *pointer)),
            _ => None,
        },
    }
}

/// Returns the memory that the instruction at which a lane failed accesses, if it is a load, a store or an atomic operation.
pub(crate) fn accessed(memory: &Memory, lane: &Lane<'_>) -> Option<FoundAccess> {
    let instruction = lane.frame.code.instructions.get(lane.frame.current)?;
    let is_access = matches!(instruction.action, Action::Load(_) | Action::Store(_) | Action::Atomic(_));
    let pointer = *lane.operands(instruction.operands).first().filter(|_| is_access)?;
    let Value::Pointer(place) = *lane.peek(pointer)? else { return None };
    let (bytes, _) = memory.contents(place)?;
    Some(FoundAccess { place, variable: memory.variable_of(place), size: bytes.len() as u64 })
}

/// The origin of the undefined value at a place that an instruction reads.
pub(super) fn of_memory(memory: &Memory, instruction: &Instruction, place: Pointer) -> FoundOrigin {
    memory.origin_at(place).unwrap_or_else(|| {
        let object = Some((place.owner, place.object, memory.variable_of(place)));
        FoundOrigin { inst: instruction.inst, cause: Cause::NeverWritten, object }
    })
}

fn no_value(instruction: &Instruction) -> FoundOrigin {
    FoundOrigin { inst: instruction.inst, cause: Cause::NoValue, object: None }
}

/// A search in one call.
struct Search<'s, 'a> {
    memory: &'s Memory,
    lane: &'s Lane<'a>,
    frame: &'s CallFrame<'a>,
}

impl<'a> Search<'_, 'a> {
    fn value(&self, operand: Operand) -> Option<&Value> {
        self.lane.peek_in(self.frame, operand)
    }

    fn operands(&self, instruction: &Instruction) -> &'a [Operand] {
        let code: &'a Code = self.frame.code;
        &code.operands[instruction.operands.range()]
    }

    fn is_undefined(&self, operand: Operand, component: Option<usize>) -> bool {
        self.value(operand).is_some_and(|value| is_undefined(value, component))
    }

    /// Returns the operand or the cause that made the result of an instruction undefined.
    fn back(&self, instruction: &Instruction, component: Option<usize>) -> Back {
        let first = self.operands(instruction).first().copied();
        match &instruction.action {
            Action::Undefined => Back::Origin(no_value(instruction)),
            Action::Load(_) | Action::LoadDescriptor => match first.and_then(|first| self.value(first)) {
                Some(Value::Pointer(pointer)) => {
                    let types = &self.lane.program.types;
                    let part = component.and_then(|component| types.element(instruction.ty, component as u64));
                    let place = pointer.advanced(part.map_or(0, |(_, offset)| offset.cast_signed()));
                    Back::Origin(of_memory(self.memory, instruction, place))
                }
                _ => Back::Unknown,
            },
            Action::Call(_) => {
                let returned = self.memory.origins.as_ref().and_then(|origins| origins.returned.get(&self.lane.index));
                returned.map_or(Back::Unknown, |&origin| Back::Origin(origin))
            }
            Action::Compute(op) => self.back_of_operation(instruction, *op, component),
            Action::Image(_) => self.back_of_image(instruction),
            _ => self.first_undefined(instruction, component, Cause::Operation),
        }
    }

    /// The first operand that is undefined; without one the operation itself has no result.
    fn first_undefined(&self, instruction: &Instruction, component: Option<usize>, cause: Cause) -> Back {
        let operands = self.operands(instruction);
        match operands.iter().find(|&&operand| self.is_undefined(operand, component)) {
            Some(&operand) => {
                let is_composite = self.value(operand).is_some_and(|value| value.elements().is_some());
                Back::Operand(operand, component.filter(|_| is_composite))
            }
            None => Back::Origin(FoundOrigin { inst: instruction.inst, cause, object: None }),
        }
    }

    /// The image or the component of the coordinate that made the result of an image operation undefined. Other components than those that
    /// the image has do not matter.
    fn back_of_image(&self, instruction: &Instruction) -> Back {
        let literals = &self.frame.code.literals[instruction.literals.range()];
        let (&[image, coordinate, ..], Some(&used)) = (self.operands(instruction), literals.get(image::USED)) else {
            return self.first_undefined(instruction, None, Cause::Operation);
        };
        let component = match self.value(coordinate) {
            Some(Value::Composite(elements)) => elements.iter().take(used as usize).position(Value::is_undefined),
            Some(Value::Undefined) => return Back::Operand(coordinate, None),
            _ => None,
        };
        match component {
            _ if self.is_undefined(image, None) => Back::Operand(image, None),
            Some(component) => Back::Operand(coordinate, Some(component)),
            None => Back::Origin(FoundOrigin { inst: instruction.inst, cause: Cause::Operation, object: None }),
        }
    }

    fn back_of_operation(&self, instruction: &Instruction, op: Op, component: Option<usize>) -> Back {
        let operands = self.operands(instruction);
        let literals = &self.frame.code.literals[instruction.literals.range()];
        let component = component.or_else(|| {
            let elements = self.value(Operand::register(instruction.result))?.elements()?;
            elements.iter().position(Value::has_undefined)
        });
        let literal = |index: usize| literals.get(index).map(|&literal| literal as usize);
        match (op, operands, component) {
            (Op::CompositeExtract, &[whole], _) => Back::Operand(whole, literal(0)),
            (Op::CompositeInsert, &[part, whole], _) => match literal(0) == component && literals.len() == 1 {
                true => Back::Operand(part, None),
                false if self.is_undefined(whole, component) => Back::Operand(whole, component),
                false => Back::Operand(part, None),
            },
            (Op::VectorShuffle, &[one, other], Some(component)) => {
                let length = literal(0).unwrap_or(0);
                match literals.get(component + 1) {
                    None | Some(&NO_COMPONENT) => Back::Origin(no_value(instruction)),
                    Some(&from) if (from as usize) < length => Back::Operand(one, Some(from as usize)),
                    Some(&from) => Back::Operand(other, Some(from as usize - length)),
                }
            }
            (Op::CompositeConstruct, operands, Some(component)) => match operands.get(component) {
                Some(&operand) if self.is_undefined(operand, None) => Back::Operand(operand, None),
                _ => self.first_undefined(instruction, None, Cause::Operation),
            },
            (Op::VectorExtractDynamic, &[whole, index], _) => match self.value(index).and_then(Value::as_u64) {
                Some(index) if self.is_undefined(whole, Some(index as usize)) => {
                    Back::Operand(whole, Some(index as usize))
                }
                _ => self.first_undefined(instruction, None, Cause::Operation),
            },
            (Op::Select, &[condition, left, right], _) => match self.value(condition) {
                Some(Value::Bool(true)) => Back::Operand(left, component),
                Some(Value::Bool(false)) => Back::Operand(right, component),
                _ => self.first_undefined(instruction, component, Cause::Operation),
            },
            _ => self.first_undefined(instruction, component, cause(op)),
        }
    }

    /// The argument of a jump that made the parameter of a block undefined, and the jump.
    fn incoming(&self, register: u32, component: Option<usize>) -> Option<(Operand, usize)> {
        let code: &'a Code = self.frame.code;
        let has = |block: &crate::code::instruction::BlockCode| {
            (block.parameters.start..block.parameters.end).contains(&register)
        };
        let block = code.blocks.iter().position(has)?;
        let parameter = (register - code.blocks[block].parameters.start) as usize;
        let arguments = code.instructions.iter().enumerate().filter_map(|(index, jump)| match jump.action {
            Action::Branch(target) if target.block() as usize == block => {
                Some((*code.operands[jump.operands.range()].get(parameter)?, index))
            }
            _ => None,
        });
        let itself =
            |operand: Operand| matches!(operand.source(), Source::Register(number) if number as u32 == register);
        let mut arguments = arguments.filter(|&(operand, _)| !itself(operand));
        arguments.find(|&(operand, _)| self.is_undefined(operand, component))
    }
}

fn is_undefined(value: &Value, component: Option<usize>) -> bool {
    match (value, component) {
        (Value::Composite(elements), Some(component)) => elements.get(component).is_some_and(Value::has_undefined),
        _ => value.has_undefined(),
    }
}

/// The reason why an operation on defined operands has no result.
fn cause(op: Op) -> Cause {
    match op {
        Op::ConvertFToU | Op::ConvertFToS => Cause::Conversion,
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => Cause::Shift,
        _ => Cause::Operation,
    }
}
