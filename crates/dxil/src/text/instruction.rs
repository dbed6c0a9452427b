//! Instructions.

use super::{Local, Printer, emit, names};
use crate::module::{
    Argument, BinaryFlags, BlockId, Constant, FloatFlags, Instruction, MetadataId, Operation, Ordering, Scope, Type,
    TypeId, ValueId, ValueKind,
};

/// The keyword of a volatile access, with the space before it.
const VOLATILE: &str = " volatile";

impl<'m> Printer<'m> {
    pub(super) fn instruction(&mut self, local: &Local<'m>, instruction: &'m Instruction) {
        if let Some(result) = instruction.result {
            self.operand(Some(local), result);
            self.out.push_str(" = ");
        }
        match &instruction.operation {
            Operation::Call { .. } => self.call(local, instruction),
            operation if operation.is_terminator() => self.terminator(local, operation),
            operation if is_access(operation) => self.access(local, instruction),
            operation => self.computation(local, operation, instruction.ty),
        }
        if let Some(number) = instruction.location.and_then(|location| self.metadata.location(&location)) {
            emit!(self, ", !dbg !{number}");
        }
        self.attachments(&instruction.metadata, ", ");
    }

    pub(super) fn attachments(&mut self, list: &[(u32, MetadataId)], separator: &str) {
        for &(kind, id) in list {
            emit!(self, "{separator}!");
            if let Some(Some(name)) = self.module.metadata_kinds.get(kind as usize) {
                names::write_name(name, &mut self.out);
            }
            self.out.push(' ');
            self.reference(None, id);
        }
    }

    /// Values with a type before the first, which is the type of all.
    fn same_typed(&mut self, local: &Local<'m>, values: &[ValueId]) {
        for (index, &value) in values.iter().enumerate() {
            match index {
                0 => self.typed_operand(Some(local), value),
                _ => {
                    self.out.push_str(", ");
                    self.operand(Some(local), value);
                }
            }
        }
    }

    /// Values with a type before each.
    fn all_typed(&mut self, local: &Local<'m>, values: &[ValueId]) {
        for (index, &value) in values.iter().enumerate() {
            self.comma(index);
            self.typed_operand(Some(local), value);
        }
    }

    fn computation(&mut self, local: &Local<'m>, operation: &'m Operation, ty: TypeId) {
        match operation {
            Operation::Binary { op, flags, lhs, rhs } => {
                emit!(self, "{}{} ", op.name(), binary_flags(*flags));
                self.same_typed(local, &[*lhs, *rhs]);
            }
            Operation::Cast { op, value } => {
                emit!(self, "{} ", op.name());
                self.typed_operand(Some(local), *value);
                self.out.push_str(" to ");
                self.write_type(ty);
            }
            Operation::IntCompare { predicate, lhs, rhs } => {
                emit!(self, "icmp {} ", predicate.name());
                self.same_typed(local, &[*lhs, *rhs]);
            }
            Operation::FloatCompare { predicate, flags, lhs, rhs } => {
                emit!(self, "fcmp{} {} ", float_flags(*flags), predicate.name());
                self.same_typed(local, &[*lhs, *rhs]);
            }
            Operation::Select { condition, if_true, if_false } => {
                self.out.push_str("select ");
                self.all_typed(local, &[*condition, *if_true, *if_false]);
            }
            Operation::Phi { incoming } => {
                self.out.push_str("phi ");
                self.write_type(ty);
                for (index, edge) in incoming.iter().enumerate() {
                    self.out.push_str(if index > 0 { ", [ " } else { " [ " });
                    self.operand(Some(local), edge.value);
                    self.out.push_str(", ");
                    self.label(local, edge.block);
                    self.out.push_str(" ]");
                }
            }
            Operation::ExtractValue { aggregate, indices } => {
                self.out.push_str("extractvalue ");
                self.typed_operand(Some(local), *aggregate);
                self.indices(indices);
            }
            Operation::InsertValue { aggregate, value, indices } => {
                self.out.push_str("insertvalue ");
                self.all_typed(local, &[*aggregate, *value]);
                self.indices(indices);
            }
            Operation::ExtractElement { vector, index } => {
                self.out.push_str("extractelement ");
                self.all_typed(local, &[*vector, *index]);
            }
            Operation::InsertElement { vector, element, index } => {
                self.out.push_str("insertelement ");
                self.all_typed(local, &[*vector, *element, *index]);
            }
            Operation::ShuffleVector { first, second, mask } => {
                self.out.push_str("shufflevector ");
                self.all_typed(local, &[*first, *second, *mask]);
            }
            _ => {}
        }
    }

    fn indices(&mut self, indices: &[u32]) {
        for index in indices {
            emit!(self, ", {index}");
        }
    }

