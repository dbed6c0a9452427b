//! Reads before writes in functions that are too large for a search of their own for each variable.

use reconverge_diagnose::{Code, Diagnosis, Options, check};
use reconverge_ir::text::parse;

const COUNT: usize = 1500;

/// A function with variables that are stored under an `if` each, and read at the end, as told.
fn found(read: impl Fn(usize) -> String) -> Vec<Diagnosis> {
    let mut text = "%void = type_void\n%bool = type_bool\n%u32 = type_int 32, 0\n%one: %u32 = constant 1\n\
        %own = type_pointer Function, %u32\n%out = type_pointer Private, %u32\n%sink: %out = variable Private\n\
        func %main: %void (%c: %bool) stage structured {\nblock ^entry:\n"
        .to_owned();
    (0..COUNT).for_each(|i| text.push_str(&format!("%v{i}: %own = variable Function\n")));
    for i in 0..COUNT {
        text.push_str(&format!(
            "if %c ^t{i} ^e{i} merge ^m{i} control 0\nblock ^t{i}:\nstore %v{i}, %one\nbranch ^m{i}\n\
             edge ^e{i}:\nbranch ^m{i}\nblock ^m{i}:\n"
        ));
    }
    (0..COUNT).for_each(|i| text.push_str(&read(i)));
    text.push_str("return\n}\n");
    check(&parse(&text).expect("the text is a module"), &Options::default())
}

#[test]
fn the_way_of_one_variable_serves_the_others() {
    let found = found(|i| format!("%l{i}: %u32 = load %v{i}\nstore %sink, %l{i}\n"));
    assert_eq!(found.len(), COUNT);
    assert!(found.iter().all(|found| found.code == Code::F03 && !found.path.is_empty()));
}

#[test]
fn what_was_not_looked_at_is_counted() {
    // Each read stands under the condition of its store, which only a search finds out.
    let read = |i: usize| {
        format!(
            "if %c ^u{i} ^f{i} merge ^n{i} control 0\nblock ^u{i}:\n%l{i}: %u32 = load %v{i}\nstore %sink, %l{i}\n\
             branch ^n{i}\nedge ^f{i}:\nbranch ^n{i}\nblock ^n{i}:\n"
        )
    };
    let found = found(read);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.starts_with("the search for reads before writes takes too long"), "{}", found[0].message);
}
