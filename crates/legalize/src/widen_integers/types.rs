//! The wide types and constants for narrow ones.

use reconverge_ir::view::TypeView;
use reconverge_ir::{Builder, Inst, Module, Op};
use rustc_hash::FxHashMap;

use reconverge_rewrite::scalars::{constant_value, word};

/// The wide type of each type with narrow integers in it.
#[derive(Debug, Default)]
pub(super) struct WideTypes {
    /// For each type, whether it has narrow integers in it, and then its wide type if that was requested.
    known: FxHashMap<Inst, Known>,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    Wide,
    Narrow(Option<Inst>),
}

impl WideTypes {
    /// Returns whether a type has integers of 8 or 16 bits in it. Linear in the parts that are not known yet.
    pub(super) fn is_narrow(&mut self, module: &Module, ty: Inst) -> bool {
        let mut stack = vec![ty];
        while let Some(&current) = stack.last() {
            if self.known.contains_key(&current) {
                stack.pop();
                continue;
            }
            let parts = parts(module, current);
            let open: Vec<Inst> = parts.iter().copied().filter(|part| !self.known.contains_key(part)).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let is_narrow = matches!(module.type_view(current), Some(TypeView::Int { width: 8 | 16, .. }))
                || parts.iter().any(|part| matches!(self.known[part], Known::Narrow(_)));
            self.known.insert(current, if is_narrow { Known::Narrow(None) } else { Known::Wide });
        }
        matches!(self.known[&ty], Known::Narrow(_))
    }

    /// The type with 32-bit integers in place of narrow ones.
    pub(super) fn wide(&mut self, module: &mut Module, ty: Inst) -> Inst {
        let mut stack = vec![ty];
        while let Some(&current) = stack.last() {
            if !self.is_narrow(module, current) || matches!(self.known[&current], Known::Narrow(Some(_))) {
                stack.pop();
                continue;
            }
            let parts = parts(module, current);
            let mut is_open = false;
            for &part in &parts {
                if self.is_narrow(module, part) && matches!(self.known[&part], Known::Narrow(None)) {
                    stack.push(part);
                    is_open = true;
                }
            }
            if !is_open {
                let wide = self.rebuilt(module, current, parts.len());
                self.known.insert(current, Known::Narrow(Some(wide)));
            }
        }
        self.settled(ty)
    }

    fn settled(&self, ty: Inst) -> Inst {
        match self.known.get(&ty) {
            Some(&Known::Narrow(Some(wide))) => wide,
            _ => ty,
        }
    }

    fn rebuilt(&mut self, module: &mut Module, ty: Inst, parts: usize) -> Inst {
        let op = module.op(ty);
        if op == Op::TypeInt {
            return Builder::new(module).int_type(32);
        }
        let operands: Vec<Inst> = module
            .operands(ty)
            .enumerate()
            .map(|(index, operand)| if index < parts { self.settled(operand) } else { operand })
            .collect();
        match op {
            Op::TypeStruct => module.edit().append_global(op, None, &operands),
            _ => module.edit().unique(op, None, &operands),
        }
    }

    /// The constant of the wide type; `None` if it depends on specialization.
    pub(super) fn constant(&mut self, module: &mut Module, constant: Inst) -> Option<Inst> {
        let ty = module.ty(constant)?;
        let wide = self.wide(module, ty);
        match module.op(constant) {
            // Any value will do, as long as its upper bits are zero.
            Op::ConstantNull | Op::Undef => Some(module.edit().unique(Op::ConstantNull, Some(wide), &[])),
            Op::Constant => {
                let width = module.width(ty)?;
                let value = constant_value(module, constant)? as u32 & ((1 << width) - 1);
                Some(word(&mut Builder::new(module), value))
            }
            Op::ConstantComposite => {
                let parts: Vec<Inst> = module.operands(constant).collect();
                let mut wide_parts = Vec::with_capacity(parts.len());
                for part in parts {
                    let ty = module.ty(part)?;
                    let is_nested = module.op(part) == Op::ConstantComposite && module.op(ty) != Op::TypeVector;
                    // Constants of nested aggregates do not occur in code after memory is lowered.
                    wide_parts.push(match self.is_narrow(module, ty) {
                        true if is_nested => return None,
                        true => self.constant(module, part)?,
                        false => part,
                    });
                }
                Some(module.edit().unique(Op::ConstantComposite, Some(wide), &wide_parts))
            }
            _ => None,
        }
    }
}

/// The width of the narrow integers that a scalar or vector type consists of.
pub(super) fn narrow_width(module: &Module, ty: Inst) -> Option<u32> {
    match module.type_view(module.components(ty).0) {
        Some(TypeView::Int { width: width @ (8 | 16), .. }) => Some(width),
        _ => None,
    }
}

/// The types that a type consists of, which are its first operands.
fn parts(module: &Module, ty: Inst) -> Vec<Inst> {
    match module.type_view(ty) {
        Some(TypeView::Vector { component, .. }) => vec![component],
        Some(TypeView::Array { element, .. }) => vec![element],
        Some(TypeView::Struct { members }) => members.to_vec(),
        _ => Vec::new(),
    }
}
