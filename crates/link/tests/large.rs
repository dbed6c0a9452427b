//! Sizes: a large library of which little is used, and deep types.

use std::fmt::Write as _;

use reconverge_ir::{Builder, Module, Op, text};
use reconverge_link::{LinkOptions, ModuleInput, Roots, link};

use crate::common::{TYPES, parsed};

const EXPORTS: usize = 20_000;
const USED: usize = 10;

/// Functions that each call the next one of their group of ten.
fn library() -> Module {
    let mut out = TYPES.to_owned();
    for number in 0..EXPORTS {
        let body = if number % 10 == 9 {
            "  return_value %x".to_owned()
        } else {
            format!("  %y: %u32 = function_call %part{}, %x\n  return_value %y", number + 1)
        };
        let _ = writeln!(
            out,
            "func %part{number}: %u32 (%x: %u32) {{decorate LinkageAttributes \"part{number}\" 0}} {{\nblock ^entry:\n{body}\n}}"
        );
    }
    parsed(&out)
}

fn kernel() -> Module {
    let mut out = format!(
        "{TYPES}entry_point Kernel, %main, \"main\"\n%one: %u32 = constant 1\nfunc %main: %void () {{\nblock ^entry:\n"
    );
    let used: Vec<usize> = (0..USED).map(|number| number * EXPORTS / USED).collect();
    for number in &used {
        let _ = writeln!(out, "  %x{number}: %u32 = function_call %part{number}, %one");
    }
    out += "  return\n}\n";
    for number in &used {
        let _ = writeln!(out, "func %part{number}: %u32 (%x: %u32) {{decorate LinkageAttributes \"part{number}\" 1}}");
    }
    parsed(&out)
}

#[test]
fn of_a_large_library_only_what_is_used_is_copied() {
    let mut inputs = [ModuleInput::new("kernel", kernel()), ModuleInput::new("library", library())];
    let linked = link(&mut inputs, &LinkOptions::default()).expect("every import has a definition");
    assert_eq!(linked.functions().count(), 1 + 10 * USED);
    assert!(linked.capacity() < 100 * USED, "{}", linked.capacity());
    let all = LinkOptions::new().roots(Roots::Library);
    assert_eq!(link(&mut inputs, &all).expect("it is a library").functions().count(), 1 + EXPORTS);
}

/// A type in types, deeper than a recursion could go.
fn deep(levels: usize) -> Module {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let mut ty = build.int_type(32);
    for _ in 0..levels {
        ty = build.editor().append_global(Op::TypeStruct, None, &[ty]);
    }
    let text = text::print(&module);
    let last =
        text.lines().last().and_then(|line| line.split(' ').next()).expect("the last type has a name").to_owned();
    parsed(&format!("{text}%u = type_void\nfunc %f: %u (%x: {last}) {{decorate LinkageAttributes \"f\" 1}}"))
}

#[test]
fn deep_types_need_no_deep_stack() {
    let levels = 100_000;
    let importer = deep(levels);
    let definer = text::print(&importer).replace("\"f\" 1}", "\"f\" 0} {\nblock ^entry:\n  return\n}");
    let user = "func %use: %u (%x: LAST) {decorate LinkageAttributes \"use\" 0} {\nblock ^entry:\n  %y: %u = function_call %f, %x\n  return\n}";
    let printed = text::print(&importer);
    let last =
        printed.split("%x: ").nth(1).and_then(|rest| rest.split([')', ' ']).next()).expect("the parameter has a type");
    let void =
        printed.split("func %f: ").nth(1).and_then(|rest| rest.split(' ').next()).expect("the function has a type");
    let importer = parsed(&format!("{printed}\n{}", user.replace("LAST", last).replace("%u", void)));
    let result = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
        let mut inputs = [ModuleInput::new("importer", importer), ModuleInput::new("definer", parsed(&definer))];
        let linked = link(&mut inputs, &LinkOptions::default()).expect("the types are equal");
        linked.globals().filter(|&global| linked.op(global) == Op::TypeStruct).count()
    });
    assert_eq!(result.expect("a thread starts").join().expect("the stack suffices"), levels);
}
