//! The kernel, and the function that it calls for each number.

use super::body::Body;
use super::calls::On;
use super::text::{Head, Receiver, Writer};
use super::{Carrier, Form, Formula, Use};

impl Writer<'_> {
    /// A struct, made of formulas.
    pub(super) fn object(&mut self, body: &mut Body, index: usize, formulas: &[Formula], inputs: &[String]) -> String {
        let mut fields = Vec::new();
        for (&field, formula) in self.program.structs[index].fields.iter().zip(formulas) {
            let number = body.formula(formula, inputs);
            fields.push(body.make(field, &number));
        }
        body.value(&format!("%S{index}"), &format!("composite_construct {}", fields.join(", ")))
    }

    /// The function that the kernel calls for each number.
    pub(super) fn total(&mut self) {
        let program = self.program;
        let mut body = Body::default();
        body.block("^entry", "");
        let mut total = "%n".to_owned();
        for each in &program.uses {
            total = match self.form {
                Form::Dynamic => self.dynamic_use(&mut body, each, &total),
                Form::Plain | Form::Static => self.static_use(&mut body, each, &total),
            };
        }
        body.line(&format!("return_value {total}"));
        let own = [("%u32", "%n")];
        let text = self.function(&body, &Head { name: "%total", ty: "%u32", own: &own, more: &[] });
        self.functions += &text;
    }

    /// A block for each struct, chosen by a number, from each of which `one` makes a value for the block where they meet.
    fn choose(
        &mut self,
        body: &mut Body,
        (each, total): (&Use, &str),
        ty: &str,
        mut one: impl FnMut(&mut Self, &mut Body, usize, &str) -> String,
    ) -> String {
        let join = body.fresh("^b");
        let blocks: Vec<String> = each.structs.iter().map(|_| body.fresh("^b")).collect();
        let count = body.constant(each.structs.len() as u32);
        let selector = body.number("u_mod", total, &count);
        let cases: Vec<String> =
            blocks[1..].iter().zip(1..).map(|(block, case)| format!(" [{case} {block}]")).collect();
        body.line(&format!("switch {selector} default {}{}", blocks[0], cases.concat()));
        for ((&index, formulas), block) in each.structs.iter().zip(&each.formulas).zip(&blocks) {
            body.block(block, "");
            let object = self.object(body, index, formulas, &["%n".to_owned(), total.to_owned()]);
            let value = one(self, body, index, &object);
            body.line(&format!("branch {join}({value})"));
        }
        let result = body.fresh("%v");
        body.block(&join, &format!("({result}: {ty})"));
        result
    }

    fn static_use(&mut self, body: &mut Body, each: &Use, total: &str) -> String {
        self.choose(body, (each, total), "%u32", |writer, body, index, object| {
            let interface = writer.program.functions[each.function].interface;
            let on = On { interface, receiver: Receiver::Struct { index, depth: 0 }, value: object };
            writer.call_function(body, each.function, on, total)
        })
    }

    fn dynamic_use(&mut self, body: &mut Body, each: &Use, total: &str) -> String {
        let number = self.program.functions[each.function].interface;
        let any = format!("%any{number}");
        let value = self.choose(body, (each, total), &any, |_, body, index, object| {
            body.value(&any, &format!("make_existential {object}, %S{index}.I{number}"))
        });
        let carried = self.carry(body, each, &value, total);
        if each.carrier == Carrier::Argument {
            return body.value("%u32", &format!("function_call %h{}, {carried}, {total}", each.function));
        }
        let on = On { interface: number, receiver: Receiver::Any, value: &carried };
        self.call_function(body, each.function, on, total)
    }

    fn carry(&mut self, body: &mut Body, each: &Use, value: &str, total: &str) -> String {
        let number = self.program.functions[each.function].interface;
        let any = format!("%any{number}");
        match each.carrier {
            Carrier::Value | Carrier::Argument => value.to_owned(),
            Carrier::Variable => {
                let variable = self.variable(body, number, &any);
                body.line(&format!("store {variable}, {value}"));
                body.value(&any, &format!("load {variable}"))
            }
            Carrier::Array => {
                let array = self.variable(body, number, &format!("%anys{number}"));
                for place in [0, 1] {
                    let place = body.constant(place);
                    let part =
                        body.value(&format!("%pointer_to.any{number}"), &format!("access_chain {array}, {place}"));
                    body.line(&format!("store {part}, {value}"));
                }
                let one = body.constant(1);
                let place = body.number("bitwise_and", total, &one);
                let part = body.value(&format!("%pointer_to.any{number}"), &format!("access_chain {array}, {place}"));
                body.value(&any, &format!("load {part}"))
            }
        }
    }

    /// A variable of the function for values of interface type.
    fn variable(&mut self, body: &mut Body, number: usize, ty: &str) -> String {
        let pointer = format!("%pointer_to.{}", &ty[1..]);
        for line in [
            format!("%anys{number} = type_array %any{number}, %two"),
            format!("%pointer_to.any{number} = type_pointer Function, %any{number}"),
            format!("%pointer_to.anys{number} = type_pointer Function, %anys{number}"),
        ] {
            if !self.globals.contains(&line) {
                self.global(&line);
            }
        }
        let name = body.fresh("%variable");
        body.first_line("block ^entry:", &format!("{name}: {pointer} = variable Function"));
        name
    }

    pub(super) fn kernel(&mut self) {
        let stage = if self.form == Form::Plain { "graph" } else { "generic" };
        self.functions += &KERNEL.replace("STAGE", stage);
    }
}

/// A kernel over an output and an input.
const KERNEL: &str = "
func %main: %void (%output: %buffer, %input: %buffer) stage STAGE {
block ^entry:
  %ids: %sizes = load %id
  %index: %u64 = composite_extract %ids, 0
  %to: %buffer = in_bounds_ptr_access_chain %output, %index
  %from: %buffer = in_bounds_ptr_access_chain %input, %index
  %number: %u32 = load %from, 2, 4
  %result: %u32 = function_call %total, %number
  store %to, %result, 2, 4
  return
}
";
