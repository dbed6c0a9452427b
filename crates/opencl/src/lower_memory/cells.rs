//! The layout of the objects of a class in their common array, and its element type.
//!
//! ```text
//! %a = variable Workgroup f32[64]                %cells = variable Workgroup f32[64 + n / 4]
//! %b = variable Workgroup u8[n]           ⇒      %a starts at 0, %b at 64
//! both accessed as f32 in steps of 4             pointers are u32, one step an element
//! ```
//!
//! The cell has the width of the smallest accessed piece: it has the common type of all accesses if there is one, even a vector, otherwise
//! an unsigned integer type. An atomic access needs a cell of its own width; narrower accesses then use a part of the cell. Pointers count
//! cells if every step is a multiple of a cell and no pointer is converted from an integer, otherwise bytes. If one of them may be compared
//! with null, no object starts at 0.
//!
//! Objects whose size is a specialization constant come last; their starts, and the length, are `spec_constant_op`s. Linear in the objects.

use reconverge_analysis::{LayoutError, Layouts};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op, Position};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::buffers::{Bound, BufferSlot, Null};
use super::classes::Host;
use super::demands::{Demand, Same, variable_alignment};
use super::kinds::Traits;
use super::leaves::scalar_bytes;
use super::points_to::Memory;
use super::program_data::ProgramMemory;
use crate::arguments::binding_of;
use crate::error;
use crate::scalars::word;

/// The alignment of local variables whose address is observed is that of the largest type of OpenCL C; that of others is four words.
const WORKGROUP_ALIGNMENT: u32 = 128;
const PRIVATE_ALIGNMENT: u32 = 16;
/// The bytes of a word.
const WORD: u32 = 4;

/// The memory of a class.
#[derive(Debug)]
pub(super) struct Cells {
    /// The kind of memory.
    pub(super) memory: Memory,
    /// The type of a cell.
    pub(super) cell: Inst,
    /// The type of a cell in the array: wider than the cell if the code must not have its type.
    pub(super) stored: Inst,
    /// The number of bytes of a cell, a power of two.
    pub(super) bytes: u32,
    /// The number of bytes of one unit of pointers: those of a cell, or 1.
    pub(super) unit: u32,
    /// The objects and their starts.
    pub(super) objects: Vec<(Inst, Start)>,
    starts: FxHashMap<Inst, Start>,
    /// The number of cells, a constant; `None` for a single one, which needs no array.
    length: Option<Inst>,
    /// The initial contents of the cells.
    pub(super) initializer: Option<Inst>,
    global: Option<Inst>,
    local: FxHashMap<Function, Inst>,
    /// For cells that are words whatever the accesses are: all pointers are multiples of this, which is at most a word.
    pub(super) granule: Option<u32>,
    /// For [`Memory::Bindings`]: the buffers.
    pub(super) bound: Option<Bound>,
}

/// The start of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// At this byte.
    Byte(u32),
    /// At this number of units: a 32-bit constant that depends on specialization.
    Unit(Inst),
}

/// The contents of the cells of a class.
pub(super) struct Contents<'a> {
    pub(super) memory: Memory,
    /// The objects, each with its minimal size in bytes.
    pub(super) objects: &'a [(Inst, u64)],
    pub(super) demand: Demand,
    pub(super) traits: Traits,
    pub(super) host: Host,
    pub(super) program: &'a ProgramMemory,
}

impl Contents<'_> {
    /// See [`Cells::granule`].
    fn granule(&self) -> Option<u32> {
        let is_packed = self.host == Host::Bindings && matches!(self.memory, Memory::Bindings | Memory::Constant);
        is_packed.then(|| step_and_piece(&self.demand, self.traits).0.min(WORD))
    }

    /// See [`Cells::stored`].
    fn stored(&self, module: &mut Module, cell: Inst, bytes: u32) -> Inst {
        match self.host {
            Host::Bindings if bytes < WORD => Builder::new(module).int_type(32),
            _ => cell,
        }
    }
}

