//! Calls with pointer arguments that SPIR-V and naga do not allow: to an element or a member, or into memory of the workgroup or of a
//! buffer.
//!
//! ```text
//! fn f(p: ptr<function, i32>) { *p += 5; }             fn f(v: ptr<function, array<i32, 2>>, i: u32) { v[i] += 5; }
//! f(&v[i]);                                     ⇒      f(&v, i);
//! ```
//!
//! The callee is copied for each shape of its arguments. A *shape* is the path from a variable to the object that the pointer points to. In
//! the copy, the variable replaces the parameter (or a parameter for the variable, if it is a local one of the caller), with one parameter
//! for each computed index. The copies call further functions, so a worklist runs until no call passes such a pointer. It terminates,
//! because WGSL has no recursion. The result is linear in the text for each shape; a function with pointers of these kinds that is not
//! called is removed. SPIR-V 2.16.1 requires that a pointer argument is a whole variable; clang and Tint ("direct variable access") copy
//! functions for the same reason.

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, Block, Expression, Function, FunctionArgument, GlobalVariable, Handle, Module, Range, Span,
    Statement, Type, TypeInner,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::handles::{each_statement, each_statement_mut, rename, rename_in_statement};

/// The start of a path to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    Global(Handle<GlobalVariable>),
    /// A parameter of this type: a pointer to a whole variable.
    Parameter(Handle<Type>),
}

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Constant(u32),
    /// An index of this type.
    Computed(Handle<Type>),
}

/// The replacement of a pointer parameter in the copy of a function.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shape {
    root: Root,
    steps: Vec<Step>,
}

/// An argument for a shape: the pointer that is still passed, and the indices.
struct Way {
    shape: Shape,
    arguments: Vec<Handle<Expression>>,
}

/// Copies the functions of a module whose calls pass pointers to parts of variables, or into shared memory.
pub(super) fn pass_whole_variables(module: &mut Module) {
    let mut copies = Copies { module, made: FxHashMap::default(), origins: Vec::new() };
    let original_count = copies.module.functions.len();
    for entry in 0..copies.module.entry_points.len() {
        let mut function = std::mem::take(&mut copies.module.entry_points[entry].function);
        copies.rewrite(&mut function);
        copies.module.entry_points[entry].function = function;
    }
    let mut open: Vec<Handle<Function>> = copies.module.functions.iter().map(|(handle, _)| handle).collect();
    let mut known = original_count;
    loop {
        let created = copies.module.functions.iter().skip(known).map(|(handle, _)| handle);
        open.extend(created);
        known = copies.module.functions.len();
        let Some(handle) = open.pop() else { break };
        let mut function = std::mem::take(copies.module.functions.get_mut(handle));
        copies.rewrite(&mut function);
        *copies.module.functions.get_mut(handle) = function;
    }
    let origins = copies.origins;
    if !origins.is_empty() || module.functions.iter().any(|(_, function)| has_shared_pointer(module, function)) {
        order(module, &origins);
    }
}

/// A function, and the replacements of its parameters.
type Wanted = (Handle<Function>, Vec<Option<Shape>>);

struct Copies<'m> {
    module: &'m mut Module,
    made: FxHashMap<Wanted, Handle<Function>>,
    /// The function of the text that each copy comes from, in the order of the copies.
    origins: Vec<Handle<Function>>,
}

