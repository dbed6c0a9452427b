//! LLVM's instructions: arithmetic, conversions, comparisons, vectors; which of them have an instruction of SPIR-V, and what the others
//! become.

use reconverge_ir::{Inst, Op};
use spirv::Decoration;

use super::function::{Body, Translated};
use super::memory::is_marker;
use super::numbers::{Kind, Number};
use super::operations;
use crate::error::Error;
use crate::module::{
    Argument, BinaryOp, CastOp, Constant, FloatPredicate, FunctionId, Instruction, IntPredicate, Operation, Type,
    TypeId, ValueId,
};

impl Body<'_, '_> {
    pub(super) fn translate_instruction(&mut self, instruction: &Instruction) -> Result<(), Error> {
        let translated = match &instruction.operation {
            Operation::Binary { op, flags, lhs, rhs } => {
                let is_contracted = flags.float.is_fast && !self.has_precise_mark(instruction);
                self.binary(instruction.ty, *op, is_contracted, [*lhs, *rhs])?
            }
            Operation::Cast { op, value } => self.cast(instruction.ty, *op, *value)?,
            Operation::IntCompare { predicate, lhs, rhs } => {
                self.int_compare(instruction.ty, *predicate, *lhs, *rhs)?
            }
            Operation::FloatCompare { predicate, lhs, rhs, .. } => {
                self.float_compare(instruction.ty, *predicate, *lhs, *rhs)?
            }
            Operation::Select { condition, if_true, if_false } => {
                self.select(instruction, *condition, *if_true, *if_false)?
            }
            Operation::ElementPointer { source, base, indices, .. } => {
                Translated::Pointer(self.element_pointer(*source, *base, indices)?)
            }
            Operation::ExtractValue { aggregate, indices } => match indices[..] {
                [index] => Translated::Value(self.member(*aggregate, index as usize)?),
                _ => return Err(self.unsupported("members of members are not supported")),
            },
            Operation::InsertValue { aggregate, value, indices } => self.insert_value(*aggregate, *value, indices)?,
            Operation::ExtractElement { vector, index } => self.extract_element(instruction.ty, *vector, *index)?,
            Operation::InsertElement { vector, element, index } => {
                self.insert_element(instruction.ty, *vector, *element, *index)?
            }
            Operation::ShuffleVector { first, second, mask } => self.shuffle(instruction.ty, *first, *second, *mask)?,
            Operation::Alloca { ty, count, .. } => self.alloca(instruction, *ty, *count)?,
            Operation::Load { pointer, is_volatile, .. } => self.load(instruction.ty, *pointer, *is_volatile)?,
            Operation::Store { pointer, value, is_volatile, .. } => self.store(*pointer, *value, *is_volatile)?,
            Operation::AtomicRmw { op, pointer, value, .. } => self.atomic(*op, *pointer, *value)?,
            Operation::CompareExchange { pointer, expected, value, .. } => {
                self.compare_exchange(*pointer, *expected, *value)?
            }
            Operation::Fence { .. } => return Err(self.unsupported("fence is not supported")),
            Operation::Call { callee, arguments, .. } => self.call(instruction, *callee, arguments)?,
            Operation::Phi { .. } => unreachable!("invariant: phis are translated with their block"),
            operation => unreachable!("invariant: {operation:?} is a terminator"),
        };
        if let Some(result) = instruction.result {
            self.define(result, translated);
        }
        Ok(())
    }

    fn call(
        &mut self,
        instruction: &Instruction,
        callee: ValueId,
        arguments: &[Argument],
    ) -> Result<Translated, Error> {
        let dxil = self.shader.dxil;
        let Some(id) = dxil.function_of(callee) else {
            return Err(self.unsupported("calls of other values than functions are not supported"));
        };
        let function = &dxil.functions[id.index()];
        let name = dxil.values[function.value.index()].name.as_deref().unwrap_or_default();
        if function.is_defined() {
            return self.call_function(id, instruction, arguments);
        }
        if is_marker(name) {
            return Ok(Translated::Nothing);
        }
        if name.starts_with("dx.op.") {
            return operations::translate(self, instruction, name, arguments);
        }
        Err(self.unsupported(format!("the function {name} is not supported")))
    }

