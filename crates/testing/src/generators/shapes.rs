//! Families of graphs that grow with one number.
//!
//! On each of them some structurizer is known to be quadratic or exponential, or to recurse deeply; the diagrams show two or three steps.
//! Block 0 is the entry. The numbers of blocks are given for comparison.

use crate::plain_graph::PlainGraph;

/// The name of a family, for messages and the command line of benches, and its graph for a number.
pub type Shape = (&'static str, Maker);
/// The function that creates the graph of a family.
pub type Maker = fn(usize) -> PlainGraph;

/// All families, by name.
pub const SHAPES: &[Shape] = &[
    ("three_breaks", three_breaks),
    ("private_breaks", private_breaks),
    ("outer_break", outer_break),
    ("multi_break", multi_break),
    ("ladder", ladder),
    ("nested_ifs", nested_ifs),
    ("own_merges", own_merges),
    ("short_circuit", short_circuit),
    ("diamonds", diamonds),
    ("loops", loops),
    ("nested_loops", nested_loops),
    ("early_returns", early_returns),
    ("fall_through", fall_through),
    ("duff", duff),
    ("irreducible_ring", irreducible_ring),
    ("switch_web", switch_web),
    ("complete", complete),
    ("nest", nest),
    ("nest_return", nest_return),
    ("nest_returns", nest_returns),
    ("crossed_diamonds", crossed_diamonds),
];

/// Successor lists under construction, blocks in order of creation.
#[derive(Default)]
struct Draft {
    lists: Vec<Vec<usize>>,
}

impl Draft {
    fn block(&mut self) -> usize {
        self.lists.push(Vec::new());
        self.lists.len() - 1
    }

    fn blocks(&mut self, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.block()).collect()
    }

    fn to(&mut self, block: usize, targets: &[usize]) {
        self.lists[block] = targets.to_vec();
    }

    fn finish(self) -> PlainGraph {
        PlainGraph::from_successors(&self.lists)
    }
}

/// An unrolled loop of `count` iterations that share three break blocks, the second of which holds an if. 3 count + 6 blocks.
///
/// ```text
/// t ─▶ t ─▶ t ─▶ t ─▶ t ─▶ t ─▶ merge         every third t goes to the same break block as well;
/// ▼    ▼    ▼    ▼    ▼    ▼                    the three break blocks go to merge
/// b0   b1   b2   b0   b1   b2
/// ```
pub fn three_breaks(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(3 * count);
    let [first, second, then, join, third, merge] = [(); 6].map(|()| draft.block());
    for (index, &test) in tests.iter().enumerate() {
        let next = tests.get(index + 1).copied().unwrap_or(merge);
        draft.to(test, &[[first, second, third][index % 3], next]);
    }
    draft.to(first, &[merge]);
    draft.to(second, &[then, join]);
    draft.to(then, &[join]);
    draft.to(join, &[merge]);
    draft.to(third, &[merge]);
    draft.finish()
}

/// The same with separate break blocks for each iteration. 6 count + 1 blocks.
pub fn private_breaks(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(3 * count);
    let breaks = draft.blocks(3 * count);
    let merge = draft.block();
    for (index, &test) in tests.iter().enumerate() {
        let next = tests.get(index + 1).copied().unwrap_or(merge);
        draft.to(test, &[breaks[index], next]);
        draft.to(breaks[index], &[merge]);
    }
    draft.finish()
}

/// The loops of a nest: `(header, latch, merge)` from outside in, and the first block of the innermost body.
fn nest_of_loops(draft: &mut Draft, count: usize) -> (Vec<[usize; 3]>, usize) {
    let entry = draft.block();
    let loops: Vec<[usize; 3]> = (0..count).map(|_| [(); 3].map(|()| draft.block())).collect();
    let body = draft.block();
    let mut before = entry;
    for (index, &[header, latch, merge]) in loops.iter().enumerate() {
        draft.lists[before].insert(0, header);
        draft.to(header, &[merge]);
        draft.to(latch, &[header]);
        if let Some(outer) = index.checked_sub(1) {
            draft.to(merge, &[loops[outer][1]]);
        }
        before = header;
    }
    draft.lists[before].insert(0, body);
    (loops, body)
}

/// `count` nested loops, and a conditional break out of all of them in the innermost. 3 count + 2 blocks.
pub fn outer_break(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let (loops, body) = nest_of_loops(&mut draft, count);
    let inner = loops.last().map_or(body, |&[_, latch, _]| latch);
    let outer = loops.first().map_or(body, |&[_, _, merge]| merge);
    if count > 0 {
        draft.to(body, &[outer, inner]);
    }
    draft.finish()
}

