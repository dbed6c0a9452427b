//! References to the memory behind addresses (`GL_EXT_buffer_reference`): a block is declared for the type of the memory.
//!
//! ```text
//! %node: PhysicalStorageBuffer { next, value }     ⇒      layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node {
//!                                                             uint64_t next;
//!                                                             float value;
//!                                                         };
//! load (access_chain %node, 1)                     ⇒      Node(node).value
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Op};

use super::super::Lowering;
use super::super::function::Body;
use super::super::function::addresses::ADDRESS;
use super::layout::Rule;
use crate::syntax::{Effects, Expr, Global, GlobalKind, Member, Shape, Struct, Type, TypeShape};
use crate::write::WriteCode;

/// The block of a reference.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Reference {
    ty: Type,
    /// True if the type is the only member of the block.
    is_wrapped: bool,
}

impl Lowering<'_> {
    /// The block for what addresses of a type lead to.
    fn reference(&mut self, pointee: Inst) -> Result<Reference, Diagnostic> {
        if let Some(&known) = self.references.get(&pointee) {
            return Ok(known);
        }
        self.require("GL_EXT_buffer_reference", pointee);
        self.check_behind(pointee)?;
        let is_wrapped = !matches!(self.source.type_view(pointee), Some(TypeView::Struct { .. }));
        let rules = [Rule::Std430, Rule::Scalar, Rule::Std140];
        let (rule, members) = match is_wrapped {
            false => self.block_members(pointee, &rules)?,
            true => {
                let Some(rule) = self.rule_of(pointee, &rules) else {
                    return self.refuse(WriteCode::Layout, pointee, "an address of an array in a layout of its own");
                };
                let ty = self.ty(pointee)?;
                let (prefix, suffix) = (String::new(), String::new());
                (rule, vec![Member { name: "value".to_owned(), ty, prefix, suffix }])
            }
        };
        if rule == Rule::Scalar {
            self.require("GL_EXT_scalar_block_layout", pointee);
        }
        self.require_storage(pointee, pointee);
        // The least that an access may promise: the alignment of its largest number.
        let alignment = self.widest(pointee) / 8;
        let name = self.name(pointee).unwrap_or_else(|| "Reference".to_owned());
        let id = self.text.add_struct(Struct { name, members, is_block: true });
        let ty = self.text.types.of(TypeShape::Struct(id));
        let coherent = if self.uses_vulkan_memory() { "coherent " } else { "" };
        let volatile = if self.uses.is_volatile(pointee) { "volatile " } else { "" };
        let layout = format!("buffer_reference, {}, buffer_reference_align = {alignment}", rule.word());
        self.text.add_global(Global {
            name: String::new(),
            ty,
            kind: GlobalKind::Reference,
            prefix: format!("layout({layout}) {coherent}{volatile}buffer"),
            suffix: String::new(),
            is_written: true,
        });
        let reference = Reference { ty, is_wrapped };
        self.references.insert(pointee, reference);
        Ok(reference)
    }

    /// Returns whether accesses say themselves what others see of them.
    fn uses_vulkan_memory(&self) -> bool {
        let mut models = self.source.globals().filter(|&inst| self.source.op(inst) == Op::MemoryModel);
        let model = models.next().and_then(|inst| reconverge_ir::view::MemoryModel::of(self.source, inst));
        model.is_some_and(|model| model.memory_model == Some(spirv::MemoryModel::Vulkan))
    }

    /// The bits of the widest number in a type.
    fn widest(&self, ty: Inst) -> u32 {
        let width = |part: Inst| match self.source.type_view(part) {
            Some(TypeView::Int { width, .. } | TypeView::Float { width, .. }) => width,
            Some(TypeView::Pointer { .. }) => u32::from(ADDRESS.width),
            _ => 8,
        };
        self.types_in(ty).into_iter().map(width).max().unwrap_or(8)
    }
}

impl Body<'_, '_> {
    /// The place that an address leads to.
    pub(in crate::lower) fn glsl_behind_address(&mut self, pointer: Inst) -> Result<Expr, Diagnostic> {
        let Some(pointee) = self.source.pointee(pointer) else { return self.unknown(pointer) };
        let op = self.source.op(pointer);
        // glslang takes a reference to a constant for a constant, which nothing can be stored to.
        if op.is_constant() || op == Op::Undef {
            let kind = if op == Op::Undef { "an undefined" } else { "a constant" };
            return self.refuse(WriteCode::Pointer, pointer, format!("an access to {kind} address in GLSL"));
        }
        let Reference { ty, is_wrapped } = self.cx.reference(pointee)?;
        let address = self.value(pointer)?;
        let shape = Shape::Construct(std::iter::once(address).collect());
        let block = self.with_effects(shape, ty, Effects::READS);
        if is_wrapped { self.member(block, 0, pointer) } else { Ok(block) }
    }
}
