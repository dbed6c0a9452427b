//! Memory: variables, access chains, loads and stores.
//!
//! Pointers are no values in the languages. The path from a variable to its part is written at each use. An input of an entry point is a
//! value, so its parts are values, too.

use naga::{Expression, Handle, LocalVariable, Span, Statement};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};
use spirv::StorageClass;

use super::super::WriteCode;
use super::super::module::{self};
use super::Body;

/// The target of a pointer.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Memory, by a pointer of naga.
    Memory(Handle<Expression>),
    /// A part of an input.
    Value(Handle<Expression>),
}

impl Place {
    fn handle(self) -> Handle<Expression> {
        match self {
            Place::Memory(handle) | Place::Value(handle) => handle,
        }
    }

    fn map(self, handle: Handle<Expression>) -> Place {
        match self {
            Place::Memory(_) => Place::Memory(handle),
            Place::Value(_) => Place::Value(handle),
        }
    }
}

impl Body<'_, '_> {
    /// A variable of the function.
    pub(super) fn local_variable(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(pointee) = self.source.pointee(inst) else { return self.unknown(inst) };
        let ty = self.module.ty(pointee)?;
        let init = match view::Variable::of(self.source, inst).and_then(|variable| variable.initializer) {
            Some(constant) => {
                let expression = self.module.constant(constant)?.expression();
                Some(self.push(expression))
            }
            None => None,
        };
        let added = LocalVariable { name: self.module.name(inst), ty, init };
        let variable = self.function.local_variables.append(added, Span::UNDEFINED);
        self.variables.insert(inst, variable);
        Ok(())
    }

    /// A variable for a value that is constructed in steps.
    pub(super) fn temporary(&mut self, inst: Inst) -> Result<Handle<LocalVariable>, Diagnostic> {
        let ty = self.module.type_of(inst)?;
        let name = self.module.name(inst).or_else(|| Some("temporary".to_owned()));
        Ok(self.function.local_variables.append(LocalVariable { name, ty, init: None }, Span::UNDEFINED))
    }

    /// The pointer of naga for a pointer, or the value for an image or sampler.
    pub(super) fn memory(&mut self, pointer: Inst) -> Result<Handle<Expression>, Diagnostic> {
        match self.place(pointer)? {
            Place::Memory(handle) => Ok(handle),
            Place::Value(_) => self.refuse(WriteCode::Pointer, pointer, "a pointer to an input that is not loaded"),
        }
    }

    /// The target of a pointer: the path from its variable.
    pub(super) fn place(&mut self, pointer: Inst) -> Result<Place, Diagnostic> {
        let (mut chains, mut base) = (Vec::new(), pointer);
        loop {
            match self.source.op(base) {
                Op::AccessChain | Op::InBoundsAccessChain => {
                    chains.push(base);
                    base = self.source.operand(base, 0);
                }
                Op::CopyObject => base = self.source.operand(base, 0),
                Op::Variable | Op::FunctionParameter => break,
                op => {
                    let message = format!("a pointer from {} in {}", op.name(), self.module.language);
                    return self.refuse(WriteCode::Pointer, pointer, message);
                }
            }
        }
        let mut place = self.base(base)?;
        let Some(mut ty) = self.source.pointee(base) else { return self.unknown(base) };
        for chain in chains.into_iter().rev() {
            let Some(chain) = view::Chain::of(self.source, chain) else { continue };
            for index in chain.indexes.to_vec() {
                (place, ty) = self.part(place, ty, index, pointer)?;
            }
        }
        Ok(place)
    }

    fn base(&mut self, base: Inst) -> Result<Place, Diagnostic> {
        if let Some(known) = self.interface.inputs.get(&base) {
            return Ok(Place::Value(*known));
        }
        if let Some(&variable) = self.variables.get(&base) {
            return Ok(Place::Memory(self.push(Expression::LocalVariable(variable))));
        }
        if let Some(global) = self.module.global(base) {
            return Ok(Place::Memory(self.push(Expression::GlobalVariable(global))));
        }
        let class = view::Variable::of(self.source, base).and_then(|variable| variable.storage_class);
        if matches!(class, Some(StorageClass::Input | StorageClass::Output)) {
            let private = self.module.private(base)?;
            return Ok(Place::Memory(self.push(Expression::GlobalVariable(private))));
        }
        if self.source.op(base) == Op::FunctionParameter {
            return self.value(base).map(Place::Memory);
        }
        self.refuse(WriteCode::Pointer, base, "a variable that is not there")
    }

