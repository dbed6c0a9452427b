use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{back, front};

use super::*;

const SOURCE: &str = "\
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64)
fn square(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = 0u;
    for (var i = 0u; i < id.x; i++) {
        if (data[i] > 3u) { sum += data[i]; continue; }
        if (data[i] == 7u) { break; } else if (data[i] == 9u) { sum *= 2u; } else { sum += 1u; }
    }
    var j = 0u;
    loop { sum += j; j += 1u; continuing { break if j > 5u; } }
    while (sum > 100u) { sum -= 3u; }
    switch (sum) { case 1u: { data[0] = 1u; } case 2u, 3u: { data[0] = 2u; } default: { return; } }
    data[id.x] = sum;
}
";

fn wgsl_of(source: &str) -> String {
    let module =
        front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}\n{source}", error.emit_to_string(source)));
    let info =
        Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).expect("the module is valid");
    back::wgsl::write_string(&module, &info, back::wgsl::WriterFlags::EXPLICIT_TYPES)
        .expect("every module can be written")
}

#[test]
fn statements_are_as_a_person_writes_them() {
    let text = restyle(&wgsl_of(SOURCE), Dialect::Wgsl);
    for line in [
        "for (var i: u32 = 0u; i < id.x; i += 1u) {",
        "sum += data[i];",
        "while (sum > 100u) {",
        "switch (sum) {",
        "if (j > 5u) {",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(restyle(&wgsl_of(&text), Dialect::Wgsl), text, "it stays as it is");
}

/// The statements of a function in the dialect of C, before and after.
fn assert_c(before: &str, after: &str) {
    let found = restyle(&format!("void f() {{\n{before}\n}}\n"), Dialect::C);
    let lines =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&found), lines(&format!("void f() {{\n{after}\n}}\n")), "{found}");
}

#[test]
fn a_load_does_not_pass_a_write() {
    assert_c("uint _e1 = a; a = 2u; b = (_e1 * 3u);", "uint _e1 = a;\na = 2u;\nb = _e1 * 3u;");
    assert_c("uint _e1 = a; uint _e2 = f(_e1); b = _e2;", "b = f(a);");
    assert_c(
        "uint _e1 = a; uint _e2 = atomicAdd(c, 1u); b = (_e1 + _e2);",
        "uint _e1 = a;\nuint _e2 = atomicAdd(c, 1u);\nb = _e1 + _e2;",
    );
    assert_c("uint _e1 = a; if (c) { b = _e1; }", "uint _e1 = a;\nif (c) {\nb = _e1;\n}");
    assert_c("uint _e1 = a; while(true) { b = _e1; }", "uint _e1 = a;\nwhile (true) {\nb = _e1;\n}");
    assert_c("uint _e1 = a; b = _e1; c = _e1;", "uint _e1 = a;\nb = _e1;\nc = _e1;");
    assert_c("vec4 _e1 = dFdx(a); b = (c && (_e1.x > 0.0));", "vec4 _e1 = dFdx(a);\nb = c && (_e1.x > 0.0);");
}

#[test]
fn a_name_for_a_variable_ends_before_it_is_written() {
    assert_c("uint i = 0u; uint _e1 = i; g(_e1, _e1); h(_e1);", "uint i = 0u;\ng(i, i);\nh(i);");
    assert_c("uint i = 0u; uint _e1 = i; a = (_e1 + _e1); i = (_e1 + 1u);", "uint i = 0u;\na = i + i;\ni += 1u;");
    let kept = "uint i = 0u; uint _e1 = i; i = 2u; a = (_e1 + _e1);";
    assert_c(kept, "uint i = 0u;\nuint _e1 = i;\ni = 2u;\na = _e1 + _e1;");
    let in_loop = "uint i = 0u; uint _e1 = i; while(true) { a = (_e1 + _e1); i = 2u; }";
    assert_c(in_loop, "uint i = 0u;\nuint _e1 = i;\nwhile (true) {\na = _e1 + _e1;\ni = 2u;\n}");
    let in_arms = "uint i = 0u; uint _e1 = i; if (c) { i = 1u; } else { a = (_e1 + _e1); }";
    assert_c(in_arms, "uint i = 0u;\nif (c) {\ni = 1u;\n} else {\na = i + i;\n}");
    let shared = "uint i = 0u; uint _e1 = i; f(i); a = (_e1 + _e1);";
    assert_c(shared, "uint i = 0u;\nuint _e1 = i;\nf(i);\na = _e1 + _e1;");
}

#[test]
fn a_variable_is_declared_where_no_round_repeats_it() {
    assert_c("uint x = 0u; while(true) { g(x); x = 1u; }", "uint x = 0u;\nwhile (true) {\ng(x);\nx = 1u;\n}");
    assert_c("uint x = 0u; while(true) { x = 1u; g(x); }", "while (true) {\nuint x = 1u;\ng(x);\n}");
    assert_c("uint x = 0u; if (c) { g(x); }", "if (c) {\nuint x = 0u;\ng(x);\n}");
    assert_c(
        "uint x = 0u; if (c) { g(x); } else { x = 2u; h(x); }",
        "uint x = 0u;\nif (c) {\ng(x);\n} else {\nx = 2u;\nh(x);\n}",
    );
    assert_c("uint x = 0u; uint y = 1u; x = (x + y);", "uint x = 0u;\nuint y = 1u;\nx += y;");
}

#[test]
fn a_counter_that_is_read_after_the_loop_stays_outside() {
    let flagged = "bool loop_init = true; while(true) { if (!loop_init) { i = (i + 1u); } loop_init = false; if ((i < 3u)) { } else { break; } g(i); }";
    assert_c(&format!("uint i = 0u; {flagged}"), "for (uint i = 0u; i < 3u; i += 1u) {\ng(i);\n}");
    assert_c(&format!("uint i = 0u; {flagged} h(i);"), "uint i = 0u;\nfor (; i < 3u; i += 1u) {\ng(i);\n}\nh(i);");
}

