//! Families with a growing number of blocks.

use std::fmt::Write as _;

use super::dialect::Dialect;

/// ```text
/// a0 ──▶ a1 ──▶ a2 …
///    ╲╱     ╲╱
///    ╱╲     ╱╲
/// b0 ──▶ b1 ──▶ b2 …
/// ```
pub(super) fn ladder(dialect: &Dialect, size: usize) -> String {
    layers(dialect, 2, size / 2)
}

/// The same, sixteen blocks wide.
pub(super) fn mesh(dialect: &Dialect, size: usize) -> String {
    layers(dialect, 16, size / 16)
}

/// The same, as wide as long.
pub(super) fn wide_mesh(dialect: &Dialect, size: usize) -> String {
    let width = size.isqrt().max(2);
    layers(dialect, width, size / width)
}

/// Layers of blocks; each block has an edge to the corresponding block of the next layer, or to its neighbour.
fn layers(dialect: &Dialect, width: usize, length: usize) -> String {
    let ways = (0..width).map(|way| format!(" [{way} ^start{way}]"));
    let mut text = format!("  switch %n default ^never{}\nblock ^never:\n  return\n", ways.collect::<String>());
    for way in 0..width {
        _ = write!(text, "block ^start{way}:\n{}", dialect.first_goto(&format!("b0_{way}")));
    }
    for layer in 0..length {
        for way in 0..width {
            let name = format!("b{layer}_{way}");
            text += &dialect.block(&name);
            if layer + 1 == length {
                text += &dialect.goto(&name, "end");
                continue;
            }
            let next = [way, (way + 1) % width].map(|way| format!("b{}_{way}", layer + 1));
            text += &fork(dialect, &name, &next);
        }
    }
    text + &dialect.end()
}

/// A branch to two blocks that have other predecessors too.
fn fork(dialect: &Dialect, name: &str, [near, far]: &[String; 2]) -> String {
    let (near, far) = (dialect.goto(name, near), dialect.goto(name, far));
    format!("  branch_if %c{name} ^near_{name} ^far_{name}\nedge ^near_{name}:\n{near}edge ^far_{name}:\n{far}")
}

/// ```text
/// ─▶ a0 ◀──▶ b0 ─▶ …    entered at both
/// ```
pub(super) fn tangle(dialect: &Dialect, size: usize) -> String {
    let mut text = format!("  branch ^top\nblock ^top:\n{}", dialect.first_goto("a0"));
    let count = size / 3;
    for number in 0..count {
        let [head, left, right] = ["a", "b", "c"].map(|name| format!("{name}{number}"));
        let next = if number + 1 == count { "end".to_owned() } else { format!("a{}", number + 1) };
        text += &dialect.block(&head);
        text += &fork(dialect, &head, &[left.clone(), right.clone()]);
        text += &dialect.block(&left);
        text += &dialect.goto(&left, &right);
        text += &dialect.block(&right);
        let (back, on) = (dialect.goto(&right, &left), dialect.goto(&right, &next));
        _ = write!(text, "  branch_if %c{right} ^back_{right} ^on_{right}\nedge ^back_{right}:\n{back}");
        _ = write!(text, "block ^on_{right}:\n{on}");
    }
    text + &dialect.end()
}

/// Each block continues, or leaves to the end.
pub(super) fn join(dialect: &Dialect, size: usize) -> String {
    let mut text = dialect.first_goto("b0");
    for number in 0..size {
        let name = format!("b{number}");
        text += &dialect.block(&name);
        let out = dialect.goto(&name, "end");
        if number + 1 == size {
            text += &out;
            continue;
        }
        let on = dialect.goto(&name, &format!("b{}", number + 1));
        _ = write!(
            text,
            "  branch_if %c{name} ^out_{name} ^on_{name}\nedge ^out_{name}:\n{out}block ^on_{name}:\n{on}"
        );
    }
    text + &dialect.end()
}

/// ```text
/// if (c) { …; if (c) { … } }
/// ```
pub(super) fn nested_ifs(dialect: &Dialect, size: usize) -> String {
    let mut text = String::new();
    for number in 0..size {
        let name = format!("b{number}");
        text += &dialect.step(&name);
        _ = writeln!(text, "  branch_if %c{name} ^then{number} ^else{number}");
        _ = write!(text, "edge ^else{number}:\n  branch ^join{number}\nblock ^then{number}:\n");
    }
    for number in (0..size).rev() {
        let name = format!("j{number}");
        _ = write!(text, "  branch ^join{number}\nblock ^join{number}:\n{}", dialect.step(&name));
    }
    text + "  return\n"
}

/// ```text
/// if (c) …;   again and again
/// ```
pub(super) fn row_of_ifs(dialect: &Dialect, size: usize) -> String {
    let mut text = String::new();
    for number in 0..size {
        let (test, then) = (format!("b{number}"), format!("t{number}"));
        text += &dialect.step(&test);
        _ = write!(text, "  branch_if %c{test} ^then{number} ^else{number}\nedge ^else{number}:\n");
        _ = write!(text, "  branch ^join{number}\nblock ^then{number}:\n{}", dialect.step(&then));
        _ = write!(text, "  branch ^join{number}\nblock ^join{number}:\n");
    }
    text + "  return\n"
}

/// ```text
/// for (i = 0; i < n; i++) …;   again and again
/// ```
pub(super) fn row_of_loops(dialect: &Dialect, size: usize) -> String {
    let mut text = String::new();
    for number in 0..size {
        let name = format!("b{number}");
        _ = write!(
            text,
            "  branch ^head{number}(%zero)
block ^head{number}(%i{number}: %u32):
  %m{number}: %bool = u_less_than %i{number}, %n
  branch_if %m{number} ^body{number} ^done{number}
block ^body{number}:
{}  %k{number}: %u32 = i_add %i{number}, %one
  branch ^head{number}(%k{number})
block ^done{number}:
",
            dialect.step(&name)
        );
    }
    text + "  return\n"
}

/// One switch, each case with a step.
pub(super) fn switch(dialect: &Dialect, size: usize) -> String {
    let cases = (0..size).map(|case| format!(" [{case} ^case{case}]"));
    let mut text = format!("  switch %n default ^end{}\n", cases.collect::<String>());
    for case in 0..size {
        _ = write!(text, "block ^case{case}:\n{}  branch ^after\n", dialect.step(&format!("b{case}")));
    }
    text + "block ^after:\n  branch ^finish\nblock ^end:\n  branch ^finish\nblock ^finish:\n  return\n"
}
