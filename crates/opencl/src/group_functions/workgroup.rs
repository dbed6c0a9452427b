//! Reductions, scans and broadcasts of a work-group, through an array in shared memory with an element for every lane.
//!
//! ```text
//! lane      0   1   2   3   4            distance 1: each adds what lies one before it
//! shared    a   b   c   d   e            distance 2: what lies two before it, and so on:
//!           a  ab  bc  cd  de            log n rounds, each between two barriers
//!           a  ab abc abcd bcde          inclusive: own place; exclusive: the place before; reduction: the last place
//! ```
//!
//! (Hillis and Steele, *Data Parallel Algorithms*, 1986: the scan by recursive doubling.) Invariant: when a round of distance `d` begins,
//! the element of lane `i` is the combination of the values of lanes `max(0, i - d + 1)` to `i`, in that order. A round reads before its
//! first barrier and writes before its second. An operation that reads elements of other lanes at the end has one more barrier, so that the
//! next operation can use the array. The order of lanes is that of their local linear index.
//!
//! Each operation on each type is one function without pointer parameters; kernels of one work-group size share it.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::{BuiltIn, GroupOperation, MemorySemantics, Scope, StorageClass};

use super::combine::Combine;
use super::narrow::{Extension, narrow, wide_type, widen};
use super::scope_index;
use crate::Context;
use crate::builtins::work_group_size;
use crate::error;
use crate::scalars::{convert_unsigned, word};

/// The operation of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum GroupFunction {
    /// A reduction or scan, with its group operation.
    Combine(Combine, GroupOperation),
    /// A broadcast.
    Broadcast,
}

/// An operation to replace by a call.
#[derive(Clone, Copy)]
struct GroupCall {
    inst: Inst,
    /// The size of its work-group.
    size: [Inst; 3],
}

/// The emitted functions and arrays.
#[derive(Debug, Default)]
pub(super) struct WorkGroups {
    /// By operation, type, and size of the work-group.
    functions: FxHashMap<(GroupFunction, Inst, [Inst; 3]), Function>,
    /// By element type and length.
    arrays: FxHashMap<(Inst, Inst), Inst>,
    /// The number of lanes of work-groups of these sizes.
    lengths: FxHashMap<[Inst; 3], Inst>,
    /// The variable of the lane's index.
    index: Option<Inst>,
}

impl WorkGroups {
    /// Replaces an operation by a call.
    pub(super) fn replace(&mut self, module: &mut Module, context: &mut Context, inst: Inst) -> Result<(), Diagnostic> {
        self.index.get_or_insert_with(|| {
            let mut build = Builder::new(module);
            let u32_type = build.int_type(32);
            context.found.input_variable(&mut build, BuiltIn::LocalInvocationIndex, u32_type)
        });
        let op = module.op(inst);
        let ty = module.ty(inst).expect("invariant: a group operation has a type");
        let combine = Combine::of(module, inst);
        let operands: Vec<Inst> = module.operands(inst).skip(scope_index(module, inst) + 1).collect();
        let function = module.function_of(inst).expect("invariant: a group operation stands in a function");
        let place = GroupCall { inst, size: work_group_size(&mut Builder::new(module), context, function) };
        let value = match (op, combine) {
            (Op::GroupAll, _) => self.vote(module, place, Combine::And, operands[0]),
            (Op::GroupAny, _) => self.vote(module, place, Combine::Or, operands[0]),
            (Op::GroupBroadcast, _) => self.broadcast(module, place, operands[0], operands[1])?,
            (_, Some(combine)) => {
                let operation = module.literal_word(operands[0]).and_then(GroupOperation::from_u32);
                let operation = operation.filter(|&operation| operation <= GroupOperation::ExclusiveScan);
                let clusters = || error::unsupported(inst, "clusters of a work-group");
                let kind = GroupFunction::Combine(combine, operation.ok_or_else(clusters)?);
                self.combined(module, place, kind, operands[1])
            }
            _ => unreachable!("the caller asks for group operations of kernels alone"),
        };
        let mut build = Builder::new(module);
        super::replace(&mut build, inst, value);
        debug_assert_eq!(build.module().ty(value), Some(ty));
        reconverge_rewrite::removal::remove(module, inst);
        Ok(())
    }

    /// A condition of all lanes: as words, 0 and 1.
    fn vote(&mut self, module: &mut Module, place: GroupCall, combine: Combine, condition: Inst) -> Inst {
        self.combined(module, place, GroupFunction::Combine(combine, GroupOperation::Reduce), condition)
    }