impl Cells {
    /// Computes the layout of the objects of a class.
    ///
    /// # Errors
    /// Objects without a size; more than 4 GiB.
    pub(super) fn lay_out(
        module: &mut Module,
        layouts: &mut Layouts,
        contents: &Contents<'_>,
    ) -> Result<Cells, Diagnostic> {
        let &Contents { memory, objects, ref demand, traits, host, .. } = contents;
        let (cell, bytes, unit) = match (host, memory) {
            (Host::Addresses, _) => choose_cell(module, layouts, demand, traits),
            (Host::Bindings, Memory::Bindings | Memory::Constant) => word_cell(module, demand, traits),
            (Host::Bindings, _) => choose_cell_of_words(module, layouts, demand, traits),
        };
        let is_null_distinct = traits.contains(Traits::NULL)
            || traits.contains(Traits::TO_INTEGER)
            || traits.contains(Traits::FROM_INTEGER)
            || (traits.contains(Traits::COMPARED) && traits.contains(Traits::FROM_MEMORY));
        let null = if is_null_distinct { Null::Distinct } else { Null::Unobserved };
        let least_alignment = match memory {
            _ if !traits.contains(Traits::TO_INTEGER) => 1,
            Memory::Workgroup => WORKGROUP_ALIGNMENT,
            _ => PRIVATE_ALIGNMENT,
        };
        if memory == Memory::Bindings {
            return Ok(Cells::bind(module, contents, (cell, unit), null));
        }
        let mut end = if is_null_distinct { bytes } else { 0 };
        let (mut placed, mut sized_later) = (Vec::new(), Vec::new());
        for &(object, extent) in objects {
            let alignment = variable_alignment(module, layouts, object)?.max(bytes).max(least_alignment);
            let too_large = || error::limit(object, "more than 4 GiB of variables that pointers may point to");
            match object_size(module, layouts, object)? {
                Size::Bytes(size) => {
                    let start = end.checked_next_multiple_of(alignment).ok_or_else(too_large)?;
                    placed.push((object, Start::Byte(start)));
                    let size = u32::try_from(size.max(extent)).map_err(|_| too_large())?;
                    end = start.checked_add(size).ok_or_else(too_large)?;
                }
                Size::Specialized { length, stride } => sized_later.push((object, alignment, length, stride)),
            }
        }
        let mut cursor = Cursor { constant: end, specialized: None };
        for (object, alignment, length, stride) in sized_later {
            cursor.align(module, alignment);
            placed.push((object, cursor.start(module, unit)));
            cursor.advance(module, length, stride);
        }
        let length = cursor.cells(module, bytes);
        let starts = placed.iter().copied().collect();
        let (objects, global, local) = (placed, None, FxHashMap::default());
        let (initializer, granule, stored) = (None, contents.granule(), contents.stored(module, cell, bytes));
        let bound = None;
        Ok(Cells {
            memory,
            cell,
            stored,
            bytes,
            unit,
            objects,
            starts,
            length,
            initializer,
            global,
            local,
            granule,
            bound,
        })
    }

    /// The cells of buffers: words that are not laid out here.
    fn bind(module: &Module, contents: &Contents<'_>, (cell, unit): (Inst, u32), null: Null) -> Cells {
        let bound = Bound::of(module, contents.objects.iter().map(|&(object, _)| object), null);
        let start = |object: Inst| match binding_of(module, object) {
            Some(_) => bound.start(BufferSlot::Argument(object)),
            None => bound.start(BufferSlot::Program).wrapping_add(contents.program.start(object) as u32),
        };
        let objects: Vec<(Inst, Start)> =
            contents.objects.iter().map(|&(object, _)| (object, Start::Byte(start(object)))).collect();
        Cells {
            memory: Memory::Bindings,
            cell,
            stored: cell,
            bytes: WORD,
            unit,
            starts: objects.iter().copied().collect(),
            objects,
            length: None,
            initializer: None,
            global: None,
            local: FxHashMap::default(),
            granule: contents.granule(),
            bound: Some(bound),
        }
    }

    /// The start of an object.
    pub(super) fn start(&self, object: Inst) -> Start {
        self.starts.get(&object).copied().unwrap_or(Start::Byte(0))
    }

    /// Returns whether there is one cell and no array.
    pub(super) fn is_single(&self) -> bool {
        self.length.is_none() && self.bound.is_none()
    }

    /// The number of cells, as far as it is known before specialization.
    pub(super) fn known_length(&self, module: &Module) -> Option<u32> {
        match self.length {
            None => Some(1),
            Some(length) => module.constant_word(length),
        }
    }

