//! The operations of DXIL: calls of `dx.op.NAME.TYPE` with the number of the operation as first argument.
//!
//! [`table`] has a row for each operation. A call is checked against the signature of its row, so that what lowers it relies on the number and
//! types of its arguments.

mod atomics;
mod bits;
mod buffers;
mod conversions;
mod derivatives;
mod images;
mod math;
mod rows;
mod sizes;
mod table;
mod threads;
mod waves;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use spirv::GlslStd450Op;

pub(super) use table::OPERATIONS;

use super::function::{Body, Translated};
use super::handles::Handle;
use super::numbers::Number;
use crate::module::{Argument, Constant, Function, Instruction, Module, Type, TypeId, ValueId};

/// An operation that has a translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SupportedOperation {
    /// The number, the first argument of a call.
    pub number: u32,
    /// The name that DXIL gives it.
    pub name: &'static str,
    /// Letters of the types that it exists for: `1` boolean, `w` `i` `l` integers of 16, 32 and 64 bits, `h` `f` `d` floats of 16, 32 and 64 bits.
    /// Empty if it has no overloads.
    pub overloads: &'static str,
    /// The memory effect.
    pub effect: Effect,
    /// The lanes that take part in it.
    pub convergence: Convergence,
}

/// The operations that have a translation, in the order of their numbers.
///
/// ```
/// use reconverge_dxil::translate::{Convergence, supported_operations};
///
/// let sample = supported_operations().find(|operation| operation.name == "Sample").unwrap();
/// assert_eq!((sample.number, sample.convergence), (60, Convergence::Derivative));
/// ```
pub fn supported_operations() -> impl Iterator<Item = SupportedOperation> {
    let handles = [(57, "CreateHandle"), (216, "AnnotateHandle"), (217, "CreateHandleFromBinding")];
    let handles = handles.into_iter().map(|(number, name)| SupportedOperation {
        number,
        name,
        overloads: "",
        effect: Effect::Pure,
        convergence: Convergence::Alone,
    });
    let rows = OPERATIONS.iter().map(|row| SupportedOperation {
        number: row.number,
        name: row.name,
        overloads: row.overloads,
        effect: row.effect,
        convergence: row.convergence,
    });
    let mut all: Vec<SupportedOperation> = handles.chain(rows).collect();
    all.sort_unstable_by_key(|operation| operation.number);
    all.into_iter()
}

/// The memory effect of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Pure,
    /// It reads.
    Reads,
    /// It writes, or the order of such operations matters.
    Writes,
}

/// The lanes that take part in an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convergence {
    /// Each lane for itself.
    Alone,
    /// The lanes of a quad, for a derivative.
    Derivative,
    /// The lanes of a quad.
    Quad,
    /// The active lanes of a wave.
    Wave,
    /// All threads of a group.
    Group,
}

/// The lowering of an operation.
#[derive(Clone, Copy)]
pub(super) enum Lowering {
    /// An instruction with the same operands.
    Core(Op),
    /// An extended instruction with the same operands.
    Extended(GlslStd450Op),
    /// More than that.
    Custom(fn(&mut Body<'_, '_>, &Call<'_>) -> Result<Translated, Diagnostic>),
}

/// A call of an operation that has the signature of its row.
pub(super) struct Call<'c> {
    pub(super) instruction: &'c Instruction,
    pub(super) row: &'static table::Row,
    /// The arguments after the number of the operation.
    pub(super) arguments: Vec<ValueId>,
    /// The number that the operation is for; 32-bit integers for operations without overloads.
    pub(super) overload: Number,
}

impl Call<'_> {
    /// The value of the result.
    pub(super) fn result(&self) -> ValueId {
        self.instruction.result.expect("invariant: the signature has a result")
    }

    /// A constant argument, which the signature makes sure of.
    pub(super) fn constant(&self, body: &Body<'_, '_>, index: usize) -> u64 {
        body.known_integer(self.arguments[index]).expect("invariant: the signature has a constant here")
    }

    /// A resource argument, which the signature makes sure of.
    pub(super) fn handle(&self, body: &Body<'_, '_>, index: usize) -> Handle {
        let handle = body.shader.handles.get(body.id, self.arguments[index]);
        handle.expect("invariant: the signature has a resource here")
    }
}

