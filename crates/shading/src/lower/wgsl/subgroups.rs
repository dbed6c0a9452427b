//! Operations of a subgroup or quad: functions of the extension `subgroups`.
//!
//! | in the module | text |
//! |---|---|
//! | scans of sums and products | `subgroupInclusiveAdd(x)` |
//! | reductions of clusters of four | swaps within quads |
//! | ballots and questions about them | `ballots.rs` |

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use spirv::{GroupOperation, Scope};

use super::super::function::Body;
use crate::syntax::{Binary, Effects, Expr, Scalar, ScalarKind, Type};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// An operation of the subgroup.
    pub(in crate::lower) fn wgsl_subgroup(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(group) = view::Group::of(self.source, inst) else { return self.unknown(inst) };
        if group.execution.is_some_and(|scope| self.word(scope) != Some(Scope::Subgroup as u32)) {
            return self.refuse(WriteCode::Op, inst, "an operation of another group than the subgroup");
        }
        self.cx.require("subgroups", inst);
        let value = self.wgsl_group_value(inst, group)?;
        self.define(inst, value)
    }

    fn of_subgroup(&mut self, name: &'static str, arguments: &[Expr], ty: Type) -> Expr {
        self.call_with(name, arguments, ty, Effects::CONVERGENT)
    }

    fn wgsl_group_value(&mut self, inst: Inst, group: view::Group<'_>) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let ty = self.cx.type_of(inst)?;
        if op == Op::GroupNonUniformElect {
            return Ok(self.of_subgroup("subgroupElect", &[], ty));
        }
        let Some(value) = group.value else { return self.unknown(inst) };
        match op {
            Op::GroupNonUniformAll | Op::SubgroupAllKHR => {
                let value = self.value(value)?;
                Ok(self.of_subgroup("subgroupAll", &[value], ty))
            }
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => {
                let value = self.value(value)?;
                Ok(self.of_subgroup("subgroupAny", &[value], ty))
            }
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => self.wgsl_all_equal(value, ty),
            _ => {
                if let Some(found) = self.wgsl_value_of_lane(inst, group, value, ty)? {
                    return Ok(found);
                }
                if let Some(found) = self.ballot_value(inst, group, value)? {
                    return Ok(found);
                }
                self.wgsl_reduction(inst, group, value)
            }
        }
    }

    /// The value of every lane is that of the first one.
    fn wgsl_all_equal(&mut self, value: Inst, ty: Type) -> Result<Expr, Diagnostic> {
        let value = self.value(value)?;
        let numbers = self.exchangeable(value);
        let name = self.repeated(numbers);
        let (read, own) = (self.local(name), self.type_of(numbers));
        let first = self.of_subgroup("subgroupBroadcastFirst", &[read], own);
        let read = self.local(name);
        let size = self.numbers_of(read).size;
        let conditions = self.cx.text.types.numbers(Scalar::BOOL, size);
        let is_same = self.binary(Binary::Equal, read, first, conditions);
        let is_same = if size > 1 { self.call("all", &[is_same], ty) } else { is_same };
        let is_same = self.name_value(is_same);
        let read = self.local(is_same);
        Ok(self.of_subgroup("subgroupAll", &[read], ty))
    }

    /// A value as numbers that lanes can exchange: conditions become integers.
    fn exchangeable(&mut self, value: Expr) -> Expr {
        let numbers = self.numbers_of(value);
        match numbers.scalar.kind {
            ScalarKind::Bool => self.numbers_to(value, Scalar::UINT, numbers.size),
            _ => value,
        }
    }

    /// A value of another lane.
    fn wgsl_value_of_lane(
        &mut self,
        inst: Inst,
        group: view::Group<'_>,
        value: Inst,
        ty: Type,
    ) -> Result<Option<Expr>, Diagnostic> {
        let (op, argument) = (self.source.op(inst), group.arguments.first());
        let is_constant = argument.is_some_and(|argument| self.word(argument).is_some());
        let name = match op {
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => "subgroupBroadcastFirst",
            Op::GroupNonUniformBroadcast if is_constant => "subgroupBroadcast",
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => {
                "subgroupShuffle"
            }
            Op::GroupNonUniformShuffleXor => "subgroupShuffleXor",
            Op::GroupNonUniformShuffleUp => "subgroupShuffleUp",
            Op::GroupNonUniformShuffleDown => "subgroupShuffleDown",
            Op::GroupNonUniformQuadBroadcast if is_constant => "quadBroadcast",
            Op::GroupNonUniformQuadBroadcast => {
                return self.refuse(
                    WriteCode::Op,
                    inst,
                    "a broadcast of a lane of a quad that is no constant, in WGSL",
                );
            }
            Op::GroupNonUniformQuadSwap => {
                const SWAPS: [&str; 3] = ["quadSwapX", "quadSwapY", "quadSwapDiagonal"];
                let name =
                    argument.and_then(|argument| self.word(argument)).and_then(|way| SWAPS.get(way as usize).copied());
                match name {
                    Some(name) => name,
                    None => return self.unknown(inst),
                }
            }
            _ => return Ok(None),
        };
        let value = self.value(value)?;
        let value = self.exchangeable(value);
        let own = self.type_of(value);
        let mut arguments = vec![value];
        if let Some(lane) = argument.filter(|_| !name.starts_with("quadSwap") && !name.ends_with("First")) {
            arguments.push(self.value_as(lane, ScalarKind::Uint)?);
        }
        let moved = self.of_subgroup(name, &arguments, own);
        if own == ty {
            return Ok(Some(moved));
        }
        let size = self.numbers_of(moved).size;
        Ok(Some(self.numbers_to(moved, Scalar::BOOL, size)))
    }

    /// Reductions and scans.
    fn wgsl_reduction(&mut self, inst: Inst, group: view::Group<'_>, value: Inst) -> Result<Expr, Diagnostic> {
        let op = self.source.op(inst);
        let Some(found) = reduction_of(op) else { return self.unknown(inst) };
        let numbers = self.numbers(value)?;
        let value = match found.sign {
            Some(sign) => self.value_as(value, sign)?,
            None => self.value(value)?,
        };
        let value = self.exchangeable(value);
        let own = self.type_of(value);
        let quads = group.arguments.first().is_some_and(|size| self.word(size) == Some(4));
        let name = match (group.operation, found.scans) {
            (Some(GroupOperation::Reduce), _) => Some(found.reduce),
            (Some(GroupOperation::InclusiveScan), Some([inclusive, _])) => Some(inclusive),
            (Some(GroupOperation::ExclusiveScan), Some([_, exclusive])) => Some(exclusive),
            (Some(GroupOperation::ClusteredReduce), _) if quads => None,
            (other, _) => {
                let other = other.map_or_else(String::new, |other| format!("{other:?}"));
                return self.refuse(WriteCode::Op, inst, format!("{} by {other} in WGSL", op.name()));
            }
        };
        let reduced = match name {
            Some(name) => self.of_subgroup(name, &[value], own),
            None => self.reduced_in_quad(found, value),
        };
        if numbers.scalar.kind == ScalarKind::Bool {
            return Ok(self.numbers_to(reduced, Scalar::BOOL, numbers.size));
        }
        self.as_result(inst, reduced)
    }

    /// ```text
    /// pair = x + quadSwapX(x); pair + quadSwapY(pair)
    /// ```
    fn reduced_in_quad(&mut self, found: Reduction, value: Expr) -> Expr {
        let own = self.type_of(value);
        let mut reduced = value;
        for swap in ["quadSwapX", "quadSwapY"] {
            let name = self.repeated(reduced);
            let read = self.local(name);
            let other = self.of_subgroup(swap, &[read], own);
            let other = self.name_value(other);
            let (read, other) = (self.local(name), self.local(other));
            reduced = match found.operation {
                Operation::Operator(operator) => self.binary(operator, read, other, own),
                Operation::Function(name) => self.call(name, &[read, other], own),
            };
        }
        reduced
    }
}

