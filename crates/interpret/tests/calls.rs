//! Calls: results, frames, depth, functions without a body.

use crate::common::{Unit, blocks, function};
use reconverge_interpret::{End, Interpreter, Launch, Value, run};
use reconverge_ir::{Builder, Function, Inst, Module};

/// `depth` functions, each of which calls the one before and adds one; the first returns its argument.
fn chain(depth: u32) -> Unit {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let one = build.constant_word(u32_type, 1);
    let mut previous: Option<Function> = None;
    for _ in 0..depth {
        let (current, parameters) = function(&mut build, u32_type, &[u32_type]);
        let [entry] = blocks(&mut build, current);
        build.at_end(entry);
        let result = match previous {
            Some(previous) => {
                let inner = build.function_call(u32_type, &[previous.inst(), parameters[0]]);
                build.i_add(u32_type, &[inner, one])
            }
            None => parameters[0],
        };
        build.return_value(&[result]);
        previous = Some(current);
    }
    Unit { module, function: previous.expect("at least one function") }
}

#[test]
fn a_chain_of_calls_needs_no_stack_of_the_host() {
    let unit = chain(50_000);
    let run = move || {
        let launch = Launch { depth: 50_000, ..Launch::new([Value::u32(7)]) };
        unit.outcome(&launch).lanes.remove(0).end
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap();
    assert_eq!(thread.join().unwrap(), End::Returned(Some(Value::u32(7 + 49_999))));
}

#[test]
fn more_open_calls_than_allowed_end_the_lane() {
    let unit = chain(100);
    let launch = |depth| Launch { depth, ..Launch::new([Value::u32(0)]) };
    assert_eq!(unit.outcome(&launch(100)).only().end, End::Returned(Some(Value::u32(99))));
    assert!(matches!(unit.outcome(&launch(99)).only().end, End::TooDeep(_)));
}

/// The factorial by recursion, which SPIR-V forbids and the interpreter need not mind.
fn factorial(module: &mut Module) -> Function {
    let mut build = Builder::new(module);
    let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
    let (function, parameters) = function(&mut build, u32_type, &[u32_type]);
    let [entry, base, step] = blocks(&mut build, function);
    let (zero, one) = (build.constant_word(u32_type, 0), build.constant_word(u32_type, 1));
    build.at_end(entry);
    let is_zero = build.i_equal(bool_type, &[parameters[0], zero]);
    build.branch_if(&[is_zero, base.inst(), step.inst()]);
    build.at_end(base);
    build.return_value(&[one]);
    build.at_end(step);
    let less = build.i_sub(u32_type, &[parameters[0], one]);
    let inner = build.function_call(u32_type, &[function.inst(), less]);
    let product = build.i_mul(u32_type, &[parameters[0], inner]);
    build.return_value(&[product]);
    function
}

#[test]
fn each_call_has_registers_of_its_own() {
    let mut module = Module::new();
    let function = factorial(&mut module);
    let unit = Unit { module, function };
    let values = unit.values((0..10).map(|n| vec![Value::u32(n)]));
    let expected: Vec<Value> = (0..10u32).map(|n| Value::u32((1..=n).product())).collect();
    assert_eq!(values, expected);
    assert!(matches!(unit.outcome(&Launch::new([Value::u32(u32::MAX)])).only().end, End::TooDeep(_)));
}

/// `record(x)` without a body, called with the argument and with what the first call gave.
fn recording(module: &mut Module) -> (Function, Function, Inst) {
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let declared = build.add_function(u32_type, &[u32_type]);
    let (function, parameters) = function(&mut build, u32_type, &[u32_type]);
    let [entry] = blocks(&mut build, function);
    build.at_end(entry);
    let first = build.function_call(u32_type, &[declared.inst(), parameters[0]]);
    let second = build.function_call(u32_type, &[declared.inst(), first]);
    let sum = build.i_add(u32_type, &[first, second]);
    build.return_value(&[sum]);
    (function, declared, second)
}

#[test]
fn functions_without_a_body_are_answered_by_the_caller() {
    let mut module = Module::new();
    let (function, declared, _) = recording(&mut module);
    let mut seen = Vec::new();
    let mut external = |lane: usize, callee: Function, arguments: &[Value]| {
        seen.push((lane, callee, arguments.to_vec()));
        Ok(Some(Value::u32(arguments[0].as_u32().unwrap() * 10)))
    };
    let outcome = run(&module, function, &Launch::new([Value::u32(3)]).with_lanes(2), &mut external).unwrap();
    assert!(outcome.lanes.iter().all(|lane| lane.end == End::Returned(Some(Value::u32(330)))));
    let call = |lane, argument| (lane, declared, vec![Value::u32(argument)]);
    assert_eq!(seen, [call(0, 3), call(0, 30), call(1, 3), call(1, 30)]);
}

#[test]
fn a_refusal_or_a_wrong_answer_ends_the_lane_at_the_call() {
    let mut module = Module::new();
    let (function, _, second) = recording(&mut module);
    let interpreter = Interpreter::new(&module);
    let answers: [Result<Option<Value>, String>; 3] = [Err("no more".into()), Ok(None), Ok(Some(Value::u64(1)))];
    for answer in answers {
        let mut calls = 0;
        let mut external = |_: usize, _: Function, _: &[Value]| {
            calls += 1;
            if calls == 1 { Ok(Some(Value::Undefined)) } else { answer.clone() }
        };
        let outcome = interpreter.run(function, &Launch::new([Value::u32(3)]), &mut external).unwrap();
        match &outcome.only().end {
            End::Refused { message, place } => {
                assert_eq!(place.inst, second);
                assert!(message == "no more" || message.contains("type"), "{message}");
            }
            end => panic!("{end}"),
        }
    }
}

#[test]
fn the_trace_follows_calls() {
    let unit = chain(3);
    let outcome = unit.outcome(&Launch::new([Value::u32(0)]).with_trace());
    let mut functions: Vec<Function> = unit.module.functions().collect();
    functions.reverse();
    let entered: Vec<Function> = outcome.only().trace.iter().map(|&(function, _)| function).collect();
    assert_eq!(entered, functions);
}
