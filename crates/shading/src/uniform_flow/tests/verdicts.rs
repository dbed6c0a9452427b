//! Verdicts and texts of small trees.

use super::printed;
use crate::Language;
use crate::names;
use crate::print::tests::{Builder, declare};
use crate::source::UniformityRule;
use crate::syntax::{
    Binary, Expr, GlobalId, GlobalKind, Loop, Scalar, Shape, Statement, StatementKind, Swizzle, Text, Type, TypeShape,
};
use crate::uniform_flow::{judge, share};

/// A tree with a buffer, `data`, that is written, and one that is not, `fixed`.
struct Shader {
    builder: Builder,
    data: GlobalId,
    fixed: GlobalId,
    uint: Type,
}

impl Shader {
    fn new() -> Shader {
        let mut builder = Builder::new();
        builder.function.workgroup_size = vec![builder.uint(64)];
        let uint = builder.numbers(Scalar::UINT, 1);
        let mut buffer = |name, access: &str, is_written| {
            let global = builder.global(name, uint, access, GlobalKind::Variable(None));
            builder.text.globals[global.0 as usize].is_written = is_written;
            global
        };
        let data = buffer("data", "@group(0) @binding(0) var<storage, read_write>", true);
        let fixed = buffer("fixed", "@group(0) @binding(1) var<storage, read>", false);
        Shader { builder, data, fixed, uint }
    }

    fn barrier(&mut self) -> StatementKind {
        let void = self.builder.ty(TypeShape::Void);
        StatementKind::Expression(self.builder.intrinsic("workgroupBarrier", &[], void))
    }

    /// `global > 3u`.
    fn greater(&mut self, global: GlobalId) -> Expr {
        let value = self.builder.read_global(global);
        self.above(value)
    }

    /// `value > 3u`.
    fn above(&mut self, value: Expr) -> Expr {
        let limit = self.builder.uint(3);
        self.builder.binary(Binary::Greater, value, limit)
    }
}

fn choose(condition: Expr, accept: StatementKind) -> StatementKind {
    StatementKind::If { condition, accept: vec![accept.into()], reject: Vec::new() }
}

fn repeat(found: Loop) -> StatementKind {
    StatementKind::Loop(Box::new(found))
}

/// The text after values went through memory, from the function that has the barrier.
fn shared(mut text: Text) -> String {
    share(&mut text).expect("conditions can go through memory");
    names::assign(&mut text, Language::Wgsl);
    printed(&text)
}

fn assert_shared(text: Text, expected: &str) {
    let found = shared(text);
    assert!(found.contains(expected), "{found}");
}

fn barriers(text: &Text) -> usize {
    judge(text).iter().filter(|finding| finding.rule == UniformityRule::Barrier).count()
}

#[test]
fn a_condition_goes_through_memory() {
    let mut shader = Shader::new();
    let (condition, barrier) = (shader.greater(shader.data), shader.barrier());
    let text = shader.builder.finish(vec![choose(condition, barrier)]);
    assert_eq!(
        shared(text),
        "\
@group(0) @binding(0) var<storage, read_write> data: u32;

@group(0) @binding(1) var<storage, read> fixed: u32;

var<private> invocation_index: u32;
var<workgroup> shared_condition: bool;

fn uniform_condition(condition: bool) -> bool {
    if (invocation_index == 0u) {
        shared_condition = condition;
    }
    return workgroupUniformLoad(&shared_condition);
}

@compute @workgroup_size(64u)
fn main(@builtin(local_invocation_index) local_invocation_index: u32) {
    invocation_index = local_invocation_index;
    if (uniform_condition(data > 3u)) {
        workgroupBarrier();
    }
}
"
    );
}

#[test]
fn a_condition_that_is_uniform_stays() {
    let mut shader = Shader::new();
    let (condition, barrier) = (shader.greater(shader.fixed), shader.barrier());
    let mut text = shader.builder.finish(vec![choose(condition, barrier)]);
    assert_eq!(barriers(&text), 0);
    assert_eq!(share(&mut text), Ok(Vec::new()));
    assert_eq!(text.functions.len(), 1);
}

