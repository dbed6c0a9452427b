//! Every graph of at most four blocks (five with `RECONVERGE_DEEP=1`).

use crate::common::generate::for_each_small;
use crate::common::verify;
use reconverge_structurize::Options;

fn run(count: usize, options: &Options) -> usize {
    for_each_small(count, |graph| {
        verify(graph, options);
    })
}

#[test]
fn all_graphs_of_up_to_four_blocks() {
    let total: usize = (1..=4).map(|count| run(count, &Options::default())).sum();
    assert!(total > 1000, "{total}");
}

#[test]
fn all_graphs_of_up_to_four_blocks_with_odd_options() {
    for (nesting_limit, chain_limit) in [(0, 6), (1, 0), (3, 2), (64, 0)] {
        let options = Options::new().nesting_limit(nesting_limit).chain_limit(chain_limit);
        for count in 1..=4 {
            run(count, &options);
        }
    }
}

#[test]
#[ignore = "takes long; `cargo xtask test --deep` runs it"]
fn all_graphs_of_five_blocks() {
    run(5, &Options::default());
}
