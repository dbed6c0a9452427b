//! Undefined behaviour: each code once, at its place; and undefined values that do no harm.

use crate::common::{FUNCTION_STORAGE, PRIVATE, Ty, U32, Unit, WORKGROUP, blocks, function};
use reconverge_interpret::{End, InstructionPlace, Launch, UndefinedBehaviour, Value, no_externals, run};
use reconverge_ir::{Builder, Inst, Module, Op};

/// What the lane did, and the op it was at.
fn report(unit: &Unit, arguments: &[Value]) -> (UndefinedBehaviour, Op) {
    match unit.end(arguments) {
        End::Undefined { behaviour, place: InstructionPlace { function, block, inst } } => {
            assert_eq!(unit.module.block_of(inst), Some(block));
            assert_eq!(unit.module.function_of(inst), Some(function));
            (behaviour, unit.module.op(inst))
        }
        end => panic!("{end}"),
    }
}

/// A function of a `u32` that reads through the pointer that `make` builds.
fn reading(make: impl FnOnce(&mut Builder<'_>, Inst) -> Inst) -> Unit {
    Unit::new(&[U32], U32, |build, parameters| {
        let pointer = make(build, parameters[0]);
        let ty = U32.build(build);
        build.load(ty, &[pointer])
    })
}

fn two_ways(terminator: Op) -> Unit {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let condition = if matches!(terminator, Op::BranchIf | Op::If) { build.bool_type() } else { u32_type };
    let (function, parameters) = function(&mut build, u32_type, &[condition]);
    let [entry, left, right] = blocks(&mut build, function);
    let literal = build.editor().word(0);
    build.at_end(entry);
    let operands: &[Inst] = match terminator {
        Op::BranchIf => &[parameters[0], left.inst(), right.inst()],
        Op::If => &[parameters[0], left.inst(), right.inst(), right.inst(), literal],
        Op::Switch => &[parameters[0], left.inst(), literal, right.inst()],
        _ => &[parameters[0], left.inst(), right.inst(), literal, literal, right.inst()],
    };
    build.emit(terminator, None, operands);
    build.at_end(left);
    let zero = build.constant_word(u32_type, 0);
    build.return_value(&[zero]);
    build.at_end(right);
    build.unreachable(&[]);
    Unit { module, function }
}

#[test]
fn codes_are_distinct_and_stay() {
    let codes: Vec<&str> = UndefinedBehaviour::ALL.iter().map(|behaviour| behaviour.name()).collect();
    assert_eq!(
        codes,
        [
            "U01", "U02", "U03", "U04", "U05", "U06", "U07", "U08", "U09", "U10", "U11", "U12", "U13", "U14", "U15",
            "U16", "U17", "U18", "U19"
        ]
    );
    assert_eq!(UndefinedBehaviour::DivisionByZero.text(), "an integer is divided by zero");
}

#[test]
fn u01_unreachable_is_reached() {
    let unit = two_ways(Op::BranchIf);
    assert_eq!(report(&unit, &[false.into()]), (UndefinedBehaviour::Unreachable, Op::Unreachable));
    assert_eq!(unit.value(&[true.into()]), Value::u32(0));
}

#[test]
fn u02_a_branch_depends_on_an_undefined_value() {
    for op in [Op::BranchIf, Op::If, Op::Switch, Op::StructuredSwitch] {
        assert_eq!(report(&two_ways(op), &[Value::Undefined]), (UndefinedBehaviour::UndefinedCondition, op));
    }
}

#[test]
fn u03_to_u05_a_division_has_no_result() {
    let unit = Unit::op(Op::SDiv, &[U32, U32], U32, &[]);
    let rows = [
        (Value::u32(1), Value::u32(0), UndefinedBehaviour::DivisionByZero),
        (Value::i32(i32::MIN), Value::i32(-1), UndefinedBehaviour::DivisionOverflow),
        (Value::u32(1), Value::Undefined, UndefinedBehaviour::UndefinedDivisor),
    ];
    for (a, b, expected) in rows {
        assert_eq!(report(&unit, &[a, b]), (expected, Op::SDiv));
    }
}

#[test]
fn u06_an_undefined_pointer_is_used() {
    let unit = reading(|build, _| {
        let ty = Ty::Pointer(FUNCTION_STORAGE, &U32).build(build);
        build.undef(ty, &[])
    });
    assert_eq!(report(&unit, &[Value::u32(0)]), (UndefinedBehaviour::UndefinedAddress, Op::Load));
}

#[test]
fn u07_the_null_pointer_is_used() {
    let unit = reading(|build, _| {
        let ty = Ty::Pointer(FUNCTION_STORAGE, &U32).build(build);
        build.constant_null(ty, &[])
    });
    assert_eq!(report(&unit, &[Value::u32(0)]), (UndefinedBehaviour::NullAddress, Op::Load));
}

#[test]
fn u08_an_access_is_outside_of_its_object() {
    let unit = reading(|build, index| {
        let array = Ty::Array(&U32, 4).build(build);
        let pointer = build.pointer_type(FUNCTION_STORAGE, array);
        let storage = build.editor().word(FUNCTION_STORAGE);
        let variable = build.variable(pointer, &[storage]);
        let ty = Ty::Pointer(FUNCTION_STORAGE, &U32).build(build);
        build.access_chain(ty, &[variable, index])
    });
    assert_eq!(unit.value(&[Value::u32(3)]), Value::Undefined);
    assert_eq!(report(&unit, &[Value::u32(4)]), (UndefinedBehaviour::OutOfBounds, Op::Load));
}

#[test]
fn u09_the_function_of_a_variable_has_returned() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let pointer = build.pointer_type(FUNCTION_STORAGE, u32_type);
    let seven = build.constant_word(u32_type, 7);
    let callee = build.add_function(pointer, &[]);
    let [entry] = blocks(&mut build, callee);
    build.at_end(entry);
    let storage = build.editor().word(FUNCTION_STORAGE);
    let variable = build.variable(pointer, &[storage, seven]);
    build.return_value(&[variable]);
    let function = build.add_function(u32_type, &[]);
    let [entry] = blocks(&mut build, function);
    build.at_end(entry);
    let own = build.variable(pointer, &[storage, seven]);
    let gone = build.function_call(pointer, &[callee.inst()]);
    build.variable(pointer, &[storage, seven]);
    build.load(u32_type, &[own]);
    let value = build.load(u32_type, &[gone]);
    build.return_value(&[value]);
    let unit = Unit { module, function };
    assert_eq!(report(&unit, &[]), (UndefinedBehaviour::Dangling, Op::Load));
    assert!(matches!(unit.end(&[]), End::Undefined { place, .. } if place.inst == value));
}