/// An operation on two values.
#[derive(Clone, Copy)]
enum Operation {
    Operator(Binary),
    Function(&'static str),
}

/// A reduction.
#[derive(Clone, Copy)]
struct Reduction {
    reduce: &'static str,
    /// The inclusive and the exclusive scan.
    scans: Option<[&'static str; 2]>,
    operation: Operation,
    /// The signedness of its integers.
    sign: Option<ScalarKind>,
}

fn reduction_of(op: Op) -> Option<Reduction> {
    let (signed, unsigned) = (Some(ScalarKind::Int), Some(ScalarKind::Uint));
    let operator = |reduce, operator| {
        let operation = Operation::Operator(operator);
        Reduction { reduce, scans: None, operation, sign: None }
    };
    let function = |reduce, name, sign| Reduction { reduce, scans: None, operation: Operation::Function(name), sign };
    Some(match op {
        Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => {
            let scans = Some(["subgroupInclusiveAdd", "subgroupExclusiveAdd"]);
            Reduction { scans, ..operator("subgroupAdd", Binary::Add) }
        }
        Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => {
            let scans = Some(["subgroupInclusiveMul", "subgroupExclusiveMul"]);
            Reduction { scans, ..operator("subgroupMul", Binary::Multiply) }
        }
        Op::GroupNonUniformSMin => function("subgroupMin", "min", signed),
        Op::GroupNonUniformUMin => function("subgroupMin", "min", unsigned),
        Op::GroupNonUniformFMin => function("subgroupMin", "min", None),
        Op::GroupNonUniformSMax => function("subgroupMax", "max", signed),
        Op::GroupNonUniformUMax => function("subgroupMax", "max", unsigned),
        Op::GroupNonUniformFMax => function("subgroupMax", "max", None),
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => operator("subgroupAnd", Binary::BitAnd),
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => operator("subgroupOr", Binary::BitOr),
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => operator("subgroupXor", Binary::BitXor),
        _ => return None,
    })
}
