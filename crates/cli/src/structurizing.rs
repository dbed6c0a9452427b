//! Options of the structurizer, for every command that runs it.

use reconverge::Styled;
use reconverge::structurize::{BreakBlocks, MergeRule, Options, Policy};

use crate::named::Named;

/// Options of the structurizer.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Structurizer")]
pub(crate) struct Structurizing {
    /// Convergence assumption (docs/convergence.md); may be repeated
    ///
    /// `merges`: merge instructions of the input are kept, used as hints, or ignored. `break-blocks`: convergent code before a break stays where
    /// the input has it, or runs inside the loop, or outside.
    #[arg(long, hide_short_help = true, value_name = "WHAT=HOW", value_parser = assumption_parser())]
    pub(crate) assume: Vec<Assumed>,
    /// Exits that constructs may have, for the consumer of the output (docs/policies.md) [default: spirv]
    ///
    /// spirv: all exits that SPIR-V allows. bare: the same, with as few merges as possible. wgsl: exits that WGSL can express and naga translates.
    /// flat: exits of one level only.
    #[arg(long, value_name = "POLICY", value_parser = policy_parser())]
    pub(crate) policy: Option<Policy>,
    /// Nest constructs at most N deep
    ///
    /// Code that would nest deeper becomes a loop around a switch. 0: the whole function becomes such a loop. 1 and 2 have the effect of 3.
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub(crate) nesting_limit: Option<u32>,
    /// Reject a graph that would have more than N blocks (exit code 4)
    ///
    /// Only functions that are structurized count.
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub(crate) block_limit: Option<usize>,
    /// Copy blocks of at most N instructions to make irreducible cycles reducible [default: 0]
    ///
    /// The size of a block in a bare graph is its weight, 1 by default.
    #[arg(long, hide_short_help = true, value_name = "N")]
    pub(crate) split_blocks: Option<u32>,
}

impl Structurizing {
    pub(crate) fn options(&self) -> Options {
        let split_blocks = self.split_blocks.unwrap_or(0);
        let mut options = Options::new().policy(self.policy()).split_blocks(split_blocks);
        options.nesting_limit = self.nesting_limit.unwrap_or(options.nesting_limit);
        options.block_limit = self.block_limit.unwrap_or(options.block_limit);
        for assumed in &self.assume {
            match assumed {
                Assumed::BreakBlocks(break_blocks) => options.break_blocks = *break_blocks,
                Assumed::Merges(AssumedMerges::PostDominators) => options.merges = MergeRule::PostDominators,
                Assumed::Merges(AssumedMerges::Structure | AssumedMerges::Hints) => options.merges = MergeRule::Hints,
            }
        }
        options
    }

    /// Returns the policy of exits from constructs.
    pub(crate) fn policy(&self) -> Policy {
        self.policy.unwrap_or(Policy::Spirv)
    }

    /// The error if two assumptions contradict each other.
    pub(crate) fn unmet_need(&self) -> Option<String> {
        let (first, second) = self.assume.iter().enumerate().find_map(|(number, second)| {
            let is_other = |first: &&Assumed| first.is_of_same(second) && *first != second;
            self.assume[..number].iter().find(is_other).map(|first| (first, second))
        })?;
        Some(format!("--assume {} and --assume {} contradict each other", first.name(), second.name()))
    }

    /// As [`Structurizing::unmet_need`], for a graph without instructions.
    pub(crate) fn unmet_need_of_graph(&self) -> Option<String> {
        let is_structure = self.assume.contains(&Assumed::Merges(AssumedMerges::Structure));
        let structure = || "--assume merges=structure is for modules: in a bare graph, merges are hints";
        self.unmet_need().or_else(|| is_structure.then(|| structure().to_owned()))
    }

    /// The functions that the policy and the nesting limit apply to: also those that are already structured, if either flag is given.
    pub(crate) fn styled(&self) -> Styled {
        let is_given = self.policy() != Policy::Spirv || self.nesting_limit.is_some();
        if is_given { Styled::Everything } else { Styled::Structurized }
    }

    /// The error of a flag that removes merges, if an assumption about them is given.
    pub(crate) fn unmet_need_without_merges(&self, flag: &str) -> Option<String> {
        let speaks_of_merges = self.assume.iter().any(|assumed| matches!(assumed, Assumed::Merges(_)));
        speaks_of_merges.then(|| {
            format!("{flag} and --assume merges=... exclude each other: the first removes the merges that the second describes")
        })
    }

    /// Returns whether functions are structurized again that are already structured.
    pub(crate) fn merges_are_hints(&self) -> bool {
        let merges = |assumed: &Assumed| if let Assumed::Merges(merges) = assumed { Some(*merges) } else { None };
        self.assume.iter().rev().find_map(merges).is_some_and(|merges| merges != AssumedMerges::Structure)
    }
}

/// An assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assumed {
    Merges(AssumedMerges),
    BreakBlocks(BreakBlocks),
}

impl Assumed {
    /// Returns whether both are about the same subject.
    fn is_of_same(&self, other: &Assumed) -> bool {
        matches!(
            (self, other),
            (Assumed::Merges(_), Assumed::Merges(_)) | (Assumed::BreakBlocks(_), Assumed::BreakBlocks(_))
        )
    }

    /// The form on the command line.
    fn name(&self) -> &'static str {
        ASSUMED.iter().find(|(_, assumed)| assumed == self).map_or("", |&(name, _)| name)
    }
}

/// The role of merges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssumedMerges {
    Structure,
    Hints,
    PostDominators,
}

const ASSUMED: [(&str, Assumed); 6] = [
    ("merges=structure", Assumed::Merges(AssumedMerges::Structure)),
    ("merges=hints", Assumed::Merges(AssumedMerges::Hints)),
    ("merges=post-dominators", Assumed::Merges(AssumedMerges::PostDominators)),
    ("break-blocks=ordinary", Assumed::BreakBlocks(BreakBlocks::Ordinary)),
    ("break-blocks=inside", Assumed::BreakBlocks(BreakBlocks::Inside)),
    ("break-blocks=outside", Assumed::BreakBlocks(BreakBlocks::Outside)),
];

fn policy_parser() -> Named<Policy> {
    Named::new(|| Policy::ALL.map(Policy::name).to_vec(), Policy::parse)
}

fn assumption_parser() -> Named<Assumed> {
    let find = |name: &str| ASSUMED.iter().find(|(other, _)| *other == name).map(|&(_, assumed)| assumed);
    Named::new(|| ASSUMED.map(|(name, _)| name).to_vec(), find)
}
