use super::*;
use crate::print::tests::{Builder, assign as assignment, compound, declare};
use crate::syntax::{Binary, Expr, LocalKind, Loop, Scalar, StatementKind, Unary};

/// The names of the locals of the entry.
fn names_of(mut text: Text, language: Language) -> Vec<String> {
    assign(&mut text, language);
    text.functions.last().expect("an entry").locals.iter().map(|local| local.name.clone().expect("a name")).collect()
}

/// The names of variables that ask for these.
fn names_for(wishes: &[&str], language: Language) -> Vec<String> {
    let mut builder = Builder::new();
    let float = builder.numbers(Scalar::FLOAT, 1);
    for wish in wishes {
        builder.variable(wish, float);
    }
    names_of(builder.finish(Vec::new()), language)
}

/// The name of a value.
fn name_of(value: impl Fn(&mut Builder) -> Expr) -> String {
    let mut builder = Builder::new();
    let value = value(&mut builder);
    let ty = builder.type_of(value);
    let local = builder.local(None, ty, LocalKind::Value);
    names_of(builder.finish(vec![declare(local, value)]), Language::Glsl).pop().expect("a local")
}

#[test]
fn names_are_identifiers_of_every_language() {
    let wishes = ["a__b", "_x", "__", "gl_Position", "3d", "größe", "λ", "sum_", "f(vf3;", "a.b::c", "日本"];
    let names = ["a_b", "x", "value", "Position", "d", "grosse", "lambda", "sum", "f", "a_b_c", "number"];
    for language in Language::ALL {
        assert_eq!(names_for(&wishes, language), names, "{language}");
    }
}

#[test]
fn a_number_is_counted_for_each_name() {
    let wishes = ["sum", "sum", "count", "sum_1", "sum", "count"];
    assert_eq!(names_for(&wishes, Language::Wgsl), ["sum", "sum_1", "count", "sum_2", "sum_3", "count_1"]);
}

#[test]
fn keywords_are_no_names() {
    let wishes = ["buffer", "cbuffer", "kernel", "var", "Technique", "float3"];
    assert_eq!(names_for(&wishes, Language::Glsl), ["buffer_1", "cbuffer", "kernel", "var", "Technique", "float3"]);
    assert_eq!(names_for(&wishes, Language::Hlsl), ["buffer", "cbuffer_1", "kernel", "var", "Technique_1", "float3_1"]);
    assert_eq!(names_for(&wishes, Language::Msl), ["buffer", "cbuffer", "kernel_1", "var", "Technique", "float3_1"]);
    assert_eq!(names_for(&wishes, Language::Wgsl), ["buffer", "cbuffer", "kernel", "var_1", "Technique", "float3"]);
}

#[test]
fn a_local_has_the_name_of_a_function_that_is_not_called() {
    assert_eq!(names_for(&["distance"], Language::Glsl), ["distance"]);
    let mut builder = Builder::new();
    let float = builder.numbers(Scalar::FLOAT, 1);
    let local = builder.variable("distance", float);
    let (one, other) = (builder.float(1.0), builder.float(2.0));
    let call = builder.intrinsic("distance", &[one, other], float);
    assert_eq!(names_of(builder.finish(vec![declare(local, call)]), Language::Glsl), ["distance_1"]);
}

#[test]
fn a_choice_of_wgsl_is_a_call() {
    let chosen = |language| {
        let mut builder = Builder::new();
        let (float, bool) = (builder.numbers(Scalar::FLOAT, 1), builder.numbers(Scalar::BOOL, 1));
        let (local, flag) = (builder.variable("select", float), builder.variable("flag", bool));
        let [condition, accept, reject] = [flag, local, local].map(|local| builder.read(local));
        let value = builder.choice(condition, accept, reject);
        let target = builder.read(local);
        names_of(builder.finish(vec![assignment(target, value)]), language)[0].clone()
    };
    assert_eq!(Language::ALL.map(chosen), ["select_1", "select", "select", "select"]);
}

