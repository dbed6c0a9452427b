//! Copies of instructions with their contents.
//!
//! ```text
//! ^a: %x = i_add %n, %one        ^a: … (as before)       ^c: %x' = i_add %n, %one
//!     branch ^b(%x)         ⇒    ^b: …                       branch ^d(%x')
//! ^b(%y): return_value %y                                ^d(%y'): return_value %y'
//! ```
//!
//! Uses inside the copied part are replaced by their copies; other operands stay. A copy is created with the copies of its operands as far as
//! they exist by then, and updated at the end if one does not, so the order does not matter. Hoistable instructions are not copied but
//! requested again with the new operands. Linear; no recursion; no op is a special case.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{Class, Editor, Inst, Module, Position, undefs};

/// The map from originals to copies: filled by copying, and beforehand by the caller.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    images: FxHashMap<Inst, Inst>,
}

impl Copies {
    /// An empty map.
    pub fn new() -> Copies {
        Copies::default()
    }

    /// Uses of `original` in copies made from now on become uses of `image`.
    pub fn set(&mut self, original: impl Into<Inst>, image: impl Into<Inst>) {
        self.images.insert(original.into(), image.into());
    }

    /// The image of an instruction in the copy: the instruction itself if it was not copied.
    pub fn image(&self, inst: impl Into<Inst>) -> Inst {
        let inst = inst.into();
        self.images.get(&inst).copied().unwrap_or(inst)
    }
}