    /// Calls the combining function before an instruction; booleans as words, narrow numbers as wide ones.
    fn combined(&mut self, module: &mut Module, place: GroupCall, kind: GroupFunction, value: Inst) -> Inst {
        let GroupFunction::Combine(combine, _) = kind else { unreachable!("a broadcast combines nothing") };
        let ty = module.ty(value).expect("invariant: a value has a type");
        let is_boolean = module.op(ty) == Op::TypeBool;
        let mut build = Builder::new(module);
        build.before(place.inst);
        let value = match is_boolean {
            true => {
                let u32_type = build.int_type(32);
                let bits = [word(&mut build, 1), word(&mut build, 0)];
                build.select(u32_type, &[value, bits[0], bits[1]])
            }
            false => widen(&mut build, value, Extension::of(combine)),
        };
        let result = self.call(module, place, kind, &[value]);
        let mut build = Builder::new(module);
        build.before(place.inst);
        match is_boolean {
            true => {
                let zero = word(&mut build, 0);
                let bit = match combine {
                    // The identity of the bitwise AND of words has all bits set.
                    Combine::And => {
                        let (one, u32_type) = (word(&mut build, 1), build.int_type(32));
                        build.bitwise_and(u32_type, &[result, one])
                    }
                    _ => result,
                };
                build.i_not_equal(ty, &[bit, zero])
            }
            false => {
                let result = exclusive_identity(&mut build, kind, ty, result);
                narrow(&mut build, result, ty)
            }
        }
    }

    fn broadcast(&mut self, module: &mut Module, place: GroupCall, value: Inst, id: Inst) -> Result<Inst, Diagnostic> {
        let ty = module.ty(value).expect("invariant: a value has a type");
        let id_type = module.ty(id).expect("invariant: a value has a type");
        let (component, count) = module.components(id_type);
        if module.op(component) != Op::TypeInt || count > 3 {
            return Err(error::rejected(place.inst, "a broadcast whose lane id is not an integer"));
        }
        let mut build = Builder::new(module);
        build.before(place.inst);
        let u32_type = build.int_type(32);
        let ids: Vec<Inst> = (0..count)
            .map(|index| {
                let part = match count {
                    1 => id,
                    _ => {
                        let index = build.editor().word(index);
                        build.composite_extract(component, &[id, index])
                    }
                };
                convert_unsigned(&mut build, part, u32_type)
            })
            .collect();
        let mut lane = ids[ids.len() - 1];
        for (&id, &size) in ids.iter().zip(&place.size).rev().skip(1) {
            let outer = build.i_mul(u32_type, &[lane, size]);
            lane = build.i_add(u32_type, &[outer, id]);
        }
        let value = widen(&mut build, value, Extension::Zero);
        let result = self.call(module, place, GroupFunction::Broadcast, &[value, lane]);
        let mut build = Builder::new(module);
        build.before(place.inst);
        Ok(narrow(&mut build, result, ty))
    }

    /// Calls a function before an instruction; the first argument's type is the type of the call.
    fn call(&mut self, module: &mut Module, place: GroupCall, kind: GroupFunction, arguments: &[Inst]) -> Inst {
        let ty = module.ty(arguments[0]).expect("invariant: a value has a type");
        let function = match self.functions.get(&(kind, ty, place.size)) {
            Some(&function) => function,
            None => {
                let function = self.write(module, kind, ty, place.size);
                self.functions.insert((kind, ty, place.size), function);
                function
            }
        };
        let mut build = Builder::new(module);
        build.before(place.inst);
        let operands: Vec<Inst> = [function.into()].into_iter().chain(arguments.iter().copied()).collect();
        build.function_call(ty, &operands)
    }

    fn write(&mut self, module: &mut Module, kind: GroupFunction, ty: Inst, size: [Inst; 3]) -> Function {
        let mut build = Builder::new(module);
        let length = self.length(&mut build, size);
        let array = self.array(&mut build, ty, length);
        let index = self.index.expect("invariant: it is known from the first replacement on");
        let mut shared = Shared { array, length, ty, index };
        match kind {
            GroupFunction::Combine(combine, operation) => shared.scan(&mut build, combine, operation),
            GroupFunction::Broadcast => shared.broadcast(&mut build),
        }
    }

    /// The number of lanes of a work-group.
    fn length(&mut self, build: &mut Builder<'_>, size: [Inst; 3]) -> Inst {
        if let Some(&length) = self.lengths.get(&size) {
            return length;
        }
        let is_constant = size.iter().all(|&size| build.module().op(size) == Op::Constant);
        let length = match is_constant {
            true => {
                let sizes = size.map(|size| build.module().literal_word(size).unwrap_or(1));
                word(build, sizes.into_iter().fold(1, u32::saturating_mul))
            }
            false => {
                let u32_type = build.int_type(32);
                let multiply = build.editor().word(u32::from(Op::IMul.opcode().unwrap_or_default()));
                let [x, y, z] = size;
                let row = build.spec_constant_op(u32_type, &[multiply, x, y]);
                build.spec_constant_op(u32_type, &[multiply, row, z])
            }
        };
        self.lengths.insert(size, length);
        length
    }

    fn array(&mut self, build: &mut Builder<'_>, ty: Inst, length: Inst) -> Inst {
        *self.arrays.entry((ty, length)).or_insert_with(|| {
            let array = build.type_array(&[ty, length]);
            let variable = build.global_variable(StorageClass::Workgroup, array);
            build.editor().set_name(variable, "group_values");
            variable
        })
    }
}

