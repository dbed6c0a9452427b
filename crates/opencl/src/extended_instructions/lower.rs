//! The pass: finds the instructions to lower and emits the code that the table specifies.

use std::fmt;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op, Position, view};
use rustc_hash::FxHashMap;
use spirv::{GlslStd450Op, OpenclStd100Op};

use super::call::Call;
use super::conversion::Conversion;
use super::integer_dot::{self, is_integer_dot};
use super::plain;
use super::signature;
use super::table::{self, Form, Formula, Lowering, OpenClLowering, Widths};
use crate::error;
use crate::formula::{FormulaWriter, Scalar, Shape, Shared, Value};
use crate::scalars::aligned;
use crate::{Context, Fma};

/// The maximal number of components of a vector in a formula.
const CHUNK: u32 = 4;

/// Lowers instructions of OpenCL.std, and plain ones that Vulkan lacks.
///
/// # Errors
/// [`Unsupported`](crate::KernelCode::Unsupported) for an instruction without a lowering for its type;
/// [`Rejected`](crate::KernelCode::Rejected) for invalid operands.
pub fn extended_instructions(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let sites = sites(module);
    let changed = !sites.is_empty();
    let rounds_twice = context.options.driver.quirks().rounds_fma_twice;
    let fma = match context.options.fma {
        Fma::Device if rounds_twice => Fma::Exact,
        asked => asked,
    };
    let shared = Shared::new(fma, context.options.driver);
    let mut lowering = Lower { module, fma, shared, functions: FxHashMap::default() };
    for site in sites {
        lowering.site(site)?;
    }
    Ok(remove_import(module) | changed)
}

/// The instructions to lower, in order.
fn sites(module: &Module) -> Vec<Inst> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    instructions.filter(|&inst| is_site(module, inst)).collect()
}

fn is_site(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::ExtInst => view::ExtInst::of(module, inst).is_some_and(|inst| is_open_cl(module, inst.set)),
        Op::AssumeTrueKHR => true,
        op if is_integer_dot(op) => true,
        _ => plain::formula(module, inst).is_some() || Conversion::of(module, inst).is_some(),
    }
}

fn is_open_cl(module: &Module, import: Inst) -> bool {
    module.is_instruction_set(import, "OpenCL.std")
}

/// Removes unused imports of OpenCL.std. Returns whether there was one.
fn remove_import(module: &mut Module) -> bool {
    let unused: Vec<Inst> =
        module.globals().filter(|&global| is_open_cl(module, global) && !module.is_used(global)).collect();
    unused.iter().for_each(|&import| module.edit().delete(import));
    !unused.is_empty()
}

struct Lower<'m> {
    module: &'m mut Module,
    fma: Fma,
    shared: Shared,
    functions: FxHashMap<FunctionKey, Function>,
}

/// The key of an emitted function: the name in OpenCL.std or of the op, the formula, and the shapes of the parameters.
type FunctionKey = (Origin, FormulaRole, Vec<Shape>);

/// The instruction that a formula implements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    Plain(Op),
    Extended(OpenclStd100Op),
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Plain(op) => formatter.write_str(op.name()),
            Origin::Extended(instruction) => write!(formatter, "{instruction:?}"),
        }
    }
}

/// The formula of a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum FormulaRole {
    Value,
    Stored,
}

/// A formula of a row.
#[derive(Clone, Copy)]
struct RowFormula<'r> {
    row: &'r OpenClLowering,
    part: FormulaRole,
    formula: Formula,
}

/// The code for each chunk of the operands.
#[derive(Clone, Copy)]
enum ChunkLowering {
    Glsl(GlslStd450Op),
    Formula(Formula),
    Call(Function),
    Conversion(Conversion),
}

/// The width in which halves are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Own,
    Single,
}

