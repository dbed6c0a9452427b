//! Moves the variables that entry points declare into them, and hands them to the functions that need them.
//!
//! ```text
//! device uint* data; …                                  uint total(device uint* data) { … data[i] … }
//! uint total() { … data[i] … }              ⇒           kernel void main0(device uint* data [[buffer(0)]]) { … total(data) … }
//! main0() { … total() … }
//! ```
//!
//! This comes after the rules: there a global is memory that any call may change, which is right for what is passed by reference. Linear in the
//! text, and in the functions times the variables that each needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{
    Arguments, Callee, Effects, Expr, Function, Global, GlobalId, GlobalKind, Local, LocalId, LocalKind, Member, Named,
    Parameter, PlacedNote, Role, Shape, Statement, StatementKind, Struct, StructId, Text, Type, TypeShape,
};

/// The form of a variable in a function.
#[derive(Clone, Copy)]
enum Here {
    Local(LocalId),
    Member { base: LocalId, member: u32 },
}

/// The variables of a function.
type Variables = BTreeMap<GlobalId, Here>;

/// Moves the variables.
pub(crate) fn place(text: &mut Text) {
    mark_tables(text);
    let needs = needs(text);
    let sets = argument_buffers(text);
    for number in 0..text.functions.len() {
        let placeholder = empty(text);
        let mut function = std::mem::replace(&mut text.functions[number], placeholder);
        let variables = match function.is_entry {
            true => {
                let variables = entry_variables(text, &mut function, (&needs[number], &sets));
                note_places(text, &function, &variables);
                variables
            }
            false => parameters(text, &mut function, &needs[number]),
        };
        let mut body = std::mem::take(&mut function.body);
        for statement in &mut body {
            in_statement(statement, &mut |expr| rename(text, &function, &variables, &needs, expr));
        }
        function.body.append(&mut body);
        text.functions[number] = function;
    }
}

/// Notes where an entry function, which comes behind those that were placed before, has the variables.
fn note_places(text: &mut Text, function: &Function, variables: &Variables) {
    let number = text.notes.entry_count;
    text.notes.entry_count += 1;
    for (&global, &here) in variables {
        let named = match here {
            Here::Local(local) => Named::Local(number, local),
            Here::Member { base, member } => match text.types[function[base].ty] {
                TypeShape::Struct(id) => Named::Member(id, member),
                _ => continue,
            },
        };
        text.notes.placed.push(PlacedNote { global, function: number, named });
    }
}

/// Marks the constants that are arrays of C: those whose elements alone are read.
fn mark_tables(text: &mut Text) {
    let mut whole = BTreeSet::new();
    let mut work: Vec<Expr> = Vec::new();
    for statement in text.functions.iter().flat_map(|function| &function.body) {
        expressions_of(statement, &mut work);
    }
    for global in &text.globals {
        match global.kind {
            GlobalKind::Constant(value) | GlobalKind::OfEntry(Role::Variable(Some(value))) => work.push(value),
            _ => {}
        }
    }
    while let Some(expr) = work.pop() {
        match text.expressions[expr].shape {
            Shape::Global(global) => {
                whole.insert(global);
            }
            Shape::Index { base, index } if matches!(text.expressions[base].shape, Shape::Global(_)) => {
                work.push(index)
            }
            _ => work.extend(text.expressions[expr].shape.parts()),
        }
    }
    for number in 0..text.globals.len() as u32 {
        let global = &text.globals[number as usize];
        let is_flat = match text.types[global.ty] {
            TypeShape::Array { element, .. } => !matches!(text.types[element], TypeShape::Array { .. }),
            _ => false,
        };
        if is_flat && matches!(global.kind, GlobalKind::Constant(_)) && !whole.contains(&GlobalId(number)) {
            text.globals[number as usize].prefix = "constant".to_owned();
        }
    }
}

fn empty(text: &Text) -> Function {
    let mut function = text.functions[0].clone();
    function.body = Vec::new();
    function
}

