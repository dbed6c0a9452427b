//! Images and samplers: their uses and their types.
//!
//! A texture of depths has another type than one of colors, and the access to the texels of a storage image is a part of its type. A parameter
//! has the type of all its arguments, so what is done with one is done with all.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Inst, Op};

use super::Lowering;
use super::uses::{Sampling, root};
use crate::syntax::{Access, Type, TypeShape};

/// The uses of an image.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::lower) struct Handle {
    /// True if its samples are compared.
    pub(in crate::lower) compares: bool,
    /// True if it is sampled without a comparison.
    pub(in crate::lower) samples: bool,
    pub(in crate::lower) reads: bool,
    pub(in crate::lower) writes: bool,
}

impl Handle {
    /// The accesses to the texels of a storage image.
    pub(in crate::lower) fn access(self) -> Access {
        match (self.reads, self.writes) {
            (true, true) => Access::ReadWrite,
            (false, true) => Access::Write,
            _ => Access::Read,
        }
    }

    fn join(self, other: Handle) -> Handle {
        Handle {
            compares: self.compares || other.compares,
            samples: self.samples || other.samples,
            reads: self.reads || other.reads,
            writes: self.writes || other.writes,
        }
    }
}

impl Lowering<'_> {
    /// Finds how images are used. O(calls × arguments × length of chains of calls).
    pub(in crate::lower) fn find_handles(&mut self) {
        let mut pairs = Vec::new();
        let functions: Vec<_> = self.source.functions().collect();
        for function in functions {
            for inst in self.source.blocks(function).flat_map(|block| self.source.children(block)) {
                let Some(call) = view::FunctionCall::of(self.source, inst) else { continue };
                let Some(callee) = self.source.callee(inst) else { continue };
                let parameters = self.source.parameters(callee).map(|parameter| parameter.inst());
                let arguments = call.arguments.to_vec().into_iter().map(|argument| root(self.source, argument));
                pairs.extend(parameters.zip(arguments));
            }
        }
        let mut known: Vec<Inst> = self.used_variables();
        known.extend(pairs.iter().flat_map(|&(parameter, argument)| [parameter, argument]));
        for value in known {
            let accesses = self.uses.image(value);
            let compares = self.uses.samples(value, Sampling::Compared);
            let samples = self.uses.samples(value, Sampling::Plain);
            let handle = Handle { compares, samples, reads: accesses.reads, writes: accesses.writes };
            self.handles.insert(value, handle);
        }
        loop {
            let mut has_changed = false;
            for &(parameter, argument) in &pairs {
                let both = self.handle(parameter).join(self.handle(argument));
                for value in [parameter, argument] {
                    has_changed |= self.handles.insert(value, both) != Some(both);
                }
            }
            if !has_changed {
                break;
            }
        }
    }

    /// The uses of an image, of a variable or parameter.
    pub(in crate::lower) fn handle(&self, value: Inst) -> Handle {
        self.handles.get(&value).copied().unwrap_or_default()
    }

    /// The type of an image, or an array of images, of a variable or parameter: without its sampler.
    pub(in crate::lower) fn handle_type(&mut self, value: Inst, ty: Type, place: Inst) -> Result<Type, Diagnostic> {
        let shape = match self.text.types[ty] {
            TypeShape::Image(image) | TypeShape::SampledImage(image) => {
                TypeShape::Image(self.used_image(value, image, place)?)
            }
            TypeShape::Array { element, length } => {
                let element = self.handle_type(value, element, place)?;
                TypeShape::Array { element, length }
            }
            _ => return Ok(ty),
        };
        Ok(self.text.types.of(shape))
    }

    /// The number of handles in an array of them; `None` if that is known at run time.
    pub(in crate::lower) fn handle_count(&self, ty: Inst) -> Option<u32> {
        match self.source.type_view(ty) {
            Some(TypeView::Array { element, length }) => {
                Some(self.source.constant_word(length)? * self.handle_count(element)?)
            }
            Some(TypeView::RuntimeArray { .. }) => None,
            _ => Some(1),
        }
    }

    /// Returns whether a variable is an image, a sampler or both, and which of them.
    pub(in crate::lower) fn handle_kind(&self, ty: Inst) -> Option<Kind> {
        let mut element = ty;
        while let Some(TypeView::Array { element: inner, .. } | TypeView::RuntimeArray { element: inner }) =
            self.source.type_view(element)
        {
            element = inner;
        }
        match self.source.type_view(element)? {
            TypeView::Image(_) => Some(Kind::Image),
            TypeView::SampledImage { .. } => Some(Kind::Both),
            TypeView::Other(Op::TypeSampler) => Some(Kind::Sampler),
            _ => None,
        }
    }
}

/// An image, a sampler, or both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) enum Kind {
    Image,
    Sampler,
    Both,
}
