//! Values as operands: names, numbers, constants.

use super::{Local, Printer, emit, names};
use crate::module::{Constant, Type, TypeId, Value, ValueId, ValueKind};

impl<'m> Printer<'m> {
    /// Appends an operand with its type.
    pub(super) fn typed_operand(&mut self, local: Option<&Local<'m>>, id: ValueId) {
        let ty = self.find(local, id).ty;
        self.write_type(ty);
        self.out.push(' ');
        self.operand(local, id);
    }

    /// Appends an operand without its type.
    pub(super) fn operand(&mut self, local: Option<&Local<'m>>, id: ValueId) {
        let value = self.find(local, id);
        match &value.kind {
            ValueKind::Global(_) | ValueKind::Function(_) => self.global_name(id),
            ValueKind::Constant(constant) => self.constant(local, value.ty, constant),
            ValueKind::Parameter(_) | ValueKind::Instruction(_) => {
                self.out.push('%');
                match (&value.name, local) {
                    (Some(name), _) => names::write_name(name, &mut self.out),
                    (None, Some(local)) => {
                        emit!(self, "{}", local.numbers.value(id.index() - self.module.values.len()))
                    }
                    (None, None) => emit!(self, "{id}"),
                }
            }
        }
    }

    pub(super) fn find(&self, local: Option<&Local<'m>>, id: ValueId) -> &'m Value {
        match local {
            Some(local) => self.module.value(local.function, id),
            None => &self.module.values[id.index()],
        }
    }

    pub(super) fn global_name(&mut self, id: ValueId) {
        self.out.push('@');
        match &self.module.values[id.index()].name {
            Some(name) => names::write_name(name, &mut self.out),
            None => emit!(self, "{}", self.globals.number(id)),
        }
    }

    fn constant(&mut self, local: Option<&Local<'m>>, ty: TypeId, constant: &'m Constant) {
        match constant {
            Constant::Null => match self.module.types[ty] {
                Type::Pointer { .. } => self.out.push_str("null"),
                Type::Integer { .. } => self.out.push('0'),
                _ => self.out.push_str("zeroinitializer"),
            },
            Constant::Undef => self.out.push_str("undef"),
            Constant::Integer(_) | Constant::Float(_) => self.number(ty, constant),
            Constant::WideInteger(words) => self.wide_integer(words),
            Constant::Aggregate(members) => {
                let (open, close) = self.brackets(ty);
                self.out.push_str(open);
                for (index, &member) in members.iter().enumerate() {
                    self.comma(index);
                    self.typed_operand(local, member);
                }
                self.out.push_str(close);
            }
            Constant::Data(elements) => self.data(ty, elements),
            Constant::Cast { op, value } => {
                emit!(self, "{} (", op.name());
                self.typed_operand(local, *value);
                self.out.push_str(" to ");
                self.write_type(ty);
                self.out.push(')');
            }
            Constant::ElementPointer { is_inbounds, source, base, indices } => {
                self.out.push_str(if *is_inbounds { "getelementptr inbounds (" } else { "getelementptr (" });
                self.write_type(*source);
                self.out.push_str(", ");
                self.typed_operand(local, *base);
                for &index in indices {
                    self.out.push_str(", ");
                    self.typed_operand(local, index);
                }
                self.out.push(')');
            }
        }
    }

    /// The brackets around the members of a type.
    fn brackets(&self, ty: TypeId) -> (&'static str, &'static str) {
        match &self.module.types[ty] {
            Type::Vector { .. } => ("<", ">"),
            Type::Struct { is_packed, members, .. } => match (members.as_ref().is_some_and(Vec::is_empty), is_packed) {
                (true, false) => ("{", "}"),
                (true, true) => ("<{", "}>"),
                (false, false) => ("{ ", " }"),
                (false, true) => ("<{ ", " }>"),
            },
            _ => ("[", "]"),
        }
    }

    fn data(&mut self, ty: TypeId, elements: &[u64]) {
        let (element, is_array) = match self.module.types[ty] {
            Type::Array { element, .. } => (element, true),
            Type::Vector { element, .. } => (element, false),
            _ => (ty, false),
        };
        if is_array && self.module.types.integer_width(element) == Some(8) {
            self.out.push_str("c\"");
            elements.iter().for_each(|&byte| names::escape_byte(byte as u8, &mut self.out));
            self.out.push('"');
            return;
        }
        let (open, close) = self.brackets(ty);
        self.out.push_str(open);
        for (index, &number) in elements.iter().enumerate() {
            self.comma(index);
            self.write_type(element);
            self.out.push(' ');
            match self.module.types.is_float(element) {
                true => self.number(element, &Constant::Float(number)),
                false => self.number(element, &Constant::Integer(number)),
            }
        }
        self.out.push_str(close);
    }

    fn number(&mut self, ty: TypeId, constant: &Constant) {
        match (constant, &self.module.types[ty]) {
            (Constant::Integer(number), Type::Integer { width: 1 }) => {
                self.out.push_str(if *number == 1 { "true" } else { "false" });
            }
            (Constant::Integer(number), Type::Integer { width }) => {
                let unused = 64 - width;
                emit!(self, "{}", (*number as i64) << unused >> unused);
            }
            (Constant::Float(bits), Type::Half) => emit!(self, "0xH{bits:04X}"),
            (Constant::Float(bits), Type::Float) => self.float(widen(*bits as u32)),
            (Constant::Float(bits), _) => self.float(*bits),
            _ => {}
        }
    }

    /// A double in seven digits if they are exact, else its bits.
    fn float(&mut self, bits: u64) {
        let number = f64::from_bits(bits);
        if number.is_finite() {
            let text = format!("{number:.6e}");
            if text.parse() == Ok(number) {
                let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let (sign, exponent) = match exponent.strip_prefix('-') {
                    Some(exponent) => ('-', exponent),
                    None => ('+', exponent),
                };
                emit!(self, "{digits}e{sign}{exponent:0>2}");
                return;
            }
        }
        emit!(self, "0x{bits:X}");
    }

    /// Decimal digits, by repeated division.
    fn wide_integer(&mut self, words: &[u64]) {
        const CHUNK: u128 = 10_000_000_000_000_000_000;
        let (mut words, mut chunks) = (words.to_vec(), Vec::new());
        while words.iter().any(|&word| word != 0) {
            let mut rest = 0;
            for word in words.iter_mut().rev() {
                let part = rest << 64 | u128::from(*word);
                *word = (part / CHUNK) as u64;
                rest = part % CHUNK;
            }
            chunks.push(rest as u64);
        }
        emit!(self, "{}", chunks.pop().unwrap_or(0));
        while let Some(chunk) = chunks.pop() {
            emit!(self, "{chunk:019}");
        }
    }
}

/// A float as a double with the same value; a NaN becomes quiet and keeps its other bits.
fn widen(bits: u32) -> u64 {
    let number = f32::from_bits(bits);
    match number.is_nan() {
        true => u64::from(bits >> 31) << 63 | 0x7ff8 << 48 | u64::from(bits & 0x7f_ffff) << 29,
        false => f64::from(number).to_bits(),
    }
}
