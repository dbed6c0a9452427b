//! The sets of graphs.

use reconverge_testing::flesh::as_shader;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::shapes;
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::plain_graph::PlainGraph;

/// Graphs of one kind, each as a module of its own.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) graphs: Vec<PlainGraph>,
}

/// Graphs in a random set.
const RANDOM: usize = 100;

impl Set {
    pub(crate) fn all() -> Vec<Set> {
        let mut sets = vec![
            sized("random reducible, 10-200", |seed, size| random(seed, size, Cycles::Reducible)),
            sized("random irreducible, 10-200", |seed, size| random(seed, size, Cycles::Irreducible)),
            sized("structured, 10-200", |seed, size| structured(seed, size, Form::Plain)),
            sized("loop-simplified, 10-200", |seed, size| structured(seed, size, Form::LoopSimplified)),
        ];
        for count in [4, 16, 64, 128, 512] {
            sets.push(Set {
                name: format!("three shared breaks, N = {count}"),
                graphs: vec![shapes::three_breaks(count)],
            });
        }
        for count in [8, 32, 128] {
            sets.push(Set {
                name: format!("breaks to every level, N = {count}"),
                graphs: vec![shapes::multi_break(count)],
            });
        }
        sets.push(Set { name: "ladder, N = 1024".to_owned(), graphs: vec![shapes::ladder(1024)] });
        sets.push(Set { name: "diamonds, N = 1024".to_owned(), graphs: vec![shapes::diamonds(1024)] });
        sets
    }
}

fn sized(name: &str, generate: impl Fn(u64, usize) -> PlainGraph) -> Set {
    let graphs = (0..RANDOM).map(|index| generate(index as u64, 10 + index * 190 / (RANDOM - 1)));
    Set { name: name.to_owned(), graphs: graphs.collect() }
}

/// A compute shader without merge instructions that walks the graph.
pub(crate) fn shader(graph: &PlainGraph) -> Vec<u8> {
    let fleshed = as_shader(std::slice::from_ref(graph), 1);
    reconverge::write(&fleshed.module, reconverge::Format::Spirv).expect("a fleshed graph can be written")
}