impl Lower<'_> {
    fn site(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let before = self.module.previous(inst);
        let result = match self.module.op(inst) {
            Op::AssumeTrueKHR => None,
            Op::ExtInst => self.extended(inst)?,
            op if is_integer_dot(op) => {
                let value = integer_dot::write(self.module, &mut self.shared, inst);
                let message = || format!("`{}` of these types", op.name());
                Some(value.ok_or_else(|| error::unsupported(inst, message()))?)
            }
            _ => Some(self.plain(inst)?),
        };
        self.place_location(inst, before);
        if let Some(result) = result {
            self.module.edit().replace_all_uses(inst, result);
        }
        self.module.edit().delete(inst);
        Ok(())
    }

    /// The first emitted instruction gets the location of the lowered one.
    fn place_location(&mut self, inst: Inst, before: Option<Inst>) {
        let Some(location) = self.module.explicit_location(inst) else { return };
        let first = match before {
            Some(before) => self.module.next(before),
            None => self.module.parent(inst).and_then(|block| self.module.first_child(block)),
        };
        let first = first.filter(|&first| first != inst).or_else(|| self.module.next(inst));
        if let Some(first) = first.filter(|&first| self.module.explicit_location(first).is_none()) {
            self.module.edit().set_location(first, Some(location));
        }
    }

    fn plain(&mut self, inst: Inst) -> Result<Inst, Diagnostic> {
        let op = self.module.op(inst);
        let wrong = || error::rejected(inst, format!("`{}` with operands of types that it does not take", op.name()));
        // An expectation hint is replaced by its first operand.
        let kinds = signature::of_plain(op);
        let operands: Vec<Inst> = self.module.operands(inst).take(kinds.len()).collect();
        if !self.shapes(&operands).is_some_and(|shapes| signature::fits(kinds, &shapes)) {
            return Err(wrong());
        }
        let piece = match (plain::formula(self.module, inst), Conversion::of(self.module, inst)) {
            (Some((Form::InPlace, formula)), _) => ChunkLowering::Formula(formula),
            (Some((Form::Function, formula)), _) => {
                let shapes = self.component_shapes(&operands, Precision::Own).ok_or_else(wrong)?;
                ChunkLowering::Call(self.function(Origin::Plain(op), FormulaRole::Value, formula, shapes))
            }
            (None, Some(conversion)) => ChunkLowering::Conversion(conversion),
            (None, None) => unreachable!("a site is one or the other"),
        };
        let result = self.elementwise(inst, &operands, piece, Precision::Own).ok_or_else(wrong)?;
        let ty = self.module.ty(inst).expect("invariant: a plain site has a type");
        match self.module.ty(result) == Some(ty) {
            true => Ok(result),
            // The width of a bit count may differ from that of its operand.
            false if op == Op::BitCount => {
                Ok(self.module.edit().insert(Position::Before(inst), Op::UConvert, Some(ty), &[result]))
            }
            false => Err(wrong()),
        }
    }

    fn extended(&mut self, inst: Inst) -> Result<Option<Inst>, Diagnostic> {
        let Some(call) = Call::of(self.module, inst) else {
            let number = view::ExtInst::of(self.module, inst).map_or(u32::MAX, |inst| inst.instruction);
            return Err(error::unsupported(inst, format!("instruction {number} of OpenCL.std")));
        };
        let row = table::row(call.instruction);
        let precision = self.precision(&call, row)?;
        let lowering = match (call.instruction, self.fma) {
            (OpenclStd100Op::fma, Fma::Device | Fma::Fused) => Lowering::Glsl(GlslStd450Op::Fma),
            _ => row.lowering,
        };
        match lowering {
            Lowering::Earlier => Err(error::unsupported(inst, format!("{:?}", call.instruction))),
            Lowering::Special(special) => {
                let writer = FormulaWriter::before(self.module, &mut self.shared, inst);
                let value = special(&writer, &call)?.map(Value::inst);
                match value {
                    Some(value) => self.checked(&call, value),
                    None if self.module.op(call.ty) == Op::TypeVoid => Ok(None),
                    None => Err(call.wrong_result()),
                }
            }
            Lowering::Glsl(instruction) => {
                self.check_operands(&call, row, &call.operands)?;
                let value = self.elementwise(inst, &call.operands, ChunkLowering::Glsl(instruction), precision);
                self.checked(&call, value.ok_or_else(|| wrong_operands(&call))?)
            }
            Lowering::Formula(formula) => {
                let value = self.formula(
                    &call,
                    RowFormula { row, part: FormulaRole::Value, formula },
                    &call.operands,
                    precision,
                )?;
                self.checked(&call, value)
            }
            Lowering::Stored(value, stored) => {
                let (&pointer, operands) = call.operands.split_last().ok_or_else(|| wrong_operands(&call))?;
                let value = self.formula(
                    &call,
                    RowFormula { row, part: FormulaRole::Value, formula: value },
                    operands,
                    precision,
                )?;
                let stored = self.formula(
                    &call,
                    RowFormula { row, part: FormulaRole::Stored, formula: stored },
                    operands,
                    precision,
                )?;
                self.store(&call, pointer, stored)?;
                self.checked(&call, value)
            }
        }
    }

    /// Checks the operands of an instruction.
    fn check_operands(&self, call: &Call, row: &OpenClLowering, operands: &[Inst]) -> Result<(), Diagnostic> {
        match self.shapes(operands).is_some_and(|shapes| signature::fits_extended(row.instruction, &shapes)) {
            true => Ok(()),
            false => Err(wrong_operands(call)),
        }
    }

    /// A value, if it has the type of the instruction.
    fn checked(&self, call: &Call, value: Inst) -> Result<Option<Inst>, Diagnostic> {
        match self.module.ty(value) == Some(call.ty) {
            true => Ok(Some(value)),
            false => Err(wrong_operands(call)),
        }
    }

    fn shapes(&self, operands: &[Inst]) -> Option<Vec<Shape>> {
        operands.iter().map(|&operand| Shape::of(self.module, self.module.ty(operand)?)).collect()
    }

    /// The width of the computation.
    fn precision(&self, call: &Call, row: &OpenClLowering) -> Result<Precision, Diagnostic> {
        let module = &*self.module;
        let types = call.operands.iter().filter_map(|&operand| module.ty(operand));
        let widths = types.filter_map(|ty| Shape::of(module, ty)).filter(|shape| shape.is_float()).map(Shape::width);
        match (row.widths, widths.min()) {
            (Widths::Single, Some(64)) => Err(error::unsupported(call.at, format!("{:?} on double", row.instruction))),
            (Widths::Single | Widths::Wide, Some(16)) => Ok(Precision::Single),
            _ => Ok(Precision::Own),
        }
    }

    /// A formula of a row, inline or in a separate function.
    fn formula(
        &mut self,
        call: &Call,
        chosen: RowFormula<'_>,
        operands: &[Inst],
        precision: Precision,
    ) -> Result<Inst, Diagnostic> {
        let RowFormula { row, part, formula } = chosen;
        self.check_operands(call, row, operands)?;
        let piece = match row.form {
            Form::InPlace => ChunkLowering::Formula(formula),
            Form::Function => {
                let shapes = self.component_shapes(operands, precision).ok_or_else(|| wrong_operands(call))?;
                ChunkLowering::Call(self.function(Origin::Extended(row.instruction), part, formula, shapes))
            }
        };
        self.elementwise(call.at, operands, piece, precision).ok_or_else(|| wrong_operands(call))
    }

    /// Stores a value through a pointer to one of its type.
    fn store(&mut self, call: &Call, pointer: Inst, value: Inst) -> Result<(), Diagnostic> {
        let index = call.operands.iter().rposition(|&operand| operand == pointer).expect("invariant: it is an operand");
        let writer = FormulaWriter::before(self.module, &mut self.shared, call.at);
        let shape = writer.existing(value).ok_or_else(|| wrong_operands(call))?.shape();
        let (pointer, _) = call.pointer(&writer, index, writer.ty(shape))?;
        let components = if shape.count == 3 { 4 } else { shape.count };
        writer.build(|build| {
            let [mask, alignment] = aligned(build, components * shape.width() / 8);
            build.store(&[pointer, value, mask, alignment]);
        });
        Ok(())
    }

    /// The shapes of the components of the operands.
    fn component_shapes(&self, operands: &[Inst], precision: Precision) -> Option<Vec<Shape>> {
        let component = |shape: Shape| match shape.scalar {
            Scalar::Float(16) if precision == Precision::Single => shape.with(Scalar::Float(32)).times(1),
            _ => shape.times(1),
        };
        Some(self.shapes(operands)?.into_iter().map(component).collect())
    }

    /// Emits code for the operands, chunk by chunk; `None` if they are neither scalars nor vectors.
    fn elementwise(&mut self, at: Inst, operands: &[Inst], piece: ChunkLowering, precision: Precision) -> Option<Inst> {
        let writer = FormulaWriter::before(self.module, &mut self.shared, at);
        let values: Vec<Value<'_>> = operands.iter().map(|&operand| writer.existing(operand)).collect::<Option<_>>()?;
        let count = values.iter().map(|value| value.shape().count).max()?;
        let values: Vec<Value<'_>> = values.into_iter().map(|value| value.splat(count)).collect();
        if values.iter().any(|value| value.shape().count != count) {
            return None;
        }
        let mut parts = Vec::new();
        let chunk = if matches!(piece, ChunkLowering::Call(_)) { 1 } else { CHUNK };
        for start in (0..count).step_by(chunk as usize) {
            let chunk: Vec<Value<'_>> = values
                .iter()
                .map(|value| value.components(start, chunk.min(count - start)))
                .map(|value| widened(value, precision))
                .collect();
            parts.push(narrowed(write(&writer, piece, &chunk)?, precision));
        }
        Some(writer.vector(&parts).inst())
    }

    /// The function that computes a formula for parameters of these shapes: the existing one, or a new one.
    fn function(&mut self, origin: Origin, part: FormulaRole, formula: Formula, shapes: Vec<Shape>) -> Function {
        let key = (origin, part, shapes);
        if let Some(&function) = self.functions.get(&key) {
            return function;
        }
        let mut build = Builder::new(self.module);
        let void = build.void_type();
        let function = build.add_function(void, &[]);
        let block = build.add_block(function);
        let writer = FormulaWriter::at_end(self.module, &mut self.shared, block);
        let types: Vec<Inst> = key.2.iter().map(|&shape| writer.ty(shape)).collect();
        let parameters: Vec<Value<'_>> = key
            .2
            .iter()
            .zip(&types)
            .map(|(&shape, &ty)| {
                let position = Position::Before(block.into());
                let inst = writer.build(|build| build.editor().insert(position, Op::FunctionParameter, Some(ty), &[]));
                Value::new(&writer, inst, shape)
            })
            .collect();
        let value = formula(&parameters);
        let result = writer.ty(value.shape());
        writer.build(|build| build.return_value(&[value.inst()]));
        let mut editor = self.module.edit();
        let signature: Vec<Inst> = [result].into_iter().chain(types).collect();
        let function_type = editor.unique(Op::TypeFunction, None, &signature);
        editor.set_type(function, result);
        editor.set_operand(function, view::Function::SLOT.function_type, function_type);
        editor.set_name(
            function,
            &format!("opencl.{origin}{}", if part == FormulaRole::Stored { ".stored" } else { "" }),
        );
        self.functions.insert(key, function);
        function
    }
}

