//! Control: branches, switches, loops, traces, fuel, parameters.

use crate::common::{Ty, U32, Unit, blocks, function};
use reconverge_interpret::{End, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op};

/// What the tests here hold in hand: `u32`, `bool` and a function from one `u32` to another.
struct Start {
    u32_type: Inst,
    bool_type: Inst,
    function: Function,
    parameter: Inst,
}

fn start(build: &mut Builder<'_>) -> Start {
    let u32_type = build.int_type(32);
    let bool_type = build.bool_type();
    let (function, parameters) = function(build, u32_type, &[u32_type]);
    Start { u32_type, bool_type, function, parameter: parameters[0] }
}

/// Adds 1 to n with a loop, in the shape that a `loop` terminator has.
fn counting_loop(module: &mut Module) -> (Function, [Block; 6]) {
    let mut build = Builder::new(module);
    let start = start(&mut build);
    let [entry, header, body, latch, exit, done] = blocks(&mut build, start.function);
    let (zero, one) = (build.constant_word(start.u32_type, 0), build.constant_word(start.u32_type, 1));
    let index = build.add_parameter(header, start.u32_type).inst();
    let sum = build.add_parameter(header, start.u32_type).inst();
    let result = build.add_parameter(done, start.u32_type).inst();
    build.at_end(entry);
    let control = build.editor().word(0);
    build.r#loop(&[header.inst(), done.inst(), latch.inst(), control, zero, zero]);
    build.at_end(header);
    let more = build.u_less_than(start.bool_type, &[index, start.parameter]);
    build.branch_if(&[more, body.inst(), exit.inst()]);
    build.at_end(body);
    let added = build.i_add(start.u32_type, &[sum, index]);
    build.branch(&[latch.inst()]);
    build.at_end(latch);
    let next = build.i_add(start.u32_type, &[index, one]);
    build.branch(&[header.inst(), next, added]);
    build.at_end(exit);
    build.branch(&[done.inst(), sum]);
    build.at_end(done);
    build.return_value(&[result]);
    (start.function, [entry, header, body, latch, exit, done])
}

#[test]
fn a_loop_runs_as_often_as_it_says_and_leaves_its_trace() {
    let mut module = Module::new();
    let (function, [entry, header, body, latch, exit, done]) = counting_loop(&mut module);
    let interpreter = Interpreter::new(&module);
    for count in 0..5u32 {
        let launch = Launch::new([Value::u32(count)]).with_trace();
        let outcome = interpreter.run(function, &launch, &mut no_externals).unwrap();
        let lane = outcome.only();
        assert_eq!(lane.end, End::Returned(Some(Value::u32((0..count).sum()))));
        let mut expected = vec![entry, header];
        (0..count).for_each(|_| expected.extend([body, latch, header]));
        expected.extend([exit, done]);
        let expected: Vec<(Function, Block)> = expected.into_iter().map(|block| (function, block)).collect();
        assert_eq!(lane.trace, expected);
        assert_eq!(lane.executed, 1 + 6 * u64::from(count) + 2 + 1 + 1);
    }
}

#[test]
fn fuel_ends_a_run_at_the_instruction_that_it_does_not_pay() {
    let mut module = Module::new();
    let (function, [_, header, ..]) = counting_loop(&mut module);
    let full = Launch::new([Value::u32(3)]).with_fuel(1 + 18 + 2 + 1 + 1);
    let interpreter = Interpreter::new(&module);
    let end = |launch: &Launch| interpreter.run(function, launch, &mut no_externals).unwrap().lanes.remove(0);
    assert_eq!(end(&full).end, End::Returned(Some(Value::u32(3))));
    let short = end(&full.clone().with_fuel(22));
    assert!(matches!(short.end, End::OutOfFuel(place) if module.op(place.inst) == Op::ReturnValue));
    assert_eq!(short.executed, 22);
    let place = match end(&full.with_fuel(1)).end {
        End::OutOfFuel(place) => place,
        end => panic!("{end}"),
    };
    assert_eq!((place.function, place.block, Some(place.inst)), (function, header, module.children(header).nth(2)));
}

