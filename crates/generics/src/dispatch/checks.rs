//! Checks for code that cannot be lowered: calls that no type reaches, memory with a layout, and composites of a type that is known only at
//! run time.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Op, Stage, view};
use rustc_hash::FxHashSet;
use spirv::StorageClass;

use super::expressions::{interface_of_value, opened};
use super::lower::Lowering;
use super::meanings::dynamic_code;
use crate::GenericsCode;

impl Lowering<'_, '_> {
    /// Deletes the functions with values of interface type that no call reaches: nothing is known of these values.
    pub(super) fn remove_unused_functions(&mut self) {
        let module = &mut *self.specializer.module;
        let is_used: FxHashSet<Function> = self.found.functions.iter().copied().collect();
        let unused = module.functions().filter(|function| !is_used.contains(function));
        let unused: Vec<Function> = unused.filter(|&function| module.stage(function) == Stage::Generic).collect();
        unused.into_iter().for_each(|function| module.edit().delete(function));
    }

    /// At each place where the type decides, a type is known.
    pub(super) fn check_types(&self) -> Result<(), Diagnostic> {
        let without = |inst: &Inst| self.found.images.get(inst).is_some_and(Vec::is_empty);
        match self.instructions().into_iter().find(without) {
            Some(inst) => Err(self.without_type(inst)),
            None => Ok(()),
        }
    }

    fn without_type(&self, inst: Inst) -> Diagnostic {
        let code = dynamic_code(self.module(), inst);
        let values = code.map(|code| opened(self.module(), code)).unwrap_or_default();
        let unknown = values.into_iter().find(|&value| self.found.flow.tables_of(self.module(), value).is_empty());
        let name = unknown.and_then(|value| self.module().name(interface_of_value(self.module(), value)?));
        let message = match name {
            Some(name) => format!("no type that implements the interface `{name}` reaches this place"),
            None => "no type that implements the interface reaches this place".to_owned(),
        };
        Diagnostic::new(GenericsCode::NoType, inst, message)
    }

    /// Values of interface type have no layout, so memory with a layout cannot hold them.
    pub(super) fn check_memory(&self) -> Result<(), Diagnostic> {
        let pointers =
            self.module().descendants(self.module().root()).filter(|&ty| self.module().op(ty) == Op::TypePointer);
        for pointer in pointers {
            let Some(ty) = view::TypePointer::of(self.module(), pointer) else { continue };
            let is_free = matches!(
                ty.storage_class,
                Some(StorageClass::Function | StorageClass::Private | StorageClass::Workgroup)
            );
            if !is_free && self.holds_existentials(ty.pointee) {
                let message = "a value of interface type has no layout, so only variables of functions, private and workgroup \
                               variables can hold it";
                return Err(Diagnostic::new(GenericsCode::Value, pointer, message));
            }
        }
        Ok(())
    }

    fn holds_existentials(&self, ty: Inst) -> bool {
        let mut open = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(part) = open.pop() {
            if matches!(self.module().op(part), Op::TypeExistential) || !opened(self.module(), part).is_empty() {
                return true;
            }
            if self.module().op(part).is_type() && self.module().op(part) != Op::TypePointer && seen.insert(part) {
                open.extend(self.module().operands(part));
            }
        }
        false
    }

    /// A value of a type that is known only at run time is passed on as a whole: its parts are known only to the functions of the type.
    pub(super) fn check_composites(&self) -> Result<(), Diagnostic> {
        match self.instructions().into_iter().find(|&inst| self.reaches_into_dynamic(inst)) {
            Some(inst) => {
                let message = "the parts of a value whose type is known only at run time cannot be accessed; call a generic with it";
                Err(Diagnostic::new(GenericsCode::Value, inst, message))
            }
            None => Ok(()),
        }
    }

    /// Returns whether an instruction makes a value of a dynamic type of parts, or its indices go through such a type.
    fn reaches_into_dynamic(&self, inst: Inst) -> bool {
        let module = self.module();
        let operands: Vec<Inst> = module.operands(inst).collect();
        let type_of = |place: usize| operands.get(place).and_then(|&operand| module.ty(operand));
        let (whole, indices) = match module.op(inst) {
            Op::CompositeConstruct | Op::VectorInsertDynamic => return self.is_dynamic(module.ty(inst)),
            Op::VectorShuffle | Op::VectorExtractDynamic => return self.is_dynamic(type_of(0)),
            Op::CompositeExtract => (type_of(0), &operands[1..]),
            Op::CompositeInsert => (type_of(1), &operands[2..]),
            op if view::Chain::covers(op) => {
                let elements = usize::from(matches!(op, Op::PtrAccessChain | Op::InBoundsPtrAccessChain));
                (operands.first().and_then(|&base| module.pointee(base)), &operands[1 + elements..])
            }
            _ => return false,
        };
        let mut part = whole;
        for &index in indices {
            if self.is_dynamic(part) {
                return true;
            }
            let index = module.literal_word(index).unwrap_or(0);
            part = part.and_then(|ty| module.part_type(ty, index as usize));
        }
        false
    }

    fn is_dynamic(&self, ty: Option<Inst>) -> bool {
        ty.is_some_and(|ty| self.dynamic_words.contains_key(&ty))
    }
}
