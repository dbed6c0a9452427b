//! Values as nodes: a value is uniform if its operands are, and the control flow that computes it.

use naga::{AddressSpace, Expression, Handle, SampleLevel, TypeInner};

use super::environment::Variable;
use super::graph::Node;
use super::sources::{is_read_only, is_read_only_image};
use super::statements::Body;
use super::{Remark, UniformityRule};

/// The memory that a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// A variable whose values are tracked here.
    Variable(Variable),
    /// A variable of the module, or the memory of a parameter of another address space.
    Memory(AddressSpace),
    /// Something that is not memory.
    Other,
}

impl Body<'_> {
    /// The node of a value; `None` if it is always uniform.
    pub(super) fn value(&self, expression: Handle<Expression>) -> Option<Node> {
        match self.function.expressions[expression] {
            Expression::FunctionArgument(index) => Some(self.parameters[index as usize].value),
            _ => self.values[expression.index()],
        }
    }

    /// Computes the node of a value in this control flow.
    pub(super) fn emit(&mut self, expression: Handle<Expression>, flow: Node) {
        let operands = operands(&self.function.expressions[expression]);
        let mut needs: Vec<Node> = operands.into_iter().filter_map(|operand| self.value(operand)).collect();
        needs.push(flow);
        let span = self.function.expressions.get_span(expression);
        match self.function.expressions[expression] {
            Expression::Load { pointer } => {
                needs.extend(self.loaded(pointer, span));
            }
            Expression::ImageLoad { image, .. } if !self.is_read_only_image(image) => {
                let message = format!(
                    "reading from a texture that is written{} may differ between invocations",
                    self.named(image)
                );
                needs.push(self.source(span, message));
            }
            Expression::ImageSample { level: SampleLevel::Auto | SampleLevel::Bias(_), gather: None, .. } => {
                let what = "sampling a texture with an implicit level of detail";
                self.require(UniformityRule::Derivative, flow, span, &format!("{what} needs uniform control flow"));
                needs.push(self.source(span, format!("the result of {what} may differ between invocations")));
            }
            Expression::Derivative { .. } => {
                self.require(UniformityRule::Derivative, flow, span, "a derivative needs uniform control flow");
                needs.push(self.source(span, "a derivative may differ between invocations".to_owned()));
            }
            Expression::RayQueryGetIntersection { .. } | Expression::RayQueryVertexPositions { .. } => {
                needs.push(self.source(span, "the result of a ray query may differ between invocations".to_owned()));
            }
            _ => {}
        }
        self.values[expression.index()] = Some(self.graph.node(needs));
    }

    /// The node of a loaded value, without its address.
    fn loaded(&mut self, pointer: Handle<Expression>, span: naga::Span) -> Option<Node> {
        match self.root(pointer) {
            Root::Variable(variable) => Some(self.environment.value(variable)),
            Root::Memory(space) if !is_read_only(space) => {
                let what = match space {
                    AddressSpace::Private => "a private variable",
                    AddressSpace::WorkGroup => "workgroup memory",
                    AddressSpace::Storage { .. } => "a storage buffer that is written",
                    _ => "memory that is written",
                };
                let message = format!("reading from {what}{} may differ between invocations", self.named(pointer));
                Some(self.source(span, message))
            }
            Root::Memory(_) | Root::Other => None,
        }
    }

    /// A node that may be non-uniform, for this reason.
    pub(super) fn source(&mut self, span: naga::Span, message: String) -> Node {
        self.graph.explained([self.non_uniform], Remark { span, message })
    }

    /// The memory that a pointer points to.
    pub(super) fn root(&self, pointer: Handle<Expression>) -> Root {
        match self.function.expressions[self.base(pointer)] {
            Expression::LocalVariable(local) => Root::Variable(self.locals[local.index()]),
            Expression::GlobalVariable(global) => Root::Memory(self.module.global_variables[global].space),
            Expression::FunctionArgument(index) => {
                let argument = &self.function.arguments[index as usize];
                match self.module.types[argument.ty].inner {
                    TypeInner::Pointer { space: AddressSpace::Function, .. }
                    | TypeInner::ValuePointer { space: AddressSpace::Function, .. } => {
                        Root::Variable(self.parameters[index as usize].variable)
                    }
                    TypeInner::Pointer { space, .. } | TypeInner::ValuePointer { space, .. } => Root::Memory(space),
                    _ => Root::Other,
                }
            }
            _ => Root::Other,
        }
    }

    /// Returns whether the pointer leads to a whole variable.
    pub(super) fn is_whole(&self, pointer: Handle<Expression>) -> bool {
        self.base(pointer) == pointer
    }

    fn base(&self, pointer: Handle<Expression>) -> Handle<Expression> {
        let mut base = pointer;
        while let Expression::Access { base: next, .. } | Expression::AccessIndex { base: next, .. } =
            self.function.expressions[base]
        {
            base = next;
        }
        base
    }

    fn is_read_only_image(&self, image: Handle<Expression>) -> bool {
        let ty = match self.function.expressions[self.base(image)] {
            Expression::GlobalVariable(global) => self.module.global_variables[global].ty,
            Expression::FunctionArgument(index) => self.function.arguments[index as usize].ty,
            _ => return false,
        };
        let ty = match self.module.types[ty].inner {
            TypeInner::BindingArray { base, .. } => base,
            _ => ty,
        };
        matches!(self.module.types[ty].inner, TypeInner::Image { class, .. } if is_read_only_image(class))
    }

    /// The name of the variable that a pointer points to, in quotes after a space.
    fn named(&self, pointer: Handle<Expression>) -> String {
        let name = match self.function.expressions[self.base(pointer)] {
            Expression::GlobalVariable(global) => self.module.global_variables[global].name.as_deref(),
            Expression::FunctionArgument(index) => self.function.arguments[index as usize].name.as_deref(),
            _ => None,
        };
        name.map_or_else(String::new, |name| format!(" `{name}`"))
    }
}

