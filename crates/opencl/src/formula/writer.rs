//! Arithmetic written as formulas.
//!
//! ```text
//! let t = x * x;               ⇒     %t = f_mul %x, %x
//! t * 0.5 + 1.0                      %u = f_mul %t, %half
//!                                    %v = f_add %u, %one
//! ```
//!
//! A [`Value`] is an instruction and the [`FormulaWriter`] that emits operations on it, so that operators can emit instructions. Every formula
//! works on scalars and on vectors: a constant gets the shape of the other operand. Floating-point operations are decorated
//! `NoContraction`: formulas rely on the rounding of each operation.

use std::cell::{Cell, RefCell};

use reconverge_ir::{Block, Builder, Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::{Decoration, GlslStd450Op};

use super::shape::{Scalar, Shape};
use super::value::Value;
use crate::scalars::{glsl_import, vector_type};
use crate::{Driver, Fma};

/// The state that all writers of a module share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The import of GLSL.std.450.
    glsl: Option<Inst>,
    /// Structs of two members of one type, by the type.
    pairs: FxHashMap<Inst, Inst>,
    /// The rounding of the device's `Fma`.
    fma: Fma,
    /// True if the device's `RoundEven` of 64-bit floats rounds toward zero.
    truncates_doubles: bool,
}

impl Shared {
    /// For a device whose `Fma` rounds once, or may round twice, and with the deviations of a driver.
    pub(crate) fn new(fma: Fma, driver: Driver) -> Shared {
        let truncates_doubles = driver.quirks().truncates_doubles;
        Shared { glsl: None, pairs: FxHashMap::default(), fma, truncates_doubles }
    }
}

/// Emits instructions at a position.
#[derive(Debug)]
pub(crate) struct FormulaWriter<'w> {
    state: RefCell<WriterState<'w>>,
    /// The block at whose end instructions are emitted, if the position is the end of a block.
    block: Cell<Option<Block>>,
}

#[derive(Debug)]
struct WriterState<'w> {
    build: Builder<'w>,
    shared: &'w mut Shared,
}