    /// The storage class of the cells.
    pub(super) fn storage_class(&self) -> StorageClass {
        match self.memory {
            Memory::Workgroup => StorageClass::Workgroup,
            Memory::Constant => StorageClass::Private,
            Memory::Bindings => StorageClass::StorageBuffer,
            Memory::Function | Memory::Nowhere | Memory::Outside => StorageClass::Function,
        }
    }

    /// The type of the array of cells.
    pub(super) fn contents_type(&self, module: &mut Module) -> Inst {
        match self.length {
            Some(length) => module.edit().unique(Op::TypeArray, None, &[self.stored, length]),
            None => self.stored,
        }
    }

    /// The variable with the cells, for code in that function; created at the first call.
    pub(super) fn variable(&mut self, module: &mut Module, function: Function) -> Inst {
        let storage_class = self.storage_class();
        let is_local = storage_class == StorageClass::Function;
        let known = if is_local { self.local.get(&function).copied() } else { self.global };
        if let Some(variable) = known {
            return variable;
        }
        let contents = self.contents_type(module);
        let ty = Builder::new(module).pointer_type(storage_class, contents);
        let mut operands = vec![module.edit().enumerant(storage_class)];
        operands.extend(self.initializer);
        let variable = match is_local {
            true => {
                let entry = module.entry(function).expect("invariant: code stands in a function with a body");
                module.edit().insert(Position::AtStart(entry.into()), Op::Variable, Some(ty), &operands)
            }
            false => module.edit().append_global(Op::Variable, Some(ty), &operands),
        };
        if let [(object, _)] = self.objects[..]
            && let Some(name) = module.name(object)
        {
            module.edit().set_name(variable, &name);
        }
        match is_local {
            true => self.local.insert(function, variable),
            false => self.global.replace(variable),
        };
        variable
    }
}

/// The type of a cell, its size in bytes, and the unit of pointers.
fn choose_cell(module: &mut Module, layouts: &mut Layouts, demand: &Demand, traits: Traits) -> (Inst, u32, u32) {
    let (step, piece) = step_and_piece(demand, traits);
    if let (Same::One(ty), None, false) = (demand.whole, demand.atomic, demand.bulk)
        && module.op(ty) == Op::TypeVector
        && let Ok(layout) = layouts.of(module, ty)
        && layout.size <= u64::from(step)
    {
        return (ty, layout.size as u32, layout.size as u32);
    }
    let bytes = demand.atomic.and_then(|ty| scalar_bytes(module, ty)).unwrap_or(piece);
    let whole = match demand.scalar {
        Same::One(ty) if scalar_bytes(module, ty) == Some(bytes) && module.op(ty) != Op::TypePointer => Some(ty),
        _ => None,
    };
    let float = demand.atomic.filter(|&ty| module.op(ty) == Op::TypeFloat);
    let bytes = if demand.scalar == Same::Nothing { bytes.min(4) } else { bytes };
    let cell = whole.or(float).unwrap_or_else(|| Builder::new(module).int_type(bytes * 8));
    let unit = if step >= bytes && piece >= bytes { bytes } else { 1 };
    (cell, bytes, unit)
}

/// The greatest common divisor of the steps of pointers, and the size of the smallest access.
fn step_and_piece(demand: &Demand, traits: Traits) -> (u32, u32) {
    // A value that is read as a pointer and converted to an integer need not be a pointer: all its bits are significant.
    let is_number = traits.contains(Traits::FROM_INTEGER)
        || (traits.contains(Traits::TO_INTEGER) && traits.contains(Traits::FROM_MEMORY));
    let step = if is_number { 1 } else { demand.step };
    (step, demand.promised_piece.max(demand.piece.min(step)))
}

/// The same as [`choose_cell`] for code that has neither narrow nor 64-bit types: a cell is a scalar of at most 32 bits, which takes a
/// word of the array, or a vector of words. So stores to different cells never race, and no cell is partly undefined.
fn choose_cell_of_words(
    module: &mut Module,
    layouts: &mut Layouts,
    demand: &Demand,
    traits: Traits,
) -> (Inst, u32, u32) {
    let chosen = choose_cell(module, layouts, demand, traits);
    let (component, _) = module.components(chosen.0);
    let (step, piece) = step_and_piece(demand, traits);
    match module.width(component) {
        Some(32) => chosen,
        Some(width @ (8 | 16)) => {
            let bytes = width / 8;
            let cell = Builder::new(module).int_type(width);
            (cell, bytes, if step >= bytes && piece >= bytes { bytes } else { 1 })
        }
        _ => word_cell(module, demand, traits),
    }
}

