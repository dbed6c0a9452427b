//! Where states begin and end, by definition: the writes that the rules let reach a place, iterated dominance frontiers of them, and the
//! nearest of all these on the dominator path.

use reconverge_analysis::memory::{Definition, MemoryState};

use super::Case;
use super::program::Pointer;

pub(crate) fn check(case: &Case, seed: u64) {
    for (block, place, pointer) in case.readers() {
        let state = case.states.state_of(case.insts[block][place]).expect("a reader");
        let found = case.states.definition(state);
        if Case::is_constant(pointer) {
            assert_eq!(state, MemoryState::CONSTANT, "seed {seed}: b{block} place {place}");
            continue;
        }
        let chain = Chain::new(case, pointer);
        let expected = chain.above(block, place);
        assert_eq!(found, expected, "seed {seed}: {pointer:?} in b{block} place {place}\n{}", case.program.text());
        let class = case.states.class_of(case.insts[block][place]).expect("one place");
        check_reach(case, &chain, state, seed);
        for (below, actions) in case.program.actions.iter().enumerate().filter(|&(below, _)| case.dominates[0][below]) {
            for place in 0..actions.len() {
                let before = case.states.state_before(case.insts[below][place], class).expect("it is read");
                assert_eq!(
                    case.states.definition(before),
                    chain.above(below, place),
                    "seed {seed}: {pointer:?} before b{below} place {place}\n{}",
                    case.program.text()
                );
            }
            let last = case.states.state_at_end(Case::node(below), state).expect("a block that control reaches");
            assert_eq!(
                case.states.definition(last),
                chain.above(below, usize::MAX),
                "seed {seed}: the end of b{below}"
            );
        }
    }
}

fn check_reach(case: &Case, chain: &Chain<'_>, state: MemoryState, seed: u64) {
    let above = case.states.node_of(state).map_or(0, |node| node.index());
    let start = match case.states.definition(state) {
        Definition::Entry => None,
        Definition::Join(_) => Some((above, None)),
        Definition::Clobber(inst) => Some((above, case.insts[above].iter().position(|&other| other == inst))),
    };
    for below in (0..case.dominates.len()).filter(|&below| case.dominates[above][below]) {
        let found = case.states.next_clobber(state, Case::node(below));
        let found = found.map(|clobber| (clobber.node.index(), clobber.inst));
        let expected = chain.first_below(start, below);
        assert_eq!(found, expected, "seed {seed}: below {start:?} on the way to b{below}\n{}", case.program.text());
    }
}

/// The definitions of one place: by block whether there is a join, and the places of the actions that write.
struct Chain<'c> {
    case: &'c Case,
    joins: Vec<bool>,
    writes: Vec<Vec<usize>>,
}

impl Chain<'_> {
    fn new<'c>(case: &'c Case, pointer: &Pointer) -> Chain<'c> {
        let read = pointer.may();
        let writes = case.program.actions.iter().map(|actions| {
            let hits = |place: &usize| actions[*place].may_write().iter().any(|cell| read.contains(cell));
            (0..actions.len()).filter(hits).collect::<Vec<_>>()
        });
        let writes: Vec<Vec<usize>> = writes.collect();
        Chain { case, joins: joins(case, &writes), writes }
    }

    /// All definitions in a block: `None` is the join.
    fn in_block(&self, block: usize) -> impl DoubleEndedIterator<Item = Option<usize>> {
        let join = self.joins[block].then_some(None);
        join.into_iter().chain(self.writes[block].iter().map(|&place| Some(place)))
    }

    /// The nearest definition above a place.
    fn above(&self, block: usize, place: usize) -> Definition {
        let own = self.in_block(block).rev().find(|definition| definition.is_none_or(|other| other < place));
        if let Some(definition) = own {
            return self.named(block, definition);
        }
        let path = self.path_to(block);
        let nearest = path.iter().rev().skip(1).find_map(|&node| Some((node, self.in_block(node).next_back()?)));
        nearest.map_or(Definition::Entry, |(node, definition)| self.named(node, definition))
    }

    /// The first definition below another on the dominator path to a block.
    fn first_below(
        &self,
        start: Option<(usize, Option<usize>)>,
        below: usize,
    ) -> Option<(usize, Option<reconverge_ir::Inst>)> {
        let path = self.path_to(below);
        let all = path.iter().flat_map(|&node| self.in_block(node).map(move |definition| (node, definition)));
        let mut later = all.skip_while(|&definition| start.is_some_and(|start| start != definition));
        if start.is_some() {
            later.next();
        }
        later.next().map(|(node, definition)| (node, definition.map(|place| self.case.insts[node][place])))
    }

    fn named(&self, block: usize, definition: Option<usize>) -> Definition {
        match definition {
            Some(place) => Definition::Clobber(self.case.insts[block][place]),
            None => Definition::Join(Case::node(block)),
        }
    }

    /// The dominators of a block, the entry first.
    fn path_to(&self, block: usize) -> Vec<usize> {
        let dominates = &self.case.dominates;
        let mut path: Vec<usize> = (0..dominates.len()).filter(|&above| dominates[above][block]).collect();
        path.sort_by_key(|&node| (0..dominates.len()).filter(|&above| dominates[above][node]).count());
        path
    }
}

/// The iterated dominance frontier of the blocks that write and of the entry.
fn joins(case: &Case, writes: &[Vec<usize>]) -> Vec<bool> {
    let Case { dominates, program, .. } = case;
    let len = writes.len();
    let mut is_join = vec![false; len];
    loop {
        let before = is_join.clone();
        for from in (0..len).filter(|&from| dominates[from][from]) {
            if from != 0 && writes[from].is_empty() && !before[from] {
                continue;
            }
            for source in (0..len).filter(|&source| dominates[from][source]) {
                for &target in &program.graph[source] {
                    is_join[target] |= from == target || !dominates[from][target];
                }
            }
        }
        if is_join == before {
            return is_join;
        }
    }
}
