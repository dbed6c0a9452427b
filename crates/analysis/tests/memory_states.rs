//! Which memory readers see and how far they may move, shape by shape.

use reconverge_analysis::FlowGraph;
use reconverge_analysis::memory::{Definition, MemoryStates, State};
use reconverge_graph::CycleForest;
use reconverge_ir::{Function, Inst, Module, Op, text};

const HEAD: &str = "\
memory_model Logical GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%pair = type_struct %u32, %u32
%array = type_array %u32, %two
%to_pair = type_pointer Function, %pair
%to_array = type_pointer Function, %array
%to_u32 = type_pointer Function, %u32
%private_u32 = type_pointer Private, %u32
%group_u32 = type_pointer Workgroup, %u32
%pushed = type_pointer PushConstant, %u32
%g: %private_u32 = variable Private
%h: %private_u32 = variable Private
%w: %group_u32 = variable Workgroup
%push: %pushed = variable PushConstant
func %record: %void (%x: %u32)
func %keep: %void (%x: %to_u32)
";

/// A function and its states.
struct Case {
    module: Module,
    function: Function,
    flow: FlowGraph,
    states: MemoryStates,
}

impl Case {
    fn new(body: &str) -> Case {
        let source = format!("{HEAD}func %f: %void (%n: %u32, %k: %u32, %p: %bool) stage graph {{\n{body}\n}}\n");
        let module: Module = text::parse(&source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
        let function = module.functions().find(|&function| module.entry(function).is_some()).expect("a body");
        let flow = FlowGraph::compute(&module, function);
        let (order, dominators) = flow.dominators();
        let cycles = CycleForest::compute(flow.graph(), &order, &dominators);
        let states = MemoryStates::compute(&module, &flow, &order, &dominators, &cycles);
        Case { module, function, flow, states }
    }

    fn named(&self, name: &str) -> Inst {
        let all = self.module.descendants(self.function);
        let mut named = all.filter(|&inst| self.module.name(inst).as_deref() == Some(name));
        named.next().unwrap_or_else(|| panic!("no {name}"))
    }

    fn state(&self, name: &str) -> State {
        self.states.state_of(self.named(name)).unwrap_or_else(|| panic!("{name} has no state"))
    }

    fn stores(&self) -> Vec<Inst> {
        let all = self.module.descendants(self.function);
        all.filter(|&inst| self.module.op(inst) == Op::Store).collect()
    }
}

#[test]
fn loads_between_stores_share_a_state() {
    let case = Case::new(
        "block ^entry:
        %v: %to_u32 = variable Function
        %a: %u32 = load %v
        %b: %u32 = load %v
        store %v, %n
        %c: %u32 = load %v
        return",
    );
    assert_eq!(case.state("a"), case.state("b"));
    assert_ne!(case.state("a"), case.state("c"));
    assert_eq!(case.states.definition(case.state("a")), Definition::Entry);
    assert_eq!(case.states.definition(case.state("c")), Definition::Clobber(case.stores()[0]));
    let clobber = case.states.next_clobber(case.state("a"), case.flow.graph().entry()).expect("the store");
    assert_eq!(clobber.inst, Some(case.stores()[0]));
    assert_eq!(case.states.next_clobber(case.state("c"), case.flow.graph().entry()), None);
}
