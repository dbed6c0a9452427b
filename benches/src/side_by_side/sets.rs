//! The sets of graphs.

use reconverge_plan_check::Lists;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::shapes::{self, Maker};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::plain_graph::{Ending, PlainGraph};
use reconverge_testing::program_from_graph::{Values, as_shader_and};

/// Graphs of one kind, each as a module of its own.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) graphs: Vec<PlainGraph>,
    /// What blocks hand to one another.
    pub(crate) values: Values,
    /// Whether constructs nest past our default limit, so that the deep form is of interest too.
    pub(crate) is_deep: bool,
}

/// Graphs in a random set.
const RANDOM: usize = 100;

pub(crate) const REDUCIBLE: &str = "random reducible, 10-200";
pub(crate) const IRREDUCIBLE: &str = "random irreducible, 10-200";
/// The same graphs with a phi at each join, which tells where control came from, and no other values: as in figures that others
/// publish.
pub(crate) const REDUCIBLE_PLAIN: &str = "random reducible, a phi at each join";
pub(crate) const IRREDUCIBLE_PLAIN: &str = "random irreducible, a phi at each join";
pub(crate) const STRUCTURED: &str = "structured, 10-200";
pub(crate) const LOOP_SIMPLIFIED: &str = "loop-simplified, 10-200";
pub(crate) const BREAKS_TO_EVERY_LEVEL: [&str; 2] =
    ["breaks to every level, N = 512", "breaks to every level, N = 512, a phi at each join"];

/// Shapes, the sizes of each, and whether they are deep.
const SHAPES: [(&str, Maker, &[usize], bool); 12] = [
    ("three shared breaks", shapes::three_breaks, &[4, 16, 64, 128, 512], false),
    ("breaks to every level", shapes::multi_break, &[8, 32], false),
    ("breaks to every level", shapes::multi_break, &[128, 512], true),
    ("else-if ladder", shapes::ladder, &[512, 1024], false),
    ("if/else in a row", shapes::diamonds, &[1024], false),
    ("nested ifs, one merge", shapes::nested_ifs, &[256], false),
    ("early returns", shapes::early_returns, &[4096], false),
    ("Duff's device", shapes::duff, &[32], false),
    ("irreducible cycle", shapes::irreducible_ring, &[32], false),
    ("complete graph", shapes::complete, &[12], false),
    ("nested loops", shapes::nested_loops, &[1500], true),
    ("nested ifs, a merge each", shapes::own_merges, &[1500], true),
];

impl Set {
    pub(crate) fn all() -> Vec<Set> {
        let reducible = |seed, size| random(seed, size, Cycles::Reducible);
        let irreducible = |seed, size| random(seed, size, Cycles::Irreducible);
        let mut sets = vec![
            sized(REDUCIBLE, Values::Mixed, reducible),
            sized(IRREDUCIBLE, Values::Mixed, irreducible),
            sized(REDUCIBLE_PLAIN, Values::Origin, reducible),
            sized(IRREDUCIBLE_PLAIN, Values::Origin, irreducible),
            sized(STRUCTURED, Values::Mixed, |seed, size| structured(seed, size, Form::Plain)),
            sized(LOOP_SIMPLIFIED, Values::Mixed, |seed, size| structured(seed, size, Form::LoopSimplified)),
        ];
        for (name, make, sizes, is_deep) in SHAPES {
            sets.extend(sizes.iter().map(|&size| Set {
                name: format!("{name}, N = {size}"),
                graphs: vec![make(size)],
                values: Values::Mixed,
                is_deep,
            }));
        }
        sets.push(Set {
            name: BREAKS_TO_EVERY_LEVEL[1].to_owned(),
            graphs: vec![shapes::multi_break(512)],
            values: Values::Origin,
            is_deep: true,
        });
        sets
    }
}

fn sized(name: &str, values: Values, generate: impl Fn(u64, usize) -> PlainGraph) -> Set {
    let graphs = (0..RANDOM).map(|index| generate(index as u64, 10 + index * 190 / (RANDOM - 1)));
    Set { name: name.to_owned(), graphs: graphs.collect(), values, is_deep: false }
}

/// A compute shader without merge instructions that walks the graph.
pub(crate) fn shader(graph: &PlainGraph, values: Values) -> Vec<u8> {
    let filled = as_shader_and(std::slice::from_ref(graph), 1, values);
    reconverge_spirv::write(&filled.module, &reconverge_spirv::WriteOptions::default())
        .expect("a filled graph can be written")
}

/// The bare graph, as our structurizer takes it.
pub(crate) fn lists(graph: &PlainGraph) -> Lists {
    let mut lists = Lists::new(&graph.to_successors());
    for block in 0..graph.len() {
        lists.switches[block] = graph.ending(block) == Ending::Switch;
    }
    lists
}
