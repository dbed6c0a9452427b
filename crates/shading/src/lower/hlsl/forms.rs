//! Values that have another form in the language than in the module.
//!
//! ```text
//! %gl_FragCoord                  ⇒      float4(input.frag_coord.xyz, 1.0 / input.frag_coord.w)
//! %gl_ClipDistance[5]            ⇒      float4 clip_distance0 : SV_ClipDistance0; float clip_distance1 : SV_ClipDistance1;
//! %gl_TessLevelOuter[4]          ⇒      float outer_levels[3] : SV_TessFactor;
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::super::function::Body;
use super::built_ins::Form;
use super::parts::Part;
use crate::syntax::{Arguments, Binary, Expr, Literal, Local, LocalKind, Scalar, StatementKind, Type, TypeShape};
use crate::write::WriteCode;

impl Body<'_, '_> {
    /// The value of the module for parts of the language.
    pub(super) fn input_value(&mut self, part: &Part, places: &[Expr]) -> Result<Expr, Diagnostic> {
        let place = self.cx.text.expressions.copy(places[0]);
        match part.form {
            Form::Plain => Ok(place),
            Form::Position if !self.reads_last(part.variable) => Ok(place),
            Form::Position => {
                let (rest, last) = (self.swizzle(place, &[0, 1, 2]), self.cx.text.expressions.copy(places[0]));
                let last = self.swizzle(last, &[3]);
                let number = self.type_of(last);
                let one = self.cx.literal(Literal::Float(1.0), number);
                let inverse = self.binary(Binary::Divide, one, last, number);
                let value = self.construct([rest, inverse], part.ty);
                Ok(self.named_input("frag_coord", value))
            }
            Form::Mask => {
                let ty = self.cx.ty(part.value)?;
                let (Some(element), 1) = (self.cx.text.part(ty, 0), self.array_count(ty)) else {
                    return self.refuse(WriteCode::Interface, part.variable, "a sample mask of several words");
                };
                let value = self.convert(place, element, part.variable)?;
                Ok(self.construct([value], ty))
            }
            Form::Distances => self.distances_value(part, places),
            Form::Levels(_) if self.has_levels_of(part) && !self.cx.globals.contains_key(&part.variable) => Ok(place),
            Form::Levels(_) => self.levels_value(part, place),
            Form::Coordinates if self.numbers_of(place).size == 3 => Ok(place),
            Form::Coordinates => {
                let number = self.cx.text.types.numbers(Scalar::FLOAT, 1);
                let zero = self.cx.literal(Literal::Float(0.0), number);
                let ty = self.cx.ty(part.value)?;
                let value = self.construct([place, zero], ty);
                Ok(self.named_input(&part.name, value))
            }
            Form::SamplePosition => {
                let ty = self.cx.ty(part.value)?;
                let number = self.cx.text.types.numbers(Scalar::FLOAT, 1);
                let position = self.call("GetRenderTargetSamplePosition", &[place], ty);
                let half = self.cx.literal(Literal::Float(0.5), number);
                let value = self.binary(Binary::Add, position, half, ty);
                Ok(self.named_input("sample_position", value))
            }
            Form::EachVertex => {
                let ty = self.cx.ty(part.value)?;
                let mut values = Vec::new();
                for vertex in 0..self.array_count(ty) {
                    let (whole, number) = (self.cx.text.expressions.copy(place), self.cx.word(vertex));
                    values.push(self.call("GetAttributeAtVertex", &[whole, number], part.ty));
                }
                let value = self.construct(values, ty);
                Ok(self.named_input(&part.name, value))
            }
            Form::Based(_) => match places {
                [_, first] => {
                    let (first, own) = (self.cx.text.expressions.copy(*first), part.ty);
                    let sum = self.binary(Binary::Add, place, first, own);
                    Ok(self.named_input(&part.name, sum))
                }
                _ => Ok(place),
            },
        }
    }

    /// The array of distances that are vectors of four.
    fn distances_value(&mut self, part: &Part, places: &[Expr]) -> Result<Expr, Diagnostic> {
        let ty = self.cx.ty(part.value)?;
        let mut numbers = Vec::new();
        for &vector in places {
            for component in 0..self.numbers_of(vector).size {
                let whole = self.cx.text.expressions.copy(vector);
                let is_one = self.numbers_of(whole).size == 1;
                numbers.push(if is_one { whole } else { self.swizzle(whole, &[component]) });
            }
        }
        Ok(self.construct(numbers, ty))
    }

