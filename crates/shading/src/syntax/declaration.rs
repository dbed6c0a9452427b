//! Declarations: structs, globals, functions, and the text that they make.

use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};

use reconverge_ir::Inst;

use super::{Block, Expr, Expressions, Notes, Type, TypeShape, Types};

/// A struct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StructId(pub(crate) u32);

/// A declaration at module level that expressions name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GlobalId(pub(crate) u32);

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct FunctionId(pub(crate) u32);

/// A variable, value or parameter of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LocalId(pub(crate) u32);

/// A member of a struct or block.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// What is written before its type: `layout(offset = 16)`.
    pub(crate) prefix: String,
    /// What is written behind its name: `: SV_Position`.
    pub(crate) suffix: String,
}

/// A struct, or the members of a block.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) members: Vec<Member>,
    /// True if it is declared where it stands, as a block, and no type has its name.
    pub(crate) is_block: bool,
}

/// What a global is.
#[derive(Clone, Debug)]
pub(crate) enum GlobalKind {
    /// The language declares it.
    BuiltIn,
    /// A value that never changes.
    Constant(Expr),
    /// A variable, with its first value.
    Variable(Option<Expr>),
    /// A block whose members are named alone.
    OpenBlock,
    /// A block that references lead to: it has no variable, and its members are reached by what is made of an address.
    Reference,
    /// A variable that an entry point declares, and hands to the functions that it calls.
    OfEntry(Role),
}

/// The way in which an entry point declares a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It is a parameter: a resource, or an input that the language defines.
    Parameter,
    /// It is a member of the argument buffer of a descriptor set.
    Argument { set: u32 },
    /// It is a variable, with its first value.
    Variable(Option<Expr>),
    /// It is a member of the struct of inputs.
    Input,
    /// It is a member of the struct of outputs.
    Output,
}

/// A declaration at module level that expressions name.
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) kind: GlobalKind,
    /// What is written before its type: `layout(binding = 0) uniform`.
    pub(crate) prefix: String,
    /// What is written behind its name: `: register(t0)`.
    pub(crate) suffix: String,
    /// True if something may write it while the program runs.
    pub(crate) is_written: bool,
}

/// What a local is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocalKind {
    /// The name of a value, which is assigned where it is declared.
    Value,
    /// A variable.
    Variable,
    /// A parameter.
    Parameter,
}

/// A variable, value or parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// The name that it should have; none for a value without a name in the source.
    pub(crate) name: Option<String>,
    pub(crate) ty: Type,
    pub(crate) kind: LocalKind,
    /// What is written before its type: `precise`.
    pub(crate) prefix: &'static str,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) local: LocalId,
    /// True if the function writes the variable of its caller.
    pub(crate) is_written: bool,
    /// What is written before its type: `inout`.
    pub(crate) prefix: String,
    /// What is written behind its name: `: SV_Position`, `[[buffer(0)]]`.
    pub(crate) suffix: String,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The instruction that it was made of.
    pub(crate) origin: Option<Inst>,
    /// Lines before it: `[numthreads(64, 1, 1)]`.
    pub(crate) attributes: Vec<String>,
    /// The size of the workgroup, where an attribute of the function says it: WGSL.
    pub(crate) workgroup_size: Vec<Expr>,
    /// What is written before its type: `kernel`.
    pub(crate) prefix: String,
    /// What is written behind its parameters: `: SV_Target`.
    pub(crate) suffix: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: Type,
    pub(crate) locals: Vec<Local>,
    pub(crate) body: Block,
    /// True if the environment calls it by its name.
    pub(crate) is_entry: bool,
}

/// A text.
#[derive(Debug, Default)]
pub(crate) struct Text {
    /// Lines at the top: versions, extensions, includes.
    pub(crate) head: Vec<String>,
    /// Lines behind the head that declare no name: `layout(local_size_x = 64) in;`.
    pub(crate) layouts: Vec<String>,
    pub(crate) types: Types,
    pub(crate) structs: Vec<Struct>,
    /// Structs in memory that others may overlap, which compilers of MSL otherwise take for apart.
    pub(crate) aliased: BTreeSet<StructId>,
    pub(crate) globals: Vec<Global>,
    /// Each function after those that it calls.
    pub(crate) functions: Vec<Function>,
    pub(crate) expressions: Expressions,
    /// What the lowering notes about the interface.
    pub(crate) notes: Notes,
}

impl Index<LocalId> for Function {
    type Output = Local;

    fn index(&self, local: LocalId) -> &Local {
        &self.locals[local.0 as usize]
    }
}

impl IndexMut<LocalId> for Function {
    fn index_mut(&mut self, local: LocalId) -> &mut Local {
        &mut self.locals[local.0 as usize]
    }
}

impl Function {
    /// Adds a local.
    pub(crate) fn add(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        LocalId(self.locals.len() as u32 - 1)
    }
}

impl Text {
    /// Adds a global.
    pub(crate) fn add_global(&mut self, global: Global) -> GlobalId {
        self.globals.push(global);
        GlobalId(self.globals.len() as u32 - 1)
    }

    /// Adds a struct.
    pub(crate) fn add_struct(&mut self, added: Struct) -> StructId {
        self.structs.push(added);
        StructId(self.structs.len() as u32 - 1)
    }

    pub(crate) fn global(&self, global: GlobalId) -> &Global {
        &self.globals[global.0 as usize]
    }

    pub(crate) fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// The type of a part of a composite: a member, an element, a column, a component.
    pub(crate) fn part(&mut self, ty: Type, index: u32) -> Option<Type> {
        Some(match self.types[ty] {
            TypeShape::Struct(id) => self.structure(id).members.get(index as usize)?.ty,
            TypeShape::Array { element, .. }
            | TypeShape::ControlPoints { point: element }
            | TypeShape::Pointer { to: element, .. } => element,
            TypeShape::Matrix { scalar, rows, .. } => self.types.numbers(scalar, rows),
            TypeShape::Vector { scalar, .. } | TypeShape::Packed { scalar, .. } => self.types.numbers(scalar, 1),
            TypeShape::StoredMatrix(matrix) if matrix.is_in_rows => self.types.numbers(matrix.scalar, matrix.rows),
            TypeShape::StoredMatrix(matrix) => self.types.of(matrix.vector()),
            _ => return None,
        })
    }
}
