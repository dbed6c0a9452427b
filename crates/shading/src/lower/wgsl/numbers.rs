//! Numbers where WGSL differs from others: special floats by their bits, choices of vectors, carries, remainders, high halves of products.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};

use super::super::Lowering;
use super::super::function::{Body, Numbers};
use super::functions::HIGH_HALF;
use crate::syntax::{
    Arguments, Binary, Callee, Effects, Expr, Global, GlobalKind, Literal, Scalar, ScalarKind, Shape, Type, TypeShape,
    Unary,
};
use crate::write::WriteCode;

impl Lowering<'_> {
    /// A number that is infinite or NaN: the bits of a private variable, because what a compiler evaluates is finite.
    pub(in crate::lower) fn wgsl_special_float(
        &mut self,
        bits: u64,
        ty: Type,
        place: Inst,
    ) -> Result<Expr, Diagnostic> {
        let scalar = self.text.types.scalar(ty).unwrap_or(Scalar::FLOAT);
        let word = self.text.types.numbers(Scalar::UINT, 1);
        if scalar.width > 32 {
            return self.refuse(WriteCode::Constant, place, "a NaN or an infinity of 64 bits in WGSL");
        }
        let global = match self.wgsl.special.get(&(bits, scalar.width)) {
            Some(&known) => known,
            None => {
                let value = self.literal(Literal::Uint(bits), word);
                let mantissa = if scalar.width == 16 { bits & 0x3ff } else { bits & 0x7f_ffff };
                let name = if mantissa == 0 { "infinity_bits" } else { "nan_bits" }.to_owned();
                let (prefix, suffix) = ("var<private>".to_owned(), String::new());
                let kind = GlobalKind::Variable(Some(value));
                let added = self.text.add_global(Global { name, ty: word, kind, prefix, suffix, is_written: false });
                self.wgsl.special.insert((bits, scalar.width), added);
                added
            }
        };
        let read = self.global(global);
        if scalar.width == 16 {
            let pair = self.text.types.numbers(scalar, 2);
            let halves = self.wgsl_function("bitcast", &[read], pair);
            let swizzle = crate::syntax::Swizzle::new(&[0]);
            return Ok(self.text.expressions.add(Shape::Swizzle { base: halves, swizzle }, ty, Effects::PURE));
        }
        Ok(self.wgsl_function("bitcast", &[read], ty))
    }

    fn wgsl_function(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        let arguments: Arguments = arguments.iter().copied().collect();
        self.text.expressions.add(Shape::Call { callee: Callee::Intrinsic(name), arguments }, ty, Effects::PURE)
    }

    /// Returns whether the language has numbers of a type.
    pub(in crate::lower) fn wgsl_has_scalar(&mut self, scalar: Scalar, place: Inst) -> bool {
        match (scalar.kind, scalar.width) {
            (ScalarKind::Float, 16) => {
                self.require("f16", place);
                true
            }
            (_, width) => width == 32,
        }
    }
}

impl Body<'_, '_> {
    /// An operator before an integer. Numbers without a sign have no minus in the language: they are subtracted from 0.
    pub(in crate::lower) fn wgsl_prefix(&mut self, operator: Unary, operand: Expr, _place: Inst) -> Expr {
        let numbers = self.numbers_of(operand);
        if operator != Unary::Negate || numbers.scalar.kind != ScalarKind::Uint {
            return self.unary(operator, operand);
        }
        let ty = self.type_of(operand);
        let of_one = self.type_of_numbers(Numbers { size: 1, ..numbers });
        let mut zero = self.cx.text.expressions.add(Shape::Literal(Literal::Uint(0)), of_one, Effects::PURE);
        if numbers.size > 1 {
            zero = self.construct([zero], ty);
        }
        self.binary(Binary::Subtract, zero, operand, ty)
    }

    /// The conjunction or disjunction of conditions: `&` and `|` take vectors.
    pub(in crate::lower) fn wgsl_both(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        ty: Type,
    ) -> Result<Expr, Diagnostic> {
        let operator = match operator {
            Binary::And if self.numbers_of(left).size > 1 => Binary::BitAnd,
            Binary::Or if self.numbers_of(left).size > 1 => Binary::BitOr,
            operator => operator,
        };
        Ok(self.binary(operator, left, right, ty))
    }

    /// An operator on integers of one type. The bits to shift by are unsigned.
    pub(in crate::lower) fn wgsl_integer(&mut self, operator: Binary, left: Expr, right: Expr, _place: Inst) -> Expr {
        let right = match operator {
            Binary::ShiftLeft | Binary::ShiftRight => self.cast(right, ScalarKind::Uint),
            _ => right,
        };
        let ty = self.type_of(left);
        self.binary(operator, left, right, ty)
    }