impl<'w> FormulaWriter<'w> {
    /// A writer that emits before an instruction.
    pub(crate) fn before(module: &'w mut Module, shared: &'w mut Shared, inst: Inst) -> FormulaWriter<'w> {
        let mut build = Builder::new(module);
        build.before(inst);
        FormulaWriter { state: RefCell::new(WriterState { build, shared }), block: Cell::new(None) }
    }

    /// A writer that emits at the end of a block.
    pub(crate) fn at_end(module: &'w mut Module, shared: &'w mut Shared, block: Block) -> FormulaWriter<'w> {
        let mut build = Builder::new(module);
        build.at_end(block);
        FormulaWriter { state: RefCell::new(WriterState { build, shared }), block: Cell::new(Some(block)) }
    }

    /// Returns whether the device's `Fma` rounds once.
    pub(crate) fn has_fused(&self) -> bool {
        self.state.borrow().shared.fma == Fma::Fused
    }

    /// Returns whether the device's `RoundEven` of 64-bit floats rounds toward zero.
    pub(crate) fn truncates_doubles(&self) -> bool {
        self.state.borrow().shared.truncates_doubles
    }

    /// The block at whose end instructions are emitted.
    pub(crate) fn block(&self) -> Block {
        self.block.get().expect("invariant: only formulas that are functions have control flow")
    }

    /// Continues at the end of another block.
    pub(crate) fn go_to(&self, block: Block) {
        self.block.set(Some(block));
        self.build(|build| build.at_end(block));
    }

    /// Runs an edit that formulas cannot express.
    pub(crate) fn build<T>(&self, edit: impl FnOnce(&mut Builder<'w>) -> T) -> T {
        edit(&mut self.state.borrow_mut().build)
    }

    /// An instruction as a value; `None` if its type is neither a scalar nor a vector.
    pub(crate) fn existing(&'w self, inst: Inst) -> Option<Value<'w>> {
        let shape = self.build(|build| {
            let module = build.module();
            Shape::of(module, module.ty(inst)?)
        })?;
        Some(Value::new(self, inst, shape))
    }

    /// The type of a shape.
    pub(crate) fn ty(&self, shape: Shape) -> Inst {
        self.build(|build| {
            let element = match shape.scalar {
                Scalar::Bool => build.bool_type(),
                Scalar::Int(width) => build.int_type(width),
                Scalar::Float(width) => build.float_type(width),
            };
            vector_type(build, element, shape.count)
        })
    }

    /// Emits an instruction whose result has a shape.
    pub(crate) fn emit(&'w self, op: Op, shape: Shape, operands: &[Value<'w>]) -> Value<'w> {
        let operands: Vec<Inst> = operands.iter().map(|value| value.inst()).collect();
        self.emit_raw(op, shape, &operands)
    }

    /// Emits an instruction whose operands are not only values.
    pub(crate) fn emit_raw(&'w self, op: Op, shape: Shape, operands: &[Inst]) -> Value<'w> {
        let ty = self.ty(shape);
        let inst = self.build(|build| {
            let inst = build.emit(op, Some(ty), operands);
            if matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FNegate) {
                build.add_decoration(inst, Decoration::NoContraction);
            }
            inst
        });
        Value::new(self, inst, shape)
    }

    /// Emits an instruction of GLSL.std.450.
    pub(crate) fn glsl(&'w self, instruction: GlslStd450Op, shape: Shape, operands: &[Value<'w>]) -> Value<'w> {
        let head = {
            let WriterState { build, shared } = &mut *self.state.borrow_mut();
            let set = *shared.glsl.get_or_insert_with(|| glsl_import(build));
            [set, build.enumerant(instruction)]
        };
        let operands: Vec<Inst> = head.into_iter().chain(operands.iter().map(|value| value.inst())).collect();
        self.emit_raw(Op::ExtInst, shape, &operands)
    }

    /// The constant whose components all have these bits.
    pub(crate) fn constant(&'w self, shape: Shape, bits: u64) -> Value<'w> {
        let ty = self.ty(shape);
        let element = self.ty(shape.times(1));
        let inst = self.build(|build| {
            let scalar = match shape.scalar {
                Scalar::Bool => build.constant_bool(bits != 0),
                Scalar::Int(width) | Scalar::Float(width) => {
                    let words = constant_words(width, bits);
                    let literal = build.editor().literal(&words);
                    build.editor().unique(Op::Constant, Some(element), &[literal])
                }
            };
            match shape.count {
                1 => scalar,
                count => build.editor().unique(Op::ConstantComposite, Some(ty), &vec![scalar; count as usize]),
            }
        });
        Value::new(self, inst, shape)
    }

    /// The vector that concatenates these scalars or vectors.
    pub(crate) fn vector(&'w self, parts: &[Value<'w>]) -> Value<'w> {
        match parts {
            [only] => *only,
            _ => {
                let count = parts.iter().map(|part| part.shape().count).sum();
                self.emit(Op::CompositeConstruct, parts[0].shape().times(count), parts)
            }
        }
    }

    /// Emits an op whose result is a struct of two values like its operands, and extracts both.
    pub(crate) fn pair(&'w self, op: Op, operands: [Value<'w>; 2]) -> [Value<'w>; 2] {
        let shape = operands[0].shape();
        let ty = self.ty(shape);
        let inst = {
            let mut state = self.state.borrow_mut();
            let WriterState { build, shared } = &mut *state;
            let pair = *shared
                .pairs
                .entry(ty)
                .or_insert_with(|| build.editor().append_global(Op::TypeStruct, None, &[ty, ty]));
            build.emit(op, Some(pair), &operands.map(|operand| operand.inst()))
        };
        [0, 1].map(|index| {
            let index = self.build(|build| build.editor().word(index));
            self.emit_raw(Op::CompositeExtract, shape, &[inst, index])
        })
    }
}

/// The words of a constant: narrow integers are zero-extended to a word, since their signedness is 0.
fn constant_words(width: u32, bits: u64) -> Vec<u32> {
    match width {
        64 => vec![bits as u32, (bits >> 32) as u32],
        _ => vec![(bits & ((1 << width) - 1)) as u32],
    }
}