impl Copies<'_> {
    /// Redirects calls in a function to copies where that is necessary.
    fn rewrite(&mut self, function: &mut Function) {
        let mut renamed: FxHashMap<Handle<Expression>, Handle<Function>> = FxHashMap::default();
        let Function { body, expressions, local_variables, arguments, .. } = function;
        let mut typifier = Typifier::new();
        each_statement_mut(body, |statement| {
            let Statement::Call { function: callee, arguments: passed, result } = statement else { return };
            let parameters: Vec<Handle<Type>> =
                self.module.functions[*callee].arguments.iter().map(|parameter| parameter.ty).collect();
            let mut ways = Vec::new();
            for (&parameter, &argument) in parameters.iter().zip(passed.iter()) {
                let caller = Caller { expressions, local_variables, arguments };
                ways.push(self.way(parameter, argument, &caller, &mut typifier));
            }
            if ways.iter().all(Option::is_none) {
                return;
            }
            let given = std::mem::take(passed);
            let shapes: Vec<Option<Shape>> = ways.iter().map(|way| way.as_ref().map(|way| way.shape.clone())).collect();
            for (way, argument) in ways.into_iter().zip(given) {
                passed.extend(way.map_or_else(|| vec![argument], |way| way.arguments));
            }
            *callee = self.copy(*callee, shapes);
            renamed.extend(result.map(|result| (result, *callee)));
        });
        for (result, callee) in renamed {
            *expressions.get_mut(result) = Expression::CallResult(callee);
        }
    }

    /// The path to the object that an argument points to, if the callee must be copied for it.
    fn way(
        &mut self,
        parameter: Handle<Type>,
        argument: Handle<Expression>,
        caller: &Caller<'_>,
        typifier: &mut Typifier,
    ) -> Option<Way> {
        let space = self.module.types[parameter].inner.pointer_space()?;
        let (mut steps, mut arguments, mut pointer) = (Vec::new(), Vec::new(), argument);
        let root = loop {
            match caller.expressions[pointer] {
                Expression::AccessIndex { base, index } => {
                    steps.push(Step::Constant(index));
                    pointer = base;
                }
                Expression::Access { base, index } => {
                    steps.push(Step::Computed(self.type_of(index, caller, typifier)?));
                    arguments.push(index);
                    pointer = base;
                }
                Expression::GlobalVariable(variable) => break Root::Global(variable),
                Expression::LocalVariable(variable) => {
                    let base = caller.local_variables[variable].ty;
                    break Root::Parameter(self.pointer_type(base, AddressSpace::Function));
                }
                Expression::FunctionArgument(place) => {
                    let ty = caller.arguments.get(place as usize)?.ty;
                    let space = self.module.types[ty].inner.pointer_space()?;
                    break is_passed(space).then_some(Root::Parameter(ty))?;
                }
                _ => return None,
            }
        };
        if steps.is_empty() && is_passed(space) {
            return None;
        }
        if let Root::Parameter(_) = root {
            arguments.push(pointer);
        }
        steps.reverse();
        arguments.reverse();
        Some(Way { shape: Shape { root, steps }, arguments })
    }

    fn type_of(
        &mut self,
        expression: Handle<Expression>,
        caller: &Caller<'_>,
        typifier: &mut Typifier,
    ) -> Option<Handle<Type>> {
        let context = ResolveContext::with_locals(self.module, caller.local_variables, caller.arguments);
        typifier.grow(expression, caller.expressions, &context).ok()?;
        let resolution = &typifier[expression];
        let inner = match resolution {
            naga::proc::TypeResolution::Handle(handle) => return Some(*handle),
            naga::proc::TypeResolution::Value(inner) => inner.clone(),
        };
        Some(self.module.types.insert(Type { name: None, inner }, Span::default()))
    }

    fn pointer_type(&mut self, base: Handle<Type>, space: AddressSpace) -> Handle<Type> {
        self.module.types.insert(Type { name: None, inner: TypeInner::Pointer { base, space } }, Span::default())
    }

    /// The copy of a function for these shapes.
    fn copy(&mut self, callee: Handle<Function>, shapes: Vec<Option<Shape>>) -> Handle<Function> {
        if let Some(&copy) = self.made.get(&(callee, shapes.clone())) {
            return copy;
        }
        let copy = copied(&self.module.functions[callee], &shapes);
        let span = self.module.functions.get_span(callee);
        let original_count = self.module.functions.len() - self.origins.len();
        let origin = match callee.index().checked_sub(original_count) {
            Some(place) => self.origins[place],
            None => callee,
        };
        let copy = self.module.functions.append(copy, span);
        self.origins.push(origin);
        self.made.insert((callee, shapes), copy);
        copy
    }
}

/// The function whose calls are rewritten.
struct Caller<'f> {
    expressions: &'f Arena<Expression>,
    local_variables: &'f Arena<naga::LocalVariable>,
    arguments: &'f [FunctionArgument],
}

/// Returns whether a pointer to a whole variable of this memory can be an argument.
fn is_passed(space: AddressSpace) -> bool {
    matches!(space, AddressSpace::Function | AddressSpace::Private)
}

fn has_shared_pointer(module: &Module, function: &Function) -> bool {
    let spaces = function.arguments.iter().filter_map(|argument| module.types[argument.ty].inner.pointer_space());
    spaces.into_iter().any(|space| !is_passed(space) && space != AddressSpace::Handle)
}

/// A function with other parameters in place of pointers.
fn copied(original: &Function, shapes: &[Option<Shape>]) -> Function {
    let mut copy = Function {
        name: original.name.clone(),
        result: original.result.clone(),
        diagnostic_filter_leaf: original.diagnostic_filter_leaf,
        ..Function::default()
    };
    let parameters = parameters(original, shapes, &mut copy);
    let mut renamed: FxHashMap<Handle<Expression>, Handle<Expression>> = FxHashMap::default();
    let first = copy.expressions.len();
    let heads: Vec<Handle<Expression>> =
        parameters.into_iter().map(|parameter| parameter.pointer(&mut copy.expressions)).collect();
    let chains = copy.expressions.range_from(first);
    for (handle, expression) in original.expressions.iter() {
        let mut expression = expression.clone();
        let new = if let Expression::FunctionArgument(place) = expression {
            heads[place as usize]
        } else {
            rename(&mut expression, |operand| renamed[&operand]);
            copy.expressions.append(expression, original.expressions.get_span(handle))
        };
        renamed.insert(handle, new);
    }
    for (handle, variable) in original.local_variables.iter() {
        let init = variable.init.map(|init| renamed[&init]);
        let span = original.local_variables.get_span(handle);
        copy.local_variables.append(naga::LocalVariable { init, ..variable.clone() }, span);
    }
    copy.named_expressions =
        original.named_expressions.iter().map(|(handle, name)| (renamed[handle], name.clone())).collect();
    copy.body = original.body.clone();
    each_statement_mut(&mut copy.body, |statement| {
        rename_in_statement(statement, |handle| renamed[&handle]);
        if let Statement::Emit(range) = statement
            && let Some((first, last)) = range.first_and_last()
        {
            *range = Range::new_from_bounds(renamed[&first], renamed[&last]);
        }
    });
    if copy.expressions.len() > first && chains.first_and_last().is_some() {
        copy.body.splice(0..0, Block::from_vec(vec![Statement::Emit(chains)]));
    }
    copy
}

