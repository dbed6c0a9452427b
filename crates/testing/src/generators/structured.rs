//! The graphs that a front end creates for random nested statements.
//!
//! A random program of if, if/else, switch, while, do-while, break, continue (also out of several loops) and return is lowered in the
//! standard way: separate latch, preheader and merge block for each statement. [`Form::Plain`] is that graph. [`Form::LoopSimplified`] has
//! lost most blocks that only jump, but keeps latches and preheaders, as after LLVM's loop-simplify; [`Form::Optimized`] has lost latches
//! and preheaders too: shared latches, an inner header that is an outer latch.
//!
//! ```text
//!   a ──▶ jump ──▶ b      ⇒      a ──────────▶ b
//! ```

use crate::plain_graph::PlainGraph;
use crate::random::Random;

/// The degree to which the front end's form remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The form as lowered.
    Plain,
    /// Most blocks that only jump are removed, but no latch and no preheader.
    LoopSimplified,
    /// Most blocks that only jump are removed.
    Optimized,
}

/// The maximal nesting of statements.
const DEPTH: usize = 7;
/// The percentage of blocks that only jump that are removed.
const REMOVED: usize = 70;

/// The graph of a program of about `statements` statements; all blocks reachable.
pub fn structured(seed: u64, statements: usize, form: Form) -> PlainGraph {
    let mut lowering = Lowering {
        random: Random::new(seed),
        lists: vec![Vec::new()],
        is_kept: vec![true],
        loops: Vec::new(),
        budget: statements,
        current: Some(0),
    };
    while lowering.budget > 0 {
        lowering.statement(0);
    }
    let graph = PlainGraph::from_successors(&lowering.lists).without_unreachable();
    match form {
        Form::Plain => graph,
        Form::LoopSimplified => lowering.remove_jumps(Form::LoopSimplified),
        Form::Optimized => lowering.remove_jumps(Form::Optimized),
    }
}

/// The targets of a loop: its continue target and its break target.
#[derive(Clone, Copy)]
struct LoopTargets {
    latch: usize,
    merge: usize,
}

struct Lowering {
    random: Random,
    lists: Vec<Vec<usize>>,
    /// Latches and preheaders.
    is_kept: Vec<bool>,
    /// The loops around, outermost first.
    loops: Vec<LoopTargets>,
    budget: usize,
    current: Option<usize>,
}

impl Lowering {
    fn block(&mut self) -> usize {
        self.lists.push(Vec::new());
        self.is_kept.push(false);
        self.lists.len() - 1
    }

    fn jump(&mut self, target: usize) {
        if let Some(current) = self.current.take() {
            self.lists[current].push(target);
        }
    }

    fn branch(&mut self, targets: &[usize]) {
        if let Some(current) = self.current.take() {
            self.lists[current].extend_from_slice(targets);
        }
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.random.between(1, 3) {
            if self.budget > 0 && self.current.is_some() {
                self.statement(depth);
            }
        }
    }

    /// Depth is bounded by [`DEPTH`].
    fn statement(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        if depth >= DEPTH {
            return self.simple();
        }
        match self.random.below(100) {
            0..18 => self.simple(),
            18..36 => self.conditional(depth),
            36..60 => self.conditional_else(depth),
            60..68 => self.switch(depth),
            68..86 => self.while_loop(depth),
            86..94 => self.do_while_loop(depth),
            _ => self.leave(),
        }
    }

    fn simple(&mut self) {
        let next = self.block();
        self.jump(next);
        self.current = Some(next);
    }

    fn conditional(&mut self, depth: usize) {
        let (body, join) = (self.block(), self.block());
        self.branch(&[body, join]);
        let after = if self.random.chance(30) { self.leaving_target() } else { join };
        self.arm(body, after, depth);
        self.current = Some(join);
    }

    fn conditional_else(&mut self, depth: usize) {
        let (yes, no, join) = (self.block(), self.block(), self.block());
        self.branch(&[yes, no]);
        self.arm(yes, join, depth);
        self.arm(no, join, depth);
        self.current = Some(join);
    }

