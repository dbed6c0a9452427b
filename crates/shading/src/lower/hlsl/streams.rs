//! Streams of a geometry shader: parameters to which it appends vertices.
//!
//! ```text
//! void main(triangle Input input[3], inout TriangleStream<Output> stream) { …; stream.Append(output); stream.RestartStrip(); }
//! ```
//!
//! A function that appends has the streams as parameters, and all outputs are `static` globals then.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Op};
use spirv::{ExecutionMode as Mode, ExecutionModel as Model};

use super::super::function::{Body, Outputs, Stream};
use super::super::{Entry, Lowering};
use super::built_ins::{Direction, Form};
use super::parts::{Group, Part};
use crate::syntax::{Arguments, Effects, Local, LocalId, LocalKind, Parameter, Shape, StatementKind, Type, TypeShape};
use crate::write::WriteCode;

/// A stream of an entry point.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    number: u32,
    /// The struct of a vertex.
    vertex: Type,
    parts: Vec<Part>,
    /// `TriangleStream`.
    class: &'static str,
}

impl Declared {
    /// Returns whether vertices are appended to it. One of a shader that makes none has no outputs.
    fn is_sent(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// Returns whether a part is an output of a stream.
fn is_of(part: &Part, stream: u32) -> bool {
    part.group == Group::Stream(stream)
}

impl Lowering<'_> {
    /// Finds the functions that append to streams, by themselves or by a call.
    pub(super) fn find_emitting(&mut self) {
        for &function in self.callees {
            let mut insts = self.source.blocks(function).flat_map(|block| self.source.children(block));
            let emits = |inst: Inst| match self.source.op(inst) {
                Op::FunctionCall => self.source.callee(inst).is_some_and(|found| self.hlsl.emitting.contains(&found)),
                op => is_emit(op),
            };
            if insts.any(emits) {
                self.hlsl.emitting.insert(function);
            }
        }
    }

    /// The class of streams of an entry point.
    fn stream_class(&self, entry: &Entry) -> Option<&'static str> {
        self.modes(entry).into_iter().find_map(|(mode, _)| match mode {
            Mode::OutputPoints => Some("PointStream"),
            Mode::OutputLineStrip => Some("LineStream"),
            Mode::OutputTriangleStrip => Some("TriangleStream"),
            _ => None,
        })
    }

    /// The streams that an entry point appends to.
    fn numbers_of_streams(&self) -> Vec<u32> {
        let functions = self.callees.iter().copied().chain(self.entries.iter().map(|entry| entry.function));
        let insts = functions.flat_map(|function| self.source.blocks(function));
        let mut numbers: Vec<u32> = insts
            .flat_map(|block| self.source.children(block))
            .filter(|&inst| is_append(self.source.op(inst)))
            .map(|inst| stream_of(self.source, inst).unwrap_or(0))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The lines before a geometry shader.
    pub(super) fn geometry_attributes(&self, entry: &Entry) -> Vec<String> {
        let count = self.mode_number(entry, Mode::OutputVertices).unwrap_or(1);
        let mut attributes = vec![format!("[maxvertexcount({count})]")];
        if let Some(count) = self.mode_number(entry, Mode::Invocations).filter(|&count| count > 1) {
            attributes.push(format!("[instance({count})]"));
        }
        attributes
    }
}

/// The stream of an instruction.
fn stream_of(source: &reconverge_ir::Module, inst: Inst) -> Option<u32> {
    match source.op(inst) {
        Op::EmitStreamVertex | Op::EndStreamPrimitive => source.constant_word(source.operand(inst, 0)),
        _ => None,
    }
}

fn is_append(op: Op) -> bool {
    matches!(op, Op::EmitVertex | Op::EmitStreamVertex)
}

fn is_emit(op: Op) -> bool {
    is_append(op) || matches!(op, Op::EndPrimitive | Op::EndStreamPrimitive)
}

impl Body<'_, '_> {
    /// Declares the streams of an entry point, and the variables of their vertices.
    pub(super) fn add_streams(&mut self, entry: &Entry, parts: &[Part]) -> Result<(), Diagnostic> {
        let streams = self.declared_streams(entry, parts)?;
        for declared in &streams {
            let stream = self.add_stream(declared, entry.inst)?;
            self.streams.push(stream);
        }
        let is_sent = |part: &&Part| streams.iter().any(|declared| is_of(part, declared.number) && declared.is_sent());
        for part in parts.iter().filter(|part| !is_sent(part) && part.form == Form::Plain) {
            self.add_unsent(part)?;
        }
        Ok(())
    }

    /// An output of a stream that no vertex is appended to: a variable.
    fn add_unsent(&mut self, part: &Part) -> Result<(), Diagnostic> {
        if self.cx.globals.contains_key(&part.variable) {
            return Ok(());
        }
        let (name, ty) = (Some(part.name.clone()), part.ty);
        let local = self.function.add(Local { name, ty, kind: LocalKind::Variable, prefix: "" });
        self.declare_first(local, None);
        let place = self.local(local);
        self.bind(part, place);
        Ok(())
    }

