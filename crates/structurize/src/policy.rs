//! The exits that constructs may have, for a consumer: [`Policy`].
//!
//! Every exit follows one rule ([`Emitter::route`](crate::emit::Emitter)). A policy forbids some exits; these edges go to the merge of the
//! enclosing construct, where a selector determines their target. That merge is always allowed, so each policy is total.
//!
//! | from, to | spirv, bare | wgsl | flat |
//! |---|---|---|---|
//! | loop body: break, continue | yes | yes | yes |
//! | selection in a loop: break, continue | yes | yes | through the selection's merge |
//! | switch in a loop: continue | yes | yes | through the switch's merge |
//! | switch in a loop: break of the loop | yes | through the switch's merge | through the switch's merge |
//! | selection in a switch: merge of the switch | yes | yes | through the selection's merge |
//! | case: the next case | yes | through the switch's merge | through the switch's merge |
//!
//! `docs/policies.md` says which consumers each policy is for.

use crate::placement::Placement;
use crate::work::{NONE, WorkGraph};

/// The consumer of a plan: determines which exits of a construct it may use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Policy {
    /// Everything that SPIR-V allows: break and continue from any depth, the merge of the innermost switch, the next case. A conditional
    /// break or continue is a selection whose merge is the rest of the code, so that a printer writes `if c { break; }` and does not indent
    /// the rest.
    #[default]
    Spirv,
    /// The same, but a conditional exit is a two-way branch without a merge. For consumers that count merges; as many blocks.
    Bare,
    /// The exits that WGSL can express and that naga's reader of SPIR-V translates correctly. A `break` ends the innermost loop *or
    /// switch*, no case falls through to the next, no case ends in a conditional, and braces stay below WGSL's limit of 127.
    Wgsl,
    /// No edge leaves more than one construct: each goes to the merge of the enclosing construct, or from a loop's body itself to the
    /// loop's merge or continue target.
    Flat,
}

/// The innermost construct around a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Around {
    Function,
    Selection,
    Case,
    Scope,
    Loop,
}

/// The construct that a `break` of WGSL ends: the innermost loop or switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BreakTarget {
    /// A loop, if there is one.
    Loop,
    Switch,
}

/// The exits of a region, besides the merge of the enclosing construct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exits {
    pub(crate) continues: bool,
    pub(crate) breaks: bool,
    pub(crate) to_switch: bool,
}

/// The number of constructs for WGSL's limit on nested statements, 127. Tint counts a statement and its braces: two for a selection or a loop, three for
/// a switch with its case, one for the function, and one more for the continuing of a loop.
const CONSTRUCTS_OF_WGSL: u32 = 41;

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 4] = [Policy::Spirv, Policy::Bare, Policy::Wgsl, Policy::Flat];

    /// The exits of a region inside `around`.
    pub(crate) fn exits(self, around: Around, target: BreakTarget) -> Exits {
        match self {
            Self::Spirv | Self::Bare => Exits { continues: true, breaks: true, to_switch: true },
            Self::Wgsl => Exits { continues: true, breaks: target == BreakTarget::Loop, to_switch: true },
            Self::Flat => {
                let is_body = around == Around::Loop;
                Exits { continues: is_body, breaks: is_body, to_switch: false }
            }
        }
    }

    /// The exits that the cases of a switch may have: whether they may break or continue the enclosing loop.
    pub(crate) fn exits_of_case(self) -> Exits {
        self.exits(Around::Case, BreakTarget::Switch)
    }

    /// Returns whether a case may fall through to the next one.
    pub(crate) fn allows_fall_through(self) -> bool {
        matches!(self, Self::Spirv | Self::Bare)
    }

    /// Returns whether a selection inside a scope can exit to the scope's merge, which is the purpose of scopes.
    pub(crate) fn allows_scopes(self) -> bool {
        self != Self::Flat
    }

    /// Returns whether all edges of one head go through the construct that the head opens.
    pub(crate) fn joins_ways_out(self) -> bool {
        self == Self::Flat
    }

    /// Returns whether a consumer nests the code after a bare conditional in it: `if c { … } else { rest }`.
    pub(crate) fn nests_bare_conditionals(self) -> bool {
        self == Self::Wgsl
    }

    /// Returns whether a conditional break or continue is a selection of its own, whose merge is the rest. A branch that leaves on both
    /// sides, and that of a loop header, has no merge anyway: one would cost a block. Under `flat` an exit would leave two constructs at
    /// once.
    pub(crate) fn gives_exits_merges(self) -> bool {
        matches!(self, Self::Spirv | Self::Wgsl)
    }

    /// The maximal nesting depth of constructs.
    pub(crate) fn nesting_limit(self, asked: u32) -> u32 {
        if self == Self::Wgsl { asked.min(CONSTRUCTS_OF_WGSL) } else { asked }
    }

    /// The name, in options of commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spirv => "spirv",
            Self::Bare => "bare",
            Self::Wgsl => "wgsl",
            Self::Flat => "flat",
        }
    }

    /// The policy of that name.
    pub fn parse(name: &str) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

/// For each node the position of the outermost loop header that an edge from its placement subtree goes back to, [`NONE`] if there is none.
/// One bottom-up pass.
pub(crate) fn compute_outermost_continued(work: &WorkGraph, placement: &Placement) -> Vec<u32> {
    let mut outermost = vec![NONE; work.len()];
    for &node in placement.by_pos.iter().rev().filter(|&&node| node != NONE) {
        let at = node as usize;
        for edge in work.edges_of(node) {
            let header = placement[edge.target].header_of_latch;
            if header != NONE {
                outermost[at] = outermost[at].min(placement[header].pos);
            } else if placement[edge.target].is_header && placement.contains(edge.target, node) {
                outermost[at] = outermost[at].min(placement[edge.target].pos);
            }
        }
        let parent = placement[node].parent;
        if parent != NONE {
            outermost[parent as usize] = outermost[parent as usize].min(outermost[at]);
        }
    }
    outermost
}
