//! Operations that invocations execute together, and what they return.

use naga::{
    Barrier, CollectiveOperation, Expression, GatherMode, Handle, RayQueryFunction, Span, Statement, SubgroupOperation,
};

use super::graph::Node;
use super::statements::{Body, Site};
use super::{Scope, UniformityRule};

impl Body<'_> {
    pub(super) fn barrier(&mut self, barrier: Barrier, Site { span, flow }: Site) {
        let names = [
            (Barrier::WORK_GROUP, "workgroupBarrier", UniformityRule::Barrier),
            (Barrier::STORAGE, "storageBarrier", UniformityRule::Barrier),
            (Barrier::TEXTURE, "textureBarrier", UniformityRule::Barrier),
            (Barrier::SUB_GROUP, "subgroupBarrier", UniformityRule::Subgroup),
        ];
        for (_, name, rule) in names.into_iter().filter(|(kind, ..)| barrier.contains(*kind)) {
            self.require(rule, flow, span, &format!("`{name}` needs uniform control flow"));
        }
    }

    /// A statement whose result does not only depend on its operands.
    pub(super) fn operation(&mut self, statement: &Statement, site: Site) {
        let Site { span, flow } = site;
        match *statement {
            Statement::Atomic { result, .. } => {
                self.different(result, span, "the result of an atomic operation");
            }
            Statement::RayQuery { fun: RayQueryFunction::Proceed { result }, .. } => {
                self.different(Some(result), span, "the result of a ray query");
            }
            Statement::WorkGroupUniformLoad { pointer, result } => {
                let name = "workgroupUniformLoad";
                self.require(UniformityRule::Barrier, flow, span, &format!("`{name}` needs uniform control flow"));
                if let Some(node) = self.value(pointer) {
                    self.require(UniformityRule::Barrier, node, span, &format!("`{name}` needs a uniform pointer"));
                }
                self.set(result, flow);
            }
            Statement::SubgroupBallot { result, .. } => self.together(result, "subgroupBallot", Results::Same, site),
            Statement::SubgroupCollectiveOperation { op, collective_op, result, .. } => {
                let results = match collective_op {
                    CollectiveOperation::Reduce => Results::Same,
                    _ => Results::Different,
                };
                self.together(result, collective_name(op, collective_op), results, site);
            }
            Statement::SubgroupGather { mode, result, .. } => {
                let (name, index) = gather_name(mode);
                if let Some(node) = index.and_then(|index| self.value(index)) {
                    self.require(UniformityRule::Subgroup, node, span, &format!("`{name}` needs a uniform argument"));
                }
                let results = match mode {
                    GatherMode::BroadcastFirst | GatherMode::Broadcast(_) => Results::Same,
                    _ => Results::Different,
                };
                self.together(result, name, results, site);
            }
            _ => {}
        }
    }

    /// An operation of a subgroup.
    fn together(&mut self, result: Handle<Expression>, name: &str, results: Results, Site { span, flow }: Site) {
        self.require(UniformityRule::Subgroup, flow, span, &format!("`{name}` needs uniform control flow"));
        match results == Results::Same && self.scope == Scope::Subgroup {
            true => self.set(result, flow),
            false => self.different(Some(result), span, &format!("the result of `{name}`")),
        }
    }

    fn different(&mut self, result: Option<Handle<Expression>>, span: Span, what: &str) {
        if let Some(result) = result {
            let node = self.source(span, format!("{what} may differ between invocations"));
            self.set(result, node);
        }
    }

    fn set(&mut self, result: Handle<Expression>, node: Node) {
        self.values[result.index()] = Some(node);
    }
}

/// The results of an operation of a subgroup in its invocations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// One for all of them.
    Same,
    /// One for each of them.
    Different,
}

/// The name of a collective operation in WGSL.
fn collective_name(op: SubgroupOperation, kind: CollectiveOperation) -> &'static str {
    use CollectiveOperation::{ExclusiveScan, InclusiveScan, Reduce};
    match (op, kind) {
        (SubgroupOperation::All, _) => "subgroupAll",
        (SubgroupOperation::Any, _) => "subgroupAny",
        (SubgroupOperation::Add, Reduce) => "subgroupAdd",
        (SubgroupOperation::Add, ExclusiveScan) => "subgroupExclusiveAdd",
        (SubgroupOperation::Add, InclusiveScan) => "subgroupInclusiveAdd",
        (SubgroupOperation::Mul, Reduce) => "subgroupMul",
        (SubgroupOperation::Mul, ExclusiveScan) => "subgroupExclusiveMul",
        (SubgroupOperation::Mul, InclusiveScan) => "subgroupInclusiveMul",
        (SubgroupOperation::Max, _) => "subgroupMax",
        (SubgroupOperation::Min, _) => "subgroupMin",
        (SubgroupOperation::And, _) => "subgroupAnd",
        (SubgroupOperation::Or, _) => "subgroupOr",
        (SubgroupOperation::Xor, _) => "subgroupXor",
    }
}

/// The name of an exchange between invocations in WGSL, and the argument that has to be uniform.
fn gather_name(mode: GatherMode) -> (&'static str, Option<Handle<Expression>>) {
    match mode {
        GatherMode::BroadcastFirst => ("subgroupBroadcastFirst", None),
        GatherMode::Broadcast(_) => ("subgroupBroadcast", None),
        GatherMode::Shuffle(_) => ("subgroupShuffle", None),
        GatherMode::ShuffleDown(index) => ("subgroupShuffleDown", Some(index)),
        GatherMode::ShuffleUp(index) => ("subgroupShuffleUp", Some(index)),
        GatherMode::ShuffleXor(index) => ("subgroupShuffleXor", Some(index)),
        GatherMode::QuadBroadcast(_) => ("quadBroadcast", None),
        GatherMode::QuadSwap(_) => ("quadSwap", None),
    }
}
