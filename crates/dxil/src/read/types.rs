//! The table of types.
//!
//! A type refers to earlier types; structs with names may be referred to before they are there, which is how types become recursive.
//! Equal types get one number. Types without names are then trees over earlier types, so their extent is computed as they come; whether a
//! struct with a name contains itself is found by a depth-first search, with an explicit stack.

use reconverge_diagnostic::Diagnostic;

use super::Reader;
use super::operands::Operands;
use crate::bitstream::{Event, Record};
use crate::error::{Code, at_bit};
use crate::module::{MAX_TYPE_DEPTH, StructName, Type, TypeId};

/// The widest integer of LLVM.
const MAX_INTEGER: u32 = (1 << 23) - 1;

/// The most types that one is made of when names represent themselves: the length of its text.
const MAX_TYPE_PARTS: u32 = 1 << 16;

/// The most numbers in a value of a type.
const MAX_SCALARS: u64 = 1 << 48;

/// The size of a type's text.
#[derive(Clone, Copy)]
struct Extent {
    depth: u32,
    parts: u32,
}

/// The state of reading the table.
#[derive(Default)]
struct Table {
    extents: Vec<Extent>,
    offsets: Vec<u64>,
    /// Uses of later types.
    forward: Vec<(TypeId, u64)>,
    /// The name for the next struct.
    name: String,
}