/// The number of the operation that a call is of.
pub(super) fn number_of_call(
    module: &Module,
    function: &Function,
    callee: ValueId,
    arguments: &[Argument],
) -> Option<u32> {
    let callee = &module.functions[module.function_of(callee)?.index()];
    let name = module.values[callee.value.index()].name.as_deref()?;
    if !name.starts_with("dx.op.") || callee.is_defined() {
        return None;
    }
    let &Argument::Value(first) = arguments.first()? else { return None };
    match module.constant(function, first)? {
        Constant::Integer(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

/// The row of an operation.
pub(super) fn row(number: u32) -> Option<&'static table::Row> {
    OPERATIONS.binary_search_by_key(&number, |row| row.number).ok().map(|index| &OPERATIONS[index])
}

/// Operations that make handles, which are found before anything is translated.
fn makes_handle(number: u32) -> bool {
    matches!(number, 57 | 216 | 217)
}

/// Translates a call of an operation.
pub(super) fn translate(
    body: &mut Body<'_, '_>,
    instruction: &Instruction,
    name: &str,
    arguments: &[Argument],
) -> Result<Translated, Diagnostic> {
    let crate::module::Operation::Call { callee, .. } = instruction.operation else {
        unreachable!("invariant: the instruction is a call")
    };
    let Some(number) = number_of_call(body.shader.dxil, body.function, callee, arguments) else {
        return Err(body.invalid(format!("expected the number of an operation as the first argument of {name}")));
    };
    if makes_handle(number) {
        return Ok(Translated::Nothing);
    }
    let Some(row) = row(number) else {
        let name = name.trim_start_matches("dx.op.").split('.').next().unwrap_or_default();
        return Err(body.unsupported(format!("the operation {name} (number {number}) is not supported")));
    };
    let call = Signature { body, row, instruction }.check(arguments)?;
    body.is_precise = body.has_precise_mark(instruction);
    match row.lowering {
        Lowering::Core(op) => {
            let (ty, operands) = (result_type(body, &call)?, values(body, &call)?);
            Ok(Translated::Value(body.emit(op, ty, &operands)))
        }
        Lowering::Extended(instruction) => {
            let (ty, operands) = (result_type(body, &call)?, values(body, &call)?);
            let inst = body.extended(instruction, ty, &operands);
            body.relax(inst, call.instruction.ty);
            Ok(Translated::Value(inst))
        }
        Lowering::Custom(lower) => lower(body, &call),
    }
}

fn result_type(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Inst, Diagnostic> {
    body.shader.value_type(call.instruction.ty, call.instruction.offset)
}

/// All arguments as values.
pub(super) fn values(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Vec<Inst>, Diagnostic> {
    call.arguments.iter().map(|&argument| body.value(argument)).collect()
}

/// A call that is compared with the signature of its row.
struct Signature<'b, 's, 'a, 'c> {
    body: &'b Body<'s, 'a>,
    row: &'static table::Row,
    instruction: &'c Instruction,
}

impl<'c> Signature<'_, '_, '_, 'c> {
    fn check(&self, arguments: &[Argument]) -> Result<Call<'c>, Diagnostic> {
        let (result, letters) = self.row.signature.split_at(1);
        let mut values = Vec::with_capacity(letters.len());
        for argument in &arguments[1..] {
            match *argument {
                Argument::Value(value) => values.push(value),
                Argument::Metadata(_) => return Err(self.error("values as arguments")),
            }
        }
        if values.len() != letters.len() {
            return Err(self.error(&format!("{} arguments", letters.len() + 1)));
        }
        let mut overload = None;
        self.check_result(result, &mut overload)?;
        for (&value, letter) in values.iter().zip(letters.chars()) {
            self.check_argument(value, letter, &mut overload)?;
        }
        let overload = match overload {
            None => Number::U32,
            Some(ty) => self.body.shader.number(ty).ok_or_else(|| self.error("a number as its type"))?,
        };
        Ok(Call { instruction: self.instruction, row: self.row, arguments: values, overload })
    }

    fn check_result(&self, letter: &str, overload: &mut Option<TypeId>) -> Result<(), Diagnostic> {
        let types = &self.body.shader.dxil.types;
        let ty = self.instruction.ty;
        let members = |ty| match &types[ty] {
            Type::Struct { members: Some(members), .. } => members.clone(),
            _ => Vec::new(),
        };
        let expected = match letter {
            "R" => "ooooi",
            "P" => "ii",
            "Q" => "iiii",
            "O" => "oooo",
            "K" => "i1",
            "C" => {
                // A row has 16 bytes; numbers of at least 16 bits take 32.
                let members = members(ty);
                for &member in &members {
                    self.check_type(member, 'o', overload)?;
                }
                let number = overload.and_then(|ty| self.body.shader.number(ty));
                let is_row = number.is_some_and(|number| members.len() as u32 * number.represented == 128);
                return if is_row { Ok(()) } else { Err(self.error("a row of 16 bytes as its result")) };
            }
            "v" if matches!(types[ty], Type::Void) => return Ok(()),
            "v" => return Err(self.error("no result")),
            _ => return self.check_type(ty, letter.chars().next().unwrap_or('v'), overload),
        };
        let members = members(ty);
        if members.len() != expected.len() {
            return Err(self.error(&format!("{} members in its result", expected.len())));
        }
        members.into_iter().zip(expected.chars()).try_for_each(|(ty, letter)| self.check_type(ty, letter, overload))
    }

    fn check_argument(&self, value: ValueId, letter: char, overload: &mut Option<TypeId>) -> Result<(), Diagnostic> {
        match letter {
            'H' => match self.body.shader.handles.get(self.body.id, value) {
                Some(_) => Ok(()),
                None => {
                    Err(self.body.unsupported("resources that no operation makes from a register are not supported"))
                }
            },
            'b' => match self.body.known_integer(value) {
                Some(_) => Ok(()),
                None => Err(self.error("a constant of 8 bits")),
            },
            _ => self.check_type(self.body.type_of(value), letter, overload),
        }
    }

    fn check_type(&self, ty: TypeId, letter: char, overload: &mut Option<TypeId>) -> Result<(), Diagnostic> {
        let types = &self.body.shader.dxil.types;
        let found = match types[ty] {
            Type::Integer { width: 1 } => '1',
            Type::Integer { width: 16 } => 'w',
            Type::Integer { width: 32 } => 'i',
            Type::Integer { width: 64 } => 'l',
            Type::Half => 'h',
            Type::Float => 'f',
            Type::Double => 'd',
            _ => '?',
        };
        if letter != 'o' {
            let message = || format!("a value of another type than {}", self.body.shader.type_name(ty));
            return if found == letter { Ok(()) } else { Err(self.error(&message())) };
        }
        if *overload.get_or_insert(ty) != ty {
            return Err(self.error("values of one type"));
        }
        match self.row.overloads.contains(found) {
            true => Ok(()),
            false => {
                let (name, number) = (self.row.name, self.row.number);
                let ty = self.body.shader.type_name(ty);
                Err(self.body.unsupported(format!("the operation {name} (number {number}) is not supported for {ty}")))
            }
        }
    }

    fn error(&self, expected: &str) -> Diagnostic {
        self.body.invalid(format!("expected {expected} for the operation {}", self.row.name))
    }
}

#[cfg(test)]
mod tests {
    use super::{Convergence, Effect, Lowering, OPERATIONS, row};
    use reconverge_ir::Effects;

    #[test]
    fn rows_are_in_order_and_well_formed() {
        assert!(OPERATIONS.windows(2).all(|pair| pair[0].number < pair[1].number));
        for operation in OPERATIONS {
            assert_eq!(row(operation.number).map(|row| row.name), Some(operation.name));
            assert!(operation.overloads.chars().all(|letter| "1wilhfd".contains(letter)), "{}", operation.name);
            let has_overload = operation.signature.contains(['o', 'R', 'C', 'O']);
            assert_eq!(has_overload, !operation.overloads.is_empty(), "{}", operation.name);
        }
    }

    /// The memory effect and the convergence of a lowering to one instruction are those of its row.
    #[test]
    fn instructions_do_what_the_rows_say() {
        for operation in OPERATIONS {
            let Lowering::Core(op) = operation.lowering else { continue };
            assert_eq!(operation.effect, Effect::Pure, "{}", operation.name);
            let is_convergent = op.effects().contains(Effects::CONVERGENT);
            assert_eq!(is_convergent, operation.convergence != Convergence::Alone, "{}", operation.name);
        }
    }
}
