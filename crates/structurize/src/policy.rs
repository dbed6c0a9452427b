//! What may leave a construct, for whom: [`Policy`].
//!
//! Every exit goes by one rule ([`Emitter::route`](crate::emit::Emitter)). A policy takes ways out away; what is left goes to the merge of the
//! construct around, where a selector tells where it is bound for. That merge is always allowed, so each policy is total.
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
//! Whom each of them serves stands in `docs/policies.md`.

use crate::placement::Placement;
use crate::work::{NONE, WorkGraph};

/// For whom a plan is made: which ways out of a construct it may take.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Policy {
    /// Everything that SPIR-V allows: break and continue from any depth, the merge of the innermost switch, the next case. A conditional
    /// break or continue is a selection whose merge is the rest, so that whoever writes text writes `if c { break; }` and goes on as deep as before.
    #[default]
    Spirv,
    /// The same, and a conditional exit is a two-way branch without a merge. For whoever counts merges; as many blocks.
    Bare,
    /// What WGSL can say and what naga's reader of SPIR-V takes for what it is. A `break` ends the innermost loop *or switch*, no case
    /// falls into the next, no case ends in a conditional, and braces stay below WGSL's limit of 127.
    Wgsl,
    /// No edge leaves more than one construct: each goes to the merge of the construct around, or from a loop's body itself to the
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

/// Which ways out of a region there are, besides the merge of the construct around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exits {
    pub(crate) continues: bool,
    pub(crate) breaks: bool,
    pub(crate) to_switch: bool,
}

/// The constructs that one brace-counting limit allows: a loop with a bare conditional and a switch with its cases take two braces each, the
/// function one, and the continuing of a loop one more. WGSL's limit is 127.
const CONSTRUCTS_OF_WGSL: u32 = 62;

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 4] = [Policy::Spirv, Policy::Bare, Policy::Wgsl, Policy::Flat];

    /// The ways out of a region inside `around`.
    pub(crate) fn exits(self, around: Around, is_in_switch: bool) -> Exits {
        match self {
            Self::Spirv | Self::Bare => Exits { continues: true, breaks: true, to_switch: true },
            Self::Wgsl => Exits { continues: true, breaks: !is_in_switch, to_switch: true },
            Self::Flat => {
                let is_body = around == Around::Loop;
                Exits { continues: is_body, breaks: is_body, to_switch: false }
            }
        }
    }

    /// Whether the cases of a switch may break or continue the loop around, both in one answer.
    pub(crate) fn exits_of_case(self) -> Exits {
        self.exits(Around::Case, true)
    }

    /// Whether a case may go on into the next one.
    pub(crate) fn allows_fall_through(self) -> bool {
        matches!(self, Self::Spirv | Self::Bare)
    }

    /// Whether a selection inside of a scope can go to the scope's merge, which is what scopes are for.
    pub(crate) fn allows_scopes(self) -> bool {
        self != Self::Flat
    }

    /// Whether what one head sends out goes through the construct that the head opens.
    pub(crate) fn joins_ways_out(self) -> bool {
        self == Self::Flat
    }

    /// Whether a consumer writes what follows a bare conditional inside of it: `if c { … } else { rest }`.
    pub(crate) fn nests_bare_conditionals(self) -> bool {
        self == Self::Wgsl
    }

    /// Whether a conditional break or continue is a selection of its own, whose merge is the rest. A branch that leaves on both sides, and that of a
    /// loop header, has no merge all the same: one would cost a block. Under `flat` an exit would leave two constructs at once.
    pub(crate) fn gives_exits_merges(self) -> bool {
        matches!(self, Self::Spirv | Self::Wgsl)
    }

    /// How deep constructs may nest.
    pub(crate) fn nesting_limit(self, asked: u32) -> u32 {
        if self == Self::Wgsl { asked.min(CONSTRUCTS_OF_WGSL) } else { asked }
    }

    /// The name, as options of commands have it.
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

/// For each node the position of the outermost loop header that something in its placement subtree goes back to, [`NONE`] where nothing goes
/// back. One pass from below.
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