#[test]
fn u10_a_lane_looks_at_what_another_lane_alone_can_see() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let private = build.pointer_type(PRIVATE, u32_type);
    let slot_type = build.pointer_type(WORKGROUP, private);
    let [storage, slot_storage] = [PRIVATE, WORKGROUP].map(|word| build.editor().word(word));
    let zero = build.constant_null(u32_type, &[]);
    let null = build.constant_null(private, &[]);
    let own = build.editor().append_global(Op::Variable, Some(private), &[storage, zero]);
    let slot = build.editor().append_global(Op::Variable, Some(slot_type), &[slot_storage, null]);
    let (function, _) = function(&mut build, u32_type, &[]);
    let [entry, first, second] = blocks(&mut build, function);
    build.at_end(entry);
    let bool_type = build.bool_type();
    let seen = build.load(private, &[slot]);
    let is_null = build.ptr_equal(bool_type, &[seen, null]);
    build.branch_if(&[is_null, first.inst(), second.inst()]);
    build.at_end(first);
    build.store(&[slot, own]);
    build.return_value(&[zero]);
    build.at_end(second);
    let value = build.load(u32_type, &[seen]);
    build.return_value(&[value]);
    let outcome = run(&module, function, &Launch::default().with_lanes(2), &mut no_externals).unwrap();
    assert_eq!(outcome.lanes[0].end, End::Returned(Some(Value::u32(0))));
    match &outcome.lanes[1].end {
        End::Undefined { behaviour, place } => {
            assert_eq!((*behaviour, place.inst), (UndefinedBehaviour::ForeignMemory, value));
        }
        end => panic!("{end}"),
    }
}

#[test]
fn u11_an_assumption_does_not_hold() {
    let unit = Unit::new(&[Ty::Bool], Ty::Bool, |build, parameters| {
        build.assume_true_khr(&[parameters[0]]);
        parameters[0]
    });
    assert_eq!(unit.value(&[true.into()]), Value::Bool(true));
    for argument in [Value::Bool(false), Value::Undefined] {
        assert_eq!(report(&unit, &[argument]), (UndefinedBehaviour::FalseAssumption, Op::AssumeTrueKHR));
    }
}

#[test]
fn undefined_values_may_be_carried_and_returned() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
    let (function, parameters) = function(&mut build, u32_type, &[bool_type, u32_type]);
    let [entry, next] = blocks(&mut build, function);
    let carried = build.add_parameter(next, u32_type).inst();
    build.at_end(entry);
    let nothing = build.undef(u32_type, &[]);
    let sum = build.i_add(u32_type, &[nothing, parameters[1]]);
    build.branch(&[next.inst(), sum]);
    build.at_end(next);
    let chosen = build.select(u32_type, &[parameters[0], parameters[1], carried]);
    build.return_value(&[chosen]);
    let unit = Unit { module, function };
    assert_eq!(unit.value(&[true.into(), Value::u32(4)]), Value::u32(4));
    assert_eq!(unit.value(&[false.into(), Value::u32(4)]), Value::Undefined);
}
