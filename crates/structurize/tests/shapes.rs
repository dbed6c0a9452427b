//! Shape families: how many blocks come out, how deep they nest, and that great ones work at all.

use crate::common::{Lists, check, shapes, verify};
use reconverge_structurize::{Merge, Options, Plan, structurize};

fn sizes(graph: &Lists) -> (usize, usize, Plan) {
    let plan = verify(graph, &Options::default());
    let depth = check::nesting(&plan);
    assert!(depth <= plan.nesting_depth as usize, "counted {depth}, reported {}", plan.nesting_depth);
    (plan.statistics().input_blocks, plan.blocks.len(), plan)
}

/// Asserts that at most `added` blocks are added and constructs nest at most `depth` deep.
fn expect(name: &str, graph: &Lists, added: usize, depth: u32) {
    let (before, after, plan) = sizes(graph);
    println!("{name}: {before} → {after}, nesting {}; {}", plan.nesting_depth, plan.statistics());
    assert!(after <= before + added, "{name}: {before} → {after}\n{}", plan.explain().join("\n"));
    assert!(plan.nesting_depth <= depth, "{name}: nesting {}", plan.nesting_depth);
}

#[test]
fn structured_shapes_come_back_as_they_were() {
    expect("nestif 6", &shapes::nestif(6), 0, 1);
    // Deeper, the ifs leave a scope, which a writer of text does not nest.
    expect("nestif 32", &shapes::nestif(32), 1, 2);
    expect("seqif 32", &shapes::seqif(32), 0, 1);
    expect("loopseq 32", &shapes::loopseq(32), 0, 1);
    expect("earlyret 32", &shapes::earlyret(32), 0, 1);
    expect("fallthrough 32", &shapes::fallthrough(32), 0, 1);
    expect("nested ifs 12", &shapes::nest_ifs(12), 0, 12);
    // Each inner loop leaves to the continue block around it, which cannot be its merge as well.
    expect("nest 12", &shapes::nest_loops(12), 11, 12);
}

#[test]
fn awkward_shapes_stay_small() {
    expect("andor 32", &shapes::andor(32), 2, 2);
    expect("nestret 32", &shapes::nest_returns(32), 32, 64);
    expect("duff 32", &shapes::duff(32), 6, 3);
    expect("irrcycle 32", &shapes::irrcycle(32), 8, 4);
    expect("else-if 32", &shapes::elseif_ladder(32), 1, 2);
    expect("two exits 32", &shapes::two_exit_ladder(32), 3, 3);
    expect("switchweb 32", &shapes::switchweb(32), 61, 3);
    expect("complete 12", &shapes::complete(12), 53, 4);
    expect("complete 40", &shapes::complete(40), 200, 4);
}

/// `for … { if a { if b { … continue … } } rest }`: with a `continue` in it, what is nested stays nested.
#[test]
fn deep_ifs_become_a_scope_unless_they_continue_a_loop() {
    let nest = |continues: bool| {
        // 0 is the entry, 1 the header, 2 to 21 twenty ifs, 22 what is in them, 23 the rest, 24 the latch, 25 the end.
        let mut lists = vec![vec![1], vec![2, 25]];
        lists.extend((2..22).map(|node| vec![node + 1, 23]));
        lists.extend([if continues { vec![23, 24] } else { vec![23] }, vec![24], vec![1], vec![]]);
        structurize(&Lists::new(&lists), &Options::default()).expect("within the limits")
    };
    let scopes = |plan: &Plan| plan.statistics().one_trip;
    assert_eq!((scopes(&nest(false)), scopes(&nest(true))), (1, 0));
}

#[test]
fn a_loop_with_three_exits_unrolled_does_not_nest() {
    for copies in [1, 8, 64, 128] {
        expect("3-break", &shapes::three_break(copies), 4, 4);
    }
}

#[test]
fn deep_nests_are_cut() {
    for graph in [shapes::nest_loops(1500), shapes::nest_ifs(1500)] {
        let plan = structurize(&graph, &Options::default()).expect("within the limits");
        assert!(plan.fell_back.is_none());
        assert!(plan.nesting_depth <= 64, "{}", plan.nesting_depth);
        assert!(plan.blocks.len() <= graph.successors.len() + 68, "{}", plan.blocks.len());
    }
}

#[test]
fn cut_nests_are_valid() {
    for graph in [shapes::nest_loops(40), shapes::nest_ifs(40), shapes::nest_returns(40)] {
        verify(&graph, &Options::new().nesting_limit(10));
    }
}

#[test]
fn a_merge_is_given_and_nothing_else() {
    let plan = verify(&Lists::new(&[vec![1, 2], vec![3], vec![3], vec![]]), &Options::default());
    assert!(matches!(plan.blocks[0].merge, Merge::Selection { merge } if merge.index() == 3));
    let plan = verify(&Lists::new(&[vec![1], vec![2, 3], vec![1], vec![]]), &Options::default());
    assert_eq!(plan.blocks.len(), 4);
}

fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn great_graphs_on_a_small_stack() {
    on_small_stack(|| {
        let graph = shapes::diamonds(50_000);
        let plan = structurize(&graph, &Options::default()).expect("within the limits");
        assert_eq!(plan.blocks.len(), graph.successors.len());
        assert!(plan.fell_back.is_none());
    });
    on_small_stack(|| {
        let graph = shapes::elseif_ladder(20_000);
        let plan = structurize(&graph, &Options::default()).expect("within the limits");
        assert!(plan.blocks.len() <= graph.successors.len() + 1);
        assert!(plan.fell_back.is_none());
    });
    on_small_stack(|| {
        let graph = shapes::three_break(16_384);
        let plan = structurize(&graph, &Options::default()).expect("within the limits");
        assert!(plan.blocks.len() <= graph.successors.len() + 4);
        assert!(plan.nesting_depth <= 4);
        assert!(plan.fell_back.is_none());
    });
}
