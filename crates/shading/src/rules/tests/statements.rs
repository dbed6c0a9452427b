//! Each rule on statements for it, and on statements that it must not change.

use super::{C, HLSL, HLSL_5, WGSL, assert_as, assert_both, rearranged};

#[test]
fn a_value_moves_to_its_use() {
    assert_both(
        "var a = 1; let _1 = a + 1; let _2 = load(_1); if (_2 > 3) { write(a); }",
        "var a = 1;\nif (load(a + 1) > 3) {\nwrite(a);\n}",
    );
    assert_both("let _0 = load(1); let _1 = load(2); write(_0 + _1);", "write(load(1) + load(2));");
    assert_both("let _0 = load(1); store(1, _0);", "store(1, load(1));");
    assert_both("let _0 = load(1); let _1 = pure(_0); g = _1;", "g = pure(load(1));");
}

#[test]
fn a_value_stays_where_something_changes_it() {
    assert_both("let _0 = load(1); store(1, 2); write(_0);", "let _0 = load(1);\nstore(1, 2);\nwrite(_0);");
    assert_both("let _0 = load(1); g = 3; write(_0);", "let _0 = load(1);\ng = 3;\nwrite(_0);");
    assert_both(
        "let _0 = g; let _1 = bump(1); write(_0); write(_1);",
        "let _0 = g;\nlet _1 = bump(1);\nwrite(_0);\nwrite(_1);",
    );
    assert_both(
        "var a = 1; let _1 = a + 1; a = 3; write(_1); write(a);",
        "var a = 1;\nlet _1 = a + 1;\na = 3;\nwrite(_1);\nwrite(a);",
    );
    assert_both("var a = 1; let _1 = a + 1; pass(a); write(_1);", "var a = 1;\nlet _1 = a + 1;\npass(a);\nwrite(_1);");
    assert_both(
        "let _0 = load(1); if (g > 1) { store(1, 2); } write(_0);",
        "let _0 = load(1);\nif (g > 1) {\nstore(1, 2);\n}\nwrite(_0);",
    );
    assert_both("let _0 = load(1); if (g > 1) { write(_0); }", "let _0 = load(1);\nif (g > 1) {\nwrite(_0);\n}");
    assert_both(
        "let _0 = load(1); loop { write(_0); if (g > 1) { return; } }",
        "let _0 = load(1);\nloop {\nwrite(_0);\nif (g > 1) {\nreturn;\n}\n}",
    );
}

#[test]
fn an_effect_moves_to_the_next_statement_alone() {
    assert_both("let _0 = bump(1); g = _0;", "g = bump(1);");
    assert_both("let _0 = bump(1); write(_0 + 1);", "write(bump(1) + 1);");
    assert_both("let _0 = bump(1); let _1 = load(1); write(_0 + _1);", "let _0 = bump(1);\nwrite(_0 + load(1));");
    assert_both("let _0 = bump(1); let _1 = bump(2); write(_0 + _1);", "let _0 = bump(1);\nwrite(_0 + bump(2));");
    assert_both("var a = 1; let _1 = pass(a); write(_1 + a);", "var a = 1;\nlet _1 = pass(a);\nwrite(_1 + a);");
    assert_both(
        "let p = g > 1; let _1 = bump(1); if (p && (_1 > 2)) { write(1); }",
        "let p = g > 1;\nlet _1 = bump(1);\nif (p && (_1 > 2)) {\nwrite(1);\n}",
    );
    assert_both(
        "var b = 2; pass(b); var a = 1; let _2 = pass(a); b = a; g = _2; write(b);",
        "var b = 2;\npass(b);\nvar a = 1;\nlet _2 = pass(a);\nb = a;\ng = _2;\nwrite(b);",
    );
    assert_both("let _0 = bump(1);", "bump(1);");
}