/// Lanes that leave a loop are apart from the others in the next round, but the end of the loop is uniform again.
#[test]
fn the_exit_of_a_loop_with_a_barrier_goes_through_memory() {
    let mut shader = Shader::new();
    let own = shader.greater(shader.data);
    let with_barrier = vec![choose(own, StatementKind::Break).into(), shader.barrier().into()];
    let first = repeat(Loop { body: with_barrier, ..Loop::default() });
    let own = shader.greater(shader.data);
    let without = repeat(Loop { body: vec![choose(own, StatementKind::Break).into()], ..Loop::default() });
    let last = shader.barrier();
    let text = shader.builder.finish(vec![first, without, last]);
    assert_eq!(barriers(&text), 1);
    assert_shared(
        text,
        "
    loop {
        if (uniform_condition(data > 3u)) {
            break;
        }
        workgroupBarrier();
    }
    loop {
        if (data > 3u) {
            break;
        }
    }
    workgroupBarrier();
",
    );
}

/// A value that one invocation computes in an arm of its own is no condition of the barrier.
#[test]
fn only_conditions_of_the_barrier_go_through_memory() {
    let mut shader = Shader::new();
    let sum = shader.builder.variable("sum", shader.uint);
    let zero = shader.builder.uint(0);
    let (target, one) = (shader.builder.read(sum), shader.builder.uint(1));
    let own = shader.greater(shader.data);
    let assign = StatementKind::Assign { target, operator: None, value: one };
    let value = shader.builder.read(sum);
    let (condition, barrier) = (shader.above(value), shader.barrier());
    let body = vec![declare(sum, zero), choose(own, assign), choose(condition, barrier)];
    let text = shader.builder.finish(body);
    assert_shared(
        text,
        "
    if (data > 3u) {
        sum = 1u;
    }
    if (uniform_condition(sum > 3u)) {
",
    );
}

#[test]
fn a_return_before_a_barrier_goes_through_memory() {
    let mut shader = Shader::new();
    let vector = shader.builder.numbers(Scalar::UINT, 3);
    let id = shader.builder.parameter("id", vector, "@builtin(local_invocation_id)");
    let index = shader.builder.parameter("index", shader.uint, "@builtin(local_invocation_index)");
    let base = shader.builder.read(id);
    let swizzle = Swizzle::new(&[0]);
    let first = shader.builder.add(Shape::Swizzle { base, swizzle }, shader.uint);
    let condition = shader.above(first);
    let _ = index;
    let body = vec![choose(condition, StatementKind::Return(None)), shader.barrier()];
    let text = shader.builder.finish(body);
    assert_shared(
        text,
        "
    invocation_index = index;
    if (uniform_condition(id.x > 3u)) {
        return;
    }
    workgroupBarrier();
",
    );
}

/// A condition in a function that is called goes through memory, not the argument, which the function may use in other ways.
#[test]
fn a_condition_of_a_function_goes_through_memory() {
    for (prefix, expected) in [
        ("", "    if (uniform_condition(argument > 3u)) {\n        workgroupBarrier();"),
        ("inout", "    if (uniform_condition(*argument > 3u)) {\n        workgroupBarrier();"),
    ] {
        let mut shader = Shader::new();
        shader.builder.function.workgroup_size.clear();
        let place = shader.builder.parameter("argument", shader.uint, prefix);
        let read = shader.builder.read(place);
        let (condition, barrier) = (shader.above(read), shader.barrier());
        let callee = shader.builder.end_function(vec![choose(condition, barrier)], "main");
        shader.builder.text.functions[callee.0 as usize].name = "wait".to_owned();
        shader.builder.function.workgroup_size = vec![shader.builder.uint(64)];
        let sum = shader.builder.variable("sum", shader.uint);
        let value = shader.builder.read_global(shader.data);
        let argument = shader.builder.read(sum);
        let call = shader.builder.call(callee, &[argument]);
        let text = shader.builder.finish(vec![declare(sum, value), StatementKind::Expression(call)]);
        assert_shared(text, expected);
    }
}

/// Invocations that continue wait at the barrier of the next round for the others, so they may differ.
#[test]
fn a_condition_whose_sides_both_lead_to_the_barrier_is_refused() {
    for (jump, is_first, is_decisive) in [
        (StatementKind::Continue, true, false),
        (StatementKind::Continue, false, true),
        (StatementKind::Break, true, true),
        (StatementKind::Break, false, true),
        (StatementKind::Return(None), true, true),
    ] {
        let mut shader = Shader::new();
        let (own, all) = (shader.greater(shader.data), shader.greater(shader.fixed));
        let last = shader.builder.read_global(shader.data);
        let four = shader.builder.uint(4);
        let store = StatementKind::Assign { target: last, operator: None, value: four };
        let (exit, barrier) = (choose(own, jump.clone()), shader.barrier());
        let statements = if is_first { vec![barrier, exit, store] } else { vec![exit, barrier, store] };
        let body = statements.into_iter().map(Statement::from).collect();
        let mut text = shader.builder.finish(vec![repeat(Loop { body, break_if: Some(all), ..Loop::default() })]);
        assert_eq!(barriers(&text), 1);
        let expected = if is_decisive { Ok(1) } else { Err(UniformityRule::Barrier) };
        let found = share(&mut text).map(|shared| shared.len()).map_err(|finding| finding.rule);
        assert_eq!(found, expected, "{jump:?}, barrier first: {is_first}");
    }
}

/// An arm that only some invocations take may contain a return that none takes.
#[test]
fn a_condition_before_a_return_that_none_takes_is_refused() {
    let mut shader = Shader::new();
    let (own, also) = (shader.greater(shader.data), shader.greater(shader.data));
    let body = vec![choose(own, choose(also, StatementKind::Return(None))), shader.barrier()];
    let mut text = shader.builder.finish(body);
    assert!(share(&mut text).is_err());
}

#[test]
fn a_selector_goes_through_memory() {
    use crate::syntax::{Case, Label};
    let mut shader = Shader::new();
    let (selector, barrier) = (shader.builder.read_global(shader.data), shader.barrier());
    let case = |value, body: Vec<Statement>| Case { labels: vec![Label::Value(value)], body, falls: false };
    let cases = vec![case(2, vec![barrier.into()])];
    let text = shader.builder.finish(vec![StatementKind::Switch { selector, cases }]);
    assert_shared(text, "\n    switch (uniform_value(data)) {\n        case 2u {\n            workgroupBarrier();\n");
    // Invocations may take different cases without a barrier.
    let mut shader = Shader::new();
    let (selector, barrier) = (shader.builder.read_global(shader.data), shader.barrier());
    let (target, value) = (shader.builder.read_global(shader.data), shader.builder.uint(5));
    let store = StatementKind::Assign { target, operator: None, value };
    let cases = vec![case(2, vec![barrier.into()]), case(3, vec![store.into()])];
    let mut text = shader.builder.finish(vec![StatementKind::Switch { selector, cases }]);
    assert!(share(&mut text).is_err());
}

/// Workgroup memory is that of compute shaders.
#[test]
fn a_barrier_of_another_shader_is_refused_with_the_path() {
    let mut shader = Shader::new();
    shader.builder.function.workgroup_size.clear();
    shader.builder.function.attributes = vec!["@fragment".to_owned()];
    let (condition, barrier) = (shader.greater(shader.data), shader.barrier());
    let mut text = shader.builder.finish(vec![choose(condition, barrier)]);
    let finding = share(&mut text).expect_err("there is no workgroup");
    assert_eq!(finding.place.message, "`workgroupBarrier` needs uniform control flow");
    let path: Vec<&str> = finding.path.iter().map(|remark| remark.message.as_str()).collect();
    assert_eq!(
        path,
        [
            "control flow depends on a value that may differ between invocations",
            "reading from `data` may differ between invocations",
        ]
    );
}

/// A derivative has a filter, so it is a finding, and no condition goes through memory.
#[test]
fn derivatives_and_subgroup_operations_are_found() {
    for (name, rule) in [("dpdx", UniformityRule::Derivative), ("subgroupAdd", UniformityRule::Subgroup)] {
        let mut shader = Shader::new();
        let (condition, argument) = (shader.greater(shader.data), shader.builder.uint(1));
        let call = shader.builder.intrinsic(name, &[argument], shader.uint);
        let statement = Statement::from(StatementKind::Expression(call));
        let mut text = shader.builder.finish(vec![choose(condition, statement.kind)]);
        assert_eq!(share(&mut text), Ok(Vec::new()));
        let rules: Vec<UniformityRule> = judge(&text).into_iter().map(|finding| finding.rule).collect();
        assert_eq!(rules, [rule]);
    }
}
