//! The places of variables.
//!
//! | variable | place |
//! |---|---|
//! | private, of few words | rows of the vertex pipe memory, one for each word; a row has the word of every lane |
//! | private, of more words | scratch memory of the QPU: for each word those of all lanes |
//! | private, only read, with an initializer | a table in the data of the program |
//! | of the work-group | memory that the launch gives to a work-group |
//! | push constants | the uniforms |
//! | built-in input | computed |

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op, view};
use reconverge_lanes::{Leaf, initial_scalars, is_table};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::emit::Word;
use super::rows::CHUNK;
use crate::LANES;
use crate::error::unsupported;

/// The memory of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceRoot {
    /// Rows from this one on, and how many.
    Private {
        /// The first row, after those that the code uses itself.
        row: u32,
        /// The number of rows.
        rows: u32,
    },
    /// Scratch memory of the QPU, from this byte on: 64 bytes for each word.
    Scratch(u32),
    /// The push constants.
    PushConstants,
}

/// A pointer into something that has no address.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) root: PlaceRoot,
    /// Bytes that are not constant.
    pub(crate) offset: Option<Word>,
    /// True if lanes may have different offsets.
    pub(crate) is_varying: bool,
    /// Constant bytes.
    pub(crate) displacement: u32,
}

/// The places of the variables of a function.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    places: FxHashMap<Inst, PlaceRoot>,
    /// Offsets in the memory of the work-group.
    local: FxHashMap<Inst, u32>,
    /// Offsets in the data of the program.
    tables: FxHashMap<Inst, u32>,
    /// Rows of a QPU.
    pub(crate) rows: u32,
    /// Bytes of the memory of the work-group.
    pub(crate) local_bytes: u32,
    /// Bytes of the scratch memory of a QPU.
    pub(crate) scratch_bytes: u32,
    /// The data of the program.
    pub(crate) data: Vec<u8>,
    /// Variables with an initializer that are no tables.
    pub(crate) initialized: Vec<Inst>,
}

/// The row that goes between registers and memory.
pub(crate) const TRANSFER_ROW: u32 = 0;

impl Frame {
    /// Lays out the variables of a module and of a function, private ones in at most this number of rows.
    ///
    /// # Errors
    /// A variable of a type without a known size, or too many rows.
    pub(crate) fn lay_out(module: &Module, function: Function, most_rows: u32) -> Result<Frame, Diagnostic> {
        let mut frame = Frame { rows: TRANSFER_ROW + 1, ..Frame::default() };
        let mut layouts = Layouts::new();
        let entry = module.entry(function).into_iter().flat_map(|entry| module.children(entry));
        for variable in module.globals().chain(entry).filter(|&inst| module.op(inst) == Op::Variable) {
            frame.add(module, &mut layouts, variable, most_rows)?;
        }
        Ok(frame)
    }

    fn add(
        &mut self,
        module: &Module,
        layouts: &mut Layouts,
        variable: Inst,
        most_rows: u32,
    ) -> Result<(), Diagnostic> {
        /// The most bytes of variables of one kind: far more than there is.
        const LIMIT: u64 = 1 << 24;
        let class = view::Variable::of(module, variable).and_then(|variable| variable.storage_class);
        let pointee = module.pointee(variable);
        let size = pointee.and_then(|ty| layouts.of(module, ty).ok()).map(|layout| layout.size);
        let size = || {
            let size = size.ok_or_else(|| unsupported(variable, "a variable without a known size"))?;
            let fits = size < LIMIT;
            let refused = || unsupported(variable, format!("a variable of {size} bytes; {LIMIT} are the limit"));
            fits.then_some(size as u32).ok_or_else(refused)
        };
        match class {
            Some(StorageClass::PushConstant) => {
                self.places.insert(variable, PlaceRoot::PushConstants);
            }
            Some(StorageClass::Workgroup) => {
                self.local.insert(variable, self.local_bytes);
                self.local_bytes = (self.local_bytes + size()?).next_multiple_of(64);
            }
            Some(StorageClass::Function | StorageClass::Private) if is_table(module, variable) => {
                let start = self.data.len().next_multiple_of(16);
                self.data.resize(start + size()? as usize, 0);
                for leaf in leaves(module, variable)? {
                    leaf.write(module, &mut self.data[start..]);
                }
                self.tables.insert(variable, start as u32);
            }
            Some(StorageClass::Function | StorageClass::Private) => {
                let rows = size()?.div_ceil(4).max(1);
                // Many rows are read in chunks.
                let rows = if rows > 2 * CHUNK { rows.next_multiple_of(CHUNK) } else { rows };
                if rows > most_rows.saturating_sub(self.rows) {
                    self.places.insert(variable, PlaceRoot::Scratch(self.scratch_bytes));
                    self.scratch_bytes = rows
                        .checked_mul(LANES * 4)
                        .and_then(|bytes| bytes.checked_add(self.scratch_bytes))
                        .ok_or_else(|| unsupported(variable, "private variables of more than 4 GiB"))?;
                } else {
                    self.places.insert(variable, PlaceRoot::Private { row: self.rows, rows });
                    self.rows += rows;
                }
                if view::Variable::of(module, variable).is_some_and(|view| view.initializer.is_some()) {
                    self.initialized.push(variable);
                }
            }
            // Inputs are computed; uses of others are refused.
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn place(&self, variable: Inst) -> Option<Place> {
        let root = *self.places.get(&variable)?;
        Some(Place { root, offset: None, is_varying: false, displacement: 0 })
    }

    pub(crate) fn local(&self, variable: Inst) -> Option<u32> {
        self.local.get(&variable).copied()
    }

    pub(crate) fn table(&self, variable: Inst) -> Option<u32> {
        self.tables.get(&variable).copied()
    }
}

/// The scalars of the initializer of a variable.
pub(crate) fn leaves(module: &Module, variable: Inst) -> Result<Vec<Leaf>, Diagnostic> {
    initial_scalars(module, variable).ok_or_else(|| unsupported(variable, "an initializer of this type"))
}
