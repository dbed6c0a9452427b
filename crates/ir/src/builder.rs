//! The builder: an editor with an insertion point, and one method for every op.
//!
//! The methods for ops come from the op table: `build.i_add(ty, &[a, b])` for an op with a type, `build.store(&[pointer, value])`
//! for one without. Those below them build what takes more than one instruction.

use crate::{Block, Class, Editor, Enumerant, Function, Inst, Module, Op, Parameter, Position, Signedness, Stage};

/// Creates instructions at an insertion point.
#[derive(Debug)]
pub struct Builder<'m> {
    editor: Editor<'m>,
    position: Option<Position>,
}

impl<'m> Builder<'m> {
    /// A builder without an insertion point: it can create only instructions at module level.
    pub fn new(module: &'m mut Module) -> Builder<'m> {
        Builder { editor: module.edit(), position: None }
    }

    /// The module, to read.
    pub fn module(&self) -> &Module {
        self.editor.module()
    }

    /// The editor, for everything except creating the next instruction.
    pub fn editor(&mut self) -> &mut Editor<'m> {
        &mut self.editor
    }

    /// Sets the insertion point to the end of a block.
    pub fn at_end(&mut self, block: impl Into<Inst>) {
        self.position = Some(Position::AtEnd(block.into()));
    }

    /// Sets the insertion point before an instruction.
    pub fn before(&mut self, inst: impl Into<Inst>) {
        self.position = Some(Position::Before(inst.into()));
    }

    /// Creates an instruction of any op. Hoistable and module-level instructions have their own place.
    ///
    /// Panics if the op needs an insertion point and none is set.
    pub fn emit(&mut self, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        if op.is_hoistable() {
            return self.editor.unique(op, ty, operands);
        }
        if matches!(op.class(), Class::ModuleInstruction | Class::Type | Class::Constant) {
            return self.editor.append_global(op, ty, operands);
        }
        let position = self.position.expect("a place to write at was chosen");
        self.editor.insert(position, op, ty, operands)
    }

    /// The integer type of this width without signedness.
    pub fn int_type(&mut self, width: u32) -> Inst {
        self.int_type_of(width, Signedness::Unsigned)
    }

    /// The integer type of this width with a signedness of SPIR-V, which operations ignore.
    pub fn int_type_of(&mut self, width: u32, signedness: Signedness) -> Inst {
        let operands = [self.editor.word(width), self.editor.word(signedness as u32)];
        self.editor.unique(Op::TypeInt, None, &operands)
    }

    /// The floating-point type of that width.
    pub fn float_type(&mut self, width: u32) -> Inst {
        let operands = [self.editor.word(width)];
        self.editor.unique(Op::TypeFloat, None, &operands)
    }

    /// The boolean type.
    pub fn bool_type(&mut self) -> Inst {
        self.editor.unique(Op::TypeBool, None, &[])
    }

    /// The type `void`.
    pub fn void_type(&mut self) -> Inst {
        self.editor.unique(Op::TypeVoid, None, &[])
    }

    /// The pointer type to `pointee` in a storage class (SPIR-V section 3.7).
    pub fn pointer_type(&mut self, storage_class: impl Enumerant, pointee: Inst) -> Inst {
        let operands = [self.editor.enumerant(storage_class), pointee];
        self.editor.unique(Op::TypePointer, None, &operands)
    }

    /// A new variable at module level with the pointee type `pointee`.
    pub fn global_variable(&mut self, storage_class: impl Enumerant, pointee: Inst) -> Inst {
        let pointer = self.pointer_type(storage_class, pointee);
        let storage_class = self.enumerant(storage_class);
        self.editor.append_global(Op::Variable, Some(pointer), &[storage_class])
    }

    /// The constant of a scalar type whose bits are `word`.
    pub fn constant_word(&mut self, ty: Inst, word: u32) -> Inst {
        let literal = self.editor.word(word);
        self.editor.unique(Op::Constant, Some(ty), &[literal])
    }

    /// The boolean constant.
    pub fn constant_bool(&mut self, value: bool) -> Inst {
        let ty = self.bool_type();
        let op = if value { Op::ConstantTrue } else { Op::ConstantFalse };
        self.editor.unique(op, Some(ty), &[])
    }

    /// A function at stage Graph with its parameters, without blocks, after the existing functions.
    pub fn add_function(&mut self, result: Inst, parameters: &[Inst]) -> Function {
        let signature: Vec<Inst> = std::iter::once(result).chain(parameters.iter().copied()).collect();
        let function_type = self.editor.unique(Op::TypeFunction, None, &signature);
        let operands = [function_type, self.editor.word(0), self.editor.word(Stage::Graph as u32)];
        let function = self.editor.append_global(Op::Function, Some(result), &operands);
        for &ty in parameters {
            self.editor.append(function, Op::FunctionParameter, Some(ty), &[]);
        }
        self.module().cast(function).expect("a function is a function")
    }

    /// A new block after the blocks of a function.
    pub fn add_block(&mut self, function: Function) -> Block {
        let block = self.editor.append(function, Op::Block, None, &[]);
        self.module().cast(block).expect("a block is a block")
    }

    /// A new parameter after the parameters of a block. The caller must extend the terminators that go there.
    pub fn add_parameter(&mut self, block: Block, ty: Inst) -> Parameter {
        let position = match self.module().parameters(block).last() {
            Some(last) => Position::After(last.into()),
            None => Position::AtStart(block.into()),
        };
        let parameter = self.editor.insert(position, Op::BlockParameter, Some(ty), &[]);
        self.module().cast(parameter).expect("a parameter is a parameter")
    }
}