/// An exclusive scan gives the first lane the identity of the wide type; it must be that of the narrow type.
fn exclusive_identity(build: &mut Builder<'_>, kind: GroupFunction, ty: Inst, result: Inst) -> Inst {
    let wide = wide_type(build, ty);
    match kind {
        GroupFunction::Combine(
            combine @ (Combine::SMin | Combine::SMax | Combine::UMin),
            GroupOperation::ExclusiveScan,
        ) if wide != ty => {
            let identity = combine.identity(build, ty);
            let identity = widen(build, identity, Extension::of(combine));
            combine.write(build, wide, [result, identity])
        }
        _ => result,
    }
}

/// An array in shared memory with an element for every lane.
struct Shared {
    array: Inst,
    length: Inst,
    ty: Inst,
    /// The variable of the lane's index.
    index: Inst,
}

impl Shared {
    fn scan(&mut self, build: &mut Builder<'_>, combine: Combine, operation: GroupOperation) -> Function {
        let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
        let (zero, one) = (word(build, 0), word(build, 1));
        let word_of = ["reduce", "scan_inclusive", "scan_exclusive"][operation as usize];
        let name = format!("group_{word_of}_{}", combine.word());
        let (function, value) = begin(build, self.ty, &[self.ty], &name);
        let [entry, header, body, done] = [(); 4].map(|()| build.add_block(function));
        let distance = build.add_parameter(header, u32_type).inst();
        let sum = build.add_parameter(header, self.ty).inst();

        build.at_end(entry);
        let (lane, own) = self.store_own(build, value[0]);
        build.branch(&[header.into(), one, value[0]]);

        build.at_end(header);
        let more = build.u_less_than(bool_type, &[distance, self.length]);
        build.branch_if(&[more, body.into(), done.into()]);

        build.at_end(body);
        let inside = build.u_greater_than_equal(bool_type, &[lane, distance]);
        let before = build.i_sub(u32_type, &[lane, distance]);
        let before = build.select(u32_type, &[inside, before, lane]);
        let other = self.load(build, before);
        barrier(build);
        let combined = combine.write(build, self.ty, [other, sum]);
        let next = self.select(build, inside, [combined, sum]);
        build.store(&[own, next]);
        barrier(build);
        let doubled = build.shift_left_logical(u32_type, &[distance, one]);
        build.branch(&[header.into(), doubled, next]);

        build.at_end(done);
        let result = match operation {
            GroupOperation::InclusiveScan => sum,
            GroupOperation::ExclusiveScan => {
                let inside = build.u_greater_than(bool_type, &[lane, zero]);
                let before = build.i_sub(u32_type, &[lane, one]);
                let before = build.select(u32_type, &[inside, before, zero]);
                let other = self.load(build, before);
                barrier(build);
                let identity = combine.identity(build, self.ty);
                self.select(build, inside, [other, identity])
            }
            _ => {
                let last = build.i_sub(u32_type, &[self.length, one]);
                let all = self.load(build, last);
                barrier(build);
                all
            }
        };
        build.return_value(&[result]);
        function
    }

    fn broadcast(&mut self, build: &mut Builder<'_>) -> Function {
        let u32_type = build.int_type(32);
        let (function, parameters) = begin(build, self.ty, &[self.ty, u32_type], "group_broadcast");
        let entry: Block = build.add_block(function);
        build.at_end(entry);
        self.store_own(build, parameters[0]);
        let value = self.load(build, parameters[1]);
        barrier(build);
        build.return_value(&[value]);
        function
    }

    /// Stores the lane's value in its element and emits a barrier. Returns the lane's index and the element.
    fn store_own(&self, build: &mut Builder<'_>, value: Inst) -> (Inst, Inst) {
        let u32_type = build.int_type(32);
        let lane = build.load(u32_type, &[self.index]);
        let own = self.place(build, lane);
        build.store(&[own, value]);
        barrier(build);
        (lane, own)
    }

    fn place(&self, build: &mut Builder<'_>, lane: Inst) -> Inst {
        let pointer = build.pointer_type(StorageClass::Workgroup, self.ty);
        build.in_bounds_access_chain(pointer, &[self.array, lane])
    }

    fn load(&self, build: &mut Builder<'_>, lane: Inst) -> Inst {
        let place = self.place(build, lane);
        build.load(self.ty, &[place])
    }

    /// One of two values, of all components at once.
    fn select(&self, build: &mut Builder<'_>, condition: Inst, values: [Inst; 2]) -> Inst {
        build.select(self.ty, &[condition, values[0], values[1]])
    }
}

/// A new function with this name, and its parameters.
fn begin(build: &mut Builder<'_>, result: Inst, parameters: &[Inst], name: &str) -> (Function, Vec<Inst>) {
    let function = build.add_function(result, parameters);
    build.editor().set_name(function, name);
    let parameters = build.module().parameters(function).map(|parameter| parameter.inst()).collect();
    (function, parameters)
}

/// A barrier for all lanes of the work-group and their shared memory, with kernel semantics.
pub(super) fn barrier(build: &mut Builder<'_>) {
    let scope = word(build, Scope::Workgroup);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    let semantics = word(build, semantics);
    build.control_barrier(&[scope, scope, semantics]);
}
