//! Values and the scalars that represent them.

use std::rc::Rc;

use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, Op, Position};
use reconverge_rewrite::constants::constant_inst;
use reconverge_rewrite::removal::remove;
use reconverge_rewrite::undef::Undefs;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::Capability;

use super::layouts::{Layouts, Leaf, Span, is_composite};
use crate::error::unsupported;

/// The scalars of the composite values of a function.
pub(super) struct Parts<'m> {
    pub(super) module: &'m mut Module,
    layouts: Layouts,
    parts: FxHashMap<Inst, Rc<[Inst]>>,
    undefs: Undefs,
    /// Structs of two equal members, by the type of these.
    couples: FxHashMap<Inst, Inst>,
    /// The instructions that were written, definitions before uses.
    written: Vec<Inst>,
    /// The instructions that scalars replace, definitions before uses.
    replaced: Vec<Inst>,
    capabilities: Vec<Capability>,
}

impl<'m> Parts<'m> {
    pub(super) fn new(module: &'m mut Module) -> Parts<'m> {
        Parts {
            module,
            layouts: Layouts::default(),
            parts: FxHashMap::default(),
            undefs: Undefs::default(),
            couples: FxHashMap::default(),
            written: Vec::new(),
            replaced: Vec::new(),
            capabilities: Vec::new(),
        }
    }

    /// Returns whether a value has parts.
    pub(super) fn is_composite(&self, value: Inst) -> bool {
        self.module.ty(value).is_some_and(|ty| is_composite(self.module, ty))
    }

    /// The type of an instruction that is known to have one.
    pub(super) fn ty(&self, value: Inst) -> Inst {
        self.module.ty(value).expect("invariant: a value has a type")
    }

    /// The leaves of a type.
    pub(super) fn leaves(&mut self, ty: Inst, user: Inst) -> Result<Rc<[Leaf]>, Diagnostic> {
        self.layouts.leaves(self.module, ty, user)
    }

    /// Returns the range of a part of a type among its leaves.
    pub(super) fn span(&mut self, ty: Inst, path: &[u32], user: Inst) -> Result<Span, Diagnostic> {
        self.layouts.span(self.module, ty, path, user)
    }

    /// The scalars of a value; a scalar is its own only one.
    pub(super) fn of(&mut self, value: Inst, user: Inst) -> Result<Rc<[Inst]>, Diagnostic> {
        if !self.is_composite(value) {
            return Ok([value].into());
        }
        if let Some(parts) = self.parts.get(&value) {
            return Ok(parts.clone());
        }
        let parts: Rc<[Inst]> = match self.module.op(value).is_constant() {
            true => self.of_constant(value, user)?.into(),
            // Everything else was split before, except in code that never runs.
            false => self.undefined(self.ty(value), user)?.into(),
        };
        self.parts.insert(value, parts.clone());
        Ok(parts)
    }

    fn of_constant(&mut self, value: Inst, user: Inst) -> Result<Vec<Inst>, Diagnostic> {
        let (mut parts, mut open) = (Vec::new(), vec![value]);
        while let Some(next) = open.pop() {
            match self.module.op(next) {
                Op::ConstantComposite | Op::SpecConstantComposite => open.extend(self.module.operands(next).rev()),
                _ if !self.is_composite(next) => parts.push(next),
                Op::ConstantNull => {
                    let leaves = self.leaves(self.ty(next), user)?;
                    let mut edit = self.module.edit();
                    parts.extend(leaves.iter().map(|leaf| edit.unique(Op::ConstantNull, Some(leaf.ty), &[])));
                }
                Op::Undef => parts.extend(self.undefined(self.ty(next), user)?),
                op => return Err(unsupported(user, op.name())),
            }
        }
        Ok(parts)
    }

    /// An undefined scalar for each leaf of a type.
    pub(super) fn undefined(&mut self, ty: Inst, user: Inst) -> Result<Vec<Inst>, Diagnostic> {
        let leaves = self.leaves(ty, user)?;
        Ok(leaves.iter().map(|leaf| self.undefs.undef(self.module, leaf.ty)).collect())
    }

    /// Records the scalars of a value that stays where it is.
    pub(super) fn set(&mut self, value: Inst, parts: impl Into<Rc<[Inst]>>) {
        self.parts.insert(value, parts.into());
    }

    /// Replaces an instruction by scalars, one for a scalar and one for each leaf of a composite. The instruction is removed in the end.
    pub(super) fn finish(&mut self, inst: Inst, parts: impl Into<Rc<[Inst]>>) {
        let parts = parts.into();
        match self.is_composite(inst) {
            true => self.set(inst, parts),
            false => {
                let [whole] = parts[..] else { unreachable!("a scalar has one part") };
                self.module.edit().replace_all_uses(inst, whole);
            }
        }
        self.replaced.push(inst);
    }

    /// Has an instruction without a result go in the end.
    pub(super) fn drop(&mut self, inst: Inst) {
        self.replaced.push(inst);
    }

    /// Writes an operation that does a part of what `of` does: before it, with its decorations and its location.
    pub(super) fn emit(&mut self, of: Inst, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let part = self.help(of, op, ty, operands);
        let notes = self.module.decorations(of).iter().copied().filter(|&note| self.module.op(note) != Op::Name);
        let notes: SmallVec<[Inst; 4]> = notes.collect();
        notes.into_iter().for_each(|note| self.module.edit().decorate(part, note));
        part
    }

    /// Writes an operation that `of` needs: before it, with its location.
    pub(super) fn help(&mut self, of: Inst, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        self.write(Position::Before(of), of, op, ty, operands)
    }

    /// Writes the parts of a result that stays, all of one type, right after it.
    pub(super) fn extract<const COUNT: usize>(&mut self, whole: Inst, ty: Inst) -> [Inst; COUNT] {
        let mut position = Position::After(whole);
        std::array::from_fn(|index| {
            let index = self.module.edit().word(index as u32);
            let part = self.write(position, whole, Op::CompositeExtract, Some(ty), &[whole, index]);
            position = Position::After(part);
            part
        })
    }

    #[expect(clippy::too_many_arguments, reason = "a place, an example, and everything that an instruction is")]
    fn write(&mut self, position: Position, of: Inst, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let location = self.module.explicit_location(of);
        let mut edit = self.module.edit();
        let part = edit.insert(position, op, ty, operands);
        if location.is_some() {
            edit.set_location(part, location);
        }
        self.written.push(part);
        part
    }

    /// The type `bool`.
    pub(super) fn bool_type(&mut self) -> Inst {
        self.module.edit().unique(Op::TypeBool, None, &[])
    }

    /// The unsigned integer type of a width.
    pub(super) fn unsigned(&mut self, width: u32) -> Inst {
        match width {
            8 => self.capabilities.push(Capability::Int8),
            16 => self.capabilities.push(Capability::Int16),
            64 => self.capabilities.push(Capability::Int64),
            _ => {}
        }
        let mut edit = self.module.edit();
        let operands = [edit.word(width), edit.word(0)];
        edit.unique(Op::TypeInt, None, &operands)
    }

    /// The floating-point type of 16 bits.
    pub(super) fn half(&mut self) -> Inst {
        self.capabilities.push(Capability::Float16);
        let mut edit = self.module.edit();
        let operands = [edit.word(16)];
        edit.unique(Op::TypeFloat, None, &operands)
    }

    /// The constant of an integer type.
    pub(super) fn integer(&mut self, ty: Inst, value: u64) -> Inst {
        let kind = ScalarKind::of(self.module, ty).expect("invariant: the type is an integer");
        constant_inst(self.module, ty, &Constant::Scalar(Scalar::new(kind, value)))
    }

    /// The struct type of two members of a type: the first plain one of the module, or a new one. Looked up once for each type.
    pub(super) fn couple_type(&mut self, ty: Inst) -> Inst {
        if let Some(&known) = self.couples.get(&ty) {
            return known;
        }
        let module = &*self.module;
        let is_it = |&global: &Inst| {
            module.op(global) == Op::TypeStruct
                && module.decorations(global).is_empty()
                && module.operands(global).eq([ty, ty])
        };
        let found = module.globals().find(is_it);
        let couple = found.unwrap_or_else(|| self.module.edit().append_global(Op::TypeStruct, None, &[ty, ty]));
        self.couples.insert(ty, couple);
        couple
    }

    /// Removes the instructions that scalars replace, and the scalars that nothing uses. Returns whether anything changed.
    pub(super) fn clean(mut self) -> bool {
        let is_changed = !self.written.is_empty() || !self.replaced.is_empty();
        for inst in self.replaced.into_iter().rev() {
            remove(self.module, inst);
        }
        for inst in self.written.into_iter().rev() {
            if !self.module.is_used(inst) && is_removable(self.module, inst) {
                remove(self.module, inst);
            }
        }
        self.capabilities.sort_unstable_by_key(|&capability| capability as u32);
        self.capabilities.dedup();
        for capability in self.capabilities {
            declare(self.module, capability);
        }
        is_changed
    }
}

/// Returns whether an instruction that nothing uses may go.
fn is_removable(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    let is_extended = op == Op::ExtInst && module.glsl_op(inst).is_some();
    op.effects().is_pure() || is_extended || (op == Op::Load && !module.memory_access(inst).is_volatile())
}

/// Declares a capability, if the module does not.
fn declare(module: &mut Module, capability: Capability) {
    let mut edit = module.edit();
    let word = edit.enumerant(capability);
    let module = edit.module();
    let declared = module.globals().filter(|&global| module.op(global) == Op::Capability);
    let declared: Vec<Inst> = declared.collect();
    // A part of a module without a header declares none.
    let Some(&last) = declared.last() else { return };
    if declared.iter().all(|&global| module.operand(global, 0) != word) {
        edit.insert(Position::After(last), Op::Capability, None, &[word]);
    }
}