impl Reader<'_> {
    pub(super) fn type_table(&mut self, record: &mut Record) -> Result<(), Diagnostic> {
        let mut table = Table::default();
        loop {
            match self.stream.next(record)? {
                Event::Enter(_) => self.stream.skip(),
                Event::End => break,
                Event::Record => self.type_record(&mut table, record)?,
            }
        }
        for (ty, offset) in table.forward {
            let is_named =
                ty.index() < self.types.len() && matches!(self.module.types[ty], Type::Struct { name: Some(_), .. });
            if !is_named {
                let message =
                    format!("expected type {ty}, which is used before it is there, to be a struct with a name");
                return Err(at_bit(Code::Type, offset, message));
            }
        }
        self.check_sizes(&table.offsets)
    }

    fn type_record(&mut self, table: &mut Table, record: &Record) -> Result<(), Diagnostic> {
        let mut operands = Operands::new(record);
        let ty = match record.code {
            1 => return Ok(()),
            19 => {
                table.name = operands.text();
                return Ok(());
            }
            2 => Type::Void,
            3 => Type::Float,
            4 => Type::Double,
            5 => Type::Label,
            10 => Type::Half,
            16 => Type::Metadata,
            6 => Type::Struct { name: Some(self.struct_name(table)), is_packed: false, members: None },
            7 => Type::Integer { width: operands.small("a width")? },
            8 => {
                let pointee = self.element(table, &mut operands)?;
                let address_space = if operands.left() > 0 { operands.small("an address space")? } else { 0 };
                Type::Pointer { pointee, address_space }
            }
            11 => {
                let length = operands.number("a length")?;
                Type::Array { length, element: self.element(table, &mut operands)? }
            }
            12 => {
                let length = operands.small("a length")?;
                Type::Vector { length, element: self.element(table, &mut operands)? }
            }
            18 | 20 => {
                let is_packed = operands.number("whether it is packed")? != 0;
                let name = (record.code == 20).then(|| self.struct_name(table));
                Type::Struct { name, is_packed, members: Some(self.elements(table, &mut operands)?) }
            }
            21 => {
                let is_variadic = operands.number("whether it is variadic")? != 0;
                let result = self.element(table, &mut operands)?;
                Type::Function { is_variadic, result, parameters: self.elements(table, &mut operands)? }
            }
            code => {
                let what = match code {
                    9 => "a function type in an old form",
                    13 => "the type x86_fp80",
                    14 => "the type fp128",
                    15 => "the type ppc_fp128",
                    17 => "the type x86_mmx",
                    _ => {
                        return Err(
                            operands.error(Code::Type, format!("expected a type, found a record with code {code}"))
                        );
                    }
                };
                return Err(operands.unsupported(what));
            }
        };
        self.check_form(&ty, &operands)?;
        self.add_type(table, ty, &operands)
    }

    fn struct_name(&self, table: &mut Table) -> StructName {
        StructName { text: std::mem::take(&mut table.name), number: self.types.len() as u32 }
    }

    fn element(&self, table: &mut Table, operands: &mut Operands<'_>) -> Result<TypeId, Diagnostic> {
        let number = operands.small("a type")?;
        match self.types.get(number as usize) {
            Some(&ty) => Ok(ty),
            None => {
                let ty = TypeId::new(number);
                table.forward.push((ty, operands.offset()));
                Ok(ty)
            }
        }
    }

    fn elements(&self, table: &mut Table, operands: &mut Operands<'_>) -> Result<Vec<TypeId>, Diagnostic> {
        let mut elements = Vec::with_capacity(operands.left());
        while operands.left() > 0 {
            elements.push(self.element(table, operands)?);
        }
        Ok(elements)
    }

    /// Checks what a type is made of. A type that is not there yet is a struct.
    fn check_form(&self, ty: &Type, operands: &Operands<'_>) -> Result<(), Diagnostic> {
        let known = |id: TypeId| self.types.get(id.index()).map(|&id| &self.module.types[id]);
        let is_member =
            |id: TypeId| !matches!(known(id), Some(Type::Void | Type::Label | Type::Metadata | Type::Function { .. }));
        let is_legal = match ty {
            Type::Integer { width } => (1..=MAX_INTEGER).contains(width),
            Type::Pointer { pointee, .. } => {
                !matches!(known(*pointee), Some(Type::Void | Type::Label | Type::Metadata))
            }
            Type::Array { element, .. } => is_member(*element),
            Type::Vector { element, length } => {
                let is_scalar = matches!(
                    known(*element),
                    Some(Type::Half | Type::Float | Type::Double | Type::Integer { .. } | Type::Pointer { .. })
                );
                is_scalar && *length > 0
            }
            Type::Struct { members, .. } => members.iter().flatten().all(|&member| is_member(member)),
            Type::Function { result, parameters, .. } => {
                !matches!(known(*result), Some(Type::Label | Type::Metadata | Type::Function { .. }))
                    && parameters
                        .iter()
                        .all(|&id| !matches!(known(id), Some(Type::Void | Type::Function { .. } | Type::Label)))
            }
            Type::Void | Type::Half | Type::Float | Type::Double | Type::Label | Type::Metadata => true,
        };
        match is_legal {
            true => Ok(()),
            false => Err(operands.error(Code::Type, "expected a type of types and numbers that can form it")),
        }
    }

    fn add_type(&mut self, table: &mut Table, ty: Type, operands: &Operands<'_>) -> Result<(), Diagnostic> {
        let extent = match ty {
            Type::Struct { name: Some(_), .. } => Extent { depth: 0, parts: 1 },
            _ => self.extent(table, &ty),
        };
        if extent.depth > MAX_TYPE_DEPTH || extent.parts > MAX_TYPE_PARTS {
            let message = format!("expected a type of at most {MAX_TYPE_DEPTH} levels and {MAX_TYPE_PARTS} parts");
            return Err(operands.error(Code::Limit, message));
        }
        let id = self.module.types.append(ty);
        self.types.push(id);
        table.extents.push(extent);
        table.offsets.push(operands.offset());
        Ok(())
    }

    fn extent(&self, table: &Table, ty: &Type) -> Extent {
        let (first, rest) = match ty {
            Type::Pointer { pointee, .. } => (Some(pointee), &[][..]),
            Type::Function { result, parameters, .. } => (Some(result), &parameters[..]),
            _ => (None, contents(ty)),
        };
        let mut extent = Extent { depth: 0, parts: 1 };
        for element in first.into_iter().chain(rest) {
            // A type that is not there yet is a struct with a name.
            let inner = table.extents.get(element.index()).copied().unwrap_or(Extent { depth: 0, parts: 1 });
            extent.depth = extent.depth.max(inner.depth + 1);
            extent.parts = extent.parts.saturating_add(inner.parts);
        }
        extent
    }

    /// Checks that no type contains itself or what has no size, and that sizes of types are numbers that can be computed with.
    fn check_sizes(&self, offsets: &[u64]) -> Result<(), Diagnostic> {
        let types = &self.module.types;
        let mut scalars: Vec<Option<u64>> = vec![None; types.len()];
        let mut is_open = vec![false; types.len()];
        let mut stack = Vec::new();
        for root in 0..types.len() {
            stack.push(TypeId::new(root as u32));
            while let Some(&ty) = stack.last() {
                if !is_open[ty.index()] {
                    is_open[ty.index()] = true;
                    let inner = contents(&types[ty]);
                    let is_wrong = |inner: &&TypeId| {
                        let is_opaque = matches!(types[**inner], Type::Struct { members: None, .. });
                        is_opaque || is_open[inner.index()] && scalars[inner.index()].is_none()
                    };
                    if let Some(wrong) = inner.iter().find(is_wrong) {
                        let message =
                            format!("expected a type of types with sizes, found type {wrong} inside of type {ty}");
                        return Err(at_bit(Code::Type, offsets[ty.index()], message));
                    }
                    stack.extend(inner.iter().filter(|inner| scalars[inner.index()].is_none()));
                    continue;
                }
                stack.pop();
                if scalars[ty.index()].is_none() {
                    let count = scalar_count(&types[ty], &scalars);
                    if count > MAX_SCALARS {
                        let message = format!("expected a type of at most {MAX_SCALARS} numbers");
                        return Err(at_bit(Code::Limit, offsets[ty.index()], message));
                    }
                    scalars[ty.index()] = Some(count);
                }
            }
        }
        Ok(())
    }
}

/// The number of numbers that a value of a type has, if that is known for its contents.
fn scalar_count(ty: &Type, known: &[Option<u64>]) -> u64 {
    let sum = contents(ty).iter().fold(0u64, |sum, inner| sum.saturating_add(known[inner.index()].unwrap_or(0)));
    match ty {
        Type::Array { length, .. } => sum.saturating_mul(*length),
        Type::Vector { length, .. } => sum.saturating_mul(u64::from(*length)),
        Type::Struct { .. } => sum,
        _ => 1,
    }
}

/// The types that values of a type contain.
fn contents(ty: &Type) -> &[TypeId] {
    match ty {
        Type::Array { element, .. } | Type::Vector { element, .. } => std::slice::from_ref(element),
        Type::Struct { members: Some(members), .. } => members,
        _ => &[],
    }
}
