//! Copies of instructions with their contents.
//!
//! ```text
//! ^a: %x = i_add %n, %one        ^a: … (as before)       ^c: %x' = i_add %n, %one
//!     branch ^b(%x)         ⇒    ^b: …                       branch ^d(%x')
//! ^b(%y): return_value %y                                ^d(%y'): return_value %y'
//! ```
//!
//! Uses inside the copied part are replaced by their copies; other operands stay. Copies are created first, with the operands of their
//! originals, and then updated, so their order does not matter. Hoistable instructions are not copied but requested again with the new
//! operands. Linear; no recursion; no op is a special case.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{Class, Editor, Inst, Position, undefs};

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
        let originals: Vec<Inst> = roots.iter().flat_map(|&root| self.module.descendants(root)).collect();
        let (hoistable, nominal): (Vec<Inst>, Vec<Inst>) =
            originals.into_iter().partition(|&inst| self.module.op(inst).is_hoistable());
        let nominal: Vec<Inst> = nominal.into_iter().filter(|inst| !copies.images.contains_key(inst)).collect();
        let tops: FxHashSet<Inst> = roots.iter().copied().collect();
        for &inst in &nominal {
            let copy = self.copy_alone(inst, copies);
            let parent = self.module.parent(inst).and_then(|parent| copies.images.get(&parent).copied());
            if let Some(parent) = parent.filter(|_| !tops.contains(&inst)) {
                self.move_to(copy, Position::AtEnd(parent));
            }
        }
        self.copy_hoistables(&hoistable, copies);
        for &inst in &nominal {
            self.turn(inst, copies);
        }
        roots.iter().map(|&root| copies.image(root)).collect()
    }

    /// Makes the copy, with the operands of the original.
    fn copy_alone(&mut self, inst: Inst, copies: &mut Copies) -> Inst {
        let operands: SmallVec<[Inst; 8]> = self.module.operands(inst).collect();
        let copy = self.create_raw(None, self.module.op(inst), self.module.ty(inst), &operands);
        copies.images.insert(inst, copy);
        copy
    }

    /// Requests the hoistable instructions again, each after those among them that it uses.
    fn copy_hoistables(&mut self, originals: &[Inst], copies: &mut Copies) {
        let mut waiting: FxHashSet<Inst> = originals.iter().copied().collect();
        waiting.retain(|inst| !copies.images.contains_key(inst));
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

    /// Replaces the operands of a copy by copies, and gives it decorations and location.
    fn turn(&mut self, inst: Inst, copies: &mut Copies) {
        let copy = copies.image(inst);
        let operands: SmallVec<[u32; 8]> = self.module.operands(copy).map(|operand| copies.image(operand).0).collect();
        self.module.storage.set_operands(copy.0, &operands);
        if let Some(ty) = self.module.ty(copy) {
            let slot = self.module.storage.type_slot(copy.0);
            self.module.storage.set_slot(slot, copies.image(ty).0);
            undefs::note(self.module, copy);
        }
        for decoration in self.copied_decorations(inst, copies) {
            self.decorate(copy, decoration);
        }
        if let Some(location) = self.module.explicit_location(inst) {
            let location = location.map(|part| self.copied_position(part, copies));
            self.set_location(copy, Some(location));
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

    fn copied_decorations(&mut self, inst: Inst, copies: &Copies) -> Vec<Inst> {
        let originals = self.module.decorations(inst).to_vec();
        let copied = originals.into_iter().map(|decoration| {
            let operands: Vec<Inst> = self.module.operands(decoration).map(|operand| copies.image(operand)).collect();
            self.unique(self.module.op(decoration), None, &operands)
        });
        copied.collect()
    }
}