#[test]
fn loop_parameters_are_swapped_in_parallel() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let start = start(&mut build);
    let [entry, header, latch, exit] = blocks(&mut build, start.function);
    let constants = [0, 1, 10, 20].map(|word| build.constant_word(start.u32_type, word));
    let [a, b, index] = std::array::from_fn(|_| build.add_parameter(header, start.u32_type).inst());
    build.at_end(entry);
    build.branch(&[header.inst(), constants[2], constants[3], constants[0]]);
    build.at_end(header);
    let more = build.u_less_than(start.bool_type, &[index, start.parameter]);
    build.branch_if(&[more, latch.inst(), exit.inst()]);
    build.at_end(latch);
    let next = build.i_add(start.u32_type, &[index, constants[1]]);
    build.branch(&[header.inst(), b, a, next]);
    build.at_end(exit);
    let hundred = build.constant_word(start.u32_type, 100);
    let scaled = build.i_mul(start.u32_type, &[a, hundred]);
    let both = build.i_add(start.u32_type, &[scaled, b]);
    build.return_value(&[both]);
    let unit = Unit { function: start.function, module };
    let values = unit.values((0..4).map(|count| vec![Value::u32(count)]));
    assert_eq!(values, [1020, 2010, 1020, 2010].map(Value::u32));
}

#[test]
fn structured_selections_go_where_their_condition_says() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let start = start(&mut build);
    let [entry, then, otherwise, merge] = blocks(&mut build, start.function);
    let result = build.add_parameter(merge, start.u32_type).inst();
    let constants = [0, 5, 6, 7].map(|word| build.constant_word(start.u32_type, word));
    build.at_end(entry);
    let control = build.editor().word(0);
    let equal = build.i_equal(start.bool_type, &[start.parameter, constants[1]]);
    build.r#if(&[equal, then.inst(), otherwise.inst(), merge.inst(), control]);
    build.at_end(then);
    build.branch(&[merge.inst(), constants[2]]);
    build.at_end(otherwise);
    build.branch(&[merge.inst(), constants[3]]);
    build.at_end(merge);
    build.return_value(&[result]);
    let unit = Unit { function: start.function, module };
    assert_eq!(unit.values([vec![Value::u32(5)], vec![Value::u32(4)]]), [6, 7].map(Value::u32));
}

/// A function of an integer of that width that returns the number of the case it goes to; the default is 99.
fn switch(width: u8, is_structured: Op, cases: &[&[u32]]) -> Unit {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let (selector_type, u32_type) = (Ty::Int(width).build(&mut build), U32.build(&mut build));
    let (function, parameters) = function(&mut build, u32_type, &[selector_type]);
    let [entry, default] = blocks(&mut build, function);
    let targets: Vec<Block> = cases.iter().map(|_| build.add_block(function)).collect();
    let mut operands = vec![parameters[0], default.inst()];
    if is_structured == Op::StructuredSwitch {
        operands.extend([default.inst(), build.editor().word(0)]);
    }
    for (literal, target) in cases.iter().zip(&targets) {
        operands.extend([build.editor().literal(literal), target.inst()]);
    }
    build.at_end(entry);
    build.emit(is_structured, None, &operands);
    for (number, target) in
        targets.iter().enumerate().map(|(number, &target)| (number as u32, target)).chain([(99, default)])
    {
        build.at_end(target);
        let number = build.constant_word(u32_type, number);
        build.return_value(&[number]);
    }
    Unit { module, function }
}

#[test]
fn switches_find_their_case_or_the_default() {
    for op in [Op::Switch, Op::StructuredSwitch] {
        let unit = switch(32, op, &[&[7], &[0], &[u32::MAX], &[1000]]);
        let selectors = [7, 0, u32::MAX, 1000, 1, 999];
        let values = unit.values(selectors.map(|selector| vec![Value::u32(selector)]));
        assert_eq!(values, [0, 1, 2, 3, 99, 99].map(Value::u32));
    }
    let wide = switch(64, Op::Switch, &[&[1, 0], &[1, 1], &[0, 1]]);
    let selectors = [1, 1 << 32 | 1, 1 << 32, 0];
    assert_eq!(wide.values(selectors.map(|selector| vec![Value::u64(selector)])), [0, 1, 2, 99].map(Value::u32));
    // A literal of a narrow signed selector is sign-extended.
    let narrow = switch(8, Op::Switch, &[&[0xffff_ffff], &[0x7f]]);
    let selectors = [0xff, 0x7f, 0];
    assert_eq!(narrow.values(selectors.map(|selector| vec![Value::int(8, selector)])), [0, 1, 99].map(Value::u32));
}

