//! How much the uniformity analysis finds: cases made by hand, each with what a weaker analysis gets wrong; and cases that look
//! harmless and are divergent.
//!
//! Every case is the rest of a function in which `%l` is the number of the lane, `%d` its square, `%n` the size of the subgroup, `%c`
//! a condition that differs and `%u` one that does not. What is asked: `x` of a value where it is made, `^b` of the branch at the end
//! of a block, `@b` whether all lanes are together in a block.

mod divergent;
mod flow;
mod values;

use reconverge_analysis::uniformity::{ModuleUniformity, Scope, Variation};
use reconverge_ir::{Function, Inst, Module, Op, text};

const HEADER: &str = r#"
capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, "main", %lane, %index, %size
execution_mode %main, LocalSize, 64, 1, 1
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%vec4 = type_vector %u32, 4
%fn = type_function %void
%fn1 = type_function %u32, %u32
%fn2 = type_function %u32, %u32, %u32
%input = type_pointer Input, %u32
%own = type_pointer Function, %u32
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%c2: %u32 = constant 2
%c3: %u32 = constant 3
%c4: %u32 = constant 4
%c5: %u32 = constant 5
%c6: %u32 = constant 6
%mask: %u32 = constant 4294967232
%c31: %u32 = constant 31
%lane: %input = variable Input {decorate BuiltIn 41}
%index: %input = variable Input {decorate BuiltIn 29}
%size: %input = variable Input {decorate BuiltIn 36}
"#;

/// Functions that cases call.
const CALLEES: &str = r#"
func %second: %u32 (%a: %u32, %b: %u32) type %fn2 control 0 stage structured {
block ^second_entry:
  %twice: %u32 = i_mul %b, %c2
  return_value %twice
}
func %early: %u32 (%q: %u32) type %fn1 control 0 stage structured {
block ^early_entry:
  %odd: %bool = i_equal %q, %c1
  if %odd ^early_first ^early_rest merge ^early_rest control 0
block ^early_first:
  return_value %c1
block ^early_rest:
  return_value %c2
}
"#;

struct Case {
    name: &'static str,
    /// What a weaker analysis takes for the reason.
    why: &'static str,
    scope: Scope,
    stage: &'static str,
    /// What stands behind the entry's loads.
    body: &'static str,
    expected: &'static [(&'static str, &'static str)],
}

const S: Scope = Scope::Subgroup;
const W: Scope = Scope::Workgroup;
const STRUCTURED: &str = "structured";
const GRAPH: &str = "graph";

/// Each is called divergent by an analysis without the rule that it is about.
const FOUND: [&[Case]; 2] = [values::VALUES, flow::FLOW];

/// Each would be called uniform by an analysis that leaves something out.
const DIVERGENT: &[Case] = divergent::DIVERGENT;

fn module(case: &Case) -> Module {
    let start = "block ^entry:\n  %l: %u32 = load %lane\n  %i: %u32 = load %index\n  %n: %u32 = load %size\n  \
                 %d: %u32 = i_mul %l, %l\n  %c: %bool = i_equal %d, %c4\n  %u: %bool = i_equal %n, %c4\n";
    let (stage, body) = (case.stage, case.body);
    let main = format!("func %main: %void () type %fn control 0 stage {stage} {{\n{start}{body}\n}}\n");
    let written = format!("{HEADER}{main}{CALLEES}");
    text::parse(&written).unwrap_or_else(|error| panic!("{}: {error}\n{written}", case.name))
}

fn named(module: &Module, function: Function, name: &str) -> Inst {
    let blocks = module.blocks(function).map(|block| block.inst());
    let insts = module.blocks(function).flat_map(|block| module.children(block));
    let mut all = blocks.chain(insts);
    all.find(|&inst| module.name(inst).as_deref() == Some(name)).unwrap_or_else(|| panic!("no `{name}`"))
}

/// What the analysis says, in the words of the tables.
fn answer(module: &Module, scope: Scope, question: &str) -> String {
    let main = module.functions().find(|&function| module.name(function).as_deref() == Some("main"));
    let main = main.expect("every case has a function `main`");
    let facts = ModuleUniformity::compute(module, scope);
    let facts = facts.function(main).expect("it has a body");
    let block = |name: &str| module.cast(named(module, main, name)).expect("it is a block");
    let is = |holds: bool, yes: &str, no: &str| if holds { yes.to_owned() } else { no.to_owned() };
    if let Some(name) = question.strip_prefix('^') {
        is(facts.is_uniform_branch(block(name)), "uniform", "divergent")
    } else if let Some(name) = question.strip_prefix('@') {
        match (facts.is_converged(block(name)), facts.is_complete(block(name))) {
            (true, true) => "all".to_owned(),
            (true, false) => "all that are left".to_owned(),
            _ => "some".to_owned(),
        }
    } else {
        let value = named(module, main, question);
        assert!(module.op(value) != Op::Block);
        match facts.of(value) {
            Variation::Affine { stride } => format!("affine {stride}"),
            other => other.to_string(),
        }
    }
}

fn judge(cases: &[Case]) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases {
        let module = module(case);
        for (question, expected) in case.expected {
            let found = answer(&module, case.scope, question);
            if found != *expected {
                wrong.push(format!("{}: {question} is {found}, not {expected}: {}", case.name, case.why));
            }
        }
    }
    wrong
}

#[test]
fn what_a_weaker_analysis_calls_divergent_is_found() {
    assert!(FOUND.iter().map(|cases| cases.len()).sum::<usize>() >= 30);
    assert_eq!(FOUND.iter().flat_map(|cases| judge(cases)).collect::<Vec<String>>(), Vec::<String>::new());
}

#[test]
fn what_differs_is_called_divergent() {
    assert!(DIVERGENT.len() >= 12);
    assert_eq!(judge(DIVERGENT), Vec::<String>::new());
}