#[test]
fn a_loop_whose_rounds_end_with_its_counter_is_a_for() {
    let body = "uint i = 0u; while(true) { if ((i >= n)) { break; } g(i); BODY i = (i + 1u); }";
    assert_c(&body.replace("BODY", ""), "for (uint i = 0u; i < n; i += 1u) {\ng(i);\n}");
    let skipped = "uint i = 0u;\nwhile (i < n) {\ng(i);\nif (c) {\ncontinue;\n}\ni += 1u;\n}";
    assert_c(&body.replace("BODY", "if (c) { continue; }"), skipped);
    let declared = "uint i = 0u; while(true) { if ((i >= n)) { break; } uint _e1 = f(i); g(_e1); i = _e1; }";
    assert_c(declared, "uint i = 0u;\nwhile (i < n) {\nuint _e1 = f(i);\ng(_e1);\ni = _e1;\n}");
    assert_c(
        &body.replace("uint i", "float i").replace("BODY", ""),
        "for (float i = 0u; !(i >= n); i += 1u) {\ng(i);\n}",
    );
}

#[test]
fn a_round_that_continue_ends_runs_the_rest() {
    let flagged = "bool loop_init = true; while(true) { if (!loop_init) { g(); if (c) { break; } } loop_init = false; BODY h(); }";
    assert_c(&flagged.replace("BODY", ""), "do {\nh();\ng();\n} while (!c);");
    let with_continue = flagged.replace("BODY", "if (d) { continue; }");
    assert_c(&with_continue, "do {\nif (!d) {\nh();\n}\ng();\n} while (!c);");
    // Nested deeper, the flag is easier to read.
    let with_many = flagged.replace("BODY", &"if (d) { continue; } k();".repeat(4));
    let many = "if (d) {\ncontinue;\n}\nk();\n".repeat(4);
    let after =
        "bool loop_init = true;\nwhile (true) {\nif (!loop_init) {\ng();\nif (c) {\nbreak;\n}\n}\nloop_init = false;\n";
    assert_c(&with_many, &format!("{after}{many}h();\n}}"));
}

#[test]
fn a_value_that_only_a_variable_gets_has_no_name() {
    assert_c("int sum_1 = sum + i; int i_1 = i + 1; sum = sum_1; i = i_1;", "sum += i;\ni += 1;");
    assert_c("int n = a; atomicAdd(b, 1); x = n;", "int n = a;\natomicAdd(b, 1);\nx = n;");
    assert_c("int n = a; h = x; x = n;", "int n = a;\nh = x;\nx = n;");
    assert_c("int n = a; x = n; y = n;", "int n = a;\nx = n;\ny = n;");
    // Functions of the text and barriers have effects.
    let text = "void k() {\n    x = 1;\n}\nvoid f() {\n    int n = a;\n    k();\n    x = n;\n}\n";
    assert_eq!(restyle(text, Dialect::C), text);
    assert_c("int n = a; barrier(); x = n;", "int n = a;\nbarrier();\nx = n;");
}

#[test]
fn what_runs_once_is_no_loop() {
    assert_c("do { g(); if (c) { h(); break; } k(); } while(false);", "g();\nif (c) {\nh();\n} else {\nk();\n}");
    assert_c("switch(0u) { case 1u: { break; } default: { g(); break; } }", "g();");
    let kept = "do {\nwhile (c) {\nif (d) {\nbreak;\n}\ng();\n}\nif (e) {\nif (d) {\nbreak;\n}\nh();\n}\nk();\n} while (false);";
    assert_c(kept, kept);
}

#[test]
fn selections_have_no_arm_too_many() {
    assert_c("if (c) { } else { g(); }", "if (!c) {\ng();\n}");
    assert_c("if ((a < b)) { } else { g(); }", "if (!(a < b)) {\ng();\n}");
    assert_c("if ((a < 3u)) { } else { g(); }", "if (a >= 3u) {\ng();\n}");
    assert_c("if (c) { g(); return; } else { h(); }", "if (c) {\ng();\nreturn;\n}\nh();");
    assert_c(
        "if (c) { g(); } else { if (d) { h(); } else { k(); } }",
        "if (c) {\ng();\n} else if (d) {\nh();\n} else {\nk();\n}",
    );
    assert_c("p = (a < b); if (p) { p = (c < d); } g(p);", "p = (a < b) && (c < d);\ng(p);");
    assert_c("bool p = a; if (!(p)) { p = b; } g(p);", "bool p = a || b;\ng(p);");
    assert_c("if (a) { p = b; } else { p = false; } g(p);", "p = a && b;\ng(p);");
    assert_c("if (a) { p = false; } else { p = b; } g(p);", "p = !a && b;\ng(p);");
    assert_c("if (a) { p = true; } else { p = f(b); } g(p);", "if (a) {\np = true;\n} else {\np = f(b);\n}\ng(p);");
}

#[test]
fn what_naga_does_not_write_stays() {
    for text in [
        "void f() {\n  for (int i = 0; i < 3; i++) { g(i); }\n}\n",
        "struct A {\n  int x;\n};\nconst int a[2] = { 1, 2 };\n",
        "void f() { // a comment\n  g();\n}\n",
        "void f() {\n",
        "}}}{{;;",
        "",
    ] {
        assert_eq!(restyle(text, Dialect::C), text);
    }
    let deep = format!("void f() {{ {} {} }}", "if (a) {".repeat(100_000), "}".repeat(100_000));
    assert_eq!(restyle(&deep, Dialect::C), deep);
}
