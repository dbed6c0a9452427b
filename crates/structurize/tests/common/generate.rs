//! Graphs: all small ones, and random ones of several kinds.

use super::{Lists, Random};

/// All graphs of `count` blocks where each has at most two ordered successors, all blocks are
/// reached from block 0, numbered by a depth-first walk (so each shape occurs once). `visit` also
/// gets those whose entry is branched to.
pub(crate) fn for_each_small(count: usize, mut visit: impl FnMut(&Lists)) -> usize {
    let options = 1 + count + count * count;
    let mut digits = vec![0; count];
    let mut visited = 0;
    loop {
        let lists: Vec<Vec<usize>> = digits.iter().map(|&digit| decode(digit, count)).collect();
        if is_canonical(&lists) {
            visited += 1;
            visit(&Lists::new(&lists));
        }
        let mut at = 0;
        while at < count {
            digits[at] += 1;
            if digits[at] < options {
                break;
            }
            digits[at] = 0;
            at += 1;
        }
        if at == count {
            return visited;
        }
    }
}

/// All graphs of up to three blocks and a quarter of those of four; all of these too with `RECONVERGE_DEEP=1`.
pub(crate) fn for_each_small_or_some(mut visit: impl FnMut(&Lists)) {
    (1..=3).for_each(|count| _ = for_each_small(count, &mut visit));
    let step = if std::env::var_os("RECONVERGE_DEEP").is_some() { 1 } else { 4 };
    let mut number = 0;
    for_each_small(4, |graph| {
        if number % step == 0 {
            visit(graph);
        }
        number += 1;
    });
}

fn decode(digit: usize, count: usize) -> Vec<usize> {
    match digit {
        0 => vec![],
        _ if digit <= count => vec![digit - 1],
        _ => vec![(digit - 1 - count) / count, (digit - 1 - count) % count],
    }
}

fn is_canonical(lists: &[Vec<usize>]) -> bool {
    let mut next = 1;
    for (at, list) in lists.iter().enumerate() {
        if at >= next {
            return false;
        }
        for &target in list {
            if target > next {
                return false;
            }
            if target == next {
                next += 1;
            }
        }
    }
    next == lists.len()
}

/// Any successors at all: entry targets, self loops, repeats, switches.
pub(crate) fn wild(random: &mut Random, count: usize) -> Lists {
    let mut lists = vec![Vec::new(); count];
    let mut switches = vec![false; count];
    for (block, list) in lists.iter_mut().enumerate() {
        let arity = match random.below(20) {
            0 => 0,
            1..=6 => 1,
            7..=15 => 2,
            16..=17 => 3,
            _ => 2 + random.below(5),
        };
        for _ in 0..arity {
            list.push(if random.chance(40) { (block + 1 + random.below(3)) % count } else { random.below(count) });
        }
        switches[block] = arity > 2 || (arity > 0 && random.chance(5));
    }
    Lists { switches, ..Lists::new(&lists) }
}

/// Forward edges among nearby blocks plus back edges to dominators: reducible.
pub(crate) fn reducible(random: &mut Random, count: usize) -> Lists {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); count];
    for block in 1..count {
        // Keep every block reachable: an earlier block with room for it.
        let open: Vec<usize> = (block.saturating_sub(6)..block).filter(|&one| lists[one].len() < 2).collect();
        let source = if open.is_empty() { block - 1 } else { open[random.below(open.len())] };
        lists[source].push(block);
    }
    let near = |random: &mut Random, block: usize| (block + 1 + random.below(8)).min(count - 1);
    for (block, list) in lists.iter_mut().enumerate().take(count - 1) {
        if list.len() < 2 && random.chance(60) {
            let target = near(random, block);
            list.push(target);
        } else if list.is_empty() && random.chance(80) {
            list.push(block + 1);
        }
    }
    // Back edges, only to blocks that dominate.
    for block in 1..count {
        if lists[block].len() < 2 && random.chance(35) {
            let above: Vec<usize> = dominators_of(&lists, block).into_iter().filter(|&one| one > 0).collect();
            if !above.is_empty() {
                let target = above[above.len() - 1 - random.below(above.len().min(6))];
                let at = random.below(lists[block].len() + 1);
                lists[block].insert(at, target);
            }
        }
    }
    Lists::new(&lists)
}

/// Blocks every forward path to `block` passes, in order.
fn dominators_of(lists: &[Vec<usize>], block: usize) -> Vec<usize> {
    (0..=block)
        .filter(|&gate| {
            let mut seen = vec![false; lists.len()];
            let mut stack = vec![0];
            seen[0] = true;
            seen[gate] = true;
            while let Some(at) = stack.pop() {
                if at == gate {
                    continue;
                }
                for &to in &lists[at] {
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push(to);
                    }
                }
            }
            gate == block || gate == 0 || !seen[block]
        })
        .collect()
}