#[test]
fn locals_differ_from_names_of_the_module_and_members_from_one_another() {
    let mut builder = Builder::new();
    let float = builder.numbers(Scalar::FLOAT, 1);
    let (_, ty) = builder.structure("Light", &[("color", float), ("color", float), ("length", float)]);
    builder.global("light", ty, "", GlobalKind::Variable(None));
    let block = builder.block("Light", &[("scale", float), ("dot", float)]);
    builder.global("", block, "uniform", GlobalKind::OpenBlock);
    for name in ["light", "scale", "color", "main"] {
        builder.variable(name, float);
    }
    let mut text = builder.finish(Vec::new());
    assign(&mut text, Language::Glsl);
    let members = |number: usize| text.structs[number].members.iter().map(|member| member.name.as_str());
    assert_eq!(members(0).collect::<Vec<_>>(), ["color", "color_1", "length"]);
    assert_eq!(members(1).collect::<Vec<_>>(), ["scale", "dot_1"]);
    assert_eq!([&text.structs[0].name, &text.structs[1].name], ["Light", "Light_1"]);
    assert_eq!(names_of(text, Language::Glsl), ["light_1", "scale_1", "color", "main_1"]);
}

#[test]
fn entries_keep_their_names_where_the_language_allows_it() {
    let entry = |name: &str, language| {
        let mut builder = Builder::new();
        builder.function.name = name.to_owned();
        let mut text = builder.finish(Vec::new());
        assign(&mut text, language);
        text.functions[0].name.clone()
    };
    assert_eq!(Language::ALL.map(|language| entry("main", language)), ["main", "main", "main", "main0"]);
    assert_eq!(Language::ALL.map(|language| entry("blur", language)), ["blur", "main", "blur", "blur"]);
}

#[test]
fn what_the_language_declares_keeps_its_names() {
    let mut builder = Builder::new();
    let four = builder.numbers(Scalar::FLOAT, 4);
    let block = builder.block("gl_PerVertex", &[("gl_Position", four)]);
    let vertices = builder.runtime_array(block);
    builder.global("gl_in", vertices, "", GlobalKind::BuiltIn);
    let mut text = builder.finish(Vec::new());
    assign(&mut text, Language::Glsl);
    assert_eq!(text.structs[0].name, "gl_PerVertex");
    assert_eq!(text.structs[0].members[0].name, "gl_Position");
    assert_eq!(text.globals[0].name, "gl_in");
}

#[test]
fn values_have_the_names_of_what_they_are() {
    let weights = |builder: &mut Builder, name: &str| {
        let float = builder.numbers(Scalar::FLOAT, 1);
        let ty = builder.runtime_array(float);
        let global = builder.global(name, ty, "", GlobalKind::Variable(None));
        let (base, uint) = (builder.read_global(global), builder.numbers(Scalar::UINT, 1));
        let row = builder.local(Some("row"), uint, LocalKind::Parameter);
        let index = builder.read(row);
        builder.index(base, index)
    };
    assert_eq!(name_of(|builder| weights(builder, "weights")), "weight");
    assert_eq!(name_of(|builder| weights(builder, "data")), "data_row");
    let sum = |builder: &mut Builder| {
        let (one, other) = (builder.float(1.0), builder.float(2.0));
        builder.binary(Binary::Add, one, other)
    };
    assert_eq!(name_of(sum), "sum");
    let less = |builder: &mut Builder| {
        let (one, other) = (builder.float(1.0), builder.float(2.0));
        builder.binary(Binary::Less, one, other)
    };
    assert_eq!(name_of(less), "is_less");
    let color = |builder: &mut Builder| {
        let (two, four) = (builder.numbers(Scalar::FLOAT, 2), builder.numbers(Scalar::FLOAT, 4));
        let place = builder.local(Some("place"), two, LocalKind::Parameter);
        let place = builder.read(place);
        builder.intrinsic("texture", &[place], four)
    };
    assert_eq!(name_of(color), "texel");
    let id = |builder: &mut Builder| {
        let three = builder.numbers(Scalar::UINT, 3);
        let global = builder.global("gl_GlobalInvocationID", three, "", GlobalKind::BuiltIn);
        let base = builder.read_global(global);
        builder.swizzle(base, &[0])
    };
    assert_eq!(name_of(id), "global_invocation_id_x");
    let negated = |builder: &mut Builder| {
        let one = builder.float(1.0);
        builder.unary(Unary::Negate, one)
    };
    assert_eq!(name_of(negated), "negated");
    assert_eq!(name_of(|builder| builder.float(1.0)), "value");
}

