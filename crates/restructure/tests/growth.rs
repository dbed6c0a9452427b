//! What structurizing costs in parameters, counted.

use reconverge_ir::{Module, Op, text};
use reconverge_restructure::{Options, structurize};
use reconverge_testing::generators::shapes::{self, SHAPES};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::with_calls;
use reconverge_testing::programs::{count, phis};

/// Phis before and after, and the module after.
fn measure(graph: PlainGraph) -> (usize, usize, Module) {
    let filled = with_calls(&[graph], 1);
    let before = phis(&filled.module);
    let mut after = filled.module;
    structurize(&mut after, filled.functions[0], &Options::default()).expect("no limit");
    (before, phis(&after), after)
}

#[test]
fn targets_of_a_ladder_of_breaks_share_their_slots() {
    // Every label has a selector and as many slots as a join has parameters here: three. One for every target of every label
    // would be 131,327 phis for each parameter.
    let (before, after, _) = measure(shapes::multi_break(512));
    assert!(after <= before + 4 * 512 + 16, "{before} phis before, {after} after");
}

#[test]
fn three_shared_breaks_cost_a_constant() {
    for count in [16, 512] {
        let (before, after, _) = measure(shapes::three_breaks(count));
        assert!(after <= before + 16, "{before} phis before, {after} after, {count} iterations");
    }
}

/// Phis that a repair and the rewriting add, beyond the nesting limit, where shapes of every size are built alike.
#[test]
fn phis_grow_with_the_shape_and_not_with_its_square() {
    const SIZE: usize = 100;
    for &(name, shape) in SHAPES.iter().filter(|(name, _)| *name != "complete") {
        let added = |times: usize| {
            let (before, after, _) = measure(shape(times * SIZE));
            after as isize - before as isize
        };
        let first = added(1);
        for times in [2, 4, 8, 16] {
            // In proportion, and a twentieth for where the limit falls. The square would be another so many times as many.
            let (found, linear) = (added(times), first.max(0) * times as isize);
            assert!(
                20 * found <= 21 * linear,
                "{name}: {first} phis added at {SIZE}, {found} at {times} times the size"
            );
        }
    }
}

#[test]
fn limits_are_refused_before_anything_is_changed() {
    // Nested deeper than allowed, so flat: one case for each block.
    let filled = with_calls(&[shapes::nested_loops(9_000)], 1);
    let mut module = filled.module.clone();
    let options = Options::new().nesting_limit(0);
    match structurize(&mut module, filled.functions[0], &options) {
        Err(error) => {
            let starts = error.message.starts_with("a switch would need ");
            assert!(starts && error.message.ends_with(" cases, the limit is 16383"), "{error}");
        }
        other => panic!("{:?}", other.map(|report| report.map(|report| report.blocks.len()))),
    }
    assert_eq!(text::print(&module), text::print(&filled.module));
}

#[test]
fn nothing_is_computed_twice_or_put_into_memory() {
    for &(name, shape) in SHAPES {
        let filled = with_calls(&[shape(6)], 1);
        let (_, _, after) = measure(shape(6));
        for op in [Op::IAdd, Op::FunctionCall, Op::Variable, Op::Load, Op::Store] {
            assert_eq!(count(&after, op), count(&filled.module, op), "{name}: {}", op.name());
        }
    }
}
