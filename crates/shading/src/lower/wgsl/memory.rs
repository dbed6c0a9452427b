//! Types with atomics, and accesses to memory of such a type: number by number, each of them atomic.
//!
//! ```text
//! counts = array(0, 0, …)        ⇒      for (var i = 0; i < 256; i++) { atomicStore(&counts[i], 0u); }
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::super::Lowering;
use super::super::function::Body;
use super::super::uses::root;
use crate::syntax::{
    Binary, Effects, Expr, Length, Literal, Local, LocalId, LocalKind, Loop, Scalar, Shape, Statement, StatementKind,
    Type, TypeShape,
};
use crate::write::WriteCode;

/// The maximum number of elements of an array that are stored without a loop.
const MOST_UNROLLED: u32 = 8;

impl Lowering<'_> {
    /// The type of a variable with atomic types where atomic operations point.
    pub(super) fn with_atomics(&mut self, variable: Inst, pointee: Inst, ty: Type) -> Result<Type, Diagnostic> {
        let mut ty = ty;
        for pointer in self.atomic_pointers(variable) {
            let path = self.steps(pointer, pointee)?;
            ty = self.with_atomic(ty, &path, pointer)?;
        }
        Ok(ty)
    }

    /// The pointers of atomic operations into a variable.
    fn atomic_pointers(&self, variable: Inst) -> Vec<Inst> {
        let functions: Vec<_> = self.source.functions().collect();
        let insts = functions
            .into_iter()
            .flat_map(|function| self.source.blocks(function))
            .flat_map(|block| self.source.children(block));
        let pointers = insts.filter_map(|inst| Some(view::Atomic::of(self.source, inst)?.pointer));
        pointers.filter(|&pointer| root(self.source, pointer) == variable).collect()
    }

    /// The steps from a variable to the target of a pointer: members of the text, `None` for an element.
    fn steps(&mut self, pointer: Inst, pointee: Inst) -> Result<Vec<Option<u32>>, Diagnostic> {
        let (mut chains, mut at) = (Vec::new(), pointer);
        while at != root(self.source, pointer) {
            if let Some(chain) = view::Chain::of(self.source, at) {
                chains.push(chain.indexes.to_vec());
            }
            at = self.source.operand(at, 0);
        }
        let (mut path, mut ty) = (Vec::new(), pointee);
        for index in chains.into_iter().rev().flatten() {
            let is_null = self.source.op(index) == Op::ConstantNull;
            let word = if is_null { Some(0) } else { self.source.constant_word(index) };
            let is_struct = matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }));
            path.push(word.filter(|_| is_struct).map(|member| self.member_place(ty, member)));
            if self.is_wrapped(ty) {
                path.push(Some(0));
            }
            ty = match self.source.part_type(ty, word.unwrap_or(0) as usize) {
                Some(part) => part,
                None => return self.refuse(WriteCode::Pointer, pointer, "an access chain that leaves its type"),
            };
        }
        Ok(path)
    }

    /// A type with an atomic at the end of a path. The depth is that of the type.
    fn with_atomic(&mut self, ty: Type, path: &[Option<u32>], pointer: Inst) -> Result<Type, Diagnostic> {
        match (self.text.types[ty], path) {
            (TypeShape::Atomic(_), []) => Ok(ty),
            (TypeShape::Scalar(scalar), []) if scalar.width == 32 && scalar != Scalar::BOOL => {
                Ok(self.text.types.of(TypeShape::Atomic(scalar)))
            }
            (TypeShape::Array { element, length }, [None, rest @ ..]) => {
                let element = self.with_atomic(element, rest, pointer)?;
                Ok(self.text.types.of(TypeShape::Array { element, length }))
            }
            (TypeShape::Struct(id), &[Some(member), ref rest @ ..]) => {
                let Some(part) = self.text.part(ty, member) else { return Ok(ty) };
                let changed = self.with_atomic(part, rest, pointer)?;
                let own = match self.wgsl.of_atomics.contains(&id) {
                    true => id,
                    false => {
                        let copied = self.text.structure(id).clone();
                        self.text.add_struct(copied)
                    }
                };
                self.wgsl.of_atomics.insert(own);
                self.text.structs[own.0 as usize].members[member as usize].ty = changed;
                Ok(self.text.types.of(TypeShape::Struct(own)))
            }
            _ => self.refuse(WriteCode::Pointer, pointer, "an atomic on something that is not a number, in WGSL"),
        }
    }

    /// Returns whether a type has atomics. The depth is that of the type.
    pub(super) fn has_atomics(&self, ty: Type) -> bool {
        match self.text.types[ty] {
            TypeShape::Atomic(_) => true,
            TypeShape::Array { element, .. } => self.has_atomics(element),
            TypeShape::Struct(id) => self.text.structure(id).members.iter().any(|member| self.has_atomics(member.ty)),
            _ => false,
        }
    }
}

impl Body<'_, '_> {
    /// The value that a pointer points to.
    pub(in crate::lower) fn wgsl_read_memory(&mut self, pointer: Inst, inst: Inst) -> Result<Expr, Diagnostic> {
        if self.cx.wgsl.uniform_loads.contains(&inst) {
            return self.uniform_load(pointer);
        }
        self.read_place(pointer, inst)
    }

    /// The value of an atomic.
    pub(in crate::lower) fn atomic_load(&mut self, place: Expr) -> Expr {
        let scalar = self.numbers_of(place).scalar;
        let ty = self.cx.text.types.numbers(scalar, 1);
        self.call_with("atomicLoad", &[place], ty, Effects::READS)
    }

