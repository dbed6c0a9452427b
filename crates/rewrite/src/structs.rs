//! Undecorated struct types, by their members.
//!
//! A struct is not hoistable: two equal declarations are two types. A pass that needs one uses the first existing one, and the table avoids
//! a traversal of all globals each time.

use reconverge_ir::{Builder, Inst, Module, Op};
use rustc_hash::FxHashMap;

/// The first plain struct type with each list of members.
#[derive(Debug)]
pub struct Structs {
    by_members: FxHashMap<Vec<Inst>, Inst>,
}

impl Structs {
    /// The struct types of a module. Valid as long as no other code creates or decorates one. Linear in its globals.
    pub fn of(module: &Module) -> Structs {
        let mut by_members = FxHashMap::default();
        let is_plain = |&global: &Inst| module.op(global) == Op::TypeStruct && module.decorations(global).is_empty();
        for global in module.globals().filter(is_plain) {
            by_members.entry(module.operands(global).collect()).or_insert(global);
        }
        Structs { by_members }
    }

    /// The struct type with these members: the existing one, or a new one.
    pub fn with(&mut self, build: &mut Builder<'_>, members: &[Inst]) -> Inst {
        if let Some(&known) = self.by_members.get(members) {
            return known;
        }
        let new = build.editor().append_global(Op::TypeStruct, None, members);
        self.by_members.insert(members.to_vec(), new);
        new
    }
}