    fn switch(&mut self, depth: usize) {
        let count = self.random.between(3, 6);
        let cases: Vec<usize> = (0..count).map(|_| self.block()).collect();
        let join = self.block();
        self.branch(&cases);
        for (index, &case) in cases.iter().enumerate() {
            let falls_through = index > 0 && index + 1 < count && self.random.chance(20);
            let after = if falls_through { cases[index + 1] } else { join };
            self.arm(case, after, depth);
        }
        self.current = Some(join);
    }

    fn arm(&mut self, start: usize, after: usize, depth: usize) {
        self.current = Some(start);
        self.statements(depth + 1);
        self.jump(after);
    }

    fn while_loop(&mut self, depth: usize) {
        let (preheader, header, body) = (self.block(), self.block(), self.block());
        let (latch, merge) = (self.block(), self.block());
        (self.is_kept[preheader], self.is_kept[latch]) = (true, true);
        self.jump(preheader);
        self.lists[preheader].push(header);
        self.lists[header].extend([body, merge]);
        self.lists[latch].push(header);
        self.body(body, LoopTargets { latch, merge }, depth);
        self.current = Some(merge);
    }

    fn do_while_loop(&mut self, depth: usize) {
        let (preheader, header, latch, merge) = (self.block(), self.block(), self.block(), self.block());
        (self.is_kept[preheader], self.is_kept[latch]) = (true, true);
        self.jump(preheader);
        self.lists[preheader].push(header);
        self.lists[latch].extend([header, merge]);
        self.body(header, LoopTargets { latch, merge }, depth);
        self.current = Some(merge);
    }

    fn body(&mut self, start: usize, targets: LoopTargets, depth: usize) {
        self.loops.push(targets);
        self.arm(start, targets.latch, depth);
        self.loops.pop();
    }

    /// A conditional break, continue or return; the code after it stays reachable.
    fn leave(&mut self) {
        let rest = self.block();
        let target = self.leaving_target();
        self.branch(&[target, rest]);
        self.current = Some(rest);
    }

    /// The target of a break, continue or return: mostly of the innermost loop, sometimes of the next one.
    fn leaving_target(&mut self) -> usize {
        let outwards = self.random.below(self.loops.len().clamp(1, 2));
        match self.loops.iter().rev().nth(outwards) {
            Some(&LoopTargets { latch, merge }) if self.random.chance(80) => {
                if self.random.chance(50) {
                    latch
                } else {
                    merge
                }
            }
            _ => self.block(),
        }
    }

    /// Removes blocks that only jump.
    fn remove_jumps(mut self, form: Form) -> PlainGraph {
        let mut forward: Vec<usize> = (0..self.lists.len()).collect();
        for (block, list) in self.lists.iter().enumerate().skip(1) {
            let is_kept = form == Form::LoopSimplified && self.is_kept[block];
            if let [target] = list[..]
                && !is_kept
                && target != block
                && self.random.chance(REMOVED)
            {
                forward[block] = target;
            }
        }
        let lists: Vec<Vec<usize>> =
            self.lists.iter().map(|list| list.iter().map(|&target| follow(&forward, target)).collect()).collect();
        PlainGraph::from_successors(&without_equal_pairs(lists)).without_unreachable()
    }
}

/// The final target of jumps from a block. Blocks in a cycle of jumps stay.
fn follow(forward: &[usize], block: usize) -> usize {
    let mut current = block;
    for _ in 0..forward.len() {
        if forward[current] == current {
            return current;
        }
        current = forward[current];
    }
    block
}

fn without_equal_pairs(mut lists: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    for list in &mut lists {
        if let [first, second] = list[..]
            && first == second
        {
            list.pop();
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_shrink() {
        for seed in 0..40 {
            let sizes =
                [Form::Plain, Form::LoopSimplified, Form::Optimized].map(|form| structured(seed, 30, form).len());
            assert!(sizes[0] >= sizes[1] && sizes[1] >= sizes[2], "seed {seed}: {sizes:?}");
            assert!(sizes[0] >= 20, "seed {seed}: {sizes:?}");
        }
    }
}