    /// The remainder with the sign of the dividend.
    pub(in crate::lower) fn wgsl_signed_remainder(&mut self, left: Expr, right: Expr, ty: Type) -> Expr {
        self.binary(Binary::Remainder, left, right, ty)
    }

    /// The first value where a component of the condition holds, the second elsewhere.
    pub(in crate::lower) fn wgsl_choose_components(
        &mut self,
        condition: Expr,
        accept: Expr,
        reject: Expr,
    ) -> Result<Expr, Diagnostic> {
        let ty = self.type_of(accept);
        Ok(self.call("select", &[reject, accept, condition], ty))
    }

    /// An instruction on numbers that the language spells in its own way.
    pub(in crate::lower) fn wgsl_number(
        &mut self,
        inst: Inst,
        operands: &[Inst],
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        let op = self.source.op(inst);
        Ok(Some(match (op, operands) {
            (Op::FRem, &[left, right]) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(Binary::Remainder, left, right, ty)
            }
            (Op::IsNan | Op::IsInf, &[operand]) => self.special_test(op, operand)?,
            (Op::QuantizeToF16, _) => self.function_of("quantizeToF16", operands, ty)?,
            _ => return Ok(None),
        }))
    }

    /// A sum with its carry, a product with its high half.
    pub(in crate::lower) fn wgsl_two_parts(&mut self, inst: Inst, operands: [Inst; 2]) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::IAddCarry | Op::ISubBorrow => self.carried(inst, operands),
            _ => self.product_in_two(inst, operands, |body, both, ty| body.high_half(both, ty)),
        }
    }

    /// A test for NaN or infinity by the bits of the number: compilers may take numbers for finite.
    ///
    /// ```text
    /// (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u
    /// ```
    fn special_test(&mut self, op: Op, operand: Inst) -> Result<Expr, Diagnostic> {
        let value = self.value(operand)?;
        let size = self.numbers_of(value).size;
        let value = self.numbers_to(value, Scalar::FLOAT, size);
        let words = Numbers { scalar: Scalar::UINT, size };
        let (unsigned, conditions) = (self.type_of_numbers(words), self.cx.text.types.numbers(Scalar::BOOL, size));
        let bits = self.call("bitcast", &[value], unsigned);
        let (mask, infinity) = (self.splat(0x7fff_ffff, words), self.splat(0x7f80_0000, words));
        let magnitude = self.binary(Binary::BitAnd, bits, mask, unsigned);
        let operator = if op == Op::IsNan { Binary::Greater } else { Binary::Equal };
        Ok(self.binary(operator, magnitude, infinity, conditions))
    }

    /// The high half of a product, by a function of the text on unsigned numbers. That of signed numbers is less by each operand where the
    /// other one is negative.
    fn high_half(&mut self, operands: [Expr; 2], ty: Type) -> Result<Expr, Diagnostic> {
        let numbers = self.numbers_of_type(ty);
        self.add_lines("high_half", &HIGH_HALF);
        self.by_component(operands, numbers.scalar, ty, |body, [left, right], one| {
            let word = body.cx.text.types.numbers(Scalar::UINT, 1);
            let (left, right) = (body.repeated(left), body.repeated(right));
            let unsigned = [left, right].map(|name| {
                let read = body.local(name);
                body.cast(read, ScalarKind::Uint)
            });
            let high = body.call("high_half", &unsigned, word);
            if numbers.scalar.kind == ScalarKind::Uint {
                return Ok(high);
            }
            let mut high = body.cast(high, ScalarKind::Int);
            for (sign, other) in [(left, right), (right, left)] {
                let (read, last) = (body.local(sign), body.cx.word(31));
                let mask = body.binary(Binary::ShiftRight, read, last, one);
                let other = body.local(other);
                let less = body.binary(Binary::BitAnd, mask, other, one);
                high = body.binary(Binary::Subtract, high, less, one);
            }
            Ok(high)
        })
    }

    /// Adds the lines of a function that the language lacks.
    pub(super) fn add_lines(&mut self, name: &'static str, lines: &[&str]) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let is_new = !self.cx.text.globals.iter().any(|global| global.name == name);
        self.cx.built_in(name, void);
        if is_new {
            self.cx.text.layouts.extend(lines.iter().map(|line| (*line).to_owned()));
        }
    }
}
