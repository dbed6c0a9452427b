//! Copies the reached instructions into a new module.
//!
//! | file | contents |
//! |---|---|
//! | `globals.rs` | instructions at module level, each after everything that it names |
//! | `notes.rs` | decorations, names and locations |
//! | `structs.rs` | structs and other named things that are unified by their contents |
//! | `bodies.rs` | the contents of functions and of other containers |
//! | `conversions.rs` | pointers to the pointee type that the importing module expects |
//!
//! Inputs are copied in their order, and the parts of each in the order of its module; so the order of the result does not depend on hashes,
//! and linking twice gives the order of linking once.

mod bodies;
mod conversions;
mod globals;
mod notes;
mod structs;

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::Mismatched;
use crate::contract;
use crate::error::Site;
use crate::reach::Reached;
use crate::symbol::SymbolKind;
use crate::table::Table;
use crate::{Code, Input, LinkError};
use structs::Unified;

/// The new module, and the origin of its parts.
#[derive(Debug)]
pub(crate) struct Copied {
    pub(crate) module: Module,
    /// The images of the instructions of each input.
    pub(crate) images: Vec<Table<Inst>>,
}

impl Copied {
    /// The image of an instruction, if it was copied.
    pub(crate) fn image(&self, site: Site) -> Option<Inst> {
        self.images[site.input].get(site.inst).map(|image| self.module.resolve(image))
    }
}

/// Copies the reached instructions.
///
/// # Errors
/// [`Code::Malformed`] for an instruction that no valid module contains: a type that names itself without a struct, a use of another
/// function's value.
pub(crate) fn copy<I: Input>(
    inputs: &[I],
    reached: &Reached,
    mismatched: Mismatched,
) -> Result<Copied, Vec<LinkError>> {
    let mut copier = Copier {
        inputs,
        reached,
        mismatched,
        alignments: alignments(inputs, reached),
        opened: inputs.iter().map(|input| Table::new(input.module().capacity())).collect(),
        placeholders: FxHashMap::default(),
        late_operands: Vec::new(),
        unified: Unified::default(),
        filled: FxHashSet::default(),
        copied: Copied {
            module: Module::new(),
            images: inputs.iter().map(|input| Table::new(input.module().capacity())).collect(),
        },
    };
    copier.run().map_err(|error| vec![error])?;
    Ok(copier.copied)
}

struct Copier<'a, I> {
    inputs: &'a [I],
    reached: &'a Reached,
    mismatched: Mismatched,
    /// The alignments that imports of a variable require, the greatest of each.
    alignments: FxHashMap<Site, u32>,
    /// The instructions whose copying has begun.
    opened: Vec<Table<u32>>,
    /// The images that were needed before their operands had images.
    placeholders: FxHashMap<Site, Inst>,
    /// The operands that copies get at the end of a traversal: the copy, the index, the operand.
    late_operands: Vec<(Inst, usize, Site)>,
    unified: Unified,
    /// The containers that have their contents. One that was unified with an earlier one has them already.
    filled: FxHashSet<Inst>,
    copied: Copied,
}

impl<I: Input> Copier<'_, I> {
    fn run(&mut self) -> Result<(), LinkError> {
        let reached = self.reached;
        // A forward reference, such as one of an entry point, must not determine the position of a variable of a later input.
        for points_ahead in [false, true] {
            for (input, globals) in reached.globals.iter().enumerate() {
                let module = self.inputs[input].module();
                for &inst in globals.iter().filter(|&&inst| module.points_ahead(inst) == points_ahead) {
                    self.copy_global(Site { input, inst })?;
                }
            }
        }
        for &(import, _) in &reached.bindings {
            self.copy_global(import)?;
            let module = self.inputs[import.input].module();
            let parts = contract::parts(module, import.inst).filter(|_| module.op(import.inst) == Op::Interface);
            for inst in parts.collect::<Vec<Inst>>() {
                self.copy_global(Site { inst, ..import })?;
            }
        }
        self.unify_cyclic_structs();
        // SPIR-V has the functions without a body before the others (section 2.4).
        for is_declared in [true, false] {
            for (input, globals) in reached.globals.iter().enumerate() {
                let module = self.inputs[input].module();
                for &inst in globals.iter().filter(|&&inst| globals::is_declaration(module, inst) == is_declared) {
                    self.copy_contents(Site { input, inst })?;
                }
            }
        }
        Ok(())
    }

    fn module_of(&self, site: Site) -> &Module {
        self.inputs[site.input].module()
    }

    fn malformed(&self, site: Site, what: &str) -> LinkError {
        LinkError::new(Code::Malformed, what.to_owned()).at("found", self.inputs, site)
    }
}

/// The greatest alignment that an import requires of each variable.
fn alignments<I: Input>(inputs: &[I], reached: &Reached) -> FxHashMap<Site, u32> {
    let mut alignments = FxHashMap::default();
    for &(import, definition) in &reached.bindings {
        let module = inputs[import.input].module();
        let required = module.decorated(import.inst).find();
        if let Some(reconverge_ir::decoration::Alignment(required)) = required
            && SymbolKind::of(module, import.inst) == SymbolKind::Variable
        {
            let greatest = alignments.entry(definition).or_insert(required);
            *greatest = required.max(*greatest);
        }
    }
    alignments
}
