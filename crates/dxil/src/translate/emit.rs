//! Instructions of the shader: with their location and decorations, and the blocks that operations add.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Op, Position};
use spirv::{Decoration, GlslStd450Op};

use super::function::Body;
use super::numbers::Number;
use crate::error::{self, Code, at_bit};
use crate::module::{TypeId, ValueId};

/// Instructions of the shader.
impl Body<'_, '_> {
    /// Adds an instruction with a result.
    pub(super) fn emit(&mut self, op: Op, ty: Inst, operands: &[Inst]) -> Inst {
        self.shader.build.at_end(self.current);
        let inst = self.shader.build.emit(op, Some(ty), operands);
        if !op.is_hoistable() {
            self.shader.build.editor().set_location(inst, self.location);
        }
        inst
    }

    /// Adds an instruction without a result.
    pub(super) fn effect(&mut self, op: Op, operands: &[Inst]) {
        self.shader.build.at_end(self.current);
        let inst = self.shader.build.emit(op, None, operands);
        self.shader.build.editor().set_location(inst, self.location);
    }

    /// Adds an extended instruction of `GLSL.std.450`.
    pub(super) fn extended(&mut self, instruction: GlslStd450Op, ty: Inst, arguments: &[Inst]) -> Inst {
        let operands = self.shader.extended_operands(instruction, arguments);
        self.emit(Op::ExtInst, ty, &operands)
    }

    /// Adds an instruction whose result is a number, with the decorations that the number and the instruction need.
    pub(super) fn number(&mut self, op: Op, number: Number, operands: &[Inst]) -> Inst {
        let ty = self.shader.number_type(number);
        let inst = self.emit(op, ty, operands);
        self.relax_number(inst, number);
        if self.is_precise && matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FNegate) {
            self.shader.decorate(inst, Decoration::NoContraction);
        }
        inst
    }

    /// The decoration of a value that may be more precise than DXIL requires.
    pub(super) fn relax(&mut self, inst: Inst, ty: TypeId) {
        if let Some(number) = self.shader.number(ty) {
            self.relax_number(inst, number);
        }
    }

    pub(super) fn relax_number(&mut self, inst: Inst, number: Number) {
        let module = self.shader.build.module();
        if number.is_relaxed()
            && !module.op(inst).is_constant()
            && !module.decorated(inst).has(Decoration::RelaxedPrecision)
        {
            self.shader.decorate(inst, Decoration::RelaxedPrecision);
        }
    }

    /// An integer with zeros above its width.
    pub(super) fn unsigned(&mut self, value: ValueId) -> Result<Inst, Diagnostic> {
        let number = self.number_of(value)?;
        let inst = self.value(value)?;
        if !number.is_wider() || !number.is_int() || self.known_integer(value).is_some() {
            return Ok(inst);
        }
        let ty = self.shader.build.module().ty(inst).expect("invariant: a value has a type");
        let mask = self.splat(ty, number, (1 << number.width) - 1);
        Ok(self.emit(Op::BitwiseAnd, ty, &[inst, mask]))
    }

    /// An integer with its sign above its width.
    pub(super) fn signed(&mut self, value: ValueId) -> Result<Inst, Diagnostic> {
        let number = self.number_of(value)?;
        let inst = self.value(value)?;
        if !number.is_wider() || !number.is_int() {
            return Ok(inst);
        }
        let ty = self.shader.build.module().ty(inst).expect("invariant: a value has a type");
        if let Some(bits) = self.known_integer(value) {
            let unused = 64 - number.width;
            let extended = ((bits << unused).cast_signed() >> unused).cast_unsigned();
            return Ok(self.splat(ty, number, extended));
        }
        let distance = self.splat(ty, number, u64::from(number.represented - number.width));
        let high = self.emit(Op::ShiftLeftLogical, ty, &[inst, distance]);
        Ok(self.emit(Op::ShiftRightArithmetic, ty, &[high, distance]))
    }

    /// A constant of the bits that represent a number, or a vector of it.
    fn splat(&mut self, ty: Inst, number: Number, bits: u64) -> Inst {
        let constant = self.shader.constant(Number::int(number.represented), bits);
        match self.shader.build.module().op(ty) {
            Op::TypeVector => {
                let length = self.shader.build.module().literal_word(self.shader.build.module().operand(ty, 1));
                let constants = vec![constant; length.unwrap_or(0) as usize];
                self.shader.build.emit(Op::ConstantComposite, Some(ty), &constants)
            }
            _ => constant,
        }
    }

    /// A variable of the function, at its beginning.
    pub(super) fn local_variable(&mut self, pointee: Inst) -> Inst {
        let ty = self.shader.pointer_type(spirv::StorageClass::Function, pointee);
        let class = self.shader.build.enumerant(spirv::StorageClass::Function);
        self.shader.build.editor().insert(Position::AtStart(self.entry.into()), Op::Variable, Some(ty), &[class])
    }

    /// Runs what follows only where a condition holds, until [`end_if`](Self::end_if).
    pub(super) fn begin_if(&mut self, condition: Inst) -> Block {
        let before = self.current;
        let editor = self.shader.build.editor();
        let then = editor.insert(Position::After(before.into()), Op::Block, None, &[]);
        let edge = editor.insert(Position::After(then), Op::EdgeBlock, None, &[]);
        let join = editor.insert(Position::After(edge), Op::Block, None, &[]);
        editor.append(edge, Op::Branch, None, &[join]);
        self.effect(Op::BranchIf, &[condition, then, edge]);
        let module = self.shader.build.module();
        self.current = module.cast(then).expect("invariant: a block is a block");
        module.cast(join).expect("invariant: a block is a block")
    }

    pub(super) fn end_if(&mut self, join: Block) {
        self.effect(Op::Branch, &[join.into()]);
        self.current = join;
    }

    /// Repeats what follows, until [`end_loop`](Self::end_loop).
    pub(super) fn begin_loop(&mut self) -> Block {
        let before = self.current;
        let header = self.shader.build.editor().insert(Position::After(before.into()), Op::Block, None, &[]);
        self.effect(Op::Branch, &[header]);
        let header = self.shader.build.module().cast(header).expect("invariant: a block is a block");
        self.current = header;
        header
    }

    /// Leaves the loop where a condition holds, and repeats it where it does not.
    pub(super) fn end_loop(&mut self, header: Block, condition: Inst) {
        let last = self.current;
        let editor = self.shader.build.editor();
        let edge = editor.insert(Position::After(last.into()), Op::EdgeBlock, None, &[]);
        let exit = editor.insert(Position::After(edge), Op::Block, None, &[]);
        editor.append(edge, Op::Branch, None, &[header.into()]);
        self.effect(Op::BranchIf, &[condition, exit, edge]);
        self.current = self.shader.build.module().cast(exit).expect("invariant: a block is a block");
    }

    pub(super) fn unsupported(&self, message: impl Into<String>) -> Diagnostic {
        error::unsupported(self.offset, message)
    }

    pub(super) fn invalid(&self, message: impl Into<String>) -> Diagnostic {
        at_bit(Code::Operation, self.offset, message)
    }
}