#[test]
fn a_value_of_all_lanes_is_computed_by_all_lanes() {
    assert_both(
        "let p = g > 1; let _1 = lanes(1); if (p && (_1 > 2)) { write(1); }",
        "let p = g > 1;\nlet _1 = lanes(1);\nif (p && (_1 > 2)) {\nwrite(1);\n}",
    );
    assert_both(
        "let p = g > 1; let _1 = lanes(1); if ((_1 > 2) && p) { write(1); }",
        "let p = g > 1;\nif ((lanes(1) > 2) && p) {\nwrite(1);\n}",
    );
    assert_both(
        "let _0 = lanes(1); if (g > 1) { write(1); } write(_0);",
        "let _0 = lanes(1);\nif (g > 1) {\nwrite(1);\n}\nwrite(_0);",
    );
    assert_both(
        "var p = g > 1; if (p) { p = lanes(1) > 2; } if (p) { write(1); }",
        "var p = g > 1;\nif (p) {\np = lanes(1) > 2;\n}\nif (p) {\nwrite(1);\n}",
    );
}

#[test]
fn names_of_the_source_and_pinned_values_stay() {
    assert_both("let a = load(1); write(a);", "let a = load(1);\nwrite(a);");
    assert_both("let _0 = pinned(1); write(_0);", "let _0 = pinned(1);\nwrite(_0);");
    assert_both("let _0 = array(1.0, 2.0); write(_0[g]);", "let _0 = vec(1.0, 2.0);\nwrite(_0[g]);");
    let sum = (1..30).map(|number| format!("let _{number} = pure(_{}); ", number - 1)).collect::<String>();
    let found = super::rearranged(&format!("let _0 = load(1); {sum} write(_29);"), C);
    assert!(found.lines().count() > 2 && found.lines().all(|line| line.len() < 200), "{found}");
}

#[test]
fn what_a_value_names_is_repeated() {
    assert_both("let _0 = 3; write(_0); write(_0 + _0);", "write(3);\nwrite(3 + 3);");
    assert_both(
        "let v = vec4(1.0, 2.0, 3.0, load(1)); let _1 = v[1]; write(_1); write(_1);",
        "let v = vec(1.0, 2.0, 3.0, load(1));\nwrite(v.y);\nwrite(v.y);",
    );
    assert_both(
        "let m = array(1.0, 2.0); let _1 = m[g]; write(_1); write(_1);",
        "let m = vec(1.0, 2.0);\nlet _1 = m[g];\nwrite(_1);\nwrite(_1);",
    );
    assert_both("let _0 = g; write(_0); write(_0);", "let _0 = g;\nwrite(_0);\nwrite(_0);");
}

#[test]
fn a_name_for_a_variable_ends_before_it_is_written() {
    assert_both(
        "var i = 0; pass(i); let _1 = i; store(_1, _1); i = _1 + 1; write(i);",
        "var i = 0;\npass(i);\nstore(i, i);\ni++;\nwrite(i);",
    );
    assert_both(
        "var i = 0; pass(i); let _1 = i; i = 2; write(_1 + _1); write(i);",
        "var i = 0;\npass(i);\nlet _1 = i;\ni = 2;\nwrite(_1 + _1);\nwrite(i);",
    );
    assert_both(
        "var i = 0; pass(i); let _1 = i; loop { write(_1 + _1); i = i + 2; if (g > i) { return; } }",
        "var i = 0;\npass(i);\nlet _1 = i;\nloop {\nwrite(_1 + _1);\ni += 2;\nif (g > i) {\nreturn;\n}\n}",
    );
    assert_both(
        "var i = 0; pass(i); let _1 = i; if (g > 1) { i = 1; } else { write(_1 + _1); } write(i);",
        "var i = 0;\npass(i);\nif (g > 1) {\ni = 1;\n} else {\nwrite(i + i);\n}\nwrite(i);",
    );
    assert_both(
        "var i = 0; pass(i); let _1 = i; switch (g) { case 0 falls { i = 1; } case default { write(_1 + _1); } } write(i);",
        "var i = 0;\npass(i);\nlet _1 = i;\nswitch (g) {\ncase 0 falls {\ni = 1;\n}\ncase default {\nwrite(_1 + _1);\n}\n}\nwrite(i);",
    );
    assert_both(
        "var i = 0; pass(i); let _1 = i; pass(i); write(_1 + _1);",
        "var i = 0;\npass(i);\nlet _1 = i;\npass(i);\nwrite(_1 + _1);",
    );
}

