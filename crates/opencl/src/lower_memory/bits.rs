//! Composes values from parts of their bits, and splits them into such parts.
//!
//! ```text
//! u8 u8 u8 u8   ──▶  vector of 4 u8  ──bitcast──▶  u32, f32, half of a u64, …
//! ```
//!
//! Parts are unsigned integers, lowest first. Bitcasts between vectors are used, since all drivers turn them into moves. Each step combines
//! two or four parts; linear in the parts.

use reconverge_ir::{Inst, Op};

use super::leaves::scalar_bytes;
use super::lowering::Lowering;

impl Lowering<'_> {
    /// The value of a scalar or vector type with these parts as its bits, each of `bytes` bytes.
    pub(super) fn combined(&mut self, parts: &[Inst], bytes: u32, ty: Inst) -> Inst {
        let (component, count) = self.module.components(ty);
        let scalar = scalar_bytes(self.module, component).unwrap_or(bytes);
        let each = (scalar / bytes).max(1) as usize;
        let scalars: Vec<Inst> = parts
            .chunks(each)
            .map(|parts| {
                let bits = self.combined_bits(parts, bytes);
                self.bitcast(component, bits)
            })
            .collect();
        match count {
            1 => scalars[0],
            _ => self.emit(Op::CompositeConstruct, ty, &scalars),
        }
    }

    /// One unsigned integer of at most 8 bytes.
    fn combined_bits(&mut self, parts: &[Inst], bytes: u32) -> Inst {
        let (mut parts, mut bytes) = (parts.to_vec(), bytes);
        while parts.len() > 1 {
            let step = if parts.len() % 4 == 0 && bytes < 4 { 4 } else { 2 };
            let (part, whole) = (self.uint(bytes), self.uint(bytes * step));
            let vector = self.vector(part, step);
            parts = parts
                .chunks(step as usize)
                .map(|chunk| {
                    let vector = self.emit(Op::CompositeConstruct, vector, chunk);
                    self.emit(Op::Bitcast, whole, &[vector])
                })
                .collect();
            bytes *= step;
        }
        parts[0]
    }

    /// The parts, each of `bytes` bytes, of a scalar or vector whose scalars are at least that wide.
    pub(super) fn taken_apart(&mut self, value: Inst, bytes: u32) -> Vec<Inst> {
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        let (component, _) = self.module.components(ty);
        let scalar = scalar_bytes(self.module, component).unwrap_or(bytes);
        let mut parts = Vec::new();
        for value in self.scalars(value) {
            let whole = self.uint(scalar);
            let bits = self.bitcast(whole, value);
            parts.extend(self.apart(bits, scalar, bytes));
        }
        parts
    }

    /// The components of a vector; a scalar itself.
    pub(super) fn scalars(&mut self, value: Inst) -> Vec<Inst> {
        let ty = self.module.ty(value).expect("invariant: what is stored has a type");
        let (component, count) = self.module.components(ty);
        if count == 1 {
            return vec![value];
        }
        (0..count).map(|index| self.element(value, &[index], component)).collect()
    }

    fn apart(&mut self, bits: Inst, from: u32, to: u32) -> Vec<Inst> {
        let (mut parts, mut bytes) = (vec![bits], from);
        while bytes > to {
            let step = if bytes / to >= 4 && bytes <= 4 { 4 } else { 2 };
            let part = self.uint(bytes / step);
            let vector = self.vector(part, step);
            let mut smaller = Vec::new();
            for whole in parts {
                let vector = self.emit(Op::Bitcast, vector, &[whole]);
                smaller.extend((0..step).map(|index| self.element(vector, &[index], part)));
            }
            (parts, bytes) = (smaller, bytes / step);
        }
        parts
    }

    /// The value at a path in a value: found in the composite's construction, otherwise extracted.
    pub(super) fn element(&mut self, value: Inst, path: &[u32], ty: Inst) -> Inst {
        let mut value = value;
        let mut path = path;
        while let Some((&first, rest)) = path.split_first() {
            let is_vector = self.module.ty(value).is_some_and(|ty| self.module.op(ty) == Op::TypeVector);
            value = match self.module.op(value) {
                Op::ConstantNull => return self.module.edit().unique(Op::ConstantNull, Some(ty), &[]),
                Op::ConstantComposite | Op::SpecConstantComposite => self.module.operand(value, first as usize),
                Op::CompositeConstruct if !is_vector || self.is_made_of_scalars(value) => {
                    self.module.operand(value, first as usize)
                }
                _ => break,
            };
            path = rest;
        }
        if path.is_empty() {
            return value;
        }
        let mut operands = vec![value];
        operands.extend(path.iter().map(|&index| self.module.edit().word(index)));
        self.emit(Op::CompositeExtract, ty, &operands)
    }

    /// Returns whether a vector was constructed from one operand for each component.
    fn is_made_of_scalars(&self, vector: Inst) -> bool {
        let count = self.module.ty(vector).map(|ty| self.module.components(ty).1);
        count == Some(self.module.operand_count(vector) as u32)
    }
}