    /// Declares the streams of a function that appends to them.
    pub(super) fn add_streams_of_callee(&mut self) -> Result<(), Diagnostic> {
        let function = self.function.origin.and_then(|inst| self.source.cast::<Function>(inst));
        let Some(function) = function.filter(|function| self.cx.hlsl.emitting.contains(function)) else {
            return Ok(());
        };
        let [entry] = self.cx.entries else {
            let message = "a function that appends to streams of several entry points: choose one by --entry";
            return self.refuse(WriteCode::Stage, function.inst(), message);
        };
        if self.cx.hlsl.streams.is_empty() {
            let parts = self.cx.parts(entry, Direction::Output)?;
            self.cx.hlsl.streams = self.declared_streams(entry, &parts)?;
        }
        for declared in self.cx.hlsl.streams.clone() {
            let stream = self.add_stream(&declared, function.inst())?;
            self.streams.push(stream);
        }
        Ok(())
    }

    fn declared_streams(&mut self, entry: &Entry, parts: &[Part]) -> Result<Vec<Declared>, Diagnostic> {
        if !self.cx.hlsl.streams.is_empty() {
            return Ok(self.cx.hlsl.streams.clone());
        }
        let Some(class) = self.cx.stream_class(entry) else {
            return self.refuse(WriteCode::Stage, entry.inst, "a geometry shader without a kind of output primitives");
        };
        let mut numbers = self.cx.numbers_of_streams();
        let is_sent = !numbers.is_empty();
        if !is_sent {
            numbers.push(0);
        }
        let is_only = numbers.len() == 1;
        if !is_only && class != "PointStream" {
            return self.refuse(WriteCode::Stage, entry.inst, "several streams of lines or triangles in HLSL");
        }
        let mut declared = Vec::new();
        for number in numbers {
            let own = parts.iter().filter(|part| is_sent && is_of(part, number));
            let parts: Vec<Part> = own.cloned().collect();
            if is_sent && parts.is_empty() {
                return self.refuse(
                    WriteCode::Stage,
                    entry.inst,
                    format!("vertices without outputs in stream {number}"),
                );
            }
            let name = if is_only { "Output".to_owned() } else { format!("Output{number}") };
            let vertex = self.interface_struct(entry, &name, &parts);
            declared.push(Declared { number, vertex, parts, class });
        }
        Ok(declared)
    }

    fn add_stream(&mut self, declared: &Declared, place: Inst) -> Result<Stream, Diagnostic> {
        let suffix = if declared.number == 0 { String::new() } else { declared.number.to_string() };
        let add = |body: &mut Self, name: &str, kind: LocalKind| {
            let name = Some(format!("{name}{suffix}"));
            body.function.add(Local { name, ty: declared.vertex, kind, prefix: "" })
        };
        let parameter = add(self, "stream", LocalKind::Parameter);
        let prefix = format!("inout {}", declared.class);
        self.function.parameters.push(Parameter { local: parameter, is_written: true, prefix, suffix: String::new() });
        let result = add(self, "output", LocalKind::Variable);
        let zero = self.cx.zero(declared.vertex, place)?;
        self.declare_first(result, Some(zero));
        let places = self.members_of(result, &declared.parts);
        let copies = self.bind_outputs(&declared.parts, &places)?;
        Ok(Stream { number: declared.number, parameter, vertex: Outputs { result, copies } })
    }

    /// Appends a vertex, or ends a strip. Returns whether the instruction does. Points are no strips, and the strip of a stream without
    /// vertices is empty.
    pub(super) fn stream_op(&mut self, inst: Inst) -> Result<bool, Diagnostic> {
        let op = self.source.op(inst);
        if !is_emit(op) {
            return Ok(false);
        }
        let number = stream_of(self.source, inst).unwrap_or(0);
        let stream = self.streams.iter().find(|stream| stream.number == number).cloned();
        let Some(stream) = stream.filter(|_| is_append(op) || !self.is_of_points()) else {
            if !is_append(op) {
                return Ok(true);
            }
            return self.refuse(WriteCode::Op, inst, "a vertex of a stream that is not there");
        };
        let object = self.local(stream.parameter);
        if is_append(op) {
            self.copy_outputs(&stream.vertex);
            let vertex = self.local(stream.vertex.result);
            self.stream_call(object, "Append", [vertex].into_iter().collect());
            return Ok(true);
        }
        self.stream_call(object, "RestartStrip", Arguments::new());
        Ok(true)
    }

    /// Returns whether the geometry shader makes points.
    pub(super) fn is_of_points(&self) -> bool {
        let mut geometry = self.cx.entries.iter().filter(|entry| entry.model == Model::Geometry);
        geometry.any(|entry| self.cx.stream_class(entry) == Some("PointStream"))
    }

    fn stream_call(&mut self, object: crate::syntax::Expr, name: &'static str, arguments: Arguments) {
        let void = self.cx.text.types.of(TypeShape::Void);
        let effects = Effects::READS | Effects::WRITES;
        let call = self.with_effects(Shape::Method { object, name, arguments }, void, effects);
        self.statement(StatementKind::Expression(call));
    }

    /// The streams that a called function appends to.
    pub(in crate::lower) fn stream_arguments(&mut self, callee: Function, arguments: &mut Arguments) {
        if !self.cx.hlsl.emitting.contains(&callee) {
            return;
        }
        let parameters: Vec<LocalId> = self.streams.iter().map(|stream| stream.parameter).collect();
        for parameter in parameters {
            arguments.push(self.local(parameter));
        }
    }
}