/// The variables that each function needs: those that it names, and those of the functions that it calls, which come before it.
fn needs(text: &Text) -> Vec<BTreeSet<GlobalId>> {
    let mut all: Vec<BTreeSet<GlobalId>> = Vec::new();
    for function in &text.functions {
        let mut own = BTreeSet::new();
        let mut work: Vec<Expr> = Vec::new();
        for statement in &function.body {
            expressions_of(statement, &mut work);
        }
        while let Some(expr) = work.pop() {
            match &text.expressions[expr].shape {
                Shape::Global(global) => {
                    if let GlobalKind::OfEntry(role) = text.global(*global).kind {
                        own.insert(*global);
                        // The first value needs others, where the variable is declared.
                        if let (Role::Variable(Some(value)), true) = (role, function.is_entry) {
                            work.push(value);
                        }
                    }
                }
                Shape::Call { callee: Callee::Function(called), .. } => {
                    for &global in &all[called.0 as usize] {
                        own.insert(global);
                        if let GlobalKind::OfEntry(Role::Variable(Some(value))) = text.global(global).kind
                            && function.is_entry
                        {
                            work.push(value);
                        }
                    }
                }
                _ => {}
            }
            work.extend(text.expressions[expr].shape.parts());
        }
        all.push(own);
    }
    all
}

/// Returns whether functions get a reference to what is of a type: what a stage makes, or the points that it is made of.
fn is_object(shape: TypeShape) -> bool {
    matches!(shape, TypeShape::ControlPoints { .. } | TypeShape::Mesh(_) | TypeShape::MeshGrid)
}

fn expressions_of(statement: &Statement, found: &mut Vec<Expr>) {
    found.extend(statement.expressions());
    for inner in statement.blocks().into_iter().flatten() {
        expressions_of(inner, found);
    }
}

fn in_statement(statement: &mut Statement, change: &mut dyn FnMut(Expr)) {
    statement.expressions().into_iter().for_each(&mut *change);
    for inner in statement.blocks_mut().into_iter().flatten() {
        in_statement(inner, change);
    }
}

/// Adds a parameter for each variable that a function needs.
fn parameters(text: &Text, function: &mut Function, needs: &BTreeSet<GlobalId>) -> Variables {
    let mut variables = Variables::new();
    for &global in needs {
        let declared = text.global(global);
        let prefix = match declared.kind {
            // A pointer is passed as a value.
            _ if matches!(text.types[declared.ty], TypeShape::Pointer { .. }) => "",
            GlobalKind::OfEntry(Role::Variable(_) | Role::Output) if declared.prefix.is_empty() => "thread",
            _ if is_object(text.types[declared.ty]) => "thread",
            _ => declared.prefix.as_str(),
        };
        let is_written = declared.is_written && !prefix.is_empty();
        let local =
            Local { name: Some(declared.name.clone()), ty: declared.ty, kind: LocalKind::Parameter, prefix: "" };
        let local = function.add(local);
        let (prefix, suffix) = (prefix.to_owned(), String::new());
        function.parameters.push(Parameter { local, is_written, prefix, suffix });
        variables.insert(global, Here::Local(local));
    }
    variables
}