#[test]
fn counters_and_indices_have_their_names() {
    let mut builder = Builder::new();
    let uint = builder.numbers(Scalar::UINT, 1);
    let float = builder.numbers(Scalar::FLOAT, 1);
    let ty = builder.runtime_array(float);
    let data = builder.global("data", ty, "", GlobalKind::Variable(None));
    let counters = [0, 1].map(|_| builder.local(None, uint, LocalKind::Variable));
    let index = builder.local(None, uint, LocalKind::Value);
    let total = builder.local(None, float, LocalKind::Variable);
    let [outer, inner] = counters.map(|counter| {
        let (zero, step) = (builder.uint(0), builder.read(counter));
        Loop {
            init: Some(Box::new(declare(counter, zero).into())),
            continuing: vec![StatementKind::Step { target: step, operator: Binary::Add }.into()],
            is_for: true,
            ..Loop::default()
        }
    });
    let [left, right] = counters.map(|counter| builder.read(counter));
    let place = builder.binary(Binary::Add, left, right);
    let (base, read) = (builder.read_global(data), builder.read(index));
    let element = builder.index(base, read);
    let (target, zero) = (builder.read(total), builder.float(0.0));
    let first = assignment(target, zero);
    let target = builder.read(total);
    let body = vec![declare(index, place).into(), compound(target, Binary::Add, element).into()];
    let inner = StatementKind::Loop(Box::new(Loop { body, ..inner }));
    let outer = StatementKind::Loop(Box::new(Loop { body: vec![inner.into()], ..outer }));
    assert_eq!(names_of(builder.finish(vec![first, outer]), Language::Glsl), ["i", "j", "index", "sum"]);
}

#[test]
fn blocks_side_by_side_share_names_and_loops_do_not_in_hlsl() {
    let names = |language| {
        let mut builder = Builder::new();
        let uint = builder.numbers(Scalar::UINT, 1);
        let counters = [0, 1].map(|_| builder.local(None, uint, LocalKind::Variable));
        let values = [0, 1].map(|_| builder.local(Some("x"), uint, LocalKind::Value));
        let last = builder.local(Some("i"), uint, LocalKind::Value);
        let loops = [0, 1].map(|number| {
            let (zero, step, one) = (builder.uint(0), builder.read(counters[number]), builder.uint(1));
            StatementKind::Loop(Box::new(Loop {
                init: Some(Box::new(declare(counters[number], zero).into())),
                body: vec![declare(values[number], one).into()],
                continuing: vec![StatementKind::Step { target: step, operator: Binary::Add }.into()],
                is_for: true,
                ..Loop::default()
            }))
        });
        let [first, second] = loops;
        let two = builder.uint(2);
        names_of(builder.finish(vec![first, second, declare(last, two)]), language)
    };
    assert_eq!(names(Language::Glsl), ["i", "i", "x", "x", "i"]);
    assert_eq!(names(Language::Hlsl), ["i", "j", "x", "x", "i_1"]);
}

#[test]
fn variables_have_the_names_of_what_they_are_for() {
    let mut builder = Builder::new();
    let uint = builder.numbers(Scalar::UINT, 1);
    let flags = [0, 1, 2].map(|_| {
        let ty = builder.numbers(Scalar::BOOL, 1);
        builder.local(None, ty, LocalKind::Variable)
    });
    let [counter, next, returned] =
        [LocalKind::Variable, LocalKind::Value, LocalKind::Variable].map(|kind| builder.local(None, uint, kind));
    let jump = |builder: &mut Builder, flag: LocalId, is_negated: bool, jump: StatementKind| {
        let read = builder.read(flag);
        let condition = if is_negated { builder.unary(Unary::Not, read) } else { read };
        StatementKind::If { condition, accept: vec![jump.into()], reject: Vec::new() }
    };
    let (read, one) = (builder.read(counter), builder.uint(1));
    let further = builder.binary(Binary::Add, read, one);
    let [target, value] = [counter, next].map(|local| builder.read(local));
    let body = vec![
        declare(next, further).into(),
        jump(&mut builder, flags[0], false, StatementKind::Break).into(),
        jump(&mut builder, flags[1], true, StatementKind::Break).into(),
        jump(&mut builder, flags[2], false, StatementKind::Continue).into(),
        assignment(target, value).into(),
    ];
    let result = builder.read(returned);
    let statements =
        vec![StatementKind::Loop(Box::new(Loop { body, ..Loop::default() })), StatementKind::Return(Some(result))];
    let names = names_of(builder.finish(statements), Language::Glsl);
    assert_eq!(names, ["is_done", "goes_on", "is_skipped", "i", "next", "result"]);
}