#[test]
fn a_comparison_has_no_negation() {
    let compared =
        |condition: &str| format!("var a = 1; pass(a); var x = 1.0; store(a, x); if ({condition}) {{ write(a); }}");
    let after = |condition: &str| {
        format!("var a = 1;\npass(a);\nvar x = 1.0;\nstore(a, x);\nif ({condition}) {{\nwrite(a);\n}}")
    };
    for (condition, shorter) in [
        ("!(a < 2)", "a >= 2"),
        ("!(a > 2)", "a <= 2"),
        ("!(x < 2.0)", "!(x < 2.0)"),
        ("!(x == 2.0)", "x != 2.0"),
        ("!(!(x < 2.0))", "x < 2.0"),
        ("!((a < 1) && (a > 2))", "(a >= 1) || (a <= 2)"),
        ("!((a < 1) || (x > 2.0))", "!((a < 1) || (x > 2.0))"),
        ("!((a < 1) && ((x < 1.0) && (x > 2.0)))", "!((a < 1) && ((x < 1.0) && (x > 2.0)))"),
        ("!((!(x < 1.0)) && ((x < 3.0) && (x > 2.0)))", "(x < 1.0) || !((x < 3.0) && (x > 2.0))"),
    ] {
        assert_both(&compared(condition), &after(shorter));
    }
}

#[test]
fn a_selection_has_no_arm_too_many() {
    assert_both(
        "if (g > 1) { } else { write(1); }",
        "if (!(g > 1)) {\nwrite(1);\n}".replace("!(g > 1)", "g <= 1").as_str(),
    );
    assert_both(
        "if (g > 1) { write(1); return; } else { write(2); }",
        "if (g > 1) {\nwrite(1);\nreturn;\n}\nwrite(2);",
    );
    assert_both(
        "if (g > 1) { write(1); } else { return; } write(2);",
        "if (g <= 1) {\nreturn;\n}\nwrite(1);\nwrite(2);",
    );
    assert_both("{ write(1); { write(2); } }", "write(1);\nwrite(2);");
    assert_both("write(1); return;", "write(1);");
}

#[test]
fn what_runs_once_is_no_loop() {
    assert_both(
        "loop { write(1); if (g > 1) { write(2); break; } write(3); } break_if (true)",
        "write(1);\nif (g > 1) {\nwrite(2);\n} else {\nwrite(3);\n}",
    );
    assert_both("switch (g) { case default { write(1); break; } }", "write(1);");
    let kept = "loop {\nif (g > 1) {\nif (g > 2) {\nbreak;\n}\nwrite(1);\n}\nwrite(2);\n} break if (true)";
    assert_both("loop { if (g > 1) { if (g > 2) { break; } write(1); } write(2); } break_if (true)", kept);
}

#[test]
fn a_second_operand_is_computed_by_a_selection() {
    let declared = "var p; var a = 1; pass(a);";
    let and = "var a = 1;\npass(a);\n";
    assert_both(
        &format!("{declared} p = a < 2; if (p) {{ p = a < 3; }} write(p); write(p);"),
        &format!("{and}let p = (a < 2) && (a < 3);\nwrite(p);\nwrite(p);"),
    );
    assert_both(
        &format!("{declared} p = a < 2; if (!p) {{ p = a < 3; }} write(p); write(p);"),
        &format!("{and}let p = (a < 2) || (a < 3);\nwrite(p);\nwrite(p);"),
    );
    assert_both(
        &format!("{declared} if (a < 2) {{ p = a < 3; }} else {{ p = false; }} write(p); write(p);"),
        &format!("{and}let p = (a < 2) && (a < 3);\nwrite(p);\nwrite(p);"),
    );
    assert_both(
        &format!("{declared} if (a < 2) {{ p = false; }} else {{ p = a < 3; }} write(p); write(p);"),
        &format!("{and}let p = (a >= 2) && (a < 3);\nwrite(p);\nwrite(p);"),
    );
    assert_both(
        "var p = g > 1; if (p) { p = !p; } write(p); write(p);",
        "var p = g > 1;\nif (p) {\np = !p;\n}\nwrite(p);\nwrite(p);",
    );
}