    /// A call of a function that has a body.
    fn call_function(
        &mut self,
        id: FunctionId,
        instruction: &Instruction,
        arguments: &[Argument],
    ) -> Result<Translated, Error> {
        let function = self.shader.function(id, self.offset)?;
        self.write_outputs();
        let mut operands = vec![Inst::from(function)];
        let mut pointers = Vec::new();
        for argument in arguments {
            let Argument::Value(value) = *argument else {
                return Err(self.unsupported("metadata as an argument is not supported"));
            };
            let is_pointer = self.shader.dxil.types.pointee(self.type_of(value)).is_some();
            operands.push(match is_pointer {
                true => {
                    let pointer = self.pointer_argument(value)?;
                    let argument = pointer.argument;
                    pointers.push(pointer);
                    argument
                }
                false => self.value(value)?,
            });
        }
        let ty = self.shader.result_type(instruction.ty, self.offset)?;
        let result = self.emit(Op::FunctionCall, ty, &operands);
        for pointer in &pointers {
            self.write_back(pointer);
        }
        Ok(if instruction.result.is_some() { Translated::Value(result) } else { Translated::Nothing })
    }
}

/// How an operand is extended to the width that represents it.
type Extend<B> = fn(&mut B, ValueId) -> Result<Inst, Error>;

/// Arithmetic.
impl Body<'_, '_> {
    /// Without `fast`, DXIL is precise: products and sums are rounded one by one.
    fn binary(
        &mut self,
        ty: TypeId,
        op: BinaryOp,
        is_contracted: bool,
        [lhs, rhs]: [ValueId; 2],
    ) -> Result<Translated, Error> {
        let number = self.number_of(lhs)?;
        let ty = self.shader.value_type(ty, self.offset)?;
        let (op, operands) = match number.kind {
            Kind::Bool => self.logical(op, lhs, rhs)?,
            Kind::Int => self.int_operation(op, lhs, rhs)?,
            Kind::Float => self.float_operation(op, lhs, rhs)?,
        };
        let inst = self.emit(op, ty, &operands);
        self.relax_number(inst, number);
        if number.is_float() && !is_contracted {
            self.shader.decorate(inst, Decoration::NoContraction);
        }
        Ok(Translated::Value(inst))
    }

    /// Whether the source says `precise`.
    pub(super) fn has_precise_mark(&self, instruction: &Instruction) -> bool {
        let precise = self.shader.dxil.metadata_kind("dx.precise");
        precise.is_some_and(|precise| instruction.metadata.iter().any(|&(kind, _)| kind == precise))
    }

