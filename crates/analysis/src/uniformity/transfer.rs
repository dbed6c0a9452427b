//! The variation of an instruction's result, depending on its operands.
//!
//! A pure instruction is uniform for uniform operands, and divergent for others, except a few that keep a value affine in the lane number:
//! sums, differences, products with a constant, shifts by a constant, copies, and vectors in their first component. All of it is exact
//! modulo 2 to the power of the width, so overflow needs no special case (Sampaio, de Souza, Collange and Pereira 2013, section 3). Two
//! values with the same stride differ by a uniform value, so their comparison for equality is uniform.

use reconverge_ir::{Effects, Inst, Module, Op, view};

use super::body::NONE;
use super::cause::Source;
use super::level::Level;
use super::origin::Origin;
use super::propagation::Propagation;
use super::sources::Memory;
use super::variation::Evidence;
use crate::effects::is_standard_set;

/// The operands of an operation on two values, and of one on a single value.
const LEFT: u32 = view::Binary::LEFT as u32;
const RIGHT: u32 = view::Binary::RIGHT as u32;
const ONLY: u32 = view::Unary::OPERAND as u32;

impl Propagation<'_> {
    /// The level of an instruction that is neither a block parameter nor a terminator, and its origin.
    pub(super) fn evaluate(&self, number: u32) -> (Level, Origin) {
        match self.possible(number) {
            // The level of a parameter is that of its arguments.
            (_, Origin::Source(source))
                if self.context.evidence == Evidence::Shown && !source.is_shown() && source != Source::Parameter =>
            {
                self.strict(number)
            }
            possible => possible,
        }
    }

    /// The level, regardless of the evidence.
    fn possible(&self, number: u32) -> (Level, Origin) {
        let op = self.body.op(number);
        match op {
            Op::FunctionParameter => self.parameter(number),
            Op::Variable | Op::Undef => (Level::UNIFORM, Origin::Nothing),
            Op::Load => self.load(number),
            Op::FunctionCall => self.call(number),
            Op::ExtInst => self.extended(number),
            Op::Select => self.select(number),
            Op::IAdd | Op::ISub | Op::SNegate | Op::Not | Op::IMul | Op::ShiftLeftLogical => self.linear(number),
            Op::IEqual | Op::INotEqual => self.equality(number),
            Op::BitwiseAnd | Op::ShiftRightLogical | Op::UDiv if self.cuts_lane_off(number) => {
                (Level::UNIFORM, Origin::Nothing)
            }
            Op::CopyObject | Op::CopyLogical => self.copy(number),
            Op::UConvert | Op::SConvert | Op::Bitcast => self.convert(number),
            Op::CompositeExtract => self.extract(number),
            Op::CompositeConstruct => self.construct(number),
            Op::AtomicLoad => (Level::Divergent, Origin::Source(Source::SharedMemory)),
            Op::ConvertPtrToU => (Level::Divergent, Origin::Source(Source::PrivateMemory)),
            _ if op.class() == reconverge_ir::Class::Atomic => (Level::Divergent, Origin::Source(Source::Atomic)),
            _ if op.class() == reconverge_ir::Class::Group => self.group(number),
            _ if op.class() == reconverge_ir::Class::Image => self.image(number),
            _ if is_function_of_operands(op) => self.strict(number),
            Op::IsHelperInvocationEXT => (Level::Divergent, Origin::Source(Source::Input)),
            _ if op.class() == reconverge_ir::Class::Derivative => (Level::Divergent, Origin::Source(Source::Group)),
            _ => (Level::Divergent, Origin::Source(Source::Unknown)),
        }
    }

    /// Returns whether a divergent operand always makes the result divergent.
    pub(super) fn is_strict(op: Op) -> bool {
        is_function_of_operands(op) || matches!(op, Op::Load)
    }

    /// Uniform if all operands are.
    pub(super) fn strict(&self, number: u32) -> (Level, Origin) {
        self.strict_from(number, 0)
    }

    /// Uniform if all operands from the index `first` on are.
    fn strict_from(&self, number: u32, first: usize) -> (Level, Origin) {
        let mut is_known = true;
        for (operand, &value) in (0_u32..).zip(self.body.operands(number)).skip(first) {
            if value == NONE {
                continue;
            }
            match self.use_level(number, operand) {
                Level::Stride(0) => {}
                Level::Unknown => is_known = false,
                _ => return (Level::Divergent, Origin::Operand(operand)),
            }
        }
        (if is_known { Level::UNIFORM } else { Level::Unknown }, Origin::Nothing)
    }

    fn parameter(&self, number: u32) -> (Level, Origin) {
        let level = self.parameters.get(number as usize).copied().unwrap_or(Level::Divergent);
        (level, if level.differs() { Origin::Source(Source::Parameter) } else { Origin::Nothing })
    }

    fn load(&self, number: u32) -> (Level, Origin) {
        let strict = self.strict(number);
        if strict.0 != Level::UNIFORM {
            return strict;
        }
        let inst = self.body.inst(number);
        let pointer = view::Load::of(self.module, inst).map(|load| load.pointer);
        let Some(pointer) = pointer.filter(|_| !self.module.memory_access(inst).is_volatile()) else {
            return (Level::Divergent, Origin::Source(Source::SharedMemory));
        };
        let (root, depth) = self.root_of(pointer);
        if let Some(variable) = self.memory.variable_of(root) {
            let level = self.memory.level(variable);
            return (level, if level.differs() { Origin::Contents(variable) } else { Origin::Nothing });
        }
        let module = self.module;
        match self.context.memory_of(module, root) {
            Memory::Known(level, source) if level.differs() => (level, Origin::Source(source)),
            Memory::Known(level, _) => (level, Origin::Nothing),
            Memory::FirstAffine => match depth {
                0 => (Level::Stride(1), Origin::Source(Source::Input)),
                _ => self.component_of_line(pointer),
            },
            Memory::Own => (Level::Divergent, Origin::Source(Source::PrivateMemory)),
        }
    }

    /// The variable or parameter that a pointer points into, and the number of access chains.
    pub(super) fn root_of(&self, pointer: Inst) -> (Inst, usize) {
        let (mut pointer, mut depth) = (pointer, 0);
        while let Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject = self.module.op(pointer)
            && let Some(view::DerivedPointer { base }) = view::DerivedPointer::of(self.module, pointer)
        {
            pointer = base;
            depth += 1;
        }
        (pointer, depth)
    }

    /// A component of the local or global number in a workgroup that is a line.
    fn component_of_line(&self, pointer: Inst) -> (Level, Origin) {
        let indexes = view::Chain::of(self.module, pointer).map(|chain| chain.indexes).unwrap_or_default();
        let index = indexes.first().and_then(|index| self.module.constant_word(index));
        let is_direct = self.root_of(pointer).1 == 1 && indexes.len() == 1;
        match index {
            Some(0) if is_direct => (Level::Stride(1), Origin::Source(Source::Input)),
            Some(1 | 2) if is_direct => (Level::UNIFORM, Origin::Nothing),
            _ => (Level::Divergent, Origin::Source(Source::Input)),
        }
    }

    fn call(&self, number: u32) -> (Level, Origin) {
        let inst = self.body.inst(number);
        let call = view::FunctionCall::of(self.module, inst);
        let callee = call.and_then(|call| self.module.cast(call.function));
        let Some(summary) = callee.and_then(|callee| self.context.summary(callee)) else {
            return (Level::Divergent, Origin::Source(Source::UnknownFunction));
        };
        if summary.returned == Level::Divergent {
            return (Level::Divergent, Origin::Returned(summary.function));
        }
        let first = view::FunctionCall::SLOT.arguments;
        for operand in first..self.body.operands(number).len() {
            let matters = summary.depends >> (operand - first).min(63) & 1 != 0;
            if matters && self.use_level(number, operand as u32).differs() {
                return (Level::Divergent, Origin::Operand(operand as u32));
            }
        }
        let origin = if summary.returned.differs() { Origin::Returned(summary.function) } else { Origin::Nothing };
        (summary.returned, origin)
    }

    fn extended(&self, number: u32) -> (Level, Origin) {
        let unknown = (Level::Divergent, Origin::Source(Source::Unknown));
        let inst = self.body.inst(number);
        let Some(view::ExtInst { set, operands, .. }) = view::ExtInst::of(self.module, inst) else { return unknown };
        if self.module.op(set) != Op::ExtInstImport {
            return unknown;
        }
        let mut types = operands.iter().filter_map(|operand| self.module.ty(operand));
        if types.any(|ty| self.module.op(ty) == Op::TypePointer) {
            return unknown;
        }
        if is_standard_set(self.module, set) { self.strict_from(number, view::ExtInst::SLOT.operands) } else { unknown }
    }

    /// A read of an image that nothing writes, with uniform operands.
    fn image(&self, number: u32) -> (Level, Origin) {
        match self.body.op(number) {
            Op::ImageRead | Op::ImageSparseRead => (Level::Divergent, Origin::Source(Source::SharedMemory)),
            op if op.effects().contains(Effects::DERIVATIVE) => (Level::Divergent, Origin::Source(Source::Group)),
            op if op.effects().contains(Effects::WRITES) => (Level::Divergent, Origin::Source(Source::Unknown)),
            _ => self.strict(number),
        }
    }

    fn select(&self, number: u32) -> (Level, Origin) {
        let slots = view::Select::SLOT;
        let [condition, yes, no] = [slots.condition, slots.true_value, slots.false_value].map(|slot| slot as u32);
        let (left, right) = (self.use_level(number, yes), self.use_level(number, no));
        let select = view::Select::of(self.module, self.body.inst(number));
        let is_same = select.is_some_and(|select| select.true_value == select.false_value);
        if is_same || !self.use_level(number, condition).differs() {
            let level = left.join(right);
            let operand = if left.differs() { yes } else { no };
            return (level, if level.differs() { Origin::Operand(operand) } else { Origin::Nothing });
        }
        (Level::Divergent, Origin::Operand(condition))
    }

    /// Sums, differences, products and shifts by a constant.
    fn linear(&self, number: u32) -> (Level, Origin) {
        let Some(left) = self.stride_of(number, LEFT) else { return self.strict(number) };
        let unary = |factor: i128| self.scaled(number, left, factor);
        match self.body.op(number) {
            Op::SNegate | Op::Not => return unary(-1),
            Op::IMul => {
                let Some(right) = self.stride_of(number, RIGHT) else { return self.strict(number) };
                return match (self.constant(number, LEFT), self.constant(number, RIGHT)) {
                    (Some(factor), _) => self.scaled(number, right, factor),
                    (_, Some(factor)) => unary(factor),
                    _ => self.strict(number),
                };
            }
            Op::ShiftLeftLogical => {
                return match self.constant(number, RIGHT) {
                    Some(by) if (0..64).contains(&by) && left != 0 => unary(1 << by),
                    _ => self.strict(number),
                };
            }
            _ => {}
        }
        let Some(right) = self.stride_of(number, RIGHT) else { return self.strict(number) };
        let right = if self.body.op(number) == Op::ISub { -right } else { right };
        self.grows(number, left + right, if left != 0 { LEFT } else { RIGHT })
    }

    /// The stride of the result is a multiple of that of the one operand that differs.
    fn scaled(&self, number: u32, stride: i128, factor: i128) -> (Level, Origin) {
        let operand = if self.use_level(number, LEFT).differs() { LEFT } else { RIGHT };
        self.grows(number, stride.wrapping_mul(factor), operand)
    }

    fn grows(&self, number: u32, stride: i128, operand: u32) -> (Level, Origin) {
        let level = match self.integer_bits(number) {
            Some(bits) => Level::stride(stride, bits),
            // A vector varies in its first component: the other components of a sum of such vectors are uniform too.
            None if stride == 0 && !self.use_level(number, LEFT).differs() => Level::UNIFORM,
            None => match self.first_component_bits(number) {
                Some(bits) if matches!(self.body.op(number), Op::IAdd | Op::ISub) => Level::stride(stride, bits),
                _ => Level::Divergent,
            },
        };
        (level, if level.differs() { Origin::Operand(operand) } else { Origin::Nothing })
    }

    /// The stride of an operand, if it is known.
    fn stride_of(&self, number: u32, operand: u32) -> Option<i128> {
        match self.use_level(number, operand) {
            Level::Stride(stride) => Some(stride.into()),
            Level::Unknown | Level::Divergent => None,
        }
    }

    /// The value of an operand that is an integer constant, as a signed number.
    fn constant(&self, number: u32, operand: u32) -> Option<i128> {
        let value = self.module.operand(self.body.inst(number), operand as usize);
        match *view::Constant::of(self.module, value)?.value {
            [low] => Some(i128::from(low as i32)),
            [low, high] => Some(i128::from((u64::from(high) << 32 | u64::from(low)) as i64)),
            _ => None,
        }
    }

    fn equality(&self, number: u32) -> (Level, Origin) {
        let strides = self.stride_of(number, LEFT).zip(self.stride_of(number, RIGHT));
        match strides {
            Some((left, right)) if left == right && self.operand_bits(number).is_some() => {
                (Level::UNIFORM, Origin::Nothing)
            }
            _ => self.strict(number),
        }
    }

    fn copy(&self, number: u32) -> (Level, Origin) {
        let level = self.use_level(number, ONLY);
        (level, if level.differs() { Origin::Operand(ONLY) } else { Origin::Nothing })
    }

    /// Conversions between integers that drop upper bits or none.
    fn convert(&self, number: u32) -> (Level, Origin) {
        let bits = self.integer_bits(number).zip(self.operand_bits(number));
        match (bits, self.stride_of(number, ONLY)) {
            (Some((to, from)), Some(stride)) if to <= from => self.grows(number, stride, ONLY),
            _ => self.strict(number),
        }
    }

    /// A component of a vector that varies in its first one.
    fn extract(&self, number: u32) -> (Level, Origin) {
        let composite = view::CompositeExtract::SLOT.composite as u32;
        let level = self.use_level(number, composite);
        let Some(extract) = view::CompositeExtract::of(self.module, self.body.inst(number)) else {
            return self.strict(number);
        };
        let ty = self.module.ty(extract.composite).map(|ty| self.module.op(ty));
        match (level, ty, extract.indexes.first()) {
            (Level::Stride(stride), Some(Op::TypeVector), Some(index)) if stride != 0 => match index {
                0 => (level, Origin::Operand(composite)),
                _ => (Level::UNIFORM, Origin::Nothing),
            },
            _ => self.strict(number),
        }
    }

    fn construct(&self, number: u32) -> (Level, Origin) {
        let first_part = view::CompositeConstruct::SLOT.constituents as u32;
        let first = self.use_level(number, first_part);
        let parts = self.body.operands(number).len() as u32;
        let is_scalar = self.operand_bits(number).is_some();
        let rest_is_uniform = || (first_part + 1..parts).all(|part| self.use_level(number, part) == Level::UNIFORM);
        let is_vector = self.module.ty(self.body.inst(number)).map(|ty| self.module.op(ty)) == Some(Op::TypeVector);
        match first {
            Level::Stride(stride) if stride != 0 && is_vector && is_scalar && rest_is_uniform() => {
                (first, Origin::Operand(first_part))
            }
            _ => self.strict(number),
        }
    }

    fn integer_bits(&self, number: u32) -> Option<u32> {
        scalar_bits(self.module, self.module.ty(self.body.inst(number))?)
    }

    fn operand_bits(&self, number: u32) -> Option<u32> {
        scalar_bits(self.module, self.module.ty(self.module.operands(self.body.inst(number)).next()?)?)
    }

    fn first_component_bits(&self, number: u32) -> Option<u32> {
        let ty = self.module.ty(self.body.inst(number))?;
        scalar_bits(self.module, view::TypeVector::of(self.module, ty)?.component)
    }
}

/// The width of an integer type.
fn scalar_bits(module: &Module, ty: Inst) -> Option<u32> {
    view::TypeInt::of(module, ty).map(|ty| ty.width)
}

/// Returns whether the result depends on the operands alone.
fn is_function_of_operands(op: Op) -> bool {
    let besides = [Effects::READS, Effects::WRITES, Effects::CONVERGENT, Effects::DERIVATIVE, Effects::STRUCTURE];
    !besides.into_iter().any(|effect| op.effects().contains(effect)) && op.class() != reconverge_ir::Class::Opaque
}

/// Returns whether the result is the same at every execution with the same operands.
pub(super) fn is_invariant(op: Op) -> bool {
    is_function_of_operands(op) && op != Op::Variable
}
