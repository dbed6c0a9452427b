//! An input of which only the reached parts are read: a file in the binary form of the IR.
//!
//! The file has a table of exports and imports, so no global is read to find a symbol; a global is created when the linker requests it
//! (`reconverge_ir::binary::Loader`). Names are in chains by hash, in two arrays. So the table is built without comparisons, and a name of
//! thousands of globals is only expensive if it is looked up:
//!
//! ```text
//! heads   hash of the name ─▶ the first symbol      next   symbol ─▶ the next one with that hash
//! ```
//!
//! **Notes.** An instruction that nothing names is found among the globals without a result, which the file lists. Extended instructions
//! have a result; if some are at module level (debug information), all globals are loaded, because the subject of such an instruction
//! depends on everything that names it.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use reconverge_ir::binary::{Archive, Loader};
use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use spirv::LinkageType;

use crate::input::{Outline, Place};
use crate::{Input, Symbol};

/// A file in the binary form, with its tables.
pub struct ArchiveInput<'a, 'b> {
    name: String,
    archive: &'a Archive<'b>,
    loader: Loader<'a, 'b>,
    outline: Outline,
    names: Option<Names>,
    /// The first function among the globals.
    functions_from: u32,
}

impl<'a, 'b> ArchiveInput<'a, 'b> {
    /// The input for a file, under a name for messages.
    ///
    /// Linear in the instructions that describe the module and in what these name; in all globals, if there is debug information among them.
    ///
    /// # Errors
    /// The reason why the file cannot be read.
    pub fn new(name: impl Into<String>, archive: &'a Archive<'b>) -> Result<ArchiveInput<'a, 'b>, String> {
        let functions_from = archive.first_function().map_err(|error| error.to_string())?;
        let mut input = ArchiveInput {
            name: name.into(),
            archive,
            loader: archive.loader(),
            outline: Outline::default(),
            names: None,
            functions_from: functions_from.unwrap_or(u32::MAX),
        };
        let extended = archive.globals_with(Op::ExtInst).map_err(|error| error.to_string())?;
        let mut unnamed: Vec<u32> = archive.module_instructions().chain(extended.iter().copied()).collect();
        unnamed.sort_unstable();
        if !extended.is_empty() {
            for global in 0..archive.global_count() {
                input.loader.load(global).map_err(|error| error.to_string())?;
            }
        }
        for global in unnamed {
            let inst = input.loader.load_head(global).map_err(|error| error.to_string())?;
            input.outline.add(input.loader.module(), inst);
        }
        Ok(input)
    }

    /// A row of the table as a symbol.
    fn symbol(&mut self, number: usize) -> Option<Symbol> {
        let row = self.archive.symbols()[number];
        let linkage = LinkageType::from_u32(row.linkage)?;
        Some(Symbol { name: row.name.to_vec(), linkage, inst: self.loader.inst(row.global) })
    }
}

impl Input for ArchiveInput<'_, '_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn module(&self) -> &Module {
        self.loader.module()
    }

    fn load(&mut self, inst: Inst) -> Result<(), String> {
        match self.loader.global(inst) {
            Some(global) => self.loader.load(global).map(drop).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn load_signature(&mut self, inst: Inst) -> Result<(), String> {
        let Some(global) = self.loader.global(inst) else { return Ok(()) };
        self.loader.load_head(global).map_err(|error| error.to_string())?;
        match self.module().op(inst) {
            Op::Generic | Op::Interface => self.load(inst),
            _ => Ok(()),
        }
    }

    fn entry_points(&self) -> Cow<'_, [Inst]> {
        Cow::Borrowed(&self.outline.entry_points)
    }

    fn descriptions(&self) -> Cow<'_, [Inst]> {
        Cow::Borrowed(&self.outline.descriptions)
    }

    fn symbols(&mut self) -> Cow<'_, [Symbol]> {
        (0..self.archive.symbols().len()).filter_map(|number| self.symbol(number)).collect()
    }

    fn find(&mut self, name: &[u8]) -> SmallVec<[Symbol; 2]> {
        let archive = self.archive;
        let names = self.names.get_or_insert_with(|| Names::of(archive));
        let found: SmallVec<[usize; 2]> =
            names.with_hash_of(name).filter(|&number| archive.symbols()[number].name == name).collect();
        found.into_iter().filter_map(|number| self.symbol(number)).collect()
    }

    fn notes(&self, inst: Inst) -> &[Inst] {
        self.outline.notes(inst)
    }

    fn position(&self, inst: Inst) -> Place {
        let place = self.loader.global(inst).unwrap_or(u32::MAX);
        if place < self.functions_from { Place::Before(place) } else { Place::After(place) }
    }
}

/// The symbols by the hashes of their names.
struct Names {
    /// By hash: one more than the index of the first symbol; 0 if there is none.
    heads: Vec<u32>,
    /// By symbol: the next one, in the same way.
    next: Vec<u32>,
}

impl Names {
    fn of(archive: &Archive<'_>) -> Names {
        let symbols = archive.symbols();
        let mut names = Names { heads: vec![0; symbols.len().next_power_of_two()], next: vec![0; symbols.len()] };
        // In reverse, so that chains are in order.
        for (number, symbol) in symbols.iter().enumerate().rev() {
            let bucket = names.bucket(symbol.name);
            names.next[number] = std::mem::replace(&mut names.heads[bucket], number as u32 + 1);
        }
        names
    }

    fn bucket(&self, name: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        name.hash(&mut hasher);
        hasher.finish() as usize & (self.heads.len() - 1)
    }

    /// The symbols whose names have the same hash as this one, in order.
    fn with_hash_of(&self, name: &[u8]) -> impl Iterator<Item = usize> + '_ {
        let number = |link: u32| link.checked_sub(1).map(|number| number as usize);
        std::iter::successors(number(self.heads[self.bucket(name)]), move |&last| number(self.next[last]))
    }
}