/// `count` nested loops, and in the innermost a switch to the code after each. 3 count + 2 blocks.
pub fn multi_break(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let (loops, body) = nest_of_loops(&mut draft, count);
    let inner = loops.last().map(|&[_, latch, _]| latch);
    let targets: Vec<usize> = inner.into_iter().chain(loops.iter().map(|&[_, _, merge]| merge)).collect();
    draft.to(body, &targets);
    draft.finish()
}

/// if / else if / … / else with one merge. 2 count + 2 blocks.
pub fn ladder(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(count);
    let bodies = draft.blocks(count);
    let otherwise = draft.block();
    let merge = draft.block();
    for index in 0..count {
        let next = tests.get(index + 1).copied().unwrap_or(otherwise);
        draft.to(tests[index], &[bodies[index], next]);
        draft.to(bodies[index], &[merge]);
    }
    draft.to(otherwise, &[merge]);
    draft.finish()
}

/// Nested ifs without else that share one merge. count + 2 blocks.
pub fn nested_ifs(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(count + 1);
    let merge = draft.block();
    for index in 0..count {
        draft.to(tests[index], &[tests[index + 1], merge]);
    }
    draft.to(tests[count], &[merge]);
    draft.finish()
}

/// Nested ifs without else, each with its own merge block. 2 count + 1 blocks.
pub fn own_merges(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(count + 1);
    let merges = draft.blocks(count);
    for index in 0..count {
        draft.to(tests[index], &[tests[index + 1], merges[index]]);
        if index > 0 {
            draft.to(merges[index], &[merges[index - 1]]);
        }
    }
    if count > 0 {
        draft.to(tests[count], &[merges[count - 1]]);
    }
    draft.finish()
}

/// `if (a && b || c && d || …) then else`. 2 count + 3 blocks.
///
/// ```text
/// a ─▶ c ─▶ e ─▶ else      a true: b; b true: then; b false: c
/// ▼  ↗ ▼  ↗ ▼  ↗
/// b    d    f  ─▶ then
/// ```
pub fn short_circuit(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let left = draft.blocks(count);
    let right = draft.blocks(count);
    let [then, otherwise, merge] = [(); 3].map(|()| draft.block());
    for index in 0..count {
        let next = left.get(index + 1).copied().unwrap_or(otherwise);
        draft.to(left[index], &[right[index], next]);
        draft.to(right[index], &[then, next]);
    }
    draft.to(then, &[merge]);
    draft.to(otherwise, &[merge]);
    draft.finish()
}

/// Consecutive if/else. 3 count + 1 blocks.
pub fn diamonds(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(count + 1);
    for index in 0..count {
        let (yes, no) = (draft.block(), draft.block());
        draft.to(tests[index], &[yes, no]);
        draft.to(yes, &[tests[index + 1]]);
        draft.to(no, &[tests[index + 1]]);
    }
    draft.finish()
}

/// Consecutive loops of two blocks. 2 count + 2 blocks.
pub fn loops(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let entry = draft.block();
    let headers = draft.blocks(count + 1);
    draft.to(entry, &[headers[0]]);
    for index in 0..count {
        let body = draft.block();
        draft.to(headers[index], &[body, headers[index + 1]]);
        draft.to(body, &[headers[index]]);
    }
    draft.finish()
}

/// Nested loops with ordinary breaks only. 3 count + 2 blocks.
pub fn nested_loops(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let (loops, body) = nest_of_loops(&mut draft, count);
    if let Some(&[_, latch, _]) = loops.last() {
        draft.to(body, &[latch]);
    }
    draft.finish()
}

/// A sequence of `if (c) return;`. 2 count + 1 blocks.
pub fn early_returns(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(count + 1);
    for index in 0..count {
        let leave = draft.block();
        draft.to(tests[index], &[leave, tests[index + 1]]);
    }
    draft.finish()
}

/// A switch whose cases all fall through into the next one. count + 2 blocks.
pub fn fall_through(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let head = draft.block();
    let cases = draft.blocks(count);
    let merge = draft.block();
    let targets: Vec<usize> = std::iter::once(merge).chain(cases.iter().copied()).collect();
    draft.to(head, &targets);
    for index in 0..count {
        draft.to(cases[index], &[cases.get(index + 1).copied().unwrap_or(merge)]);
    }
    draft.finish()
}

/// Duff's device: a switch into the body of an unrolled loop. count + 2 blocks.
pub fn duff(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let head = draft.block();
    let copies = draft.blocks(count);
    let exit = draft.block();
    let targets: Vec<usize> = std::iter::once(exit).chain(copies.iter().copied()).collect();
    draft.to(head, &targets);
    for index in 0..count {
        match copies.get(index + 1) {
            Some(&next) => draft.to(copies[index], &[next]),
            None => draft.to(copies[index], &[copies[0], exit]),
        }
    }
    draft.finish()
}