    /// Writes a value to where a pointer points.
    pub(in crate::lower) fn wgsl_write_memory(
        &mut self,
        pointer: Inst,
        value: Expr,
        inst: Inst,
    ) -> Result<(), Diagnostic> {
        if self.stores_point_size(pointer, inst)? {
            return Ok(());
        }
        let target = self.place(pointer)?;
        if !self.cx.has_atomics(self.type_of(target)) && !self.cx.has_override_length(self.type_of(target)) {
            return self.write_place(pointer, value, inst);
        }
        self.store_parts(target, value, inst)
    }

    /// Stores the parts of a value. The depth is that of the type.
    fn store_parts(&mut self, target: Expr, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let ty = self.type_of(target);
        match self.cx.text.types[ty] {
            TypeShape::Atomic(scalar) => {
                let value = self.cast(value, scalar.kind);
                let void = self.cx.text.types.of(TypeShape::Void);
                let call = self.call_with("atomicStore", &[target, value], void, Effects::WRITES);
                self.statement(StatementKind::Expression(call));
                Ok(())
            }
            TypeShape::Struct(id) => {
                let whole = self.named_unless_zero(value);
                for member in 0..self.cx.text.structure(id).members.len() as u32 {
                    let base = self.cx.text.expressions.copy(target);
                    let target = self.member(base, member, inst)?;
                    let value = match whole {
                        Some(whole) => {
                            let whole = self.local(whole);
                            self.member(whole, member, inst)?
                        }
                        None => self.zero_like(self.type_of(target), inst)?,
                    };
                    self.store_parts(target, value, inst)?;
                }
                Ok(())
            }
            TypeShape::Array { length: Length::Constant(count), .. } if count <= MOST_UNROLLED => {
                let whole = self.named_unless_zero(value);
                for number in 0..count {
                    let (base, index) = (self.cx.text.expressions.copy(target), self.cx.int(number as i32));
                    let target = self.element(base, index, inst)?;
                    let value = match whole {
                        Some(whole) => {
                            let (whole, index) = (self.local(whole), self.cx.int(number as i32));
                            self.element(whole, index, inst)?
                        }
                        None => self.zero_like(self.type_of(target), inst)?,
                    };
                    self.store_parts(target, value, inst)?;
                }
                Ok(())
            }
            TypeShape::Array { length: Length::Constant(_) | Length::Named(_), .. } => {
                self.store_elements(target, value, inst)
            }
            _ => {
                let value = self.convert(value, ty, inst)?;
                self.assign_to(target, value);
                Ok(())
            }
        }
    }

    /// The name of a value; none for a zero, which is its type without parts.
    fn named_unless_zero(&mut self, value: Expr) -> Option<LocalId> {
        let is_zero = matches!(&self.cx.text.expressions[value].shape, Shape::Construct(parts) if parts.is_empty());
        (!is_zero).then(|| self.repeated(value))
    }

    /// Stores the elements of an array by a loop.
    fn store_elements(&mut self, target: Expr, value: Expr, inst: Inst) -> Result<(), Diagnostic> {
        let ty = self.type_of(target);
        let TypeShape::Array { element, length } = self.cx.text.types[ty] else { return self.unknown(inst) };
        let (word, boolean) =
            (self.cx.text.types.numbers(Scalar::UINT, 1), self.cx.text.types.numbers(Scalar::BOOL, 1));
        let count = match length {
            Length::Named(global) => {
                let count = self.cx.global(global);
                self.cast(count, crate::syntax::ScalarKind::Uint)
            }
            Length::Constant(count) => self.cx.word(count),
            Length::Runtime => return self.unknown(inst),
        };
        let whole = self.named_unless_zero(value);
        if whole.is_some() && matches!(length, Length::Named(_)) {
            return self.refuse(WriteCode::Type, inst, "a value whose length is a specialization constant, in WGSL");
        }
        let name = Some("i".to_owned());
        let counter = self.function.add(Local { name, ty: word, kind: LocalKind::Variable, prefix: "" });
        let (first, start) = (self.local(counter), self.cx.word(0));
        self.declare_first(counter, None);
        self.assign_to(first, start);
        self.open_loop_body(inst)?;
        let read = self.local(counter);
        let is_end = self.binary(Binary::GreaterEqual, read, count, boolean);
        let accept = vec![Statement::from(StatementKind::Break)];
        self.statement(StatementKind::If { condition: is_end, accept, reject: Vec::new() });
        let index = self.local(counter);
        let place = self.pure(Shape::Index { base: target, index }, element);
        let value = match whole {
            Some(whole) => {
                let (base, index) = (self.local(whole), self.local(counter));
                self.element(base, index, inst)?
            }
            None => self.zero_like(element, inst)?,
        };
        self.store_parts(place, value, inst)?;
        let (read, one) = (self.local(counter), self.cx.word(1));
        let next = self.binary(Binary::Add, read, one, word);
        let target = self.local(counter);
        self.assign_to(target, next);
        let body = self.close_loop_body();
        self.statement(StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })));
        Ok(())
    }

    /// The zero of a type in memory.
    fn zero_like(&mut self, ty: Type, inst: Inst) -> Result<Expr, Diagnostic> {
        match self.cx.text.types[ty] {
            TypeShape::Atomic(scalar) => {
                let one = self.cx.text.types.numbers(scalar, 1);
                Ok(self.cx.literal(if scalar == Scalar::INT { Literal::Int(0) } else { Literal::Uint(0) }, one))
            }
            TypeShape::Array { .. } | TypeShape::Struct(_) => {
                Ok(self.pure(Shape::Construct(crate::syntax::Arguments::new()), ty))
            }
            _ => self.cx.zero(ty, inst),
        }
    }
}
