//! Built-in inputs, from the number of the work-group and of the pack.

use iced_x86::Code;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op};
use reconverge_lanes::{Facts, InputFact, Variation};
use spirv::BuiltIn;

use super::Specialization;
use super::arithmetic::Emitter;
use super::selector::Selector;
use super::value::{Isa, ScalarType, Value};
use crate::call_memory::{context, header};
use crate::machine::{Address, Class, Operand, VReg};

const INT: ScalarType = ScalarType::Int(32);

/// The shape of a component of the local invocation id across the lanes of a pack.
fn local_shape(local: [u32; 3], lanes: u32, component: u32) -> Variation {
    let row = local[0];
    let is_row_aligned = row.is_multiple_of(lanes);
    if local[component as usize] == 1 && (component > 0 || local[1] * local[2] > 1) {
        return Variation::Uniform;
    }
    match component {
        0 if local[1] == 1 && local[2] == 1 || is_row_aligned => Variation::Affine { stride: 1 },
        1 if is_row_aligned => Variation::Uniform,
        2 if (row * local[1]).is_multiple_of(lanes) => Variation::Uniform,
        _ => Variation::Divergent,
    }
}

/// The facts of the inputs of a launch.
pub(super) fn facts(specialization: &Specialization) -> Facts {
    let Specialization { local, groups, pack, .. } = *specialization;
    let lanes = pack.lanes();
    let total = local.iter().product::<u32>();
    let mut facts = Facts { is_full: total.is_multiple_of(lanes), ..Facts::default() };
    let upto = |count: u64| (0, i128::from(count.saturating_sub(1)));
    let mut set = |built_in: BuiltIn, component: u32, shape: Variation, range: (i128, i128)| {
        let shape = if pack.isa == Isa::Scalar { Variation::Uniform } else { shape };
        facts.inputs.insert((built_in, component), InputFact { variation: shape, range });
    };
    // Lanes of the last pack that are not launched have numbers, too.
    let padded = u64::from(total).next_multiple_of(u64::from(lanes));
    for component in 0..3 {
        let (size, count) = (local[component as usize], groups[component as usize]);
        let shape = local_shape(local, lanes, component);
        let is_consecutive = matches!(shape, Variation::Affine { stride: 1 });
        let local_end =
            if is_consecutive && component == 0 && local[1] * local[2] == 1 { padded } else { u64::from(size) };
        let global_end = u64::from(count.saturating_sub(1)) * u64::from(size) + local_end;
        set(BuiltIn::LocalInvocationId, component, shape, upto(local_end));
        set(BuiltIn::GlobalInvocationId, component, shape, upto(global_end));
        set(BuiltIn::WorkgroupId, component, Variation::Uniform, upto(count.into()));
        set(BuiltIn::NumWorkgroups, component, Variation::Uniform, (0, i128::from(count)));
    }
    set(BuiltIn::LocalInvocationIndex, 0, Variation::Affine { stride: 1 }, upto(padded));
    set(BuiltIn::SubgroupLocalInvocationId, 0, Variation::Affine { stride: 1 }, upto(lanes.into()));
    set(BuiltIn::SubgroupId, 0, Variation::Uniform, upto(padded));
    set(BuiltIn::SubgroupSize, 0, Variation::Uniform, (i128::from(lanes), i128::from(lanes)));
    set(BuiltIn::NumSubgroups, 0, Variation::Uniform, (0, i128::from(padded)));
    facts
}

