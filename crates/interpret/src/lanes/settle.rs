//! The notes of an instruction that made bytes undefined, completed with the origins of the undefined values.

use reconverge_ir::view;

use crate::code::instruction::{Action, Instruction, Operand};
use crate::lanes::frame::Lane;
use crate::lanes::trace;
use crate::memory::Memory;
use crate::origins::{Cause, FoundOrigin, Pending};
use crate::value::Owner;
use crate::{Pointer, Value};

impl Memory {
    /// Completes the notes of an instruction, if it left some. What a store stores is the operand with an undefined part; a written texel is
    /// the last operand before the image operands.
    #[cold]
    pub(crate) fn complete(&mut self, lane: &Lane<'_>, instruction: &Instruction) {
        let operands = lane.operands(instruction.operands);
        let undefined = match instruction.action {
            Action::Image(_) => operands.get(view::ImageWrite::SLOT.texel),
            _ => operands.iter().find(|&&operand| lane.peek(operand).is_some_and(Value::has_undefined)),
        };
        self.settle(lane, instruction, undefined.copied());
    }

    /// The origin of what a copy of a value has written to a place.
    fn copied_origin(&self, lane: &Lane<'_>, instruction: &Instruction, place: Pointer) -> Option<FoundOrigin> {
        let [target, source] = lane.operands(instruction.operands)[..] else { return None };
        let (Some(Value::Pointer(target)), Some(Value::Pointer(source))) = (lane.peek(target), lane.peek(source))
        else {
            return None;
        };
        let source = source.advanced(place.offset.wrapping_sub(target.offset));
        Some(trace::of_memory(self, instruction, source))
    }

    /// Completes the notes of an instruction that a lane has executed.
    #[cold]
    fn settle(&mut self, lane: &Lane<'_>, instruction: &Instruction, stored: Option<Operand>) {
        let Some(origins) = &mut self.origins else { return };
        for pending in std::mem::take(&mut origins.pending) {
            let Pending { place, component, before, source } = pending;
            let origin = match source {
                Some(source) => Some(trace::of_memory(self, instruction, source)),
                None => match stored {
                    Some(stored) => trace::origin(self, lane, stored, component),
                    None => self.copied_origin(lane, instruction, place),
                },
            };
            match before {
                Some(before) if origin.is_some_and(|origin| origin.cause == Cause::NoValue) => {
                    self.put_back(place, &before);
                    continue;
                }
                _ => {}
            }
            let Some(origins) = &mut self.origins else { return };
            match (place.owner, origin) {
                (Owner::Shared, origin) => origins.record(lane.index, instruction.inst, place, origin),
                (_, Some(origin)) => drop(origins.stored.insert((place.owner, place.object, place.offset), origin)),
                (_, None) => {}
            }
        }
    }
}
