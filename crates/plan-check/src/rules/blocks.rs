//! Rules of blocks and of loops: R1 to R23, and M1.

use std::collections::BTreeMap;

use reconverge_structurize::{Merge, Terminator};

use super::{PlanFacts, ensure, targets};

impl PlanFacts<'_> {
    pub(super) fn check_blocks(&self) -> Result<(), String> {
        let blocks = &self.plan.blocks;
        ensure!(self.edges.iter().all(|&(_, target)| target != 0), "R1: the entry is branched to");
        let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
        let mut landings = vec![false; self.count];
        for (index, block) in blocks.iter().enumerate() {
            ensure!(self.dominates(0, index), "R36: p{index} is unreachable");
            let is_first = self.dominated[index].iter().enumerate().all(|(word, &bits)| {
                let before = index.saturating_sub(64 * word).min(64);
                before == 0 || bits << (64 - before) == 0
            });
            ensure!(is_first, "R3: p{index} stands behind a block that it dominates");
            let merge = match (block.merge, &block.terminator) {
                (Merge::None, Terminator::Switch { .. }) => return Err(format!("R15: p{index}")),
                (Merge::Loop { .. }, Terminator::Switch { .. } | Terminator::Exit | Terminator::Unreachable) => {
                    return Err(format!("R11: loop merge at p{index}"));
                }
                (Merge::Selection { .. }, Terminator::Branch(_) | Terminator::Exit | Terminator::Unreachable) => {
                    return Err(format!("R11: selection merge at p{index}"));
                }
                (Merge::None, _) => None,
                (Merge::Selection { merge }, _) => Some(merge.index()),
                (Merge::Loop { merge, continue_target }, _) => {
                    ensure!(merge != continue_target, "R12: p{index}");
                    ensure!(self.dominates(index, continue_target.index()), "R20: p{index}");
                    landings[continue_target.index()] = true;
                    landings[index] = true;
                    Some(merge.index())
                }
            };
            if let Some(merge) = merge {
                ensure!(merge != index && self.dominates(index, merge), "R18: p{index} and its merge p{merge}");
                let other = owner.insert(merge, index);
                ensure!(other.is_none(), "R17: p{merge} is the merge of p{index} and {other:?}");
                landings[merge] = true;
            }
            if let Terminator::Switch { .. } = block.terminator {
                for target in targets(self.plan, index) {
                    landings[target] = true;
                }
            }
        }
        self.check_branches(&landings)
    }

    /// Branches without a merge, and blocks of several predecessors, which `landings` may be.
    fn check_branches(&self, landings: &[bool]) -> Result<(), String> {
        let blocks = &self.plan.blocks;
        // Merge blocks and continue targets, which are what a branch without a merge may go to.
        let mut is_named = vec![false; self.count];
        for block in blocks {
            match block.merge {
                Merge::None => {}
                Merge::Selection { merge } => is_named[merge.index()] = true,
                Merge::Loop { merge, continue_target } => {
                    is_named[merge.index()] = true;
                    is_named[continue_target.index()] = true;
                }
            }
        }
        let mut sources = vec![0; self.count];
        self.edges.iter().for_each(|&(_, target)| sources[target] += 1);
        for (index, block) in blocks.iter().enumerate() {
            if let Terminator::Conditional { then, otherwise, .. } = &block.terminator {
                ensure!(then.target != otherwise.target, "R8: p{index}");
                let is_header = matches!(block.merge, Merge::Selection { .. });
                let has_landing = is_named[then.target.index()] || is_named[otherwise.target.index()];
                ensure!(is_header || has_landing, "R16: p{index}");
            }
            let sources = sources[index];
            ensure!(sources < 2 || landings[index], "M1: p{index} has {sources} predecessors");
        }
        Ok(())
    }

    pub(super) fn check_loops(&mut self) -> Result<(), String> {
        for &(source, target) in &self.edges {
            if self.dominates(target, source) {
                ensure!(matches!(self.plan.blocks[target].merge, Merge::Loop { .. }), "R14: p{source} → p{target}");
                let other = self.back.insert(target, source);
                ensure!(other.is_none(), "R19: two back edges to p{target}");
            }
        }
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let Merge::Loop { continue_target, .. } = block.merge else { continue };
            let Some(&back) = self.back.get(&index) else { return Err(format!("R19: no back edge to p{index}")) };
            let target = continue_target.index();
            ensure!(self.dominates(target, back), "R21: p{target} and p{back}");
            ensure!(self.post_dominated(target, back), "R22: p{back} and p{target}");
        }
        // R23: without back edges the structural graph has no cycle.
        let mut indegree = vec![0; self.count];
        let forward = |from: usize, to: usize| !self.dominates(to, from);
        for (from, list) in self.structural.iter().enumerate() {
            for &to in list.iter().filter(|&&to| forward(from, to)) {
                indegree[to] += 1;
            }
        }
        let mut stack: Vec<usize> = (0..self.count).filter(|&block| indegree[block] == 0).collect();
        let mut done = 0;
        while let Some(from) = stack.pop() {
            done += 1;
            for &to in self.structural[from].iter().filter(|&&to| forward(from, to)) {
                indegree[to] -= 1;
                if indegree[to] == 0 {
                    stack.push(to);
                }
            }
        }
        ensure!(done == self.count, "R23: irreducible");
        Ok(())
    }

    /// Returns whether every structural path from `from` to the end of the function passes `gate`.
    pub(super) fn post_dominated(&self, from: usize, gate: usize) -> bool {
        if from == gate {
            return true;
        }
        let mut seen = vec![false; self.count];
        let mut stack = vec![from];
        seen[from] = true;
        seen[gate] = true;
        while let Some(at) = stack.pop() {
            if self.structural[at].is_empty() {
                return false;
            }
            for &to in &self.structural[at] {
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push(to);
                }
            }
        }
        true
    }
}