impl Selector<'_> {
    /// Loads a built-in input.
    pub(super) fn select_input(&mut self, inst: Inst, built_in: BuiltIn, component: u32) -> Result<(), Diagnostic> {
        let index = component as usize;
        let value = match built_in {
            BuiltIn::WorkgroupId if index < 3 => self.emit.context_word(context::WORKGROUP_ID + 4 * component as i32),
            BuiltIn::NumWorkgroups if index < 3 => {
                self.emit.context_word(context::WORKGROUP_COUNT + 4 * component as i32)
            }
            BuiltIn::LocalInvocationId if index < 3 => self.local_id(component, inst)?,
            BuiltIn::GlobalInvocationId if index < 3 => self.global_id(component, inst)?,
            BuiltIn::LocalInvocationIndex => self.first_index(inst)?,
            BuiltIn::SubgroupLocalInvocationId => self.emit.constant(INT, 0),
            BuiltIn::SubgroupId => Value::Uniform(self.emit.pack_number()),
            BuiltIn::SubgroupSize => self.emit.constant(INT, self.emit.pack.lanes().into()),
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask
                if index < 4 =>
            {
                self.emit.lane_mask(built_in, component)
            }
            BuiltIn::NumSubgroups => self.emit.constant(INT, self.values.specialization.packs().into()),
            _ => return Err(self.values.unsupported(inst, "this built-in input")),
        };
        self.set(inst, value);
        Ok(())
    }

    fn binary(&mut self, op: Op, left: &Value, right: &Value, at: Inst) -> Result<Value, Diagnostic> {
        let value = self.emit.binary(op, INT, left, right);
        value.ok_or_else(|| self.values.unsupported(at, "a built-in input of this form"))
    }

    /// The number of lane 0 in its work-group.
    fn first_index(&mut self, at: Inst) -> Result<Value, Diagnostic> {
        let pack = Value::Uniform(self.emit.pack_number());
        let lanes = self.emit.constant(INT, self.emit.pack.lanes().into());
        self.binary(Op::IMul, &pack, &lanes, at)
    }

    /// The numbers of all lanes in their work-group.
    fn indices(&mut self, at: Inst) -> Result<Value, Diagnostic> {
        let first = self.first_index(at)?;
        if self.emit.pack.isa == Isa::Scalar {
            return Ok(first);
        }
        let lanes = self.emit.lane_numbers();
        self.binary(Op::IAdd, &lanes, &first, at)
    }

    /// A component of the number in the work-group: of lane 0, if the component is affine, else of every lane.
    fn local_id(&mut self, component: u32, at: Inst) -> Result<Value, Diagnostic> {
        let local = self.values.specialization.local;
        if local[component as usize] == 1 && (component > 0 || local[1] * local[2] > 1) {
            return Ok(self.emit.constant(INT, 0));
        }
        let is_varying = local_shape(local, self.emit.pack.lanes(), component) == Variation::Divergent;
        let is_varying = is_varying && self.emit.pack.isa != Isa::Scalar;
        let mut value = if is_varying { self.indices(at)? } else { self.first_index(at)? };
        let before: u32 = local[..component as usize].iter().product();
        if before > 1 {
            let divisor = self.emit.constant(INT, before.into());
            value = self.binary(Op::UDiv, &value, &divisor, at)?;
        }
        if local[component as usize + 1..].iter().any(|&size| size > 1) {
            let divisor = self.emit.constant(INT, local[component as usize].into());
            value = self.binary(Op::UMod, &value, &divisor, at)?;
        }
        Ok(value)
    }

    fn global_id(&mut self, component: u32, at: Inst) -> Result<Value, Diagnostic> {
        let local = self.local_id(component, at)?;
        let group = self.emit.context_word(context::WORKGROUP_ID + 4 * component as i32);
        let size = self.emit.constant(INT, self.values.specialization.local[component as usize].into());
        let first = self.binary(Op::IMul, &group, &size, at)?;
        self.binary(Op::IAdd, &local, &first, at)
    }

    /// Lanes that are launched: those whose number is in the work-group.
    pub(super) fn launched_lanes(&mut self, at: Inst) -> Result<Value, Diagnostic> {
        let total: u32 = self.values.specialization.local.iter().product();
        let indices = self.indices(at)?;
        let end = self.emit.constant(INT, total.into());
        let lanes = self.emit.compare(Op::ULessThan, INT, &indices, &end);
        lanes.ok_or_else(|| self.values.unsupported(at, "a comparison of this form"))
    }
}

impl Emitter<'_> {
    /// A word of the lanes that are before, at or after each lane, as bits: the words of all lanes are constants.
    fn lane_mask(&mut self, built_in: BuiltIn, component: u32) -> Value {
        let lanes = self.pack.lanes();
        let words: Vec<u32> = (0..lanes).map(|lane| lane_mask_word(built_in, lanes, lane, component)).collect();
        if self.pack.isa == Isa::Scalar {
            return self.constant(INT, words[0].into());
        }
        self.lane_words(&words)
    }

    pub(super) fn context(&mut self) -> VReg {
        let address = Operand::Memory(Address::in_frame(header::CONTEXT));
        self.define(Class::General, Code::Mov_r64_rm64, [address])
    }

    fn context_word(&mut self, offset: i32) -> Value {
        let context = self.context();
        let address = Operand::Memory(Address::of(context).plus(offset));
        Value::Uniform(self.define(Class::General, Code::Mov_r32_rm32, [address]))
    }

    fn pack_number(&mut self) -> VReg {
        let address = Operand::Memory(Address::in_frame(header::PACK));
        self.define(Class::General, Code::Mov_r32_rm32, [address])
    }
}

/// A word of the mask of a lane: those of the pack that are like it, before or after it.
fn lane_mask_word(built_in: BuiltIn, lanes: u32, lane: u32, component: u32) -> u32 {
    let (all, bit) = (u128::MAX >> (128 - lanes), 1_u128 << lane);
    let below = bit - 1;
    let mask = match built_in {
        BuiltIn::SubgroupEqMask => bit,
        BuiltIn::SubgroupGeMask => all & !below,
        BuiltIn::SubgroupGtMask => all & !below & !bit,
        BuiltIn::SubgroupLeMask => bit | below,
        _ => below,
    };
    (mask >> (32 * component)) as u32
}