fn wrong_operands(call: &Call) -> Diagnostic {
    error::rejected(call.at, format!("`{:?}` with operands of types that it does not take", call.instruction))
}

fn widened(value: Value<'_>, precision: Precision) -> Value<'_> {
    let is_half = precision == Precision::Single && value.shape().is_float();
    if is_half { value.to_float_width(32) } else { value }
}

fn narrowed(value: Value<'_>, precision: Precision) -> Value<'_> {
    let is_half = precision == Precision::Single && value.shape().is_float();
    if is_half { value.to_float_width(16) } else { value }
}

/// Emits code for operands of at most four components; `None` if their shapes do not match.
fn write<'w>(writer: &'w FormulaWriter<'w>, piece: ChunkLowering, operands: &[Value<'w>]) -> Option<Value<'w>> {
    Some(match piece {
        ChunkLowering::Glsl(instruction) => writer.glsl(instruction, operands.first()?.shape(), operands),
        ChunkLowering::Formula(formula) => formula(operands),
        ChunkLowering::Conversion(conversion) => conversion.write(*operands.first()?),
        ChunkLowering::Call(function) => {
            let shape = writer.build(|build| {
                let module = build.module();
                Shape::of(module, module.ty(function)?)
            })?;
            let operands: Vec<Inst> =
                [function.into()].into_iter().chain(operands.iter().map(|value| value.inst())).collect();
            writer.emit_raw(Op::FunctionCall, shape, &operands)
        }
    })
}