/// An integer of 32 bits as the cell.
fn word_cell(module: &mut Module, demand: &Demand, traits: Traits) -> (Inst, u32, u32) {
    let (step, piece) = step_and_piece(demand, traits);
    let cell = Builder::new(module).int_type(32);
    (cell, WORD, if step >= WORD && piece >= WORD { WORD } else { 1 })
}

enum Size {
    Bytes(u64),
    Specialized { length: Inst, stride: u64 },
}

fn object_size(module: &Module, layouts: &mut Layouts, object: Inst) -> Result<Size, Diagnostic> {
    let unsupported = |error: LayoutError| error::unsupported(object, format!("a variable of {error}"));
    let ty = module.pointee(object).expect("invariant: a variable is a pointer");
    match layouts.of(module, ty) {
        Ok(layout) => Ok(Size::Bytes(layout.size)),
        Err(LayoutError::Specialized { ty: array, length }) if array == ty => {
            Ok(Size::Specialized { length, stride: layouts.element_stride(module, ty).map_err(unsupported)? })
        }
        Err(error) => Err(unsupported(error)),
    }
}

/// A number of bytes that partly depends on specialization.
struct Cursor {
    constant: u32,
    specialized: Option<Inst>,
}

impl Cursor {
    fn align(&mut self, module: &mut Module, alignment: u32) {
        match self.specialized {
            None => self.constant = self.constant.next_multiple_of(alignment),
            Some(_) if alignment == 1 => {}
            Some(_) => {
                let sum = self.plus(module, alignment - 1);
                let mask = word(&mut Builder::new(module), !(alignment - 1));
                self.specialized = Some(specialized(module, Op::BitwiseAnd, &[sum, mask]));
                self.constant = 0;
            }
        }
    }

    /// The number plus another one, as a constant.
    fn plus(&self, module: &mut Module, more: u32) -> Inst {
        let constant = self.constant.wrapping_add(more);
        match self.specialized {
            None => word(&mut Builder::new(module), constant),
            Some(part) if constant == 0 => part,
            Some(part) => {
                let constant = word(&mut Builder::new(module), constant);
                specialized(module, Op::IAdd, &[part, constant])
            }
        }
    }

    fn start(&self, module: &mut Module, unit: u32) -> Start {
        match self.specialized {
            None => Start::Byte(self.constant),
            Some(_) => {
                let bytes = self.plus(module, 0);
                Start::Unit(divided(module, bytes, unit))
            }
        }
    }

    fn advance(&mut self, module: &mut Module, length: Inst, stride: u64) {
        let mut bytes = length;
        let is_wide = module.ty(length).is_some_and(|ty| scalar_bytes(module, ty) != Some(4));
        if is_wide {
            bytes = specialized(module, Op::UConvert, &[bytes]);
        }
        if stride != 1 {
            let stride = word(&mut Builder::new(module), stride as u32);
            bytes = specialized(module, Op::IMul, &[bytes, stride]);
        }
        self.specialized = Some(match self.specialized {
            None => bytes,
            Some(before) => specialized(module, Op::IAdd, &[before, bytes]),
        });
    }

    /// The number of cells; `None` for one, the minimum.
    fn cells(&self, module: &mut Module, bytes: u32) -> Option<Inst> {
        if self.specialized.is_some() {
            let rounded = self.plus(module, bytes - 1);
            return Some(divided(module, rounded, bytes));
        }
        let count = self.constant.div_ceil(bytes);
        (count > 1).then(|| word(&mut Builder::new(module), count))
    }
}

fn divided(module: &mut Module, value: Inst, divisor: u32) -> Inst {
    if divisor == 1 {
        return value;
    }
    let divisor = word(&mut Builder::new(module), divisor);
    specialized(module, Op::UDiv, &[value, divisor])
}

/// The 32-bit specialization constant of an op.
fn specialized(module: &mut Module, op: Op, operands: &[Inst]) -> Inst {
    let ty = Builder::new(module).int_type(32);
    let opcode = op.opcode().map_or(0, u32::from);
    let mut all = vec![module.edit().word(opcode)];
    all.extend_from_slice(operands);
    module.edit().append_global(Op::SpecConstantOp, Some(ty), &all)
}
