//! What somebody who watches a run is told, and when.

use crate::tangles_common::Program;
use reconverge_interpret::{Interpreter, KernelLaunch, Launch, Observer, Step, Value};

/// Everything, as text: the op or block, the lanes, and what the value called `%v` is in the first of them.
#[derive(Default)]
struct Protocol<'m> {
    module: Option<&'m reconverge_ir::Module>,
    lines: Vec<String>,
}

impl Protocol<'_> {
    fn line(&mut self, what: &str, step: &Step<'_, '_>) {
        let module = self.module.expect("a module");
        let named = |name: &str| {
            let insts = module.descendants(step.function().inst());
            insts.into_iter().find(|&inst| module.name(inst).as_deref() == Some(name))
        };
        let value = named("v").and_then(|inst| step.value(step.lanes()[0], inst)).and_then(Value::as_u32);
        let value = value.map_or(String::new(), |value| format!(" v={value}"));
        let block = module.name(step.block()).unwrap_or_default();
        self.lines.push(format!("{what} {block} {:?}{value}", step.lanes()));
    }
}

impl Observer for Protocol<'_> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        let op = self.module.expect("a module").op(step.inst()).name();
        self.line(op, step);
    }

    fn entered(&mut self, step: &Step<'_, '_>) {
        self.line("at", step);
    }
}

fn protocol(program: &Program, launch: &Launch) -> Vec<String> {
    let mut protocol = Protocol { module: Some(&program.module), lines: Vec::new() };
    program.run_observed(launch, &mut protocol);
    protocol.lines
}

#[test]
fn blocks_instructions_and_values_are_told_in_order() {
    let program = Program::new(
        "block ^entry:
  %c: %bool = i_equal %lane, %k1
  if %c ^then ^else merge ^merge
block ^then:
  branch ^merge(%k7)
block ^else:
  branch ^merge(%lane)
block ^merge(%v: %u32):
  return",
    );
    let expected = [
        "at entry [0, 1, 2]",
        "i_equal entry [0, 1, 2]",
        "if entry [0, 1, 2]",
        "at else [0, 2]",
        "at then [1]",
        "branch else [0, 2]",
        "branch then [1]",
        "at merge [0, 1, 2] v=0",
        "return merge [0, 1, 2] v=0",
    ];
    let lines = protocol(&program, &Program::launch(3, |_| 0));
    let mut sorted = [lines.clone(), expected.map(str::to_owned).to_vec()];
    sorted.iter_mut().for_each(|lines| lines.sort());
    assert_eq!(sorted[0], sorted[1]);
    assert_eq!((&lines[..3], &lines[7..]), (&expected.map(str::to_owned)[..3], &expected.map(str::to_owned)[7..]));
}

#[test]
fn a_call_is_told_when_it_is_over_and_a_fault_is_not() {
    let callee = "func %g: %u32 (%x: %u32) stage structured {
block ^start:
  %v: %u32 = u_div %k7, %x
  return_value %v
}";
    let program = Program::with(callee, "block ^entry:\n  %v: %u32 = function_call %g, %x\n  return");
    let lines = protocol(&program, &Program::launch(3, |lane| [7, 0, 1][lane]));
    let expected = [
        "at entry [0, 1, 2]",
        "at start [0, 1, 2]",
        "u_div start [0, 2] v=1",
        "return_value start [0, 2] v=1",
        "function_call entry [0, 2] v=1",
        "return entry [0, 2] v=1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_lane_alone_and_a_graph_are_watched_too() {
    let graph = "func %g: %void (%x: %u32) stage graph {
block ^start:
  branch ^end(%x)
block ^end(%v: %u32):
  return
}";
    let program = Program::with(graph, "block ^entry:\n  %called: %void = function_call %g, %x\n  return");
    let alone = protocol(&program, &Program::launch(1, |_| 5));
    let expected = [
        "at entry [0]",
        "at start [0]",
        "branch start [0]",
        "at end [0] v=5",
        "return end [0] v=5",
        "function_call entry [0]",
        "return entry [0]",
    ];
    assert_eq!(alone, expected);
    let two = protocol(&program, &Program::launch(2, |_| 5));
    assert_eq!(two.iter().filter(|line| line.starts_with("at end [0]") || line.starts_with("at end [1]")).count(), 2);
    assert_eq!(two[two.len() - 2..], ["function_call entry [0, 1]", "return entry [0, 1]"]);
}

/// The work-groups that began, of which so many run.
struct First {
    count: usize,
    begun: Vec<[u32; 3]>,
    returns: usize,
}

impl Observer for First {
    fn executed(&mut self, step: &Step<'_, '_>) {
        self.returns += step.lanes().len();
        assert!(!step.is_collective());
    }

    fn begins_group(&mut self, group: [u32; 3]) -> bool {
        self.begun.push(group);
        self.begun.len() <= self.count
    }
}

#[test]
fn a_launch_ends_before_the_group_that_the_observer_refuses() {
    let module = reconverge_ir::text::parse(
        "%void = type_void\n%type = type_function %void\nfunc %main: %void () type %type {\nblock ^entry:\n  return\n}\n",
    )
    .expect("the module is valid");
    let function = module.functions().next().expect("there is a function");
    let launch = KernelLaunch { groups: [2, 2, 1], local: [8, 1, 1], ..KernelLaunch::default() };
    for count in [0, 1, 3, 4] {
        let mut first = First { count, begun: Vec::new(), returns: 0 };
        let outcome = Interpreter::new(&module).launch_kernel_observed(function, &launch, &mut first);
        let outcome = outcome.expect("the launch fits");
        assert_eq!((first.returns, outcome.executed, outcome.failure), (8 * count, 8 * count as u64, None));
        let order = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]];
        assert_eq!(first.begun, order[..(count + 1).min(4)]);
    }
}
