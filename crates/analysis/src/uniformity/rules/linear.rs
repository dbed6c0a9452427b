//! Values that are affine in the lane number: `base + stride · lane`.
//!
//! Sums, differences, products with a constant, shifts by a constant, copies, addresses of elements, and vectors in their first component
//! keep them affine. All of it is exact modulo 2 to the power of the width, so overflow needs no special case (Sampaio, de Souza, Collange
//! and Pereira 2013, section 3). Two values with the same stride differ by a uniform value, so their comparison for equality is uniform.
//!
//! A widening keeps a stride only if no lane wraps, which the range of the value tells. But the low word of the result is that of the
//! operand, whatever the range is:
//!
//! ```text
//! a: 32 bits, stride 4      uconvert a: low stride 4      its low word again: stride 4      a & 0xffff_ffff: low stride 4
//! ```

use reconverge_ir::{Inst, Module, Op, view};

use super::sources::Execution;
use super::{Instruction, LEFT, ONLY, RIGHT};
use crate::layout::Layouts;
use crate::ranges::{is_within, whole_range};
use crate::uniformity::level::{LOW_BITS, Level};
use crate::uniformity::origin::Origin;

/// The bits of a value that a stride holds for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bits {
    /// All of them.
    All,
    /// Those of the low word.
    Low,
}

/// The difference between neighbouring lanes.
#[derive(Clone, Copy)]
struct Stride {
    number: i128,
    bits: Bits,
}

impl Stride {
    fn plus(self, other: Stride) -> Stride {
        Stride { number: self.number.wrapping_add(other.number), bits: self.bits.max(other.bits) }
    }

    fn times(self, factor: i128) -> Stride {
        Stride { number: self.number.wrapping_mul(factor), ..self }
    }

    fn is_uniform(self) -> bool {
        self.number == 0 && self.bits == Bits::All
    }
}