#[test]
fn a_variable_is_assigned_where_its_value_is_computed() {
    let before = "var a = 1; pass(a); var b = 2; pass(b);";
    let after = "var a = 1;\npass(a);\nvar b = 2;\npass(b);\n";
    assert_both(
        &format!("{before} let _2 = a + b; let _3 = b + 1; a = _2; b = _3; write(a); write(b);"),
        &format!("{after}a += b;\nb++;\nwrite(a);\nwrite(b);"),
    );
    assert_both(
        &format!("{before} let _2 = a + b; let _3 = a + 1; a = _2; b = _3; write(a); write(b);"),
        &format!("{after}let _3 = a + 1;\na += b;\nb = _3;\nwrite(a);\nwrite(b);"),
    );
}

#[test]
fn a_loop_with_a_counter_is_a_for() {
    let counted =
        "var i; i = 0; loop { if (i < g) { } else { break; } write(i); BODY } continuing { let _1 = i + 1; i = _1; }";
    assert_both(&counted.replace("BODY", ""), "for (var i = 0; i < g; i++) {\nwrite(i);\n}");
    assert_both(
        &counted.replace("BODY", "if (g > 2) { continue; } write(1);"),
        "for (var i = 0; i < g; i++) {\nwrite(i);\nif (g > 2) {\ncontinue;\n}\nwrite(1);\n}",
    );
    assert_both(
        &format!("{} write(i);", counted.replace("BODY", "write(1);")),
        "var i;\nfor (i = 0; i < g; i++) {\nwrite(i);\nwrite(1);\n}\nwrite(i);",
    );
    let two = "var i; var j; i = 0; j = 9; loop { if (i < j) { } else { break; } if (g > i) { continue; } write(i); } continuing { i = i + 1; j = j - 1; } write(j);";
    assert_as(
        two,
        C,
        "var j = 9;\nfor (var i = 0; i < j; i++, j--) {\nif (g > i) {\ncontinue;\n}\nwrite(i);\n}\nwrite(j);",
    );
    assert_as(
        two,
        WGSL,
        "var i = 0;\nvar j = 9;\nloop {\nif (i >= j) {\nbreak;\n}\nif (g > i) {\ncontinue;\n}\nwrite(i);\n} continuing {\ni++;\nj--;\n}\nwrite(j);",
    );
}

#[test]
fn a_counter_changes_before_other_statements() {
    let counted = |end: &str| {
        format!(
            "var i; var a; var b; i = 0; a = 0; loop {{ if (i < g) {{ }} else {{ break; }} write(a); {end} }} write(a);"
        )
    };
    let after = |head: &str, end: &str| format!("var a = 0;\n{head}\nwrite(a);\n{end}\n}}\nwrite(a);");
    let head = "for (var i = 0; i < g; i++) {";
    assert_both(&counted("i = i + 1; a = a + g;"), &after(head, "a += g;"));
    assert_both(&counted("i = i + 1; a = i * 2;"), &after(head, "a = (i + 1) * 2;"));
    assert_both(
        &counted("a = 1; let n = i + 1; write(n); write(n); i = n;"),
        &after(head, "a = 1;\nlet n = i + 1;\nwrite(n);\nwrite(n);"),
    );
    let before = "var i = 0;\nvar a = 0;\nwhile (i < g) {\nwrite(a);\n";
    for end in ["i++;\na = i * i;", "i += a;\na += g;", "i++;\na = pass(i);"] {
        let source = end.replace("i++", "i = i + 1").replace("i += a", "i = i + a").replace("a += g", "a = a + g");
        assert_both(&counted(&source), &format!("{before}{end}\n}}\nwrite(a);"));
    }
}

#[test]
fn a_loop_that_ends_by_itself_assigns_before() {
    let search = |at_end: &str, inside: &str| {
        format!(
            "var i; var r; var s; i = 0; s = g; loop {{ if (i < g) {{ }} else {{ {at_end} break; }} if (load(i) > 1) {{ {inside} }} i = i + 1; }} write(r); write(s);"
        )
    };
    let after = "let s = g;\nvar r = 5;\nfor (var i = 0; i < g; i++) {\nif (load(i) > 1) {\nr = 6;\nbreak;\n}\n}\nwrite(r);\nwrite(s);";
    assert_both(&search("r = 5;", "r = 6; break;"), after);
    let kept = |at_end: &str, inside: &str| {
        let found = rearranged(&search(at_end, inside), C);
        assert!(!found.contains("for ("), "{found}");
    };
    kept("r = 5;", "break;");
    kept("r = 5;", "r = r + 1; break;");
    kept("r = 5;", "r = 6;");
    kept("r = 5;", "write(r); r = 6; break;");
    kept("r = s;", "s = 1; r = 6; break;");
    kept("r = load(1);", "r = 6; break;");
}

