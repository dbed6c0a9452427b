//! All families of graphs by name, each with about as many blocks as asked for.

use crate::common::adversaries::{self, ADVERSARIES};
use crate::common::{Lists, Random, generate, shapes};

type FromSize = fn(usize) -> Lists;
type FromRandom = fn(&mut Random, usize) -> Lists;

/// How a family is made.
#[derive(Clone, Copy)]
enum Make {
    /// From a number of blocks.
    Sized(FromSize),
    /// From a parameter, and how many blocks one unit of it makes.
    Repeated(FromSize, usize),
    Random(FromRandom),
}

#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    make: Make,
}

impl Family {
    pub(crate) fn make(&self, blocks: usize, seed: u64) -> Lists {
        match self.make {
            Make::Sized(make) => make(blocks.max(8)),
            Make::Repeated(make, each) => make((blocks / each).max(3)),
            Make::Random(make) => make(&mut Random::new(seed), blocks.max(8)),
        }
    }

    /// The same with the first seed whose graph is reachable for the most part.
    pub(crate) fn make_connected(&self, blocks: usize) -> Lists {
        let graphs = (7..40).map(|seed| self.make(blocks, seed));
        let is_connected = |graph: &Lists| {
            let reachable = graph.reachable().into_iter().filter(|&is_reachable| is_reachable).count();
            reachable * 2 > graph.successors.len()
        };
        graphs.into_iter().find(is_connected).unwrap_or_else(|| self.make(blocks, 7))
    }
}

const SHAPES: [(&str, FromSize, usize); 15] = [
    ("three-break", shapes::three_break, 3),
    ("nested-ifs", shapes::nestif, 1),
    ("diamonds", shapes::seqif, 3),
    ("loops-in-a-row", shapes::loopseq, 2),
    ("early-returns", shapes::earlyret, 2),
    ("else-if-ladder", shapes::elseif_ladder, 2),
    ("two-exits", shapes::two_exit_ladder, 1),
    ("and-or", shapes::andor, 2),
    ("fall-through", shapes::fallthrough, 1),
    ("duff", shapes::duff, 1),
    ("switch-web", shapes::switchweb, 1),
    ("irreducible-cycle", shapes::irrcycle, 2),
    ("nested-loops", shapes::nest_loops, 2),
    ("loop-returns", shapes::nest_returns, 3),
    ("nested-diamonds", shapes::nest_ifs, 3),
];

/// How many families are random; they come first.
pub(crate) const RANDOM_COUNT: usize = 5;

const RANDOM: [(&str, FromRandom); RANDOM_COUNT] = [
    ("structured", generate::structured),
    ("reducible", adversaries::reducible),
    ("irreducible", adversaries::irreducible),
    ("locally-irreducible", adversaries::locally_irreducible),
    ("wild", generate::wild),
];

pub(crate) fn all() -> Vec<Family> {
    let shapes = SHAPES.map(|(name, make, each)| Family { name, make: Make::Repeated(make, each) });
    let random = RANDOM.map(|(name, make)| Family { name, make: Make::Random(make) });
    let adversaries = ADVERSARIES.map(|(name, make)| Family { name, make: Make::Sized(make) });
    random.into_iter().chain(shapes).chain(adversaries).collect()
}
