//! Instructions without a group of their own: what ends or demotes a lane, derivatives, lengths of arrays.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::Offset;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use super::super::uses::root;
use crate::syntax::{Binary, Effects, Expr, Scalar, ScalarKind, Shape, StatementKind};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// A terminator besides branches and returns.
    pub(in crate::lower) fn msl_special_terminator(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::Kill | Op::TerminateInvocation => {
                self.statement(StatementKind::Discard);
                Ok(())
            }
            Op::EmitMeshTasksEXT => self.start_meshes(inst),
            _ => self.unknown(inst),
        }
    }

    /// Any other instruction.
    pub(in crate::lower) fn msl_special(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.source.op(inst) {
            Op::DemoteToHelperInvocation => {
                self.effect("discard_fragment", &[]);
                Ok(())
            }
            Op::IsHelperInvocationEXT => {
                if !self.cx.target.msl().has(2, 3) {
                    return self.refuse(WriteCode::Op, inst, "whether a lane is a helper before MSL 2.3");
                }
                let ty = self.cx.type_of(inst)?;
                let value = self.call_with("simd_is_helper_thread", &[], ty, Effects::READS);
                self.define(inst, value)
            }
            Op::AssumeTrueKHR => Ok(()),
            Op::OpaquePlain if self.is_interlock(inst) => Ok(()),
            _ if self.intersection_query(inst)? || self.set_counts(inst)? || self.address_op(inst)? => Ok(()),
            _ => match self.number_op(inst)? {
                true => Ok(()),
                false => self.unknown(inst),
            },
        }
    }

    /// A derivative. The language does not say how fine it is.
    pub(in crate::lower) fn msl_derivative(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let name = match self.source.op(inst) {
            Op::DPdx | Op::DPdxCoarse => "dfdx",
            Op::DPdy | Op::DPdyCoarse => "dfdy",
            Op::Fwidth | Op::FwidthCoarse => "fwidth",
            op => {
                return self.refuse(
                    WriteCode::Op,
                    inst,
                    format!("{} in MSL, which has no fine derivatives", op.name()),
                );
            }
        };
        let ty = self.cx.type_of(inst)?;
        let operand = self.value(self.source.operand(inst, 0))?;
        let value = self.call_with(name, &[operand], ty, Effects::CONVERGENT);
        self.define(inst, value)
    }

    /// An index that differs between lanes.
    pub(in crate::lower) fn msl_nonuniform(&mut self, index: Expr, _place: Inst) -> Expr {
        index
    }

    /// Nothing is written before the type of a value.
    pub(in crate::lower) fn msl_value_prefix(&self, _value: Inst) -> &'static str {
        ""
    }

    /// The length of the array at the end of a buffer: the size of the buffer behind the beginning of the array, by the size of an element.
    pub(in crate::lower) fn msl_array_length(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ArrayLength { structure, member }) = view::ArrayLength::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let variable = root(self.source, structure);
        let (Some(&number), Some(block)) = (self.cx.msl.buffers.get(&variable), self.source.pointee(structure)) else {
            return self.refuse(
                WriteCode::Op,
                inst,
                "the length of an array of a parameter, or of one of an unknown number of buffers, in MSL",
            );
        };
        let array = self.source.part_type(block, member as usize);
        let stride = array.and_then(|array| self.source.array_stride(array));
        let offset = self.source.decorated(block).member(member).find().map_or(0, |Offset(offset)| offset);
        let Some(stride) = stride.filter(|&stride| stride > 0) else { return self.unknown(inst) };
        let mut notes = self.cx.text.notes.resources.iter_mut();
        if let Some(note) = notes.find(|note| note.variables.contains(&variable)) {
            note.is_measured = true;
        }
        let sizes = self.cx.buffer_sizes();
        let base = self.cx.global(sizes);
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let index = self.size_index(structure, number)?;
        let mut length = self.pure(Shape::Index { base, index }, word);
        if offset > 0 {
            let offset = self.cx.word(offset);
            length = self.binary(Binary::Subtract, length, offset, word);
        }
        if stride > 1 {
            let stride = self.cx.word(stride);
            length = self.binary(Binary::Divide, length, stride, word);
        }
        let wanted = self.numbers(inst)?;
        let kind = if wanted.scalar.kind == ScalarKind::Int { ScalarKind::Int } else { ScalarKind::Uint };
        let length = self.cast(length, kind);
        self.define(inst, length)
    }

    /// The place of a buffer in the sizes of buffers: that of its variable, and behind it those of the elements of an array of buffers.
    fn size_index(&mut self, buffer: Inst, first: u32) -> Result<Expr, Diagnostic> {
        let (mut indexes, mut base) = (Vec::new(), buffer);
        loop {
            match view::Chain::of(self.source, base) {
                Some(chain) if chain.element.is_none() => indexes.splice(0..0, chain.indexes).for_each(drop),
                None if self.source.op(base) == Op::CopyObject => {}
                None => break,
                Some(_) => return self.unknown(buffer),
            }
            base = self.source.operand(base, 0);
        }
        let word = self.cx.text.types.numbers(Scalar::UINT, 1);
        let mut ty = self.source.pointee(base);
        // The number of the buffer: what is known of it, and what is computed.
        let (mut known, mut computed): (u32, Option<Expr>) = (0, None);
        for index in indexes {
            let length = match ty.and_then(|ty| self.source.type_view(ty)) {
                Some(TypeView::Array { length, .. }) => self.word(length).unwrap_or(1),
                _ => return self.unknown(buffer),
            };
            known = known.wrapping_mul(length);
            if let Some(outer) = computed {
                let length = self.cx.word(length);
                computed = Some(self.binary(Binary::Multiply, outer, length, word));
            }
            match self.word(index) {
                Some(index) => known = known.wrapping_add(index),
                None => {
                    let index = self.index(index)?;
                    let index = self.cast(index, ScalarKind::Uint);
                    computed = Some(match computed {
                        Some(outer) => self.binary(Binary::Add, outer, index, word),
                        None => index,
                    });
                }
            }
            ty = ty.and_then(|ty| self.source.element_type(ty));
        }
        let first = first.wrapping_add(known);
        Ok(match computed {
            None => self.cx.int(first as i32),
            Some(number) if first == 0 => number,
            Some(number) => {
                let first = self.cx.word(first);
                self.binary(Binary::Add, number, first, word)
            }
        })
    }
}