impl Editor<'_> {
    /// Copies instructions with their contents: decorations, locations and children. Returns the copies of `roots`, in order, not placed;
    /// roots may use each other.
    ///
    /// Instructions that `copies` already maps are not copied; their contents go into their images.
    pub fn copy(&mut self, roots: &[Inst], copies: &mut Copies) -> Vec<Inst> {
        let tops: FxHashSet<Inst> = roots.iter().copied().collect();
        let (mut hoistable, mut nominal) = (Vec::new(), Vec::new());
        for inst in roots.iter().flat_map(|&root| self.module.descendants(root)) {
            match self.module.op(inst).is_hoistable() {
                _ if copies.images.contains_key(&inst) => {}
                true => hoistable.push(inst),
                false => nominal.push(inst),
            }
        }
        copies.images.reserve(nominal.len() + hoistable.len());
        let mut late = Vec::new();
        for &inst in &nominal {
            if self.copy_alone(inst, &tops, copies) {
                late.push(inst);
            }
            let parent = self.module.parent(inst).and_then(|parent| copies.images.get(&parent).copied());
            if let Some(parent) = parent.filter(|_| !tops.contains(&inst)) {
                self.move_to(copies.image(inst), Position::AtEnd(parent));
            }
        }
        self.copy_hoistables(&hoistable, copies);
        for &inst in &late {
            self.turn(inst, copies);
        }
        for &inst in &nominal {
            self.copy_notes(inst, copies);
        }
        if !self.module.debug_records().is_empty() {
            self.copy_records(&nominal, copies);
        }
        roots.iter().map(|&root| copies.image(root)).collect()
    }

    /// Makes the copy, with the copies of operands that exist by now. Returns whether one may be made later. Containers always wait, so that
    /// the uses of a block keep the order of the blocks that they are in.
    fn copy_alone(&mut self, inst: Inst, tops: &FxHashSet<Inst>, copies: &mut Copies) -> bool {
        let mut is_late = false;
        let mut image = |module: &Module, part: Inst| match copies.images.get(&part) {
            Some(&image) if !module.op(part).is_container() => image,
            Some(_) => {
                is_late = true;
                part
            }
            None => {
                let is_within = || module.parent(part).is_some_and(|parent| parent != module.root());
                is_late = is_late || is_within() || tops.contains(&part);
                part
            }
        };
        let ty = self.module.ty(inst).map(|ty| image(self.module, ty));
        let operands = self.module.operands(inst).map(|operand| image(self.module, operand));
        let operands: SmallVec<[Inst; 8]> = operands.collect();
        let copy = self.create_raw(None, self.module.op(inst), ty, &operands);
        copies.images.insert(inst, copy);
        is_late
    }

    /// Requests the hoistable instructions again, each after those among them that it uses.
    fn copy_hoistables(&mut self, originals: &[Inst], copies: &mut Copies) {
        let mut waiting: FxHashSet<Inst> = originals.iter().copied().collect();
        let mut stack: Vec<(Inst, bool)> = originals.iter().rev().map(|&inst| (inst, false)).collect();
        while let Some((inst, ready)) = stack.pop() {
            if ready {
                self.copy_hoistable(inst, copies);
            } else if waiting.remove(&inst) {
                stack.push((inst, true));
                let parts = self.module.ty(inst).into_iter().chain(self.module.operands(inst));
                stack.extend(parts.filter(|part| waiting.contains(part)).map(|part| (part, false)));
            }
        }
    }

    fn copy_hoistable(&mut self, inst: Inst, copies: &mut Copies) {
        let ty = self.module.ty(inst).map(|ty| copies.image(ty));
        let operands: Vec<Inst> = self.module.operands(inst).map(|operand| copies.image(operand)).collect();
        let decorations = self.copied_decorations(inst, copies);
        let copy = self.unique_decorated(self.module.op(inst), ty, &operands, &decorations);
        copies.images.insert(inst, copy);
    }

    /// Replaces the operands and the type of a copy by copies.
    fn turn(&mut self, inst: Inst, copies: &Copies) {
        let copy = copies.image(inst);
        let operands: SmallVec<[u32; 8]> = self.module.operands(inst).map(|operand| copies.image(operand).0).collect();
        self.module.storage.set_operands(copy.0, &operands);
        if let Some(ty) = self.module.ty(inst) {
            let slot = self.module.storage.type_slot(copy.0);
            self.module.storage.set_slot(slot, copies.image(ty).0);
            undefs::note(self.module, copy);
        }
    }

    /// Gives a copy decorations and location.
    fn copy_notes(&mut self, inst: Inst, copies: &mut Copies) {
        let decorations = self.copied_decorations(inst, copies);
        if !decorations.is_empty() {
            self.module.decorations.insert(copies.image(inst), decorations);
        }
        if let Some(location) = self.module.explicit_location(inst) {
            let location = location.map(|part| self.copied_position(part, copies));
            self.set_location(copies.image(inst), Some(location));
        }
    }

    /// The image of a part of a location: a position is not copied but requested again, anything else has an image.
    fn copied_position(&mut self, part: Inst, copies: &mut Copies) -> Inst {
        if let Some(&image) = copies.images.get(&part) {
            return image;
        }
        let op = self.module.op(part);
        if op.class() != Class::Position {
            return part;
        }
        let operands: Vec<Inst> = self.module.operands(part).map(|operand| copies.image(operand)).collect();
        let image = self.unique(op, None, &operands);
        copies.images.insert(part, image);
        image
    }

    /// The decorations of a copy. One without copied operands, such as a name, is the same instruction.
    fn copied_decorations(&mut self, inst: Inst, copies: &Copies) -> SmallVec<[Inst; 2]> {
        let mut decorations: SmallVec<[Inst; 2]> = self.module.decorations(inst).into();
        for decoration in &mut decorations {
            if self.uses_copies(*decoration, copies) {
                let operands: Vec<Inst> = self.module.operands(*decoration).map(|part| copies.image(part)).collect();
                *decoration = self.unique(self.module.op(*decoration), None, &operands);
            }
        }
        decorations
    }

    fn uses_copies(&self, decoration: Inst, copies: &Copies) -> bool {
        let mut parts = self.module.operands(decoration).filter(|&part| !self.module.op(part).is_literal());
        parts.any(|part| copies.image(part) != part)
    }
}