#[test]
fn a_step_does_not_name_what_the_body_declares() {
    let declared = "var i; i = 0; loop { if (i >= g) { break; } let a = load(i); write(a); i = a; }";
    assert_both(declared, "var i = 0;\nwhile (i < g) {\nlet a = load(i);\nwrite(a);\ni = a;\n}");
    let skipped = "var i; i = 0; loop { if (i >= g) { break; } if (g > 7) { continue; } i = i + 1; }";
    assert_both(skipped, "var i = 0;\nwhile (i < g) {\nif (g > 7) {\ncontinue;\n}\ni++;\n}");
}

#[test]
fn an_iteration_that_continue_ends_runs_the_rest() {
    let source = "var a = 1; loop { write(a); if (g > 3) { continue; } BODY } continuing { store(1, a); pass(a); } break_if (a > 9)";
    assert_as(
        &source.replace("BODY", "write(2);"),
        C,
        "var a = 1;\nloop {\nwrite(a);\nif (g <= 3) {\nwrite(2);\n}\nstore(1, a);\npass(a);\n} break if (a > 9)",
    );
    let many = "if (g > 4) { write(3); continue; } write(4); ".repeat(4);
    let body = "if (g > 4) {\nwrite(3);\ncontinue;\n}\nwrite(4);\n".repeat(4);
    let head = "write(a);\nif (g > 3) {\ncontinue;\n}\n";
    assert_as(
        &source.replace("BODY", &many),
        C,
        &format!(
            "var a = 1;\nvar first = true;\nloop {{\nif (!first) {{\nstore(1, a);\npass(a);\nif (a > 9) {{\nbreak;\n}}\n}}\nfirst = false;\n{head}{body}}}"
        ),
    );
    assert_as(
        &source.replace("BODY", &many),
        WGSL,
        &format!("var a = 1;\nloop {{\n{head}{body}}} continuing {{\nstore(1, a);\npass(a);\n}} break if (a > 9)"),
    );
}

#[test]
fn a_condition_in_c_does_not_see_the_body() {
    let source = "loop { let a = load(1); write(a); if (g > 3) { continue; } if (g > 4) { write(3); if (g > 5) { continue; } write(5); } write(4); } break_if (a > 9)";
    let body = "write(a);\nif (g > 3) {\ncontinue;\n}\nif (g > 4) {\nwrite(3);\nif (g > 5) {\ncontinue;\n}\nwrite(5);\n}\nwrite(4);\n} break if (a > 9)";
    assert_as(source, C, &format!("var a;\nloop {{\na = load(1);\n{body}"));
    assert_as(source, WGSL, &format!("loop {{\nlet a = load(1);\n{body}"));
}

#[test]
fn continue_is_else_where_lanes_meet() {
    let source = "loop { if (g > 1) { break; } if (g > 2) { write(1); continue; } write(2); write(lanes(1)); }";
    assert_as(source, WGSL, "while (g <= 1) {\nif (g > 2) {\nwrite(1);\n} else {\nwrite(2);\nwrite(lanes(1));\n}\n}");
    assert_as(source, C, "while (g <= 1) {\nif (g > 2) {\nwrite(1);\ncontinue;\n}\nwrite(2);\nwrite(lanes(1));\n}");
    // Also in a selection at the end.
    let source =
        "loop { if (g > 1) { break; } write(lanes(1)); if (g > 2) { write(1); if (g > 3) { continue; } write(2); } }";
    assert_as(
        source,
        WGSL,
        "while (g <= 1) {\nwrite(lanes(1));\nif (g > 2) {\nwrite(1);\nif (g <= 3) {\nwrite(2);\n}\n}\n}",
    );
}