    fn access(&mut self, local: &Local<'m>, instruction: &'m Instruction) {
        match &instruction.operation {
            Operation::ElementPointer { is_inbounds, source, base, indices } => {
                self.out.push_str(if *is_inbounds { "getelementptr inbounds " } else { "getelementptr " });
                self.write_type(*source);
                self.out.push_str(", ");
                self.typed_operand(Some(local), *base);
                for &index in indices {
                    self.out.push_str(", ");
                    self.typed_operand(Some(local), index);
                }
            }
            Operation::Alloca { ty, count, alignment } => {
                self.out.push_str("alloca ");
                self.write_type(*ty);
                let value = self.find(Some(local), *count);
                let is_one = value.kind == ValueKind::Constant(Constant::Integer(1))
                    && self.module.types.integer_width(value.ty) == Some(32);
                if !is_one {
                    self.out.push_str(", ");
                    self.typed_operand(Some(local), *count);
                }
                self.alignment(*alignment);
            }
            Operation::Load { pointer, alignment, is_volatile } => {
                emit!(self, "load{} ", if *is_volatile { VOLATILE } else { "" });
                self.write_type(instruction.ty);
                self.out.push_str(", ");
                self.typed_operand(Some(local), *pointer);
                self.alignment(*alignment);
            }
            Operation::Store { pointer, value, alignment, is_volatile } => {
                emit!(self, "store{} ", if *is_volatile { VOLATILE } else { "" });
                self.all_typed(local, &[*value, *pointer]);
                self.alignment(*alignment);
            }
            Operation::AtomicRmw { op, pointer, value, is_volatile, ordering, scope } => {
                emit!(self, "atomicrmw{} {} ", if *is_volatile { VOLATILE } else { "" }, op.name());
                self.all_typed(local, &[*pointer, *value]);
                self.atomic(*scope, &[*ordering]);
            }
            Operation::CompareExchange { pointer, expected, value, is_volatile, is_weak, success, failure, scope } => {
                emit!(
                    self,
                    "cmpxchg{}{} ",
                    if *is_weak { " weak" } else { "" },
                    if *is_volatile { VOLATILE } else { "" }
                );
                self.all_typed(local, &[*pointer, *expected, *value]);
                self.atomic(*scope, &[*success, *failure]);
            }
            Operation::Fence { ordering, scope } => {
                self.out.push_str("fence");
                self.atomic(*scope, &[*ordering]);
            }
            _ => {}
        }
    }

    fn atomic(&mut self, scope: Scope, orderings: &[Ordering]) {
        if scope == Scope::SingleThread {
            self.out.push_str(" singlethread");
        }
        for ordering in orderings {
            emit!(self, " {}", ordering.name());
        }
    }

    fn call(&mut self, local: &Local<'m>, instruction: &'m Instruction) {
        let Operation::Call { callee, arguments, memory, calling_convention, is_tail } = &instruction.operation else {
            return;
        };
        self.out.push_str(if *is_tail { "tail call " } else { "call " });
        self.calling_convention(*calling_convention);
        let pointee = self.module.types.pointee(self.find(Some(local), *callee).ty);
        match pointee {
            // The type of the result would not say that more arguments are possible.
            Some(ty) if matches!(self.module.types[ty], Type::Function { is_variadic: true, .. }) => {
                self.write_type(ty)
            }
            _ => self.write_type(instruction.ty),
        }
        self.out.push(' ');
        self.operand(Some(local), *callee);
        self.out.push('(');
        for (index, argument) in arguments.iter().enumerate() {
            self.comma(index);
            match argument {
                Argument::Value(value) => self.typed_operand(Some(local), *value),
                Argument::Metadata(id) => {
                    self.out.push_str("metadata ");
                    self.reference(Some(local), *id);
                }
            }
        }
        self.out.push(')');
        self.memory_effect(*memory);
    }

    fn terminator(&mut self, local: &Local<'m>, operation: &'m Operation) {
        match operation {
            Operation::Return { value: None } => self.out.push_str("ret void"),
            Operation::Return { value: Some(value) } => {
                self.out.push_str("ret ");
                self.typed_operand(Some(local), *value);
            }
            Operation::Branch { target } => {
                self.out.push_str("br ");
                self.labels(local, &[*target]);
            }
            Operation::ConditionalBranch { condition, if_true, if_false } => {
                self.out.push_str("br ");
                self.typed_operand(Some(local), *condition);
                self.out.push_str(", ");
                self.labels(local, &[*if_true, *if_false]);
            }
            Operation::Switch { selector, default, cases } => {
                self.out.push_str("switch ");
                self.typed_operand(Some(local), *selector);
                self.out.push_str(", ");
                self.labels(local, &[*default]);
                self.out.push_str(" [");
                for case in cases {
                    self.out.push_str("\n    ");
                    self.typed_operand(Some(local), case.value);
                    self.out.push_str(", ");
                    self.labels(local, &[case.target]);
                }
                self.out.push_str("\n  ]");
            }
            _ => self.out.push_str("unreachable"),
        }
    }

    fn labels(&mut self, local: &Local<'m>, targets: &[BlockId]) {
        for (index, &target) in targets.iter().enumerate() {
            self.comma(index);
            self.out.push_str("label ");
            self.label(local, target);
        }
    }
}

fn is_access(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::ElementPointer { .. }
            | Operation::Alloca { .. }
            | Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::AtomicRmw { .. }
            | Operation::CompareExchange { .. }
            | Operation::Fence { .. }
    )
}

fn binary_flags(flags: BinaryFlags) -> String {
    let mut text = float_flags(flags.float);
    let names = [(flags.no_unsigned_wrap, " nuw"), (flags.no_signed_wrap, " nsw"), (flags.is_exact, " exact")];
    names.iter().filter(|(is_set, _)| *is_set).for_each(|(_, name)| text.push_str(name));
    text
}

fn float_flags(flags: FloatFlags) -> String {
    if flags.is_fast {
        return " fast".to_owned();
    }
    let names = [
        (flags.no_nan, " nnan"),
        (flags.no_infinity, " ninf"),
        (flags.no_signed_zero, " nsz"),
        (flags.allow_reciprocal, " arcp"),
    ];
    names.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect()
}