/// A ring of blocks with an entry at each. 2 count + 1 blocks.
///
/// ```text
/// e ─▶ e ─▶ e ─▶ exit
/// ▼    ▼    ▼
/// r ─▶ r ─▶ r ─▶ (first r, or exit)
/// ```
pub fn irreducible_ring(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let entries = draft.blocks(count);
    let ring = draft.blocks(count);
    let exit = draft.block();
    for index in 0..count {
        draft.to(entries[index], &[ring[index], entries.get(index + 1).copied().unwrap_or(exit)]);
        match ring.get(index + 1) {
            Some(&next) => draft.to(ring[index], &[next]),
            None => draft.to(ring[index], &[ring[0], exit]),
        }
    }
    draft.finish()
}

/// A switch whose cases jump forwards into each other. count + 2 blocks.
pub fn switch_web(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let head = draft.block();
    let cases = draft.blocks(count);
    let exit = draft.block();
    let target = |index: usize| cases.get(index).copied().unwrap_or(exit);
    let targets: Vec<usize> = std::iter::once(exit).chain(cases.iter().copied()).collect();
    draft.to(head, &targets);
    for (index, &case) in cases.iter().enumerate() {
        let (near, far) = (target(index + 1), target(2 * index + 2));
        match near == far {
            true => draft.to(case, &[exit]),
            false => draft.to(case, &[near, far]),
        }
    }
    draft.finish()
}

/// Every block has an edge to every other and to the exit. count + 2 blocks.
pub fn complete(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let head = draft.block();
    let blocks = draft.blocks(count);
    let exit = draft.block();
    for block in std::iter::once(head).chain(blocks.iter().copied()) {
        let others = blocks.iter().copied().filter(|&other| other != block);
        let targets: Vec<usize> = std::iter::once(exit).chain(others).collect();
        draft.to(block, &targets);
    }
    draft.finish()
}

/// Nested loops; the innermost body can break to the code after each of them. 4 count + 2 blocks.
pub fn nest(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let (loops, body) = nest_of_loops(&mut draft, count);
    let mut current = body;
    for &[_, _, merge] in &loops {
        let next = draft.block();
        draft.to(current, &[merge, next]);
        current = next;
    }
    if let Some(&[_, latch, _]) = loops.last() {
        draft.to(current, &[latch]);
    }
    draft.finish()
}

/// Nested loops; the innermost body can return. 3 count + 4 blocks.
pub fn nest_return(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let (loops, body) = nest_of_loops(&mut draft, count);
    let (leave, rest) = (draft.block(), draft.block());
    draft.to(body, &[leave, rest]);
    if let Some(&[_, latch, _]) = loops.last() {
        draft.to(rest, &[latch]);
    }
    draft.finish()
}

/// Nested loops, each of which can return instead of taking its back edge. 4 count + 2 blocks.
pub fn nest_returns(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let (loops, body) = nest_of_loops(&mut draft, count);
    if let Some(&[_, latch, _]) = loops.last() {
        draft.to(body, &[latch]);
    }
    for &[header, latch, _] in &loops {
        let leave = draft.block();
        draft.to(latch, &[header, leave]);
    }
    draft.finish()
}

/// Diamonds whose arms also have edges to the other arm of the next diamond. 3 count + 1 blocks.
///
/// ```text
/// t ─▶ yes ─▶ t ─▶ yes ─▶ t
/// └─▶ no  ─╳─▶└─▶ no  ─▶        yes also to the next no, no also to the next yes
/// ```
pub fn crossed_diamonds(count: usize) -> PlainGraph {
    let mut draft = Draft::default();
    let tests = draft.blocks(count + 1);
    let arms: Vec<[usize; 2]> = (0..count).map(|_| [(); 2].map(|()| draft.block())).collect();
    for (index, &[yes, no]) in arms.iter().enumerate() {
        draft.to(tests[index], &[yes, no]);
        match arms.get(index + 1) {
            Some(&[next_yes, next_no]) => {
                draft.to(yes, &[tests[index + 1], next_no]);
                draft.to(no, &[tests[index + 1], next_yes]);
            }
            None => [yes, no].into_iter().for_each(|arm| draft.to(arm, &[tests[count]])),
        }
    }
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_blocks_are_reachable() {
        for &(name, shape) in SHAPES {
            for count in [1, 2, 3, 8, 33] {
                let graph = shape(count);
                assert!(graph.reached().iter().all(|&reached| reached), "{name} {count}");
            }
        }
    }

    #[test]
    fn counts_are_as_documented() {
        let counts: [(Maker, usize); 9] = [
            (three_breaks, 390),
            (multi_break, 386),
            (ladder, 258),
            (nested_ifs, 130),
            (short_circuit, 259),
            (diamonds, 385),
            (loops, 258),
            (nest, 514),
            (nest_return, 388),
        ];
        for (shape, expected) in counts {
            assert_eq!(shape(128).len(), expected);
        }
    }
}