/// Declares the variables that an entry point and its functions need.
fn entry_variables(
    text: &mut Text,
    function: &mut Function,
    (needs, sets): (&BTreeSet<GlobalId>, &BTreeMap<u32, ArgumentBuffer>),
) -> Variables {
    let mut variables = Variables::new();
    let of_role = |text: &Text, wanted: Role| -> Vec<GlobalId> {
        let is_wanted =
            |global: &&GlobalId| matches!(text.global(**global).kind, GlobalKind::OfEntry(role) if role == wanted);
        needs.iter().filter(is_wanted).copied().collect()
    };
    let stage = match function.prefix.rsplit(' ').next().unwrap_or_default() {
        "vertex" => "Vertex",
        "fragment" => "Fragment",
        _ => "Kernel",
    };
    let inputs = of_role(text, Role::Input);
    if !inputs.is_empty() {
        let ty = interface(text, format!("{stage}In"), &inputs);
        let local = add_local(function, "in", ty, LocalKind::Parameter);
        let (prefix, suffix) = (String::new(), "[[stage_in]]".to_owned());
        function.parameters.push(Parameter { local, is_written: false, prefix, suffix });
        add_members(&mut variables, local, &inputs);
    }
    for (set, buffer) in sets.iter().filter(|(_, buffer)| buffer.members.iter().any(|member| needs.contains(member))) {
        let local = add_local(function, &format!("set{set}"), buffer.ty, LocalKind::Parameter);
        let (prefix, suffix) = ("constant".to_owned(), format!("[[buffer({set})]]"));
        function.parameters.push(Parameter { local, is_written: false, prefix, suffix });
        add_members(&mut variables, local, &buffer.members);
    }
    let mut resources = of_role(text, Role::Parameter);
    // What the language gives comes before what the caller binds.
    resources.sort_by_key(|&global| binding_rank(&text.global(global).suffix));
    for global in resources {
        let declared = text.global(global);
        let local =
            Local { name: Some(declared.name.clone()), ty: declared.ty, kind: LocalKind::Parameter, prefix: "" };
        let (prefix, suffix, is_written) = (declared.prefix.clone(), declared.suffix.clone(), declared.is_written);
        let local = function.add(local);
        let is_written = is_written && !prefix.is_empty();
        function.parameters.push(Parameter { local, is_written, prefix, suffix });
        variables.insert(global, Here::Local(local));
    }
    let outputs = of_role(text, Role::Output);
    if !outputs.is_empty() {
        let ty = interface(text, format!("{stage}Out"), &outputs);
        let local = add_local(function, "out", ty, LocalKind::Variable);
        function.result = ty;
        add_members(&mut variables, local, &outputs);
        return_value(text, &mut function.body, local);
        function.body.insert(0, StatementKind::Declare { local, value: None }.into());
        if !function.body.last().is_some_and(|last| matches!(last.kind, StatementKind::Return(_))) {
            let value = read(text, local, ty);
            function.body.push(StatementKind::Return(Some(value)).into());
        }
    } else {
        return_nothing(&mut function.body);
    }
    declare(text, function, needs, &mut variables);
    variables
}

/// The argument buffer of a descriptor set.
struct ArgumentBuffer {
    ty: Type,
    /// Its members, in order.
    members: Vec<GlobalId>,
}

/// Adds the structs of argument buffers. All entry points have the same ones.
///
/// ```text
/// struct Set0 { device uint* data [[id(0)]]; texture2d<float> image [[id(1)]]; };
/// ```
fn argument_buffers(text: &mut Text) -> BTreeMap<u32, ArgumentBuffer> {
    let mut members: BTreeMap<u32, Vec<GlobalId>> = BTreeMap::new();
    for (number, global) in (0..).zip(&text.globals) {
        if let GlobalKind::OfEntry(Role::Argument { set }) = global.kind {
            members.entry(set).or_default().push(GlobalId(number));
        }
    }
    let mut buffers = BTreeMap::new();
    for (set, members) in members {
        let member = |&global: &GlobalId| {
            let Global { name, ty, prefix, suffix, .. } = text.global(global).clone();
            Member { name, ty, prefix, suffix }
        };
        let found =
            Struct { name: format!("Set{set}"), members: members.iter().map(member).collect(), is_block: false };
        let id = text.add_struct(found);
        buffers.insert(set, ArgumentBuffer { ty: text.types.of(TypeShape::Struct(id)), members });
    }
    buffers
}

/// Declares the variables besides resources, inputs and outputs.
fn declare(text: &mut Text, function: &mut Function, needs: &BTreeSet<GlobalId>, variables: &mut Variables) {
    let mut declarations = Vec::new();
    for &global in needs {
        let declared = text.global(global);
        let GlobalKind::OfEntry(Role::Variable(value)) = declared.kind else { continue };
        let prefix = if declared.prefix == "threadgroup" { "threadgroup" } else { "" };
        let local = Local { name: Some(declared.name.clone()), ty: declared.ty, kind: LocalKind::Variable, prefix };
        let local = function.add(local);
        variables.insert(global, Here::Local(local));
        // Several entry points may declare the variable.
        let value = value.map(|value| text.expressions.copy(value));
        declarations.push(Statement::from(StatementKind::Declare { local, value }));
    }
    declarations.append(&mut function.body);
    function.body = declarations;
}

fn add_local(function: &mut Function, name: &str, ty: Type, kind: LocalKind) -> LocalId {
    function.add(Local { name: Some(name.to_owned()), ty, kind, prefix: "" })
}

fn read(text: &mut Text, local: LocalId, ty: Type) -> Expr {
    text.expressions.add(Shape::Local(local), ty, Effects::PURE)
}

