//! What the tests of passes over loops and returns share: a function before and after on several lanes.

use reconverge_diagnostic::Diagnostic;
use reconverge_interpret::{Argument, End, Interpreter, Launch, Observer, Step, Value};
use reconverge_ir::{Function, Inst, Module, Op, text};
use reconverge_testing::programs::{check_verified, functions, split_critical_edges};

/// Types, constants and the outside: `oracle` answers differently in each lane, `record` writes down a point and a value, and the
/// passes' tests compare these and who makes each call together.
pub(crate) const HEAD: &str = "\
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%s32 = type_int 32, 1
%f32 = type_float 32
%uvec4 = type_vector %u32, 4
%true: %bool = constant_true
%false: %bool = constant_false
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%three: %u32 = constant 3
%four: %u32 = constant 4
%five: %u32 = constant 5
%ten: %u32 = constant 10
%264: %u32 = constant 264
func %record: %void (%point: %u32, %value: %u32)
func %oracle: %bool (%question: %u32)
func %number: %u32 (%number.question: %u32)
";

/// How many calls a lane may make.
const CALLS: usize = 400;

/// A module of the head and this text, in which a line may begin with `function_call` if nobody uses the result.
pub(crate) fn lanes_module(body: &str) -> Module {
    let lines = body.lines().enumerate().map(|(number, line)| match line.trim_start().starts_with("function_call") {
        true => format!("%call.{number}: %void = {}\n", line.trim_start()),
        false => format!("{line}\n"),
    });
    let source = format!("{HEAD}{}", lines.collect::<String>());
    let mut module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    for function in functions(&module) {
        split_critical_edges(&mut module, function);
    }
    check_verified(&module);
    module
}

/// A call as a lane made it: of what, with what, and together with whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    pub name: String,
    pub arguments: Vec<Value>,
    pub together: Vec<usize>,
}

/// What the lanes did.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Seen {
    pub calls: Vec<Vec<Call>>,
    pub ends: Vec<End>,
}

struct Tangles<'m> {
    module: &'m Module,
    together: Vec<Vec<Vec<usize>>>,
}

impl Observer for Tangles<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        let inst = step.inst();
        if self.module.op(inst) != Op::FunctionCall {
            return;
        }
        let callee: Option<Function> = self.module.cast(self.module.operand(inst, 0));
        if callee.is_some_and(|callee| self.module.entry(callee).is_none()) {
            for &lane in step.lanes() {
                self.together[lane].push(step.lanes().to_vec());
            }
        }
    }
}

/// Runs a function without parameters, or with numbers that differ by lane.
pub(crate) fn watch(module: &Module, function: Function, (lanes, seed): (usize, u64)) -> Seen {
    let interpreter = Interpreter::new(module);
    let mut counts = vec![0u64; lanes];
    let mut calls: Vec<Vec<(String, Vec<Value>)>> = vec![Vec::new(); lanes];
    let mut answer = |lane: usize, callee: Function, arguments: &[Value]| -> Result<Option<Value>, String> {
        calls[lane].push((module.name(callee).unwrap_or_default(), arguments.to_vec()));
        counts[lane] += 1;
        if calls[lane].len() > CALLS {
            return Err("enough calls".to_owned());
        }
        let random = mix(seed ^ (lane as u64) << 32 ^ counts[lane]);
        let ty = module.ty(callee).expect("a function has a type");
        Ok(match module.op(ty) {
            Op::TypeBool => Some(Value::Bool(random.is_multiple_of(3))),
            Op::TypeInt => Some(Value::u32((random % 7) as u32)),
            _ => None,
        })
    };
    let arguments = module.parameters(function).enumerate().map(|(number, parameter)| {
        let ty = module.ty(parameter).expect("a parameter has a type");
        let value = |lane: usize| {
            let random = mix(seed ^ (lane as u64) << 20 ^ number as u64);
            if module.op(ty) == Op::TypeBool {
                Value::Bool(random.is_multiple_of(2))
            } else {
                Value::u32((random % 6) as u32)
            }
        };
        Argument::PerLane((0..lanes).map(value).collect())
    });
    let launch = Launch { arguments: arguments.collect(), ..Launch::default().with_lanes(lanes).with_fuel(200_000) };
    let mut tangles = Tangles { module, together: vec![Vec::new(); lanes] };
    let outcome = interpreter.run_observed(function, &launch, &mut answer, &mut tangles).expect("a launch");
    let calls = calls.into_iter().zip(tangles.together).map(|(calls, together)| {
        let together = together.into_iter().map(Some).chain(std::iter::repeat(None));
        let joined = calls.into_iter().zip(together);
        joined
            .map(|((name, arguments), together)| Call { name, arguments, together: together.unwrap_or_default() })
            .collect()
    });
    Seen { calls: calls.collect(), ends: outcome.lanes.into_iter().map(|lane| lane.end).collect() }
}