#[test]
fn a_switch_finds_the_one_of_many_cases() {
    let cases: Vec<[u32; 1]> = (0..2000).map(|case| [case * 3]).collect();
    let cases: Vec<&[u32]> = cases.iter().map(|case| case.as_slice()).collect();
    let unit = switch(32, Op::Switch, &cases);
    assert_eq!(unit.value(&[Value::u32(5997)]), Value::u32(1999));
    assert_eq!(unit.value(&[Value::u32(5998)]), Value::u32(99));
}

#[test]
fn each_terminator_that_ends_an_invocation_is_named() {
    for op in [Op::Kill, Op::TerminateInvocation, Op::IgnoreIntersectionKHR, Op::TerminateRayKHR] {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        let void = build.void_type();
        let callee = build.add_function(void, &[]);
        let [block] = blocks(&mut build, callee);
        build.at_end(block);
        build.emit(op, None, &[]);
        let caller = build.add_function(void, &[]);
        let [entry] = blocks(&mut build, caller);
        build.at_end(entry);
        build.function_call(void, &[callee.inst()]);
        build.r#return(&[]);
        let unit = Unit { module, function: caller };
        assert_eq!(unit.end(&[]), End::Terminated(op));
    }
}

#[test]
fn a_value_that_was_never_computed_is_no_program() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let start = start(&mut build);
    let [entry, left, right, join] = blocks(&mut build, start.function);
    let zero = build.constant_word(start.u32_type, 0);
    build.at_end(entry);
    let is_zero = build.i_equal(start.bool_type, &[start.parameter, zero]);
    build.branch_if(&[is_zero, left.inst(), right.inst()]);
    build.at_end(left);
    let value = build.i_add(start.u32_type, &[start.parameter, start.parameter]);
    build.branch(&[join.inst()]);
    build.at_end(right);
    build.branch(&[join.inst()]);
    build.at_end(join);
    let used = build.i_add(start.u32_type, &[value, value]);
    build.return_value(&[used]);
    let unit = Unit { function: start.function, module };
    assert_eq!(unit.value(&[Value::u32(0)]), Value::u32(0));
    match unit.end(&[Value::u32(1)]) {
        End::Malformed { place, .. } => assert_eq!((place.block, place.inst), (join, used)),
        end => panic!("{end}"),
    }
}

#[test]
fn malformed_branches_matter_only_where_they_are_reached() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let start = start(&mut build);
    let [entry, good, bad, open] = blocks(&mut build, start.function);
    build.add_parameter(good, start.u32_type);
    let zero = build.constant_word(start.u32_type, 0);
    build.at_end(entry);
    let selector = start.parameter;
    let literals = [0, 1, 2].map(|word| build.editor().word(word));
    let [to_good, to_entry] = blocks(&mut build, start.function);
    build.switch(&[
        selector,
        bad.inst(),
        literals[0],
        to_good.inst(),
        literals[1],
        open.inst(),
        literals[2],
        to_entry.inst(),
    ]);
    build.at_end(to_good);
    build.branch(&[good.inst(), zero]);
    build.at_end(good);
    build.return_value(&[zero]);
    build.at_end(bad);
    build.branch(&[good.inst()]);
    build.at_end(to_entry);
    build.branch(&[zero]);
    let unit = Unit { function: start.function, module };
    assert_eq!(unit.value(&[Value::u32(0)]), Value::u32(0));
    for selector in 1..=3 {
        assert!(matches!(unit.end(&[Value::u32(selector)]), End::Malformed { .. }), "{selector}");
    }
}

#[test]
fn launches_that_do_not_fit_do_not_start() {
    let mut module = Module::new();
    let (function, _) = counting_loop(&mut module);
    let declared = Builder::new(&mut module).add_function(Inst::new(1), &[]);
    let interpreter = Interpreter::new(&module);
    let start = |function, launch: Launch| {
        let error = interpreter.run(function, &launch, &mut no_externals).expect_err("the launch does not fit");
        error.message
    };
    assert_eq!(start(function, Launch::new([])), "the function has 1 parameters, but the launch 0 arguments");
    assert_eq!(start(function, Launch::new([Value::u64(1)])), "argument 0 does not fit its parameter");
    let unclean = Value::Int { width: 32, bits: 1 << 40 };
    assert_eq!(start(function, Launch::new([unclean])), "argument 0 does not fit its parameter");
    assert_eq!(start(function, Launch::new([Value::u32(1)]).with_lanes(0)), "cannot run 0 lanes: expected 1 to 65,535");
    assert_eq!(start(declared, Launch::new([])), format!("function {declared:?} has no body"));
}