    fn logical(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Result<(Op, Vec<Inst>), Error> {
        let operands = vec![self.value(lhs)?, self.value(rhs)?];
        if op == BinaryOp::Xor {
            for (constant, other) in [(lhs, operands[1]), (rhs, operands[0])] {
                if self.known_integer(constant) == Some(1) {
                    return Ok((Op::LogicalNot, vec![other]));
                }
            }
        }
        let op = match op {
            BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
            BinaryOp::Or => Op::LogicalOr,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => Op::LogicalNotEqual,
            _ => return Err(self.unsupported(format!("{} of booleans is not supported", op.name()))),
        };
        Ok((op, operands))
    }

    fn int_operation(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Result<(Op, Vec<Inst>), Error> {
        if op == BinaryOp::Sub && self.known_integer(lhs) == Some(0) {
            return Ok((Op::SNegate, vec![self.value(rhs)?]));
        }
        let (op, extend): (Op, [Extend<Self>; 2]) = match op {
            BinaryOp::Add => (Op::IAdd, [Self::value, Self::value]),
            BinaryOp::Sub => (Op::ISub, [Self::value, Self::value]),
            BinaryOp::Mul => (Op::IMul, [Self::value, Self::value]),
            BinaryOp::And => (Op::BitwiseAnd, [Self::value, Self::value]),
            BinaryOp::Or => (Op::BitwiseOr, [Self::value, Self::value]),
            BinaryOp::Xor => (Op::BitwiseXor, [Self::value, Self::value]),
            BinaryOp::UDiv => (Op::UDiv, [Self::unsigned, Self::unsigned]),
            BinaryOp::URem => (Op::UMod, [Self::unsigned, Self::unsigned]),
            BinaryOp::SDiv => (Op::SDiv, [Self::signed, Self::signed]),
            BinaryOp::SRem => (Op::SRem, [Self::signed, Self::signed]),
            BinaryOp::Shl => (Op::ShiftLeftLogical, [Self::value, Self::unsigned]),
            BinaryOp::LShr => (Op::ShiftRightLogical, [Self::unsigned, Self::unsigned]),
            BinaryOp::AShr => (Op::ShiftRightArithmetic, [Self::signed, Self::unsigned]),
            _ => return Err(self.invalid(format!("expected an operation on integers, found {}", op.name()))),
        };
        Ok((op, vec![extend[0](self, lhs)?, extend[1](self, rhs)?]))
    }

    fn float_operation(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Result<(Op, Vec<Inst>), Error> {
        if op == BinaryOp::FSub && self.is_negative_zero(lhs) {
            return Ok((Op::FNegate, vec![self.value(rhs)?]));
        }
        let op = match op {
            BinaryOp::FAdd => Op::FAdd,
            BinaryOp::FSub => Op::FSub,
            BinaryOp::FMul => Op::FMul,
            BinaryOp::FDiv => Op::FDiv,
            BinaryOp::FRem => Op::FRem,
            _ => return Err(self.invalid(format!("expected an operation on floats, found {}", op.name()))),
        };
        Ok((op, vec![self.value(lhs)?, self.value(rhs)?]))
    }

    fn is_negative_zero(&self, value: ValueId) -> bool {
        let width = self.shader.dxil.types.scalar_width(self.type_of(value));
        match (self.shader.dxil.constant(self.function, value), width) {
            (Some(Constant::Float(bits)), Some(width)) => *bits == 1 << (width - 1),
            _ => false,
        }
    }
}

/// Conversions.
impl Body<'_, '_> {
    fn cast(&mut self, ty: TypeId, op: CastOp, value: ValueId) -> Result<Translated, Error> {
        if self.shader.dxil.types.pointee(ty).is_some() || self.shader.dxil.types.pointee(self.type_of(value)).is_some()
        {
            return match op {
                CastOp::BitCast => Ok(Translated::Pointer(self.cast_pointer(value, ty)?)),
                _ => Err(self.unsupported(format!("{} is not supported", op.name()))),
            };
        }
        let from = self.number_of(value)?;
        let to = self.shader.number(ty);
        let Some(to) = to else {
            let message = format!("conversions to {} are not supported", self.shader.type_name(ty));
            return Err(self.unsupported(message));
        };
        let target = self.shader.value_type(ty, self.offset)?;
        let inst = match op {
            CastOp::Trunc if to == Number::BOOL => {
                let bit = self.low_bit(value)?;
                let source = self.shader.build.module().ty(bit).expect("invariant: a value has a type");
                let zero = self.shader.null(source);
                self.emit(Op::INotEqual, target, &[bit, zero])
            }
            CastOp::Trunc => {
                let inst = self.value(value)?;
                self.resized(Op::UConvert, [from, to], target, inst)
            }
            CastOp::ZExt | CastOp::SExt if from == Number::BOOL => {
                let word = if op == CastOp::ZExt { 1 } else { u64::MAX };
                self.choose_number(value, ty, to, word)?
            }
            CastOp::ZExt => {
                let inst = self.unsigned(value)?;
                self.resized(Op::UConvert, [from, to], target, inst)
            }
            CastOp::SExt => {
                let inst = self.signed(value)?;
                self.resized(Op::SConvert, [from, to], target, inst)
            }
            CastOp::UIToFP | CastOp::SIToFP if from == Number::BOOL => {
                let one = float_bits(if op == CastOp::UIToFP { 1.0 } else { -1.0 }, to.width);
                self.choose_number(value, ty, to, one)?
            }
            CastOp::UIToFP => {
                let inst = self.unsigned(value)?;
                self.emit(Op::ConvertUToF, target, &[inst])
            }
            CastOp::SIToFP => {
                let inst = self.signed(value)?;
                self.emit(Op::ConvertSToF, target, &[inst])
            }
            CastOp::FPToUI | CastOp::FPToSI if to == Number::BOOL => {
                return Err(self.unsupported(format!("{} to booleans is not supported", op.name())));
            }
            CastOp::FPToUI => {
                let inst = self.value(value)?;
                self.emit(Op::ConvertFToU, target, &[inst])
            }
            CastOp::FPToSI => {
                let inst = self.value(value)?;
                self.emit(Op::ConvertFToS, target, &[inst])
            }
            CastOp::FPTrunc | CastOp::FPExt => {
                let inst = self.value(value)?;
                self.resized(Op::FConvert, [from, to], target, inst)
            }
            CastOp::BitCast => {
                let is_possible = !from.is_wider() && !to.is_wider();
                let inst = self.value(value)?;
                match self.shader.build.module().ty(inst) == Some(target) {
                    true => inst,
                    false if is_possible && from.kind != Kind::Bool && to.kind != Kind::Bool => {
                        self.emit(Op::Bitcast, target, &[inst])
                    }
                    false => return Err(self.unsupported("bitcast of numbers of at least 16 bits is not supported")),
                }
            }
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
                return Err(self.unsupported(format!("{} is not supported", op.name())));
            }
        };
        self.relax_number(inst, to);
        Ok(Translated::Value(inst))
    }

    /// A conversion between widths; none is needed if both are represented alike.
    fn resized(&mut self, op: Op, [from, to]: [Number; 2], target: Inst, value: Inst) -> Inst {
        if from.represented == to.represented { value } else { self.emit(op, target, &[value]) }
    }

    fn low_bit(&mut self, value: ValueId) -> Result<Inst, Error> {
        let inst = self.value(value)?;
        let number = self.number_of(value)?;
        if self.is_vector(self.type_of(value)) {
            return Err(self.unsupported("trunc of vectors to booleans is not supported"));
        }
        let one = self.shader.constant(number, 1);
        Ok(self.number(Op::BitwiseAnd, number, &[inst, one]))
    }

    /// A number for true, and zero for false.
    fn choose_number(&mut self, condition: ValueId, ty: TypeId, number: Number, bits: u64) -> Result<Inst, Error> {
        if self.is_vector(ty) {
            return Err(self.unsupported("conversions of vectors of booleans are not supported"));
        }
        let condition = self.value(condition)?;
        let width_mask = if number.width == 64 { u64::MAX } else { (1 << number.width) - 1 };
        let (one, zero) = (self.shader.constant(number, bits & width_mask), self.shader.constant(number, 0));
        Ok(self.number(Op::Select, number, &[condition, one, zero]))
    }
}

/// The bits of 1 or -1 in a width.
fn float_bits(value: f32, width: u32) -> u64 {
    match width {
        16 => {
            if value < 0.0 {
                0xbc00
            } else {
                0x3c00
            }
        }
        32 => u64::from(value.to_bits()),
        _ => f64::from(value).to_bits(),
    }
}

/// Comparisons and choices.
impl Body<'_, '_> {
    fn int_compare(
        &mut self,
        ty: TypeId,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Translated, Error> {
        if self.shader.dxil.types.pointee(self.type_of(lhs)).is_some() {
            return Err(self.unsupported("comparisons of addresses are not supported"));
        }
        let target = self.shader.value_type(ty, self.offset)?;
        if self.number_of(lhs)? == Number::BOOL {
            return self.bool_compare(target, predicate, lhs, rhs);
        }
        let is_signed =
            matches!(predicate, IntPredicate::Sgt | IntPredicate::Sge | IntPredicate::Slt | IntPredicate::Sle);
        let operands = match is_signed {
            true => [self.signed(lhs)?, self.signed(rhs)?],
            false => [self.unsigned(lhs)?, self.unsigned(rhs)?],
        };
        let op = match predicate {
            IntPredicate::Eq => Op::IEqual,
            IntPredicate::Ne => Op::INotEqual,
            IntPredicate::Ugt => Op::UGreaterThan,
            IntPredicate::Uge => Op::UGreaterThanEqual,
            IntPredicate::Ult => Op::ULessThan,
            IntPredicate::Ule => Op::ULessThanEqual,
            IntPredicate::Sgt => Op::SGreaterThan,
            IntPredicate::Sge => Op::SGreaterThanEqual,
            IntPredicate::Slt => Op::SLessThan,
            IntPredicate::Sle => Op::SLessThanEqual,
        };
        Ok(Translated::Value(self.emit(op, target, &operands)))
    }

    /// A comparison of booleans. Without sign, true is greater than false; with sign it is -1 and less.
    fn bool_compare(
        &mut self,
        target: Inst,
        predicate: IntPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Translated, Error> {
        let (left, right) = (self.value(lhs)?, self.value(rhs)?);
        if predicate == IntPredicate::Ne && self.known_integer(rhs) == Some(0) {
            return Ok(Translated::Value(left));
        }
        if predicate == IntPredicate::Eq && self.known_integer(rhs) == Some(0) {
            return Ok(Translated::Value(self.emit(Op::LogicalNot, target, &[left])));
        }
        // a > b is a && !b, and a >= b is a || !b.
        let (op, positive, negative) = match predicate {
            IntPredicate::Eq => return Ok(Translated::Value(self.emit(Op::LogicalEqual, target, &[left, right]))),
            IntPredicate::Ne => return Ok(Translated::Value(self.emit(Op::LogicalNotEqual, target, &[left, right]))),
            IntPredicate::Ugt | IntPredicate::Slt => (Op::LogicalAnd, left, right),
            IntPredicate::Ult | IntPredicate::Sgt => (Op::LogicalAnd, right, left),
            IntPredicate::Uge | IntPredicate::Sle => (Op::LogicalOr, left, right),
            IntPredicate::Ule | IntPredicate::Sge => (Op::LogicalOr, right, left),
        };
        let negative = self.emit(Op::LogicalNot, target, &[negative]);
        Ok(Translated::Value(self.emit(op, target, &[positive, negative])))
    }

    fn float_compare(
        &mut self,
        ty: TypeId,
        predicate: FloatPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<Translated, Error> {
        let target = self.shader.value_type(ty, self.offset)?;
        let operands = [self.value(lhs)?, self.value(rhs)?];
        let op = match predicate {
            FloatPredicate::False | FloatPredicate::True if self.is_vector(ty) => {
                return Err(self.unsupported("comparisons of vectors with a constant result are not supported"));
            }
            FloatPredicate::False => return Ok(Translated::Value(self.shader.build.constant_bool(false))),
            FloatPredicate::True => return Ok(Translated::Value(self.shader.build.constant_bool(true))),
            FloatPredicate::Ord | FloatPredicate::Uno => {
                return Ok(Translated::Value(self.ordered(target, predicate, operands)));
            }
            FloatPredicate::Oeq => Op::FOrdEqual,
            FloatPredicate::Ogt => Op::FOrdGreaterThan,
            FloatPredicate::Oge => Op::FOrdGreaterThanEqual,
            FloatPredicate::Olt => Op::FOrdLessThan,
            FloatPredicate::Ole => Op::FOrdLessThanEqual,
            FloatPredicate::One => Op::FOrdNotEqual,
            FloatPredicate::Ueq => Op::FUnordEqual,
            FloatPredicate::Ugt => Op::FUnordGreaterThan,
            FloatPredicate::Uge => Op::FUnordGreaterThanEqual,
            FloatPredicate::Ult => Op::FUnordLessThan,
            FloatPredicate::Ule => Op::FUnordLessThanEqual,
            FloatPredicate::Une => Op::FUnordNotEqual,
        };
        Ok(Translated::Value(self.emit(op, target, &operands)))
    }

    /// Whether no operand is NaN, or whether one is. `OpOrdered` is for kernels alone.
    fn ordered(&mut self, target: Inst, predicate: FloatPredicate, operands: [Inst; 2]) -> Inst {
        let left = self.emit(Op::IsNan, target, &[operands[0]]);
        let either = match operands[0] == operands[1] {
            true => left,
            false => {
                let right = self.emit(Op::IsNan, target, &[operands[1]]);
                self.emit(Op::LogicalOr, target, &[left, right])
            }
        };
        if predicate == FloatPredicate::Uno { either } else { self.emit(Op::LogicalNot, target, &[either]) }
    }

    fn select(
        &mut self,
        instruction: &Instruction,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    ) -> Result<Translated, Error> {
        let dxil = self.shader.dxil;
        if self.shader.is_handle_type(instruction.ty) {
            return Err(self.unsupported("choices between resources are not supported"));
        }
        if dxil.types.pointee(instruction.ty).is_some() {
            return Err(self.unsupported("choices between addresses are not supported"));
        }
        let condition_inst = self.value(condition)?;
        if let Type::Struct { members: Some(types), .. } = &dxil.types[instruction.ty] {
            let result = instruction.result.expect("invariant: a choice has a value");
            let mut members = super::function::Members::from_elem(None, types.len());
            for (index, &ty) in types.iter().enumerate() {
                if self.uses_member(result, index) {
                    let choices = [self.member(if_true, index)?, self.member(if_false, index)?];
                    let ty = self.shader.value_type(ty, self.offset)?;
                    members[index] = Some(self.emit(Op::Select, ty, &[condition_inst, choices[0], choices[1]]));
                }
            }
            return Ok(Translated::Members(members));
        }
        if self.is_vector(instruction.ty) && !self.is_vector(self.type_of(condition)) {
            return Err(self.unsupported("choices between vectors by one condition are not supported"));
        }
        let ty = self.shader.value_type(instruction.ty, self.offset)?;
        let operands = [condition_inst, self.value(if_true)?, self.value(if_false)?];
        let inst = self.emit(Op::Select, ty, &operands);
        self.relax(inst, instruction.ty);
        Ok(Translated::Value(inst))
    }
}

/// Composites.
impl Body<'_, '_> {
    fn insert_value(&mut self, aggregate: ValueId, value: ValueId, indices: &[u32]) -> Result<Translated, Error> {
        let [index] = indices[..] else { return Err(self.unsupported("members of members are not supported")) };
        let Translated::Members(mut members) = self.translated(aggregate)? else {
            return Err(self.unsupported("arrays as values are not supported"));
        };
        let value = self.value(value)?;
        match members.get_mut(index as usize) {
            Some(member) => *member = Some(value),
            None => return Err(self.invalid("expected the index of a member")),
        }
        Ok(Translated::Members(members))
    }

    fn extract_element(&mut self, ty: TypeId, vector: ValueId, index: ValueId) -> Result<Translated, Error> {
        let target = self.shader.value_type(ty, self.offset)?;
        let inst = self.value(vector)?;
        let inst = match self.known_element(vector, index) {
            Some(known) => {
                let known = self.shader.build.editor().word(known);
                self.emit(Op::CompositeExtract, target, &[inst, known])
            }
            None => {
                let index = self.unsigned(index)?;
                self.emit(Op::VectorExtractDynamic, target, &[inst, index])
            }
        };
        self.relax(inst, ty);
        Ok(Translated::Value(inst))
    }

    fn insert_element(
        &mut self,
        ty: TypeId,
        vector: ValueId,
        element: ValueId,
        index: ValueId,
    ) -> Result<Translated, Error> {
        let target = self.shader.value_type(ty, self.offset)?;
        let (inst, element) = (self.value(vector)?, self.value(element)?);
        let inst = match self.known_element(vector, index) {
            Some(known) => {
                let known = self.shader.build.editor().word(known);
                self.emit(Op::CompositeInsert, target, &[element, inst, known])
            }
            None => {
                let index = self.unsigned(index)?;
                self.emit(Op::VectorInsertDynamic, target, &[inst, element, index])
            }
        };
        self.relax(inst, ty);
        Ok(Translated::Value(inst))
    }

    /// An index that is a constant and in a vector.
    fn known_element(&self, vector: ValueId, index: ValueId) -> Option<u32> {
        let length = self.shader.dxil.types.vector_length(self.type_of(vector))?;
        let known = u32::try_from(self.known_integer(index)?).ok()?;
        (known < length).then_some(known)
    }

    fn shuffle(&mut self, ty: TypeId, first: ValueId, second: ValueId, mask: ValueId) -> Result<Translated, Error> {
        let target = self.shader.value_type(ty, self.offset)?;
        let length = self.shader.dxil.types.vector_length(ty).unwrap_or(0);
        let mut operands = vec![self.value(first)?, self.value(second)?];
        for index in 0..length as usize {
            let component = match self.shader.dxil.constant(self.function, mask) {
                Some(Constant::Null) => Some(0),
                Some(Constant::Data(elements)) => elements.get(index).copied(),
                Some(Constant::Aggregate(elements)) => {
                    elements.get(index).and_then(|&element| self.known_integer(element))
                }
                _ => None,
            };
            // An index that is undefined selects an undefined element.
            operands.push(self.shader.build.editor().word(component.map_or(u32::MAX, |component| component as u32)));
        }
        let inst = self.emit(Op::VectorShuffle, target, &operands);
        self.relax(inst, ty);
        Ok(Translated::Value(inst))
    }
}
