//! Rules of switches and their cases: R29 to R34.

use std::collections::BTreeMap;

use reconverge_structurize::{Merge, Terminator};

use super::{Construct, ConstructKind, PlanFacts, ensure, has};

impl PlanFacts<'_> {
    pub(super) fn check_switches(&self) -> Result<(), String> {
        for switch in self.constructs.iter().filter(|one| one.kind == ConstructKind::Switch) {
            let Terminator::Switch { default, cases, .. } = &self.plan.blocks[switch.header].terminator else {
                unreachable!("a switch construct has a switch");
            };
            let default = default.target.index();
            let rows: Vec<usize> = cases.iter().map(|(_, edge)| edge.target.index()).collect();
            for (index, &row) in rows.iter().enumerate() {
                let begin = rows.iter().position(|&other| other == row).expect("it is there");
                ensure!(rows[begin..index].iter().all(|&other| other == row), "R34: rows of p{row}");
            }
            let arms: Vec<&Construct> = self
                .constructs
                .iter()
                .filter(|one| one.kind == ConstructKind::Case && one.header == switch.header)
                .collect();
            let mut into: BTreeMap<usize, usize> = BTreeMap::new();
            let mut falls: BTreeMap<usize, usize> = BTreeMap::new();
            for arm in &arms {
                ensure!(self.dominates(switch.header, arm.first), "R29: p{}", arm.first);
                let is_other_role = self.plan.blocks.iter().enumerate().any(|(header, block)| match block.merge {
                    Merge::Loop { merge, continue_target } => {
                        merge.index() == arm.first || (continue_target.index() == arm.first && header != arm.first)
                    }
                    Merge::Selection { merge } => merge.index() == arm.first,
                    Merge::None => false,
                });
                ensure!(!is_other_role, "R29: case p{} has another role", arm.first);
                for &(from, to) in &self.edges {
                    let is_case = to != arm.first && arms.iter().any(|other| other.first == to);
                    if has(&arm.set, from) && is_case && !has(&arm.set, to) {
                        let other = falls.insert(arm.first, to);
                        ensure!(other.is_none_or(|other| other == to), "R30: p{} falls into two", arm.first);
                        if other.is_none() {
                            *into.entry(to).or_default() += 1;
                        }
                    }
                }
            }
            ensure!(into.values().all(|&times| times == 1), "R31: a case of p{} is entered twice", switch.header);
            for (&from, &to) in &falls {
                let mut to = to;
                if to == default && !rows.contains(&default) {
                    match falls.get(&default) {
                        Some(&next) => to = next,
                        None => continue,
                    }
                }
                let Some(last) = rows.iter().rposition(|&row| row == from) else { continue };
                ensure!(rows.get(last + 1) == Some(&to), "R32: p{from} falls into p{to}");
            }
        }
        Ok(())
    }
}
