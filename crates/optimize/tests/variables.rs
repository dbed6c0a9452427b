//! Variables of a function stand at the top of its entry block, whichever that is.

use reconverge_ir::{Location, Module, Op};
use reconverge_testing::programs::{flat, functions, named, plain_module, structurized, structurized_with};

/// A loop whose first block, the entry, is to become a header: control comes back to what follows the variables.
fn entry_in_a_cycle() -> Module {
    plain_module(
        "capability Shader
         memory_model Logical, GLSL450
         %bool = type_bool
         %u32 = type_int 32, 0
         %zero: %u32 = constant 0
         %one: %u32 = constant 1
         %slot = type_pointer Function, %u32
         func %f: %u32 (%n: %u32) {
         block ^entry:
           %sum: %slot = variable Function, %zero
           %count: %slot = variable Function, %one
           %start: %u32 = i_add %n, %one
           store %sum, %start
           branch ^h
         block ^h:
           %i: %u32 = load %count
           %next: %u32 = i_add %i, %one
           store %count, %next
           %more: %bool = u_less_than %i, %n
           branch_if %more ^body ^out
         block ^body:
           %s: %u32 = load %sum
           %t: %u32 = i_add %s, %i
           store %sum, %t
           branch ^h
         block ^out:
           %r: %u32 = load %sum
           return_value %r
         }",
    )
}

fn hold_on_top(module: &Module) {
    let function = functions(module)[0];
    let entry = module.entry(function).expect("a body");
    for block in module.blocks(function) {
        for inst in module.children(block).filter(|&inst| module.op(inst) == Op::Variable) {
            assert_eq!(module.parent(inst), Some(entry.into()));
            let before = module.previous(inst);
            assert!(before.is_none_or(|before| module.op(before) == Op::Variable), "a variable below something else");
        }
    }
    let names: Vec<_> = module.children(entry).take(2).filter_map(|inst| module.name(inst)).collect();
    assert_eq!(names, ["sum", "count"], "in the order in which they stood");
}

#[test]
fn they_stay_on_top() {
    hold_on_top(&structurized(&entry_in_a_cycle()));
}

#[test]
fn they_move_to_an_entry_that_was_added() {
    let before = entry_in_a_cycle();
    let after = structurized_with(&before, &flat());
    hold_on_top(&after);
    let entry = after.entry(functions(&after)[0]).unwrap();
    assert_ne!(
        after.block_of(named(&after, "start")),
        Some(entry),
        "the flat form puts an entry before the first block"
    );
}

#[test]
fn locations_stay_with_what_they_are_written_for() {
    let mut before = entry_in_a_cycle();
    let mut editor = before.edit();
    let name = editor.text("a.glsl");
    let file = editor.append_global(Op::String, None, &[name]);
    let line = |line| Location::at(file, line, 0);
    let (sum, count) = (named(&before, "sum"), named(&before, "count"));
    before.edit().set_location(sum, Some(line(3)));
    let after = structurized_with(&before, &flat());
    for inst in [sum, count, named(&after, "start")] {
        assert_eq!(after.location(inst), Some(line(3)), "the location reached down to this one before");
    }
}
