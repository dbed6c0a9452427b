//! Rules of edges that leave constructs, and of nested constructs: R24 to R28.

use reconverge_structurize::Merge;

use super::{Construct, ConstructKind, PlanFacts, ensure, has};

impl PlanFacts<'_> {
    fn innermost(&self, block: usize, accepts: impl Fn(&Construct) -> bool) -> Option<&Construct> {
        let around = self.constructs.iter().filter(|one| has(&one.set, block) && accepts(one));
        around.min_by_key(|one| one.size)
    }

    fn is_legal(&self, from: usize, to: usize) -> bool {
        let Some(inner) = self.innermost(from, |_| true) else { return true };
        let looped = self.innermost(from, |one| one.kind == ConstructKind::Loop);
        let held = self.innermost(from, |one| one.kind == ConstructKind::Continue);
        // In a continue construct, only a loop inside it counts.
        let looped = looped.filter(|one| held.is_none_or(|held| one.size < held.size));
        let switch = self.innermost(from, |one| one.kind == ConstructKind::Switch);
        let x1 = matches!(inner.kind, ConstructKind::Selection | ConstructKind::Switch) && to == inner.merge;
        let x2 = looped.is_some_and(|one| to == one.merge);
        let is_back_block = self.back.values().any(|&back| back == from);
        let target_of = |header: usize| match self.plan.blocks[header].merge {
            Merge::Loop { continue_target, .. } => continue_target.index(),
            _ => usize::MAX,
        };
        let x3 = looped.is_some_and(|one| to == target_of(one.header) && self.back[&one.header] != from);
        let x4 = self.back.get(&to) == Some(&from);
        let x5 = is_back_block
            && self.back.iter().any(|(&header, &back)| {
                let Merge::Loop { merge, .. } = self.plan.blocks[header].merge else { return false };
                back == from && merge.index() == to
            });
        let x6 = inner.kind == ConstructKind::Case
            && self
                .constructs
                .iter()
                .any(|one| one.kind == ConstructKind::Case && one.header == inner.header && one.first == to);
        let x7 = switch.is_some_and(|switch| {
            let crosses = |one: &&Construct| {
                matches!(one.kind, ConstructKind::Loop | ConstructKind::Continue)
                    && has(&one.set, from)
                    && has(&switch.set, one.header)
                    && one.header != switch.header
            };
            to == switch.merge && !self.constructs.iter().any(|one| crosses(&one))
        });
        x1 || x2 || x3 || x4 || x5 || x6 || x7
    }

    pub(super) fn check_exits(&self) -> Result<(), String> {
        for &(from, to) in &self.edges {
            let mut leaves = self.constructs.iter().filter(|one| has(&one.set, from) && !has(&one.set, to));
            if leaves.next().is_some() {
                ensure!(self.is_legal(from, to), "R24: p{from} → p{to}");
            }
            for one in self.constructs.iter().filter(|one| one.kind == ConstructKind::Continue) {
                if has(&one.set, from) && !has(&one.set, to) {
                    ensure!(to == one.header || to == one.merge, "R25: p{from} → p{to}");
                }
                if to == one.first && self.back.get(&to) != Some(&from) {
                    let body =
                        self.constructs.iter().find(|two| two.kind == ConstructKind::Loop && two.header == one.header);
                    ensure!(body.is_some_and(|body| has(&body.set, from)), "R26: p{from} → p{to}");
                }
            }
            for one in
                self.constructs.iter().filter(|one| !matches!(one.kind, ConstructKind::Case | ConstructKind::Continue))
            {
                if has(&one.set, to) && !has(&one.set, from) {
                    ensure!(to == one.header, "R28: p{from} → p{to}");
                }
            }
        }
        Ok(())
    }

    pub(super) fn check_nesting(&self) -> Result<(), String> {
        for outer in &self.constructs {
            for inner in &self.constructs {
                let is_own = inner.header == outer.header && outer.first == outer.header;
                if !is_own
                    && matches!(inner.kind, ConstructKind::Selection | ConstructKind::Switch | ConstructKind::Loop)
                    && has(&outer.set, inner.header)
                {
                    let (header, merge) = (inner.header, inner.merge);
                    let holds = has(&outer.set, merge);
                    ensure!(
                        holds,
                        "R27: p{header} is in the {:?} of p{}, its merge p{merge} is not",
                        outer.kind,
                        outer.header
                    );
                }
            }
        }
        Ok(())
    }
}