    /// The array of levels of the module. Those that the domain does not have are 0.
    fn levels_value(&mut self, part: &Part, place: Expr) -> Result<Expr, Diagnostic> {
        let ty = self.cx.ty(part.value)?;
        let float = self.cx.text.types.numbers(Scalar::FLOAT, 1);
        let mut numbers = Vec::new();
        for number in 0..self.array_count(ty) {
            let (whole, index) = (self.cx.text.expressions.copy(place), self.cx.int(number as i32));
            numbers.push(match number < self.array_count(part.ty) {
                true => self.element(whole, index, part.variable)?,
                false => self.cx.literal(Literal::Float(0.0), float),
            });
        }
        Ok(self.construct(numbers, ty))
    }

    pub(super) fn array_count(&self, ty: Type) -> u32 {
        match self.cx.text.types[ty] {
            TypeShape::Array { length: crate::syntax::Length::Constant(count), .. } => count,
            _ => 0,
        }
    }

    fn named_input(&mut self, name: &str, value: Expr) -> Expr {
        let ty = self.type_of(value);
        let name = Some(name.to_owned());
        let local = self.function.add(Local { name, ty, kind: LocalKind::Value, prefix: "" });
        self.statement(StatementKind::Declare { local, value: Some(value) });
        self.local(local)
    }

    /// Returns whether code may read the last component of a vector in memory.
    fn reads_last(&self, variable: Inst) -> bool {
        let part = |user: Inst| view::CompositeExtract::of(self.source, user).and_then(|found| found.indexes.first());
        self.source.uses(variable).filter(|used| self.source.block_of(used.user).is_some()).any(|used| {
            match self.source.op(used.user) {
                Op::Load => {
                    self.source.uses(used.user).filter(|read| self.source.block_of(read.user).is_some()).any(|read| {
                        match view::VectorShuffle::of(self.source, read.user) {
                            Some(shuffle) => shuffle.components.iter().any(|component| component % 4 == 3),
                            None => part(read.user).is_none_or(|component| component == 3),
                        }
                    })
                }
                Op::AccessChain | Op::InBoundsAccessChain => {
                    let index = view::Chain::of(self.source, used.user).and_then(|chain| chain.indexes.first());
                    index.and_then(|index| self.word(index)).is_none_or(|component| component == 3)
                }
                _ => true,
            }
        })
    }

    /// Returns whether the levels of the language are all that code names.
    pub(super) fn has_levels_of(&self, part: &Part) -> bool {
        let count = self.array_count(part.ty);
        part.form.is_of_levels() && self.names_levels_below(part.variable, count)
    }

    /// The copies of the levels that the language has.
    pub(super) fn level_copies(
        &mut self,
        part: &Part,
        source: Expr,
        target: Expr,
    ) -> Result<Vec<(Expr, Expr)>, Diagnostic> {
        let mut copies = Vec::new();
        for number in 0..self.array_count(part.ty) {
            let mut pair = [target, source];
            for array in &mut pair {
                let (whole, index) = (self.cx.text.expressions.copy(*array), self.cx.int(number as i32));
                *array = self.element(whole, index, part.variable)?;
            }
            copies.push((pair[0], pair[1]));
        }
        Ok(copies)
    }

    /// The values of the language's parts for a variable of the module.
    pub(super) fn output_values(
        &mut self,
        part: &Part,
        source: Expr,
        places: &[Expr],
    ) -> Result<Vec<Expr>, Diagnostic> {
        if part.form == Form::Plain {
            return Ok(vec![source]);
        }
        let mut values = Vec::new();
        for (number, &place) in places.iter().enumerate() {
            let ty = self.type_of(place);
            let mut numbers = Arguments::new();
            for component in 0..self.numbers_of(place).size {
                let array = self.cx.text.expressions.copy(source);
                let index = self.cx.int(number as i32 * 4 + i32::from(component));
                numbers.push(self.element(array, index, part.variable)?);
            }
            values.push(match numbers[..] {
                [only] => self.convert(only, ty, part.variable)?,
                _ => self.construct(numbers, ty),
            });
        }
        Ok(values)
    }
}