impl<L: Fn(u32) -> Level> Instruction<'_, L> {
    /// Sums, differences, products and shifts by a constant.
    pub(super) fn linear(&self) -> (Level, Origin) {
        let Some(left) = self.stride_of(LEFT) else { return self.strict() };
        match self.op {
            Op::SNegate | Op::Not => return self.scaled(left, -1),
            Op::IMul => {
                let Some(right) = self.stride_of(RIGHT) else { return self.strict() };
                return match (self.constant(LEFT), self.constant(RIGHT)) {
                    (Some(factor), _) => self.scaled(right, factor),
                    (_, Some(factor)) => self.scaled(left, factor),
                    _ => self.strict(),
                };
            }
            Op::ShiftLeftLogical => {
                return match self.constant(RIGHT) {
                    Some(by) if (0..64).contains(&by) && !left.is_uniform() => self.scaled(left, 1 << by),
                    _ => self.strict(),
                };
            }
            _ => {}
        }
        let Some(right) = self.stride_of(RIGHT) else { return self.strict() };
        let right = if self.op == Op::ISub { right.times(-1) } else { right };
        self.grows(left.plus(right), if left.is_uniform() { RIGHT } else { LEFT })
    }

    /// The stride of the result is a multiple of that of the one operand that differs.
    fn scaled(&self, stride: Stride, factor: i128) -> (Level, Origin) {
        let operand = if (self.level)(LEFT).differs() { LEFT } else { RIGHT };
        self.grows(stride.times(factor), operand)
    }

    fn grows(&self, Stride { number, bits }: Stride, operand: u32) -> (Level, Origin) {
        let level = match (self.bits(), bits) {
            (Some(width), Bits::All) => Level::stride(number, width),
            (Some(width), Bits::Low) => Level::low_stride(number, width),
            // A vector varies in its first component: the other components of a sum of such vectors are uniform too.
            (None, Bits::All) if number == 0 && !(self.level)(LEFT).differs() => Level::UNIFORM,
            (None, Bits::All) => match self.first_component_bits() {
                Some(width) if matches!(self.op, Op::IAdd | Op::ISub) => Level::stride(number, width),
                _ => Level::Divergent,
            },
            (None, Bits::Low) => Level::Divergent,
        };
        self.by_operand(level, operand)
    }

    /// The stride of an operand, if it is known.
    fn stride_of(&self, operand: u32) -> Option<Stride> {
        match (self.level)(operand) {
            Level::Stride(number) => Some(Stride { number: number.into(), bits: Bits::All }),
            Level::LowStride(number) => Some(Stride { number: number.into(), bits: Bits::Low }),
            Level::Unknown | Level::Divergent => None,
        }
    }

    /// The value of an operand that is an integer constant, or has one value by its range, as a signed number.
    fn constant(&self, operand: u32) -> Option<i128> {
        let value = self.operand(operand);
        match view::Constant::of(self.rules.module, value).map(|constant| constant.value) {
            Some(&[low]) => Some(i128::from(low as i32)),
            Some(&[low, high]) => Some(i128::from((u64::from(high) << 32 | u64::from(low)) as i64)),
            // A value that differs for all that is known is not one that the machine knows.
            _ if (self.level)(operand) == Level::UNIFORM => {
                let (least, most) = self.range_of(operand)?;
                (least == most).then_some(least)
            }
            _ => None,
        }
    }

    fn range_of(&self, operand: u32) -> Option<crate::Range> {
        let (_, ranges) = self.rules.launch?;
        ranges.known(self.rules.module, self.operand(operand))
    }

    pub(super) fn operand(&self, operand: u32) -> Inst {
        self.rules.module.operand(self.inst, operand as usize)
    }

    pub(super) fn equality(&self) -> (Level, Origin) {
        match ((self.level)(LEFT), (self.level)(RIGHT)) {
            (Level::Stride(left), Level::Stride(right)) if left == right && self.operand_bits().is_some() => {
                (Level::UNIFORM, Origin::Nothing)
            }
            _ => self.strict(),
        }
    }

    /// Conversions between integers, and between integers and addresses.
    pub(super) fn convert(&self) -> (Level, Origin) {
        let bits = self.bits().zip(self.operand_bits());
        let stride = bits.and_then(|(to, from)| match to <= from {
            true => self.stride_of(ONLY),
            false => self.widened(ONLY, from, self.op),
        });
        stride.map_or_else(|| self.strict(), |stride| self.grows(stride, ONLY))
    }

    /// The stride of an operand of `from` bits that becomes wider, as by `conversion`: none wraps if the range is one of the narrow type, and
    /// too small for the lanes to differ by another number that is congruent to the stride.
    fn widened(&self, operand: u32, from: u32, conversion: Op) -> Option<Stride> {
        let stride = self.stride_of(operand)?;
        let is_exact = || {
            let range = self.range_of(operand).filter(|&range| is_within(range, whole_range(conversion, from)));
            range.is_some_and(|(least, most)| most - least + stride.number.abs() < 1 << from)
        };
        match stride.bits {
            Bits::All if stride.number == 0 || is_exact() => Some(stride),
            _ if from >= LOW_BITS => Some(Stride { bits: Bits::Low, ..stride }),
            _ => None,
        }
    }

    /// Of an integer of 64 bits, those of the low word.
    pub(super) fn low_word(&self) -> (Level, Origin) {
        let is_mask = |operand: u32| {
            let constant = view::Constant::of(self.rules.module, self.operand(operand));
            constant.is_some_and(|constant| *constant.value == [u32::MAX, 0])
        };
        let value = match (is_mask(LEFT), is_mask(RIGHT)) {
            (true, false) => RIGHT,
            (false, true) => LEFT,
            _ => return self.strict(),
        };
        let is_unchanged = || self.range_of(value).is_some_and(|range| is_within(range, (0, u32::MAX.into())));
        match self.stride_of(value) {
            Some(stride) if stride.is_uniform() || is_unchanged() => self.grows(stride, value),
            Some(stride) => self.grows(Stride { bits: Bits::Low, ..stride }, value),
            None => self.strict(),
        }
    }

    /// The address of an element, where pointers are addresses.
    pub(super) fn chain(&self) -> (Level, Origin) {
        match (self.strict(), self.rules.setting.execution) {
            ((Level::Divergent, Origin::Operand(operand)), Execution::Pack) => match self.stride_of_chain() {
                Some(stride) => self.grows(stride, operand),
                None => (Level::Divergent, Origin::Operand(operand)),
            },
            (strict, _) => strict,
        }
    }

    fn stride_of_chain(&self) -> Option<Stride> {
        let module = self.rules.module;
        let mut layouts = Layouts::new();
        let mut ty = module.pointee(self.operand(0))?;
        let mut sum = self.stride_of(0)?;
        for operand in 1..self.operand_count() {
            let index = self.operand(operand);
            if module.op(ty) == Op::TypeStruct {
                ty = module.part_type(ty, module.constant_bits(index)? as usize)?;
                continue;
            }
            let bytes = layouts.element_stride(module, ty).ok()?;
            // Indexes have signs.
            let step = match self.number_bits(module.ty(index)?)? {
                width if width < ADDRESS_BITS => self.widened(operand, width, Op::SConvert)?,
                _ => self.stride_of(operand)?,
            };
            sum = sum.plus(step.times(bytes.into()));
            ty = module.element_type(ty)?;
        }
        Some(sum)
    }

    /// The width of the result, if it is a number.
    fn bits(&self) -> Option<u32> {
        self.number_bits(self.rules.module.ty(self.inst)?)
    }

    /// The width of the first operand, if it is a number.
    pub(super) fn operand_bits(&self) -> Option<u32> {
        self.number_bits(self.rules.module.ty(self.rules.module.operands(self.inst).next()?)?)
    }

    fn number_bits(&self, ty: Inst) -> Option<u32> {
        match self.rules.setting.execution {
            Execution::Pack if self.rules.module.op(ty) == Op::TypePointer => Some(ADDRESS_BITS),
            _ => scalar_bits(self.rules.module, ty),
        }
    }

    fn first_component_bits(&self) -> Option<u32> {
        let ty = self.rules.module.ty(self.inst)?;
        scalar_bits(self.rules.module, view::TypeVector::of(self.rules.module, ty)?.component)
    }
}

/// The width of an address.
const ADDRESS_BITS: u32 = 64;

/// The width of an integer type.
fn scalar_bits(module: &Module, ty: Inst) -> Option<u32> {
    view::TypeInt::of(module, ty).map(|ty| ty.width)
}