fn mix(seed: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits ^ bits >> 32
}

/// Every function does the same in both modules, on several numbers of lanes and from several starts, together with the same lanes.
pub(crate) fn check_same(before: &Module, after: &Module) {
    for function in functions(before) {
        for lanes in [1, 4, 7] {
            for seed in 0..6 {
                check_same_from((before, after), function, (lanes, seed));
            }
        }
    }
}

/// [`check_same`] for one function and one start.
pub(crate) fn check_same_from((before, after): (&Module, &Module), function: Function, start: (usize, u64)) {
    let (old, new) = (watch(before, function, start), watch(after, function, start));
    let show = |what: &str| {
        panic!("{what} (lanes, seed) = {start:?}\n{}\n{}", text::print(before), text::print(after));
    };
    let is_cut = |end: &End| matches!(end, End::OutOfFuel(_) | End::Refused { .. });
    let is_any_cut = old.ends.iter().chain(&new.ends).any(is_cut);
    for lane in 0..start.0 {
        let (left, right) = (&old.calls[lane], &new.calls[lane]);
        if let Some((index, (left, right))) = left.iter().zip(right).enumerate().find(|(_, (left, right))| {
            left != right && !(is_any_cut && left.name == right.name && left.arguments == right.arguments)
        }) {
            show(&format!("lane {lane}, call {index} was\n  {left:?}, is\n  {right:?}"));
        }
        if is_any_cut {
            continue;
        }
        if left.len() != right.len() {
            show(&format!("lane {lane} made {} calls, makes {}", left.len(), right.len()));
        }
        let same_end = match (&old.ends[lane], &new.ends[lane]) {
            (End::Undefined { behaviour: left, .. }, End::Undefined { behaviour: right, .. }) => left == right,
            (left, right) => left == right,
        };
        if !same_end {
            show(&format!("lane {lane} ended by {}, ends by {}", old.ends[lane], new.ends[lane]));
        }
    }
}

/// Runs a pass over every function; the result is valid, does the same, and the pass finds nothing more to do.
pub(crate) fn passed(before: &Module, pass: fn(&mut Module, Function) -> Result<bool, Diagnostic>) -> Module {
    let (after, _) = passed_once(before, pass);
    let mut again = after.clone();
    for function in functions(&after) {
        let changed = pass(&mut again, function).expect("the pass takes its own result");
        assert!(!changed, "the pass is not idempotent:\n{}\n{}", text::print(&after), text::print(&again));
    }
    assert_eq!(text::print(&after), text::print(&again));
    after
}

/// [`passed`] for a pass that may find more to do. Whether it changed anything.
pub(crate) fn passed_once(
    before: &Module,
    pass: fn(&mut Module, Function) -> Result<bool, Diagnostic>,
) -> (Module, bool) {
    check_verified(before);
    let mut after = before.clone();
    let mut changed = false;
    for function in functions(before) {
        match pass(&mut after, function) {
            Ok(one) => changed |= one,
            Err(error) => panic!("{error}\n{}", text::print(before)),
        }
    }
    let is_same = text::print(before) == text::print(&after);
    assert_eq!(
        changed,
        !is_same,
        "the pass says changed = {changed}\n{}\n{}",
        text::print(before),
        text::print(&after)
    );
    check_verified(&after);
    check_same(before, &after);
    (after, changed)
}

/// How many parameters of type `bool` the blocks have that are no edge blocks.
pub(crate) fn flags(module: &Module) -> usize {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let parameters = blocks.flat_map(|block| module.parameters(block));
    let is_flag = |parameter: &Inst| module.ty(*parameter).is_some_and(|ty| module.op(ty) == Op::TypeBool);
    parameters.map(Inst::from).filter(is_flag).count()
}
