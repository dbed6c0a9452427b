//! Shapes that grow: what they cost in blocks and nesting, and that size alone overflows nothing.

use reconverge_ir::Module;
use reconverge_restructure::{Options, structurize};
use reconverge_testing::generators::shapes::{self, SHAPES};
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::nesting::nesting_depth;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::{Filled, as_shader, with_calls};
use reconverge_testing::trial::{trial, written_blocks};

fn measure(graph: PlainGraph) -> (usize, usize) {
    match trial(&[graph], 1, &Options::default(), None) {
        Ok(measures) => (measures[0].blocks_after - measures[0].blocks_before, measures[0].nesting),
        Err(message) => panic!("{message}"),
    }
}

#[test]
fn every_shape_is_right_at_every_size() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    for &(name, shape) in SHAPES {
        let graphs: Vec<PlainGraph> = [1, 2, 3, 5, 8, 13].map(shape).to_vec();
        if let Err(message) = trial(&graphs, 1, &Options::default(), Some(&validator)) {
            panic!("{name}: {message}");
        }
    }
}

#[test]
fn unrolled_loop_with_three_shared_breaks() {
    let (added, nesting) = measure(shapes::three_breaks(128));
    assert!(added <= 5 && nesting <= 5, "{added} blocks added, nesting {nesting}");
}

#[test]
fn what_is_structured_already_gets_nothing_added() {
    let shapes: [fn(usize) -> PlainGraph; 6] = [
        shapes::own_merges,
        shapes::diamonds,
        shapes::loops,
        shapes::nested_loops,
        shapes::early_returns,
        shapes::fall_through,
    ];
    for shape in shapes {
        let graph = shape(16);
        assert_eq!(added_to_shader(&graph), 0, "{graph}");
    }
    // Deep ones become a scope.
    assert_eq!(added_to_shader(&shapes::nested_ifs(6)), 0);
    assert!(added_to_shader(&shapes::nested_ifs(16)) <= 1);
    assert!(added_to_shader(&shapes::ladder(32)) <= 1);
}

/// Blocks that are added where no block is convergent: a call might be, and a join of convergent code is no case that is fallen into.
fn added_to_shader(graph: &PlainGraph) -> usize {
    let mut filled = as_shader(std::slice::from_ref(graph), 1);
    let function = filled.functions[0];
    let report = structurize(&mut filled.module, function, &Options::default()).expect("within the limits");
    report.expect("the function was not structured").added_blocks()
}

/// Runs with the stack of a small thread.
fn in_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread can be started");
    assert!(thread.join().is_ok(), "the thread panicked");
}

fn structurized(graph: PlainGraph) -> Filled {
    let mut filled = with_calls(&[graph], 1);
    structurize(&mut filled.module, filled.functions[0], &Options::default()).expect("within the limits");
    filled
}

fn check_accepted(filled: &Filled) {
    if let Err(message) = Validator::find().expect("cargo xtask setup installs the validator").judge(
        &filled.module,
        &filled.functions,
        Environment::Universal,
    ) {
        panic!("{message}");
    }
}

#[test]
fn fifty_thousand_diamonds_on_a_small_stack() {
    in_small_stack(|| {
        let after = structurized(shapes::diamonds(50_000));
        assert_eq!(written_blocks(&after.module, after.functions[0]), 150_001);
    });
}

#[test]
fn ladder_of_twenty_thousand_on_a_small_stack() {
    in_small_stack(|| {
        let after = structurized(shapes::ladder(20_000));
        assert!(nesting_depth(&after.module, after.functions[0]) <= 70);
        let printed: Module = reconverge_ir::text::parse(&reconverge_ir::text::print(&after.module)).unwrap();
        assert_eq!(printed.functions().count(), 3);
    });
}

#[test]
fn deep_nests_on_a_small_stack() {
    in_small_stack(|| {
        for shape in [shapes::nested_loops, shapes::own_merges, shapes::multi_break] {
            let after = structurized(shape(1_500));
            assert!(nesting_depth(&after.module, after.functions[0]) <= 70);
        }
    });
}

#[test]
fn five_hundred_and_twelve_iterations_with_three_breaks() {
    let after = structurized(shapes::three_breaks(512));
    let function = after.functions[0];
    assert!(written_blocks(&after.module, function) <= 1_542 + 5);
    assert!(nesting_depth(&after.module, function) <= 5);
    check_accepted(&after);
}