/// The values that an expression is computed from.
fn operands(expression: &Expression) -> Vec<Handle<Expression>> {
    use Expression as E;
    let some = |operands: &[Option<Handle<Expression>>]| operands.iter().flatten().copied().collect();
    match *expression {
        E::Literal(_)
        | E::Constant(_)
        | E::Override(_)
        | E::ZeroValue(_)
        | E::FunctionArgument(_)
        | E::GlobalVariable(_)
        | E::LocalVariable(_)
        | E::CallResult(_)
        | E::AtomicResult { .. }
        | E::WorkGroupUniformLoadResult { .. }
        | E::RayQueryProceedResult
        | E::SubgroupBallotResult
        | E::SubgroupOperationResult { .. } => Vec::new(),
        E::Compose { ref components, .. } => components.clone(),
        E::Access { base, index } => vec![base, index],
        E::AccessIndex { base: operand, .. }
        | E::Splat { value: operand, .. }
        | E::Swizzle { vector: operand, .. }
        | E::Load { pointer: operand }
        | E::Unary { expr: operand, .. }
        | E::Derivative { expr: operand, .. }
        | E::Relational { argument: operand, .. }
        | E::As { expr: operand, .. }
        | E::ArrayLength(operand)
        | E::RayQueryVertexPositions { query: operand, .. }
        | E::RayQueryGetIntersection { query: operand, .. } => vec![operand],
        E::Binary { left, right, .. } => vec![left, right],
        E::Select { condition, accept, reject } => vec![condition, accept, reject],
        E::Math { arg, arg1, arg2, arg3, .. } => some(&[Some(arg), arg1, arg2, arg3]),
        E::CooperativeMultiplyAdd { a, b, c } => vec![a, b, c],
        E::CooperativeLoad { ref data, .. } => vec![data.pointer, data.stride],
        E::ImageQuery { image, query } => match query {
            naga::ImageQuery::Size { level } => some(&[Some(image), level]),
            _ => vec![image],
        },
        E::ImageLoad { image, coordinate, array_index, sample, level } => {
            some(&[Some(image), Some(coordinate), array_index, sample, level])
        }
        E::ImageSample { image, sampler, coordinate, array_index, offset, level, depth_ref, .. } => {
            let mut operands: Vec<_> =
                some(&[Some(image), Some(sampler), Some(coordinate), array_index, offset, depth_ref]);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => operands.push(level),
                SampleLevel::Gradient { x, y } => operands.extend([x, y]),
            }
            operands
        }
    }
}
