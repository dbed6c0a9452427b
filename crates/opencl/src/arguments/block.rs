//! The push constants of a kernel: one struct, which gets a member on the first access.
//!
//! Structs are nominal in SPIR-V, so a member can be added without changing pointers to the struct.

use reconverge_ir::{Builder, Function, Inst, decoration};
use spirv::{Decoration, StorageClass};

use crate::entry_points::{entry_points_of, push_constants};
use crate::scalars::word;

/// The push constants of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    variable: Inst,
    ty: Inst,
}

impl Block {
    /// The push constants that the entry points of a function list; created empty if there are none.
    pub(super) fn of(build: &mut Builder<'_>, function: Function) -> Block {
        if let Some(variable) = push_constants(build.module(), function) {
            let ty = build.module().pointee(variable).expect("invariant: a variable is a pointer");
            return Block { variable, ty };
        }
        let ty = build.type_struct(&[]);
        build.add_decoration(ty, Decoration::Block);
        let variable = build.global_variable(StorageClass::PushConstant, ty);
        for point in entry_points_of(build.module(), function) {
            let operands: Vec<Inst> = build.module().operands(point).chain([variable]).collect();
            build.editor().set_operands(point, &operands);
        }
        Block { variable, ty }
    }

    /// Loads the value at an offset.
    pub(super) fn load(self, build: &mut Builder<'_>, offset: u32, ty: Inst) -> Inst {
        let member = self.member(build, offset, ty);
        let pointer = build.pointer_type(StorageClass::PushConstant, ty);
        let index = word(build, member);
        let place = build.in_bounds_access_chain(pointer, &[self.variable, index]);
        build.load(ty, &[place])
    }

    /// The number of the member at an offset; created if there is none.
    fn member(self, build: &mut Builder<'_>, offset: u32, ty: Inst) -> u32 {
        let module = build.module();
        let members: Vec<Inst> = module.operands(self.ty).collect();
        let found = module.decorated(self.ty).members().find_map(|note| {
            let is_there = note.read() == Some(decoration::Offset(offset));
            note.member.filter(|&member| is_there && members[member as usize] == ty)
        });
        found.unwrap_or_else(|| {
            let number = members.len() as u32;
            build.editor().set_operands(self.ty, &[members, vec![ty]].concat());
            build.add_member_decoration(self.ty, number, decoration::Offset(offset));
            number
        })
    }
}

/// Loads the value at an offset of a function's push constants, at the builder's position.
pub(crate) fn load_push_constant(build: &mut Builder<'_>, function: Function, offset: u32, ty: Inst) -> Inst {
    Block::of(build, function).load(build, offset, ty)
}