/// A parameter in a copy: an expression, and the steps from there.
struct Parameter {
    root: Handle<Expression>,
    steps: Vec<(Step, Option<Handle<Expression>>)>,
}

impl Parameter {
    /// The pointer, after its steps.
    fn pointer(self, expressions: &mut Arena<Expression>) -> Handle<Expression> {
        self.steps.into_iter().fold(self.root, |base, (step, index)| {
            let access = match (step, index) {
                (Step::Constant(index), _) => Expression::AccessIndex { base, index },
                (Step::Computed(_), index) => {
                    Expression::Access { base, index: index.expect("invariant: a computed index is a parameter") }
                }
            };
            expressions.append(access, Span::default())
        })
    }
}

/// Declares the parameters of a copy: one for each of the original, as expressions without steps.
fn parameters(original: &Function, shapes: &[Option<Shape>], copy: &mut Function) -> Vec<Parameter> {
    let declare = |copy: &mut Function, argument: FunctionArgument| {
        let place = copy.arguments.len() as u32;
        copy.arguments.push(argument);
        copy.expressions.append(Expression::FunctionArgument(place), Span::default())
    };
    let mut found = Vec::new();
    for (argument, shape) in original.arguments.iter().zip(shapes) {
        let Some(shape) = shape else {
            let root = declare(copy, argument.clone());
            found.push(Parameter { root, steps: Vec::new() });
            continue;
        };
        let root = match shape.root {
            Root::Global(variable) => copy.expressions.append(Expression::GlobalVariable(variable), Span::default()),
            Root::Parameter(ty) => declare(copy, FunctionArgument { ty, ..argument.clone() }),
        };
        let mut steps = Vec::new();
        for &step in &shape.steps {
            let index = match step {
                Step::Constant(_) => None,
                Step::Computed(ty) => Some(declare(copy, FunctionArgument { name: None, ty, binding: None })),
            };
            steps.push((step, index));
        }
        found.push(Parameter { root, steps });
    }
    found
}

/// Orders the functions again, each after its callees: copies are before the functions that they come from. A function that cannot be
/// called, because it takes a pointer to shared memory, is removed, and so is one of which only copies are called.
fn order(module: &mut Module, origins: &[Handle<Function>]) {
    let all: Vec<Handle<Function>> = module.functions.iter().map(|(handle, _)| handle).collect();
    let (originals, copies) = all.split_at(all.len() - origins.len());
    let mut ordered = Vec::new();
    for &original in originals {
        let of_it = copies.iter().zip(origins).filter(|(_, origin)| **origin == original);
        ordered.extend(of_it.map(|(copy, _)| *copy).chain([original]));
    }
    // Callers are first, so that a call counts only if its function stays.
    let mut called = FxHashSet::default();
    module.entry_points.iter().for_each(|entry| add_called(&entry.function, &mut called));
    let mut kept = Vec::new();
    for &handle in ordered.iter().rev() {
        let function = &module.functions[handle];
        if called.contains(&handle) || !origins.contains(&handle) && !has_shared_pointer(module, function) {
            add_called(function, &mut called);
            kept.push(handle);
        }
    }
    let mut functions = Arena::new();
    let mut renamed: FxHashMap<Handle<Function>, Handle<Function>> = FxHashMap::default();
    for &handle in kept.iter().rev() {
        let span = module.functions.get_span(handle);
        let function = std::mem::take(module.functions.get_mut(handle));
        renamed.insert(handle, functions.append(function, span));
    }
    module.functions = functions;
    rename_functions(module, |handle| renamed[&handle]);
}

fn add_called(function: &Function, called: &mut FxHashSet<Handle<Function>>) {
    each_statement(&function.body, |statement| {
        if let Statement::Call { function, .. } = statement {
            called.insert(*function);
        }
    });
}

/// Renames functions in calls.
pub(super) fn rename_functions(module: &mut Module, renamed: impl Fn(Handle<Function>) -> Handle<Function>) {
    let Module { functions, entry_points, .. } = module;
    let entries = entry_points.iter_mut().map(|entry| &mut entry.function);
    for function in functions.iter_mut().map(|(_, function)| function).chain(entries) {
        rename_callees(function, &renamed);
    }
}

/// Renames the functions that a function calls.
pub(super) fn rename_callees(function: &mut Function, renamed: impl Fn(Handle<Function>) -> Handle<Function>) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::CallResult(callee) = expression {
            *callee = renamed(*callee);
        }
    }
    each_statement_mut(&mut function.body, |statement| {
        if let Statement::Call { function, .. } = statement {
            *function = renamed(*function);
        }
    });
}