/// The kind of a resource and its number, for the order of the parameters.
fn binding_rank(suffix: &str) -> (u32, u32) {
    let kinds = ["[[buffer(", "[[texture(", "[[sampler("];
    for (kind, start) in (1..).zip(kinds) {
        if let Some(rest) = suffix.strip_prefix(start) {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            return (kind, digits.parse().unwrap_or(u32::MAX));
        }
    }
    (0, 0)
}

/// The struct of inputs or outputs.
fn interface(text: &mut Text, name: String, globals: &[GlobalId]) -> Type {
    let member = |&global: &GlobalId| {
        let declared = text.global(global);
        // An array of distances has its length behind the attribute.
        let (ty, suffix) = match text.types[declared.ty] {
            TypeShape::Array { element, length: crate::syntax::Length::Constant(count) } => {
                (element, format!("{} [{count}]", declared.suffix))
            }
            _ => (declared.ty, declared.suffix.clone()),
        };
        Member { name: declared.name.clone(), ty, prefix: String::new(), suffix }
    };
    let members = globals.iter().map(member).collect();
    let id: StructId = text.add_struct(Struct { name, members, is_block: false });
    text.types.of(TypeShape::Struct(id))
}

fn add_members(variables: &mut Variables, base: LocalId, globals: &[GlobalId]) {
    let members = (0_u32..).zip(globals).map(|(member, &global)| (global, Here::Member { base, member }));
    variables.extend(members);
}

/// Each `return` returns the outputs, and one follows what discards a fragment.
fn return_value(text: &mut Text, block: &mut Vec<Statement>, local: LocalId) {
    let mut result = Vec::with_capacity(block.len());
    for mut statement in block.drain(..) {
        for inner in statement.blocks_mut() {
            return_value(text, inner, local);
        }
        let is_discard = statement.kind == StatementKind::Discard;
        if matches!(statement.kind, StatementKind::Return(None)) || is_discard {
            let ty = text.types.of(TypeShape::Void);
            let value = text.expressions.add(Shape::Local(local), ty, Effects::PURE);
            let kind = StatementKind::Return(Some(value));
            match is_discard {
                true => result.extend([statement, kind.into()]),
                false => result.push(Statement { kind, ..statement }),
            }
            continue;
        }
        result.push(statement);
    }
    *block = result;
}

/// A `return` follows what discards a fragment.
fn return_nothing(block: &mut Vec<Statement>) {
    let mut result = Vec::with_capacity(block.len());
    for mut statement in block.drain(..) {
        statement.blocks_mut().into_iter().for_each(return_nothing);
        let is_discard = statement.kind == StatementKind::Discard;
        result.push(statement);
        if is_discard {
            result.push(StatementKind::Return(None).into());
        }
    }
    *block = result;
}

/// Replaces the variables in an expression, and adds them to calls.
fn rename(text: &mut Text, function: &Function, variables: &Variables, needs: &[BTreeSet<GlobalId>], root: Expr) {
    let mut work = vec![root];
    while let Some(expr) = work.pop() {
        work.extend(text.expressions[expr].shape.parts());
        match text.expressions[expr].shape.clone() {
            Shape::Global(global) => {
                if let Some(&here) = variables.get(&global) {
                    let shape = shape_of(text, function, here);
                    let effects = text.expressions[expr].effects;
                    text.expressions.replace(expr, shape, effects);
                }
            }
            Shape::Call { callee: Callee::Function(called), mut arguments } => {
                let added: Arguments = needs[called.0 as usize]
                    .iter()
                    .filter_map(|global| {
                        let here = *variables.get(global)?;
                        let shape = shape_of(text, function, here);
                        let ty = text.global(*global).ty;
                        Some(text.expressions.add(shape, ty, Effects::READS))
                    })
                    .collect();
                arguments.extend(added);
                let effects = text.expressions[expr].effects;
                text.expressions.replace(expr, Shape::Call { callee: Callee::Function(called), arguments }, effects);
            }
            _ => {}
        }
    }
}

fn shape_of(text: &mut Text, function: &Function, here: Here) -> Shape {
    match here {
        Here::Local(local) => Shape::Local(local),
        Here::Member { base, member } => {
            let ty = function[base].ty;
            let base = text.expressions.add(Shape::Local(base), ty, Effects::PURE);
            Shape::Member { base, member }
        }
    }
}