    /// A part of a place, by an index, and its type.
    fn part(&mut self, place: Place, ty: Inst, index: Inst, pointer: Inst) -> Result<(Place, Inst), Diagnostic> {
        let word = self.word(index);
        let is_struct = matches!(self.source.type_view(ty), Some(TypeView::Struct { .. }));
        let Some(part) = self.source.part_type(ty, word.unwrap_or(0) as usize) else {
            return self.refuse(WriteCode::Pointer, pointer, "an access chain that leaves its type");
        };
        let base = place.handle();
        let step = match word {
            Some(word) if is_struct => match self.module.member(ty, word) {
                Some(index) => Expression::AccessIndex { base, index },
                None => return self.refuse(WriteCode::Pointer, pointer, "a member that is not there"),
            },
            Some(index) if self.is_within(ty, index) => Expression::AccessIndex { base, index },
            _ => Expression::Access { base, index: self.index(index)? },
        };
        let mut handle = self.push(step);
        if self.module.is_wrapped(ty) {
            handle = self.push(Expression::AccessIndex { base: handle, index: module::VALUE });
        }
        Ok((place.map(handle), part))
    }

    /// Returns whether a constant index is in range, as naga requires.
    fn is_within(&self, ty: Inst, index: u32) -> bool {
        match self.source.type_view(ty) {
            Some(TypeView::Vector { count, .. } | TypeView::Matrix { count, .. }) => index < count,
            Some(TypeView::Array { length, .. }) => {
                self.source.constant_word(length).is_some_and(|length| index < length)
            }
            Some(TypeView::RuntimeArray { .. }) => true,
            _ => false,
        }
    }

    /// An index of 32 bits.
    pub(super) fn index(&mut self, index: Inst) -> Result<Handle<Expression>, Diagnostic> {
        let operand = self.operand(index)?;
        if operand.scalar.width == 4 {
            return Ok(operand.handle);
        }
        Ok(self.push(Expression::As { expr: operand.handle, kind: operand.scalar.kind, convert: Some(4) }))
    }

    pub(super) fn load(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Load { pointer, .. }) = view::Load::of(self.source, inst) else { return self.unknown(inst) };
        let handle = match self.uniform_loads.contains(&inst) {
            true => self.uniform_load(inst, pointer)?,
            false => self.read(pointer)?,
        };
        self.define(inst, handle)
    }

    fn read(&mut self, pointer: Inst) -> Result<Handle<Expression>, Diagnostic> {
        Ok(match self.place(pointer)? {
            Place::Memory(pointer) => self.push(Expression::Load { pointer }),
            Place::Value(handle) => handle,
        })
    }

    pub(super) fn store(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Store { pointer, object, .. }) = view::Store::of(self.source, inst) else {
            return self.unknown(inst);
        };
        if self.source.op(object) == Op::ConstantNull {
            let memory = self.memory(pointer)?;
            if self.is_stored_in_parts(memory) {
                return self.store_parts(memory, None, pointer);
            }
        }
        let value = self.value(object)?;
        self.write(pointer, value)
    }

    fn write(&mut self, pointer: Inst, value: Handle<Expression>) -> Result<(), Diagnostic> {
        let memory = self.memory(pointer)?;
        if self.is_stored_in_parts(memory) {
            return self.store_parts(memory, Some(value), pointer);
        }
        self.statement(Statement::Store { pointer: memory, value });
        Ok(())
    }

    pub(super) fn copy_memory(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::Copy { target, source }) = view::Copy::of(self.source, inst) else { return self.unknown(inst) };
        let value = self.read(source)?;
        self.write(target, value)
    }

    pub(super) fn array_length(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(view::ArrayLength { structure, member }) = view::ArrayLength::of(self.source, inst) else {
            return self.unknown(inst);
        };
        let base = self.memory(structure)?;
        let place = self.source.pointee(structure).and_then(|ty| self.module.member(ty, member));
        let Some(index) = place else { return self.unknown(inst) };
        let array = self.push(Expression::AccessIndex { base, index });
        let length = self.push(Expression::ArrayLength(array));
        let Some(kind) = self.module.kind_of(inst) else { return self.unknown(inst) };
        let handle = super::arithmetic::cast(self, length, naga::ScalarKind::Uint, kind);
        self.define(inst, handle)
    }
}
