//! Constant buffers: uniform blocks, push constants, and what the language has no built-in for.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use spirv::StorageClass;

use super::super::Lowering;
use super::super::resources::{block_name, unnamed_input};
use super::layout::{self, MatrixLayout};
use super::raw::{Buffer, Form};
use super::registers::{Class, Register};
use crate::interface::ResourceKind;
use crate::syntax::{Global, GlobalKind, Length, Member, Scalar, Struct, TypeShape};
use crate::write::{BoundResource, WriteCode};

impl Lowering<'_> {
    /// A uniform block or push constants.
    pub(super) fn add_constants(&mut self, variable: Inst, pointee: Inst, block: Inst) -> Result<(), Diagnostic> {
        self.check_alias(variable, Class::B)?;
        let register = match self.source.storage_class(variable) {
            Some(StorageClass::PushConstant) => Some(self.extra_constants(BoundResource::PushConstants)),
            _ => self.known_register(variable, Class::B),
        };
        if pointee != block {
            return self.add_constant_buffers(variable, pointee, block, register);
        }
        let suffix = self.register_words(register, Class::B);
        let instance = self.name(variable);
        let of_type = self.block_name_of(block).filter(|name| Some(name) != instance.as_ref());
        let unnamed = unnamed_input(self.source.storage_class(variable));
        let base = instance.clone().or_else(|| of_type.clone()).unwrap_or_else(|| unnamed.to_owned());
        let name = of_type.unwrap_or_else(|| block_name(&base));
        let (members, is_raw) = match self.constant_members(block)? {
            Some(mut members) => {
                if let ([only], true) = (&mut members[..], self.member_name(block, 0).is_none()) {
                    only.name.clone_from(&base);
                }
                (members, false)
            }
            None => (vec![self.words_member(variable, block, &base)?], true),
        };
        let id = self.text.add_struct(Struct { name, members, is_block: true });
        let ty = self.text.types.of(TypeShape::Struct(id));
        let kind = GlobalKind::OpenBlock;
        let global = Global { name: base, ty, kind, prefix: "cbuffer".to_owned(), suffix, is_written: false };
        let global = self.declare(variable, global);
        self.note_register(variable, global, self.kind_of(variable), (register, Class::B));
        if is_raw {
            self.hlsl.raw.insert(variable, Buffer { global, form: Form::Words });
        }
        Ok(())
    }

    /// The members of a constant buffer, with their places if the language gives others; none if it cannot place them.
    fn constant_members(&mut self, block: Inst) -> Result<Option<Vec<Member>>, Diagnostic> {
        let Some(mut placed) = self.placed_members(block) else {
            return self.refuse(WriteCode::Layout, block, "a block without offsets");
        };
        placed.sort_by_key(|member| member.offset);
        let (mut end, mut is_natural, mut ends) = (0, true, 0);
        for member in &placed {
            let extent = self.constant_extent(member.ty, member.matrix);
            let Some(extent) = extent.filter(|&extent| layout::is_placeable(member.offset, extent)) else {
                return Ok(None);
            };
            if member.offset < ends {
                return Ok(None);
            }
            is_natural &= member.offset == layout::next_in_constants(end, extent);
            end = member.offset + extent.size;
            ends = end;
        }
        let (mut members, mut places) = (Vec::new(), vec![0; placed.len()]);
        for member in placed {
            let ty = self.ty(member.ty)?;
            let name = self.member_name(block, member.number).unwrap_or_else(|| format!("member{}", member.number));
            let prefix = self.hlsl_member_prefix(block, member.number).to_owned();
            let suffix = if is_natural { String::new() } else { layout::pack_offset(member.offset) };
            places[member.number as usize] = members.len() as u32;
            members.push(Member { name, ty, prefix, suffix });
        }
        if places.iter().enumerate().any(|(number, &place)| number as u32 != place) {
            self.places.insert(block, places);
        }
        Ok(Some(members))
    }

    /// The member of a constant buffer that is accessed at byte offsets: registers of four words.
    fn words_member(&mut self, variable: Inst, block: Inst, name: &str) -> Result<Member, Diagnostic> {
        let Some(bytes) = self.bytes_in_memory(block, MatrixLayout::default()) else {
            self.ty(block)?;
            return self.refuse(WriteCode::Layout, variable, "a uniform block whose length is specialized, in HLSL");
        };
        let element = self.text.types.numbers(Scalar::UINT, 4);
        let length = Length::Constant(bytes.div_ceil(16).max(1));
        let ty = self.text.types.of(TypeShape::Array { element, length });
        Ok(Member { name: name.to_owned(), ty, prefix: String::new(), suffix: String::new() })
    }

    /// An array of uniform blocks.
    fn add_constant_buffers(
        &mut self,
        variable: Inst,
        pointee: Inst,
        block: Inst,
        register: Option<Register>,
    ) -> Result<(), Diagnostic> {
        if !self.target.hlsl().has(5, 1) {
            return self.refuse(WriteCode::Layout, variable, "an array of uniform blocks in HLSL 5.0; 5.1 has it");
        }
        if self.constant_extent(block, MatrixLayout::default()).is_none() {
            let message = "an array of uniform blocks in a layout that HLSL does not give";
            return self.refuse(WriteCode::Layout, variable, message);
        }
        let element = self.ty(block)?;
        let ty = self.array_like(pointee, element)?;
        let name = self.name(variable).unwrap_or_else(|| "constants".to_owned());
        let (kind, prefix) = (GlobalKind::Variable(None), "ConstantBuffer".to_owned());
        let suffix = self.register_words(register, Class::B);
        let global = self.declare(variable, Global { name, ty, kind, prefix, suffix, is_written: false });
        self.note_register(variable, global, ResourceKind::UniformBuffer, (register, Class::B));
        Ok(())
    }

    /// The constant buffer with the number of workgroups, which the language does not have.
    pub(super) fn add_dispatch(&mut self, variables: &[Inst]) {
        let counts = self.workgroup_counts();
        if !variables.iter().any(|variable| counts.contains(variable)) {
            return;
        }
        let ty = self.text.types.numbers(Scalar::UINT, 3);
        let (prefix, suffix) = (String::new(), String::new());
        let member = Member { name: "num_workgroups".to_owned(), ty, prefix, suffix };
        let id = self.text.add_struct(Struct { name: "Dispatch".to_owned(), members: vec![member], is_block: true });
        let ty = self.text.types.of(TypeShape::Struct(id));
        let register = self.extra_constants(BoundResource::WorkgroupCount);
        let suffix = self.register_words(Some(register), Class::B);
        let (name, prefix) = ("dispatch".to_owned(), "cbuffer".to_owned());
        let kind = GlobalKind::OpenBlock;
        let global = self.text.add_global(Global { name, ty, kind, prefix, suffix, is_written: false });
        self.note_added(global, (ResourceKind::WorkgroupCount, counts), register.place(Class::B));
        self.hlsl.dispatch = Some(global);
    }
}
