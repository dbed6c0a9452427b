//! Decorations, names and locations of copies.
//!
//! All are kept, except for the linkage of symbols that are no longer exported. A variable gets the greatest alignment that it or one of
//! its imports requires.

use reconverge_ir::decoration::{LinkageAttributes, Note};
use reconverge_ir::{Inst, Location, Op, literal};
use smallvec::SmallVec;
use spirv::{Decoration, LinkageType};

use super::Copier;
use crate::error::Site;
use crate::{Input, LinkError};

impl<I: Input> Copier<'_, I> {
    /// The decorations that an instruction loses.
    pub(super) fn dropped_notes(&self, site: Site) -> SmallVec<[Inst; 1]> {
        let module = self.module_of(site);
        let is_dropped = |&note: &Inst| {
            let linkage = Note::of(module, note).and_then(Note::read::<LinkageAttributes>);
            linkage.is_some_and(|LinkageAttributes { name, linkage }| {
                let name = literal::text_bytes(module.literal_words(name));
                linkage != LinkageType::Import && !self.reached.exported.keeps(&name)
            })
        };
        module.decorations(site.inst).iter().copied().filter(is_dropped).collect()
    }

    /// The decorations of the copy. Their operands are copied.
    pub(super) fn copied_notes(&mut self, site: Site) -> Result<SmallVec<[Inst; 4]>, LinkError> {
        let module = self.inputs[site.input].module();
        if module.decorations(site.inst).is_empty() && self.alignments.is_empty() {
            return Ok(SmallVec::new());
        }
        let dropped = self.dropped_notes(site);
        let required = self.alignments.get(&site).copied();
        let mut notes = SmallVec::new();
        let mut is_aligned = false;
        for &note in module.decorations(site.inst).iter().filter(|note| !dropped.contains(note)) {
            let own = Note::of(module, note).filter(|note| note.is(Decoration::Alignment));
            let own = own.and_then(|note| note.words().next());
            is_aligned |= own.is_some();
            match own.zip(required) {
                Some((own, required)) if required > own => notes.push(self.alignment(required)),
                _ => notes.push(self.image(Site { inst: note, ..site })?),
            }
        }
        if let Some(required) = required.filter(|_| !is_aligned) {
            notes.push(self.alignment(required));
        }
        Ok(notes)
    }

    fn alignment(&mut self, bytes: u32) -> Inst {
        let mut edit = self.copied.module.edit();
        let operands = [edit.enumerant(Decoration::Alignment), edit.word(bytes)];
        edit.unique(Op::Decorate, None, &operands)
    }

    /// The location of the copy. Its parts are copied.
    pub(super) fn copied_location(&self, site: Site) -> Result<Option<Location>, LinkError> {
        let Some(location) = self.module_of(site).explicit_location(site.inst) else { return Ok(None) };
        for inst in location.parts() {
            self.image(Site { inst, ..site })?;
        }
        let images = &self.copied.images[site.input];
        Ok(Some(location.map(|part| images.get(part).unwrap_or(part))))
    }
}
