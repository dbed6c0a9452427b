//! Variables and functions of the module, without their bodies.

use reconverge_diagnostic::Diagnostic;

use super::operands::Operands;
use super::{Reader, is_constant};
use crate::error::{Code, at_bit};
use crate::module::{Function, FunctionId, GlobalId, GlobalVariable, Linkage, Type, ValueId, ValueKind};

/// A number of a constant that a variable begins with, which comes later in the file.
pub(super) struct Initializer {
    global: GlobalId,
    number: u32,
}

/// Linkages by number.
const LINKAGES: [Linkage; 20] = [
    Linkage::External,
    Linkage::Other("weak"),
    Linkage::Other("appending"),
    Linkage::Internal,
    Linkage::Other("linkonce"),
    // Two old numbers for symbols of other libraries.
    Linkage::External,
    Linkage::External,
    Linkage::Other("extern_weak"),
    Linkage::Other("common"),
    Linkage::Private,
    Linkage::Other("weak_odr"),
    Linkage::Other("linkonce_odr"),
    Linkage::Other("available_externally"),
    // Three old numbers.
    Linkage::Private,
    Linkage::Private,
    Linkage::External,
    Linkage::Other("weak"),
    Linkage::Other("weak_odr"),
    Linkage::Other("linkonce"),
    Linkage::Other("linkonce_odr"),
];

impl Reader<'_> {
    /// `[type, is constant | has explicit type << 1 | address space << 2, initializer + 1, linkage, alignment, section, visibility, thread-local,
    /// unnamed address, …]`
    pub(super) fn global_variable(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let (named, flags) = (self.ty(&mut operands)?, operands.small("flags")?);
        let (ty, address_space) = match self.module.types[named] {
            _ if flags & 2 != 0 => (named, flags >> 2),
            Type::Pointer { pointee, address_space } => (pointee, address_space),
            _ => return Err(operands.error(Code::Type, "expected the type of a pointer to the variable")),
        };
        if !self.module.types.is_sized(ty) {
            return Err(operands.error(Code::Type, "expected a variable of a type with a size"));
        }
        let id = GlobalId::new(self.module.globals.len() as u32);
        if let Some(number) = operands.small("an initializer")?.checked_sub(1) {
            self.initializers.push(Initializer { global: id, number });
        }
        let linkage = operands.choice(&LINKAGES, "a linkage")?;
        let alignment = operands.alignment()?;
        let is_unnamed_address = operands.rest_at(3) != 0;
        let pointer = self.module.types.intern(Type::Pointer { pointee: ty, address_space });
        let value = self.push_value(pointer, ValueKind::Global(id));
        self.module.globals.push(GlobalVariable {
            value,
            ty,
            address_space,
            is_constant: flags & 1 != 0,
            initializer: None,
            linkage,
            alignment,
            is_unnamed_address,
            offset: operands.offset(),
        });
        Ok(())
    }

    /// `[type, calling convention, is declaration, linkage, attributes, alignment, section, visibility, gc, unnamed address, …]`
    pub(super) fn function(&mut self, mut operands: Operands<'_>) -> Result<(), Diagnostic> {
        let named = self.ty(&mut operands)?;
        let ty = self.module.types.pointee(named).unwrap_or(named);
        let Type::Function { result, is_variadic, .. } = self.module.types[ty] else {
            return Err(operands.error(Code::Type, "expected the type of a function"));
        };
        let calling_convention = operands.small("a calling convention")?;
        let is_declaration = operands.number("whether it is a declaration")? != 0;
        let linkage = operands.choice(&LINKAGES, "a linkage")?;
        let memory = self.attributes.effect(&mut operands)?;
        if is_variadic && !is_declaration {
            return Err(operands.unsupported("a variadic function with a body"));
        }
        let id = FunctionId::new(self.module.functions.len() as u32);
        let pointer = self.module.types.intern(Type::Pointer { pointee: ty, address_space: 0 });
        let value = self.push_value(pointer, ValueKind::Function(id));
        if !is_declaration {
            self.bodies.push(id);
        }
        self.module.functions.push(Function {
            value,
            ty,
            result,
            calling_convention,
            linkage,
            memory,
            is_unnamed_address: operands.rest_at(4) != 0,
            values: Vec::new(),
            parameter_count: 0,
            blocks: Vec::new(),
            instructions: Vec::new(),
            metadata: Vec::new(),
            attachments: Vec::new(),
            offset: operands.offset(),
        });
        Ok(())
    }

    /// Ends the part of the file that belongs to all bodies: initializers and references between metadata are complete.
    pub(super) fn finish_globals(&mut self) -> Result<(), Diagnostic> {
        if !std::mem::take(&mut self.is_before_bodies) {
            return Ok(());
        }
        for Initializer { global, number } in std::mem::take(&mut self.initializers) {
            let variable = &mut self.module.globals[global.index()];
            match self.module.values.get(number as usize) {
                Some(value) if is_constant(value) && value.ty == variable.ty => {
                    variable.initializer = Some(ValueId::new(number));
                }
                Some(_) => {
                    let message = format!("expected an initializer of the type of the variable, found value {number}");
                    return Err(at_bit(Code::Constant, variable.offset, message));
                }
                None => {
                    let message = format!("expected one of {} values, found number {number}", self.module.values.len());
                    return Err(at_bit(Code::Reference, variable.offset, message));
                }
            }
        }
        self.check_metadata()
    }
}