/// As `reducible`, with a few edges to anywhere.
pub(crate) fn irreducible(random: &mut Random, count: usize) -> Lists {
    let graph = reducible(random, count);
    let mut lists: Vec<Vec<usize>> = (0..count).map(|block| graph.targets(block)).collect();
    for _ in 0..count / 12 + 1 {
        let block = random.below(count);
        let target = 1 + random.below(count - 1);
        if lists[block].len() < 2 {
            lists[block].push(target);
        } else {
            lists[block][random.below(2)] = target;
        }
    }
    Lists::new(&lists)
}

/// What a structured front end makes: sequences, ifs, loops with break and continue, returns.
pub(crate) struct Structured<'a> {
    random: &'a mut Random,
    lists: Vec<Vec<usize>>,
    budget: usize,
}

impl Structured<'_> {
    fn block(&mut self) -> usize {
        self.lists.push(Vec::new());
        self.budget = self.budget.saturating_sub(1);
        self.lists.len() - 1
    }

    /// Emits statements from `at`; returns the block where control falls out, if it does.
    fn sequence(&mut self, at: usize, looped: Option<(usize, usize)>, depth: usize) -> Option<usize> {
        let mut at = at;
        let count = 1 + self.random.below(3);
        for _ in 0..count {
            if self.budget == 0 || depth > 7 {
                break;
            }
            match self.random.below(10) {
                0..=3 => {
                    let (then, join) = (self.block(), self.block());
                    let has_else = self.random.chance(50);
                    let otherwise = if has_else { self.block() } else { join };
                    self.lists[at] = vec![then, otherwise];
                    for arm in [Some(then), has_else.then_some(otherwise)].into_iter().flatten() {
                        if let Some(end) = self.sequence(arm, looped, depth + 1) {
                            self.lists[end] = vec![join];
                        }
                    }
                    at = join;
                }
                4..=6 => {
                    let (header, body, latch, after) = (self.block(), self.block(), self.block(), self.block());
                    self.lists[at] = vec![header];
                    self.lists[header] = vec![body, after];
                    if let Some(end) = self.sequence(body, Some((latch, after)), depth + 1) {
                        self.lists[end] = vec![latch];
                    }
                    self.lists[latch] = vec![header];
                    at = after;
                }
                7 => {
                    if let Some((next, out)) = looped {
                        let (jump, rest) = (self.block(), self.block());
                        self.lists[at] = vec![jump, rest];
                        self.lists[jump] = vec![if self.random.chance(50) { next } else { out }];
                        at = rest;
                    }
                }
                8 if depth > 0 => {
                    let (leave, rest) = (self.block(), self.block());
                    self.lists[at] = vec![leave, rest];
                    at = rest;
                }
                _ => {
                    let next = self.block();
                    self.lists[at] = vec![next];
                    at = next;
                }
            }
        }
        Some(at)
    }
}

pub(crate) fn structured(random: &mut Random, count: usize) -> Lists {
    let mut make = Structured { random, lists: vec![Vec::new()], budget: count };
    let mut at = 0;
    while make.budget > 0 {
        let end = make.sequence(at, None, 0).expect("the top level falls out");
        if make.budget > 0 {
            let next = make.block();
            make.lists[end] = vec![next];
            at = next;
        }
    }
    compact(&Lists::new(&make.lists))
}

/// Structured, then empty forwarding blocks threaded away, as a clean-up of an optimizer does.
pub(crate) fn loop_simplified(random: &mut Random, count: usize) -> Lists {
    let graph = structured(random, count * 3 / 2);
    let size = graph.successors.len();
    let mut lists: Vec<Vec<usize>> = (0..size).map(|block| graph.targets(block)).collect();
    for block in 1..size {
        if lists[block].len() == 1 && lists[block][0] != block && random.chance(50) {
            let target = lists[block][0];
            let is_latch = (0..size).any(|one| lists[one].contains(&target) && target < one && one == block);
            if is_latch {
                continue;
            }
            for list in &mut lists {
                for one in list.iter_mut().filter(|one| **one == block) {
                    *one = target;
                }
            }
        }
    }
    compact(&Lists::new(&lists))
}

/// Drops unreachable blocks and folds equal targets.
pub(crate) fn compact(graph: &Lists) -> Lists {
    let reachable = graph.reachable();
    let mut number = vec![0; reachable.len()];
    let mut next = 0;
    for (block, &is_reachable) in reachable.iter().enumerate() {
        number[block] = next;
        next += usize::from(is_reachable);
    }
    let lists: Vec<Vec<usize>> = (0..reachable.len())
        .filter(|&block| reachable[block])
        .map(|block| {
            let mut list: Vec<usize> = graph.targets(block).into_iter().map(|target| number[target]).collect();
            if list.len() == 2 && list[0] == list[1] {
                list.pop();
            }
            list
        })
        .collect();
    Lists::new(&lists)
}