#[test]
fn a_variable_is_declared_where_no_iteration_repeats_it() {
    let end = "if (g > 9) { return; }";
    let after = "if (g > 9) {\nreturn;\n}\n}";
    assert_both(
        &format!("var a = 0; loop {{ write(a); a = load(1); {end} }}"),
        &format!("var a = 0;\nloop {{\nwrite(a);\na = load(1);\n{after}"),
    );
    assert_both(
        &format!("var a = 0; loop {{ a = load(1); pass(a); write(a); {end} }}"),
        &format!("loop {{\nvar a = load(1);\npass(a);\nwrite(a);\n{after}"),
    );
    assert_both(
        &format!("var a = 0; loop {{ if (g > 1) {{ a = load(1); }} else {{ a = load(2); }} write(a); {end} }}"),
        &format!("loop {{\nvar a;\nif (g > 1) {{\na = load(1);\n}} else {{\na = load(2);\n}}\nwrite(a);\n{after}"),
    );
    assert_both(
        &format!("var a = 0; loop {{ if (g > 1) {{ a = load(1); }} write(a); {end} }}"),
        &format!("var a = 0;\nloop {{\nif (g > 1) {{\na = load(1);\n}}\nwrite(a);\n{after}"),
    );
    assert_both("var a = 0; if (g > 1) { pass(a); }", "if (g > 1) {\nvar a = 0;\npass(a);\n}");
}

#[test]
fn assignments_are_short() {
    let before = "var a = 1; pass(a); var x = 1.0; store(a, x);";
    let after = "var a = 1;\npass(a);\nvar x = 1.0;\nstore(a, x);\n";
    for (assigned, short) in [
        ("a = a + 2;", "a += 2;"),
        ("a = 2 + a;", "a += 2;"),
        ("a = 2 - a;", "a = 2 - a;"),
        ("a = a + 1;", "a++;"),
        ("a = 1 + a;", "a++;"),
        ("a = a + -1;", "a--;"),
        ("a = a - 1;", "a--;"),
        ("a = a * 2;", "a *= 2;"),
        ("x = x + 1.0;", "x += 1.0;"),
        ("g = g + 1;", "g++;"),
        ("g = load(1) + g;", "g += load(1);"),
    ] {
        assert_both(
            &format!("{before} {assigned} write(a); write(x);"),
            &format!("{after}{short}\nwrite(a);\nwrite(x);"),
        );
    }
}

#[test]
fn components_are_swizzles() {
    let before = "let v = vec4(1.0, 2.0, 3.0, load(1)); let w = vec4(1.0, 2.0, load(1), load(1)); let x = w.z;";
    let after = "let v = vec(1.0, 2.0, 3.0, load(1));\nlet w = vec(1.0, 2.0, load(1), load(1));\nlet x = w.z;\n";
    for (value, short) in [
        ("v[2]", "v.z"),
        ("v.zyx.y", "v.y"),
        ("vec3(v.x, v.y, v.z)", "v.xyz"),
        ("vec4(v.x, v.y, v.z, v.w)", "v"),
        ("vec4(v.x, v.y, v.z, x)", "vec(v.xyz, x)"),
        ("vec4(v.x, w.y, w.z, x)", "vec(v.x, w.yz, x)"),
        ("vec4(vec2(x, 2.0), 3.0, x)", "vec(x, 2.0, 3.0, x)"),
        ("vec3(x, x, x)", "vec(x)"),
        ("vec3(1.0, 1.0, 1.0)", "vec(1.0)"),
        ("vec2(1.0, 2.0)", "vec(1.0, 2.0)"),
        ("vec2(load(1), load(1))", "vec(load(1), load(1))"),
        ("vec2(x, 2.0).y", "2.0"),
        ("vec2(x, bump(1)).x", "vec(x, bump(1)).x"),
    ] {
        assert_both(&format!("{before} write({value});"), &format!("{after}write({short});"));
    }
}

