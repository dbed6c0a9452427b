//! Bitcasts from and to narrow integers: through words.
//!
//! ```text
//! u16x2 {a, b}        ──▶   a | b << 16          ──▶   f32, u8x4, f16x2, …
//! f16 h               ──▶   bitcast {h, 0}       ──▶   u16
//! ```
//!
//! Linear in the components.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Op};

use super::Widening;
use reconverge_rewrite::scalars::{vector_type, word};

impl Widening<'_> {
    /// `bitcast` with a narrow side.
    pub(super) fn bitcast(&mut self, inst: Inst, from: Option<Inst>) -> Result<(), Diagnostic> {
        let operand = self.module.operand(inst, 0);
        let to = self.old_type(inst).ok_or_else(|| self.unsupported(inst, "bitcast"))?;
        let from = from.ok_or_else(|| self.unsupported(inst, "bitcast"))?;
        let wide = self.types.wide(self.module, to);
        let is_same = |widening: &Self| {
            let sides = [from, to]
                .map(|ty| (widening.module.components(ty).1, super::types::narrow_width(widening.module, ty)));
            sides[0] == sides[1] && sides[0].1.is_some()
        };
        if is_same(self) {
            self.replace(inst, operand);
            return Ok(());
        }
        let words = self.words(inst, operand, from)?;
        let mut build = Builder::new(self.module);
        build.before(inst);
        let (component, count) = build.module().components(to);
        let (wide_component, _) = build.module().components(wide);
        let scalars = match build.module().width(component) {
            Some(width @ (8 | 16)) if build.module().op(component) == Op::TypeInt => (0..count)
                .map(|index| bits(&mut build, words[(index * width / 32) as usize], index * width % 32, width))
                .collect(),
            Some(16) => halves(&mut build, &words, component, count),
            Some(32) => words.iter().map(|&word| retyped(&mut build, word, wide_component)).collect(),
            Some(64) => words
                .chunks(2)
                .map(|pair| {
                    let u32_type = build.int_type(32);
                    let two = vector_type(&mut build, u32_type, 2);
                    let pair = build.composite_construct(two, pair);
                    build.bitcast(component, &[pair])
                })
                .collect::<Vec<Inst>>(),
            _ => return Err(self.unsupported(inst, "bitcast")),
        };
        let value = if count == 1 { scalars[0] } else { build.composite_construct(wide, &scalars) };
        self.replace(inst, value);
        Ok(())
    }

    /// The bits of a value of an old type as words, lowest first; unused bits are zero.
    fn words(&mut self, inst: Inst, value: Inst, ty: Inst) -> Result<Vec<Inst>, Diagnostic> {
        let mut build = Builder::new(self.module);
        build.before(inst);
        let build = &mut build;
        let (component, count) = build.module().components(ty);
        let (is_int, width) = (build.module().op(component) == Op::TypeInt, build.module().width(component));
        let u32_type = build.int_type(32);
        let own = build.module().ty(value).map(|ty| build.module().components(ty).0);
        let Some(own) = own else { return Err(self.unsupported(inst, "bitcast")) };
        let scalars: Vec<Inst> = match count {
            1 => vec![value],
            _ => (0..count)
                .map(|index| {
                    let index = build.editor().word(index);
                    build.composite_extract(own, &[value, index])
                })
                .collect(),
        };
        match width {
            Some(width @ (8 | 16)) if is_int => {
                Ok(scalars.chunks((32 / width) as usize).map(|parts| joined(build, parts, width)).collect())
            }
            Some(16) => {
                let two = vector_type(build, component, 2);
                let zero = build.editor().unique(Op::ConstantNull, Some(component), &[]);
                let pairs = scalars.chunks(2).map(|pair| [pair[0], pair.get(1).copied().unwrap_or(zero)]);
                Ok(pairs
                    .map(|pair| {
                        let pair = build.composite_construct(two, &pair);
                        build.bitcast(u32_type, &[pair])
                    })
                    .collect())
            }
            Some(32) => Ok(scalars.into_iter().map(|scalar| retyped(build, scalar, u32_type)).collect()),
            _ => Err(self.unsupported(inst, "bitcast")),
        }
    }
}

/// Narrow integers in a word, lowest first.
fn joined(build: &mut Builder<'_>, parts: &[Inst], width: u32) -> Inst {
    let u32_type = build.int_type(32);
    let mut all = parts[0];
    for (&part, index) in parts[1..].iter().zip(1..) {
        let distance = word(build, index * width);
        let shifted = build.shift_left_logical(u32_type, &[part, distance]);
        all = build.bitwise_or(u32_type, &[all, shifted]);
    }
    all
}

/// Some bits of a word.
fn bits(build: &mut Builder<'_>, bits: Inst, first: u32, width: u32) -> Inst {
    let u32_type = build.int_type(32);
    let mut part = bits;
    if first > 0 {
        let distance = word(build, first);
        part = build.shift_right_logical(u32_type, &[part, distance]);
    }
    if first + width == 32 {
        return part;
    }
    let mask = word(build, (1 << width) - 1);
    build.bitwise_and(u32_type, &[part, mask])
}

/// Halves from the words that hold two of them each.
fn halves(build: &mut Builder<'_>, words: &[Inst], half: Inst, count: u32) -> Vec<Inst> {
    let two = vector_type(build, half, 2);
    let pairs: Vec<Inst> = words.iter().map(|&word| build.bitcast(two, &[word])).collect();
    let half_at = |index: u32| {
        let place = build.editor().word(index % 2);
        build.composite_extract(half, &[pairs[(index / 2) as usize], place])
    };
    (0..count).map(half_at).collect()
}

fn retyped(build: &mut Builder<'_>, value: Inst, ty: Inst) -> Inst {
    if build.module().ty(value) == Some(ty) { value } else { build.bitcast(ty, &[value]) }
}
