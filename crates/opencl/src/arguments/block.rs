//! The push constants of a kernel: one struct, which gets a member on the first access. Or its uniform buffer: a struct of 32-bit words.
//!
//! Structs are nominal in SPIR-V, so a member can be added without changing pointers to the struct. The uniform buffer has all its members
//! from the start: WGSL derives offsets from the members before, so no byte may be left out.

use reconverge_ir::{Builder, Function, Inst, Op, decoration};
use spirv::{Decoration, StorageClass};

use crate::entry_points::{argument_block, entry_points_of};
use crate::scalars::{vector_type, word};

/// The block with the arguments of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    variable: Inst,
    ty: Inst,
}

/// The uniform buffer of a kernel.
pub(super) struct UniformBlock {
    /// The number of its binding.
    pub(super) binding: u32,
    /// The type of each word: `u32`, or `f32` for an argument of this type.
    pub(super) words: Vec<Inst>,
    /// The names of words.
    pub(super) names: Vec<(u32, String)>,
}

impl Block {
    /// The push constants that the entry points of a function list; created empty if there are none.
    pub(super) fn of(build: &mut Builder<'_>, function: Function) -> Block {
        if let Some(variable) = argument_block(build.module(), function) {
            let ty = build.module().pointee(variable).expect("invariant: a variable is a pointer");
            return Block { variable, ty };
        }
        let ty = build.type_struct(&[]);
        build.add_decoration(ty, Decoration::Block);
        let variable = build.global_variable(StorageClass::PushConstant, ty);
        list(build, function, variable);
        Block { variable, ty }
    }

    /// Creates the uniform buffer of a function.
    pub(super) fn create_uniform(build: &mut Builder<'_>, function: Function, block: &UniformBlock) -> Block {
        let ty = build.type_struct(&block.words);
        build.add_decoration(ty, Decoration::Block);
        for number in 0..block.words.len() as u32 {
            build.add_member_decoration(ty, number, decoration::Offset(number * 4));
        }
        for (number, name) in &block.names {
            let editor = build.editor();
            let operands = [editor.word(*number), editor.text(name)];
            let note = editor.unique(Op::MemberName, None, &operands);
            editor.decorate(ty, note);
        }
        let variable = build.global_variable(StorageClass::Uniform, ty);
        build.add_decoration(variable, decoration::DescriptorSet(0));
        build.add_decoration(variable, decoration::Binding(block.binding));
        build.editor().set_name(variable, "arguments");
        list(build, function, variable);
        Block { variable, ty }
    }

    /// Loads the value at an offset: a scalar or a vector of up to four, of 32 or 64 bits.
    pub(super) fn load(self, build: &mut Builder<'_>, offset: u32, ty: Inst) -> Inst {
        if build.module().storage_class(self.variable) == Some(StorageClass::Uniform) {
            return self.load_words(build, offset, ty);
        }
        let member = self.member(build, offset, ty);
        let pointer = build.pointer_type(StorageClass::PushConstant, ty);
        let index = word(build, member);
        let place = build.in_bounds_access_chain(pointer, &[self.variable, index]);
        build.load(ty, &[place])
    }

    /// Loads a value of a uniform buffer word by word.
    fn load_words(self, build: &mut Builder<'_>, offset: u32, ty: Inst) -> Inst {
        let u32_type = build.int_type(32);
        let (component, count) = build.module().components(ty);
        let is_long = build.module().width(component) == Some(64);
        let scalars: Vec<Inst> = (0..count)
            .map(|index| match is_long {
                true => {
                    let first = offset / 4 + index * 2;
                    let halves = [self.load_word(build, first, u32_type), self.load_word(build, first + 1, u32_type)];
                    let two = vector_type(build, u32_type, 2);
                    let pair = build.composite_construct(two, &halves);
                    build.bitcast(component, &[pair])
                }
                false => self.load_word(build, offset / 4 + index, component),
            })
            .collect();
        if count == 1 { scalars[0] } else { build.composite_construct(ty, &scalars) }
    }

    fn load_word(self, build: &mut Builder<'_>, index: u32, ty: Inst) -> Inst {
        let member = build.module().operand(self.ty, index as usize);
        let pointer = build.pointer_type(StorageClass::Uniform, member);
        let index = word(build, index);
        let place = build.in_bounds_access_chain(pointer, &[self.variable, index]);
        let value = build.load(member, &[place]);
        if member == ty { value } else { build.bitcast(ty, &[value]) }
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

/// Adds a variable to the interfaces of the entry points of a function.
fn list(build: &mut Builder<'_>, function: Function, variable: Inst) {
    for point in entry_points_of(build.module(), function) {
        let operands: Vec<Inst> = build.module().operands(point).chain([variable]).collect();
        build.editor().set_operands(point, &operands);
    }
}

/// Loads the value at an offset of a function's push constants or uniform buffer, at the builder's position.
pub(crate) fn load_push_constant(build: &mut Builder<'_>, function: Function, offset: u32, ty: Inst) -> Inst {
    Block::of(build, function).load(build, offset, ty)
}