#[test]
fn a_selection_of_two_cheap_values_is_a_choice() {
    assert_both(
        "let a = load(1); var x = 0; if (a > 1) { x = 1; } else { x = a; } write(x); x = 2; write(x);",
        "let a = load(1);\nvar x = (a > 1) ? 1 : a;\nwrite(x);\nx = 2;\nwrite(x);",
    );
    // A load, another variable and a value that depends on the lanes stay selections.
    for arm in ["x = load(1);", "y = 1;", "x = lanes(1);"] {
        let before = format!(
            "let a = load(1); var x = 0; var y = 0; if (a > 1) {{ {arm} }} else {{ x = a; }} write(x); write(y); x = 2; y = 3;
             write(x + y);"
        );
        let found = super::rearranged(&before, C);
        assert!(found.contains("if (a > 1)") && !found.contains('?'), "{found}");
    }
}

#[test]
fn arithmetic_takes_a_number_for_a_vector() {
    let before = "let v = vec2(load(1), 1.0);";
    assert_both(&format!("{before} write(v * vec2(2.0, 2.0));"), "let v = vec(load(1), 1.0);\nwrite(v * 2.0);");
}

#[test]
fn an_operand_that_needs_the_other_one_is_not_joined_where_both_are_computed() {
    for operand in ["load(1) > 2", "m[g] > 2.0"] {
        let written = |p: &str| {
            let list = "let m = vec(1.0, 2.0);\n";
            format!("{list}{p} = g > 1;\nif (p) {{\np = {operand};\n}}\nif (p) {{\nwrite(m[0]);\n}}")
        };
        let before = written("var p").replace("vec(", "array(");
        assert_as(&before, HLSL, &written("var p"));
        assert!(super::rearranged(&before, C).contains(&format!("(g > 1) && ({operand})")));
    }
    assert_both(
        "var p = g > 1; if (p) { p = pure(1) > 2; } if (p) { write(1); }",
        "var p = (g > 1) && (pure(1) > 2);\nif (p) {\nwrite(1);\n}",
    );
}

/// Selections at the ends of one another, each with a statement before the next one; `end` is the innermost list.
fn nested(levels: u32, other: &str, end: &str) -> String {
    let opening: String = (0..levels).map(|level| format!("write({level}); if (load({level}) > 0) {{ ")).collect();
    format!("{opening} {end} {}", format!("}} else {{ {other} }}").repeat(levels as usize))
}

#[test]
fn deep_selections_become_guard_clauses() {
    let deep = nested(8, "store(1, 2);", "write(9);");
    let guards: String = (0..7)
        .map(|level| format!("write({level});\nif (load({level}) <= 0) {{\nstore(1, 2);\nbreak;\n}}\n"))
        .collect();
    let guards = guards.replacen("write(0);\n", "", 1);
    let last = "write(7);\nif (load(7) > 0) {\nwrite(9);\n} else {\nstore(1, 2);\n}\n}\n}";
    assert_both(&deep, &format!("write(0);\nswitch (0u) {{\ncase default {{\n{guards}{last}"));
    let shallow = rearranged(&nested(7, "store(1, 2);", "write(9);"), C);
    assert!(!shallow.contains("switch"), "{shallow}");
}

#[test]
fn tests_move_behind_deep_selections() {
    let deep = nested(8, "a = 2;", "a = 3; break;");
    let source = format!("loop {{ if (g > 1) {{ var a; {deep} if (a == 2) {{ write(7); break; }} }} write(8); }}");
    let found = rearranged(&source, C);
    let depth = found.lines().scan(0, |depth, line| {
        *depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        Some(*depth)
    });
    assert_eq!(depth.max(), Some(4), "{found}");
    assert!(found.contains("if (a == 4) {\nbreak;\n}\nif (a == 2) {\nwrite(7);\nbreak;"), "{found}");
}

#[test]
fn a_switch_has_no_continue_in_hlsl_5() {
    let source = "loop { switch (g) { case 0 { if (load(1) > 2) { write(3); continue; } write(4); } case default { write(5); } } write(6); }";
    let found = rearranged(source, HLSL_5);
    assert!(found.contains("var again = false;\nswitch (g) {"), "{found}");
    assert!(found.contains("write(3);\nagain = true;\nbreak;\n}\nwrite(4);"), "{found}");
    assert!(found.contains("if (again) {\ncontinue;\n}\nwrite(6);"), "{found}");
    assert!(!rearranged(source, HLSL).contains("again"));
}
