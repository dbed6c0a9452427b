//! The push constants of a kernel: one struct, which gets a member when a place is first read.
//!
//! Structs are nominal in SPIR-V, so that a member can be added without a change to what points to the struct.

use reconverge_ir::{Builder, Function, Inst, Op};
use spirv::{Decoration, StorageClass};

use crate::entry_points::{decoration_kind, entry_points_of, push_constants};
use crate::scalars::{decorate, word};

/// The push constants of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    variable: Inst,
    ty: Inst,
}

impl Block {
    /// The push constants that the entry points of a function list; empty ones are made where there are none.
    pub(super) fn of(build: &mut Builder<'_>, function: Function) -> Block {
        let class = StorageClass::PushConstant as u32;
        if let Some(variable) = push_constants(build.module(), function) {
            let pointer = build.module().ty(variable).expect("invariant: a variable has a type");
            return Block { variable, ty: build.module().operand(pointer, 1) };
        }
        let ty = build.type_struct(&[]);
        decorate(build.editor(), ty, Decoration::Block, &[]);
        let pointer = build.pointer_type(class, ty);
        let class = build.editor().word(class);
        let variable = build.editor().append_global(Op::Variable, Some(pointer), &[class]);
        for point in entry_points_of(build.module(), function) {
            let operands: Vec<Inst> = build.module().operands(point).chain([variable]).collect();
            build.editor().set_operands(point, &operands);
        }
        Block { variable, ty }
    }

    /// Loads what lies at an offset.
    pub(super) fn load(self, build: &mut Builder<'_>, offset: u32, ty: Inst) -> Inst {
        let member = self.member(build, offset, ty);
        let pointer = build.pointer_type(StorageClass::PushConstant as u32, ty);
        let index = word(build, member);
        let place = build.in_bounds_access_chain(pointer, &[self.variable, index]);
        build.load(ty, &[place])
    }

    /// The number of the member at an offset; made where there is none.
    fn member(self, build: &mut Builder<'_>, offset: u32, ty: Inst) -> u32 {
        let module = build.module();
        let members: Vec<Inst> = module.operands(self.ty).collect();
        let found = module.decorations(self.ty).iter().find_map(|&note| {
            let is_offset = decoration_kind(module, note) == Some(Decoration::Offset as u32);
            let mut words = module.operands(note).map(|word| module.literal_word(word));
            let (member, at) = (words.next()??, words.nth(1)??);
            (is_offset && at == offset && members[member as usize] == ty).then_some(member)
        });
        found.unwrap_or_else(|| {
            let number = members.len() as u32;
            let editor = build.editor();
            editor.set_operands(self.ty, &[members, vec![ty]].concat());
            let operands = [number, Decoration::Offset as u32, offset].map(|word| editor.word(word));
            let note = editor.unique(Op::MemberDecorate, None, &operands);
            editor.decorate(self.ty, note);
            number
        })
    }
}

/// Loads what lies at an offset of a function's push constants, at the builder's place.
pub(crate) fn load_push_constant(build: &mut Builder<'_>, function: Function, offset: u32, ty: Inst) -> Inst {
    Block::of(build, function).load(build, offset, ty)
}
