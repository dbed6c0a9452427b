//! The order in which globals can be declared.
//!
//! Globals are in order of creation; the text form and SPIR-V require each after what it uses, a generic after what its contents use. Repeatedly the first global is taken whose
//! operands have all been taken (Kahn, Topological sorting of large networks, 1962). A sorted list is returned unchanged. Operands of
//! decorations may be anywhere, in SPIR-V as in the text.
//!
//! ```text
//! created:  %f = type_function %v    %v = type_void        ordered:  %v    %f
//! ```
//!
//! Two kinds of forward references are not followed: instructions that describe the module (an entry point and its function or graph), and
//! a pointer type with a forward declaration (`type_forward_pointer`), the only way in which types can be cyclic. Its users need the
//! declaration instead. If an invalid module is cyclic, the first remaining global is taken.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::{Class, Inst, Module, Op, view};

impl Module {
    /// The instructions at module level before the functions, each after what it uses, otherwise in order of creation.
    ///
    /// The exceptions are what SPIR-V allows: forward-declared pointers to structs, entry points, execution modes and group decorations.
    /// O(n log n) in the worst case; no recursion.
    pub fn ordered_globals(&self) -> Vec<Inst> {
        let globals: Vec<Inst> = self.globals().collect();
        let places: FxHashMap<Inst, usize> =
            globals.iter().enumerate().map(|(place, &global)| (global, place)).collect();
        let ahead = self.declared_ahead(&globals);
        let mut needs = vec![0u32; globals.len()];
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); globals.len()];
        for (place, &global) in globals.iter().enumerate() {
            let needed = self.needed_before(global, &ahead).filter_map(|needed| places.get(&needed).copied());
            for needed in needed.filter(|&needed| needed != place) {
                needs[place] += 1;
                needed_by[needed].push(place);
            }
        }
        let mut ready: BinaryHeap<Reverse<usize>> =
            (0..globals.len()).filter(|&place| needs[place] == 0).map(Reverse).collect();
        let mut taken = vec![false; globals.len()];
        let mut order = Vec::with_capacity(globals.len());
        let mut first_left = 0;
        while order.len() < globals.len() {
            let place = ready.pop().map_or_else(
                || {
                    while taken[first_left] {
                        first_left += 1;
                    }
                    first_left
                },
                |Reverse(place)| place,
            );
            if std::mem::replace(&mut taken[place], true) {
                continue;
            }
            order.push(globals[place]);
            for &user in &needed_by[place] {
                needs[user] -= 1;
                if needs[user] == 0 {
                    ready.push(Reverse(user));
                }
            }
        }
        order
    }

    /// Returns whether an instruction comes before what it names: an entry point and its function, or its graph.
    pub fn points_ahead(&self, inst: Inst) -> bool {
        match self.op(inst) {
            Op::TypeForwardPointer | Op::EntryPoint | Op::ExecutionMode | Op::ExecutionModeId => true,
            Op::OpaquePlain => {
                view::OpaquePlain::of(self, inst).is_some_and(|it| it.opcode == spirv::Op::GraphEntryPointARM as u32)
            }
            _ => false,
        }
    }

    /// The pointer types with a forward declaration, and the declarations.
    fn declared_ahead(&self, globals: &[Inst]) -> FxHashMap<Inst, Inst> {
        let pointer_type = |global| view::TypeForwardPointer::of(self, global).map(|ahead| ahead.pointer_type);
        globals.iter().filter_map(|&global| Some((pointer_type(global)?, global))).collect()
    }

    fn needed_before<'a>(&'a self, inst: Inst, ahead: &'a FxHashMap<Inst, Inst>) -> impl Iterator<Item = Inst> + 'a {
        let (op, points_ahead) = (self.op(inst), self.points_ahead(inst));
        let parts = self.descendants(inst).filter(move |_| !points_ahead);
        let operands = parts.flat_map(|part| self.ty(part).into_iter().chain(self.operands(part)));
        operands.map(move |operand| match ahead.get(&operand) {
            Some(&declaration) if op.class() == Class::Type => declaration,
            _ => operand,
        })
    }
}
