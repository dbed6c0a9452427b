//! Prints a kernel as OpenCL C that is defined for every tree.
//!
//! | danger | what is written |
//! |---|---|
//! | overflow of signed numbers | sums and products in the unsigned type, and a cast |
//! | shifts by too much, indices out of range | a mask |
//! | division by zero, and of the least number by −1 | calls of functions that divide by one instead ([`preamble`](mod@super::preamble)); no branch asks, since LLVM's code for SPIR-V divides before it |
//! | uninitialized variables | every variable is at the top of its function, and starts as something |
//! | loops without end, by themselves or by gotos | a counter in each |
//! | `break` or `continue` of nothing, `goto` nowhere | an empty statement |
//!
//! The recursion depth is the nesting of the tree, which its generator bounds.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::tree::{
    Case, Default, Exchange, Expression, Form, Function, Kernel, LoopForm, Scalar, Statement, VectorValue,
};

/// The number of words of the output for each work-item.
pub const WORDS: usize = 8;
/// The number of words of the input.
pub const INPUT: usize = 16;
/// The number of words that all work-items add to.
pub const SUMS: usize = 4;

/// The kernel with that number: its name is `k` and the number.
pub fn print(kernel: &Kernel, number: usize) -> String {
    let mut text = String::new();
    let fields = kernel.fields.iter().enumerate();
    let fields: String = fields.map(|(index, field)| format!("{} f{index}; ", field.name())).collect();
    let _ = writeln!(text, "struct S{number} {{ {fields}}};");
    let (scalar, numbers) = kernel.table;
    let numbers = numbers.map(|number| constant(scalar, number)).join(", ");
    let _ = writeln!(text, "__constant {} T{number}[8] = {{ {numbers} }};", scalar.name());
    if kernel.has_barriers {
        let (cell, size) = (kernel.cell.name(), kernel.group_size());
        let _ = writeln!(
            text,
            "static {cell} x{number}(__local {cell} *cells, uint lid, {cell} own, uint by) {{\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
             cells[lid] = own;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  return cells[(lid + by) % {size}u];\n}}"
        );
    }
    for index in 0..kernel.callees.len() {
        print_callee(kernel, number, index, &mut text);
    }
    print_body(kernel, number, &mut text);
    text
}

fn print_callee(kernel: &Kernel, number: usize, index: usize, text: &mut String) {
    let function = &kernel.callees[index];
    let result = function.result.unwrap_or(Scalar::Uint).name();
    let parameters = function.variables[..function.parameters].iter().enumerate();
    let mut parameters: Vec<String> =
        parameters.map(|(index, variable)| format!("{} v{index}", variable.scalar.name())).collect();
    if function.takes_array {
        parameters.push(format!("{} *a0", function.arrays[0].0.name()));
    }
    let kept = if function.is_inlined { "" } else { "__attribute__((noinline)) " };
    let _ = writeln!(text, "static {kept}{result} f{number}_{index}({}) {{", parameters.join(", "));
    let mut printer = Printer::new(kernel, number, function, text);
    printer.declarations();
    printer.statements(&function.statements, Around::default());
    let last = function.variables.len() - 1;
    let _ = writeln!(text, "  return ({result})v{last};\n}}");
}

fn print_body(kernel: &Kernel, number: usize, text: &mut String) {
    let ([x, y], size, cell) = (kernel.local, kernel.group_size(), kernel.cell.name());
    let sized = match kernel.is_sized {
        true => format!("__attribute__((reqd_work_group_size({x}, {y}, 1))) "),
        false => String::new(),
    };
    let _ = writeln!(
        text,
        "__kernel {sized}void k{number}(__global uint *out, __global const uint *in, __global uint *shared, __global uint *sums, uint n, \
         ulong m, __local ulong *dynamic) {{"
    );
    let _ = writeln!(text, "  uint lid = get_local_id(1) * {x} + get_local_id(0), first = get_group_id(0) * {size}u;");
    let _ = writeln!(text, "  uint gid = first + lid, at = gid * {WORDS}u;");
    if kernel.has_barriers {
        match kernel.is_cell_argument {
            true => _ = writeln!(text, "  __local {cell} *cells = (__local {cell} *)dynamic;"),
            false => _ = writeln!(text, "  __local {cell} cells[{size}];"),
        }
        let _ = writeln!(text, "  __local uint bag[{SUMS}];\n  if (lid < {SUMS}) bag[lid] = 0;");
        text.push_str("  barrier(CLK_LOCAL_MEM_FENCE);\n");
    }
    let mut printer = Printer::new(kernel, number, &kernel.body, text);
    printer.declarations();
    printer.statements(&kernel.body.statements, Around::default());
    printer.hash();
    if kernel.has_barriers {
        let _ = writeln!(text, "  barrier(CLK_LOCAL_MEM_FENCE);\n  out[at + 5] ^= bag[lid % {SUMS}];");
    }
    text.push_str("}\n");
}

/// The context of a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: usize,
    breaks: bool,
    continues: bool,
}

impl Around {
    fn deeper(self) -> Around {
        Around { depth: self.depth + 1, ..self }
    }

    fn in_loop(self) -> Around {
        Around { breaks: true, continues: true, ..self.deeper() }
    }
}

struct Printer<'k, 't> {
    kernel: &'k Kernel,
    number: usize,
    function: &'k Function,
    labels: BTreeSet<usize>,
    gotos: BTreeSet<usize>,
    text: &'t mut String,
}

impl<'k, 't> Printer<'k, 't> {
    fn new(kernel: &'k Kernel, number: usize, function: &'k Function, text: &'t mut String) -> Printer<'k, 't> {
        let (mut labels, mut gotos) = (BTreeSet::new(), BTreeSet::new());
        function.statements.iter().for_each(|statement| collect_labels(statement, &mut labels, &mut gotos));
        Printer { kernel, number, function, labels, gotos, text }
    }

    fn declarations(&mut self) {
        let function = self.function;
        for (index, variable) in function.variables.iter().enumerate().skip(function.parameters) {
            let (scalar, start) = (variable.scalar, constant(variable.scalar, variable.start));
            self.line(0, &format!("{} v{index} = {start};", scalar.name()));
        }
        for (index, &(scalar, length)) in function.arrays.iter().enumerate().skip(usize::from(function.takes_array)) {
            self.line(0, &format!("{} a{index}[{length}];", scalar.name()));
            let value = format!("({})(i * {}u + {index}u)", scalar.name(), 0x0123_4567 + index);
            self.line(0, &format!("for (uint i = 0; i < {length}; i++) a{index}[i] = {value};"));
        }
        for (index, &length) in function.records.iter().enumerate() {
            self.line(0, &format!("struct S{} r{index}[{length}];", self.number));
            let fields = self.kernel.fields.iter().enumerate();
            let each: String = fields
                .map(|(field, scalar)| format!("r{index}[i].f{field} = ({})(i * 77u + {field}u); ", scalar.name()))
                .collect();
            self.line(0, &format!("for (uint i = 0; i < {length}; i++) {{ {each}}}"));
        }
        for index in 0..function.vectors {
            let name = self.vector_name();
            self.line(0, &format!("{name} w{index} = ({name})({});", index + 3));
        }
        for (index, &array) in function.pointers.iter().enumerate() {
            let scalar = function.arrays[array].0.name();
            self.line(0, &format!("{scalar} *p{index} = &a{array}[1];"));
        }
    }

    fn vector_name(&self) -> String {
        let (scalar, lanes) = self.kernel.vector;
        format!("{}{lanes}", scalar.name())
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * depth + 2);
    }

    fn statements(&mut self, statements: &[Statement], around: Around) {
        statements.iter().for_each(|statement| self.statement(statement, around));
    }

    fn statement(&mut self, statement: &Statement, around: Around) {
        let depth = around.depth;
        match statement {
            Statement::If { .. }
            | Statement::Loop { .. }
            | Statement::Switch { .. }
            | Statement::Entered { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Return(_)
            | Statement::Label(_)
            | Statement::Goto { .. } => self.control(statement, around),
            Statement::Assign { place, operator, value } => {
                let (name, target) = (place.scalar.name(), self.expression(place));
                let value = self.expression(value);
                let line = match operator.strip_suffix('=').unwrap_or_default() {
                    "" => format!("{target} = ({name})({value});"),
                    operator => {
                        let wide = place.scalar.wrapping().name();
                        format!("{target} = ({name})(({wide})({target}) {operator} ({wide})({value}));")
                    }
                };
                self.line(depth, &line);
            }
            Statement::Exchange { through, value, index, into } => {
                let operands = [value, index].map(|part| self.expression(part));
                self.exchange(*through, operands, *into, depth);
            }
            Statement::Gather { is_local, operation, word, value } => {
                let (words, value) = (if *is_local { "bag" } else { "sums" }, self.expression(value));
                self.line(depth, &format!("{operation}(&{words}[{word}], (uint)({value}));"));
            }
            Statement::Point { pointer, condition, targets: [first, second] } => {
                let [condition, first, second] = [condition, first, second].map(|part| self.expression(part));
                self.line(depth, &format!("p{pointer} = {condition} ? &{first} : &{second};"));
            }
            Statement::Copy { to, from } => {
                let [to, from] = [to, from].map(|(record, index)| self.element('r', *record, index));
                self.line(depth, &format!("{to} = {from};"));
            }
            Statement::Vector { to, value } => {
                let value = self.vector(value);
                self.line(depth, &format!("w{to} = {value};"));
            }
        }
    }

    fn control(&mut self, statement: &Statement, around: Around) {
        let depth = around.depth;
        match statement {
            Statement::If { condition, then, or_else } => {
                let condition = self.expression(condition);
                self.line(depth, &format!("if ({condition}) {{"));
                self.statements(then, around.deeper());
                if !or_else.is_empty() {
                    self.line(depth, "} else {");
                    self.statements(or_else, around.deeper());
                }
                self.line(depth, "}");
            }
            Statement::Loop { form, counter, condition, body } => {
                let condition = self.expression(condition);
                let (opening, closing) = match form {
                    LoopForm::For => (
                        format!("for (v{counter} = 0; v{counter} < ((uint)({condition}) & 7u); v{counter}++) {{"),
                        "}".to_owned(),
                    ),
                    LoopForm::While => {
                        (format!("v{counter} = 0;\nwhile (v{counter}++ < 5u && {condition}) {{"), "}".to_owned())
                    }
                    LoopForm::DoWhile => {
                        (format!("v{counter} = 0;\ndo {{"), format!("}} while (v{counter}++ < 4u && {condition});"))
                    }
                };
                opening.lines().for_each(|line| self.line(depth, line));
                self.statements(body, around.in_loop());
                self.line(depth, &closing);
            }
            Statement::Switch { selector, mask, cases, default } => {
                let selector = self.expression(selector);
                self.line(depth, &format!("switch ((uint)({selector}) & {mask}u) {{"));
                self.cases(cases, default, around);
            }
            Statement::Entered { .. } => self.entered(statement, around),
            Statement::Break => self.line(depth, if around.breaks { "break;" } else { ";" }),
            Statement::Continue => self.line(depth, if around.continues { "continue;" } else { ";" }),
            Statement::Return(value) => {
                let value = self.expression(value);
                let line = match self.function.result {
                    Some(scalar) => format!("return ({})({value});", scalar.name()),
                    None => format!("{{ out[at + 4] ^= (uint)({value}); return; }}"),
                };
                self.line(depth, &line);
            }
            Statement::Label(label) if self.gotos.contains(label) => self.line(depth, &format!("L{label}: ;")),
            Statement::Goto { label, counter, condition } if self.labels.contains(label) => {
                let condition = self.expression(condition);
                let counted = counter.map_or_else(String::new, |counter| format!("v{counter}++ < 3u && "));
                self.line(depth, &format!("if ({counted}{condition}) goto L{label};"));
            }
            _ => self.line(depth, ";"),
        }
    }

    /// The cases of a switch, and its end.
    fn cases(&mut self, cases: &[Case], default: &Default, around: Around) {
        let depth = around.depth;
        let inside = Around { breaks: true, ..around.deeper() };
        for (index, case) in cases.iter().enumerate() {
            self.default_at(index, default, inside);
            case.labels.iter().for_each(|label| self.line(depth, &format!("case {label}:")));
            self.statements(&case.body, inside);
            let reaches_default = index + 1 == cases.len() && *default == Default::Unreachable;
            self.line(depth + 1, if case.falls && !reaches_default { ";" } else { "break;" });
        }
        match default {
            Default::Unreachable => self.line(depth, "default: __builtin_unreachable();"),
            _ => self.default_at(cases.len(), default, inside),
        }
        self.line(depth, "}");
    }

    /// The default, if it comes before the case with that number.
    fn default_at(&mut self, index: usize, default: &Default, inside: Around) {
        let Default::Body(before, body) = default else { return };
        if *before == index {
            self.line(inside.depth - 1, "default:");
            self.statements(body, inside);
            self.line(inside.depth, ";");
        }
    }

    /// A loop whose parts a switch enters.
    fn entered(&mut self, statement: &Statement, around: Around) {
        let Statement::Entered { selector, parts, counter, condition } = statement else { return };
        let depth = around.depth;
        let [selector, condition] = [selector, condition].map(|part| self.expression(part));
        self.line(depth, &format!("v{counter} = 0;"));
        self.line(depth, &format!("switch ((uint)({selector}) & 3u) {{"));
        self.line(depth, "case 0: do {");
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.line(depth, &format!("case {index}: ;"));
            }
            self.statements(part, around.in_loop());
        }
        self.line(depth, &format!("}} while (v{counter}++ < 3u && {condition});"));
        self.line(depth, "}");
    }

    fn exchange(&mut self, through: Exchange, [value, index]: [String; 2], into: usize, depth: usize) {
        let number = self.number;
        let (cell, size) = (self.kernel.cell.name(), self.kernel.group_size());
        let to = self.function.variables[into].scalar.name();
        match through {
            Exchange::LocalByCall => {
                self.line(
                    depth,
                    &format!("v{into} = ({to})x{number}(cells, lid, ({cell})({value}), (uint)({index}));"),
                );
            }
            Exchange::Local | Exchange::Broadcast => {
                let other = if through == Exchange::Local { "lid + " } else { "" };
                self.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);");
                self.line(depth, &format!("cells[lid] = ({cell})({value});"));
                self.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);");
                self.line(depth, &format!("v{into} = ({to})cells[({other}(uint)({index})) % {size}u];"));
            }
            Exchange::Global => {
                self.line(depth, "barrier(CLK_GLOBAL_MEM_FENCE);");
                self.line(depth, &format!("shared[gid] = (uint)({value});"));
                self.line(depth, "barrier(CLK_GLOBAL_MEM_FENCE);");
                self.line(depth, &format!("v{into} = ({to})shared[first + (lid + (uint)({index})) % {size}u];"));
            }
        }
    }

    /// All variables of the function are written to the output.
    fn hash(&mut self) {
        const MIX: &str = "h = (h ^ (ulong)(";
        const BY: &str = ")) * 0x9e3779b97f4a7c15ul;";
        self.line(0, "ulong h = 1;");
        for index in 0..self.function.variables.len() {
            self.line(0, &format!("{MIX}v{index}{BY}"));
        }
        for (index, &(_, length)) in self.function.arrays.iter().enumerate() {
            self.line(0, &format!("for (uint i = 0; i < {length}; i++) {MIX}a{index}[i]{BY}"));
        }
        for (index, &length) in self.function.records.iter().enumerate() {
            for field in 0..self.kernel.fields.len() {
                self.line(0, &format!("for (uint i = 0; i < {length}; i++) {MIX}r{index}[i].f{field}{BY}"));
            }
        }
        for index in 0..self.function.vectors {
            (0..self.kernel.vector.1).for_each(|lane| self.line(0, &format!("{MIX}w{index}.s{lane:x}{BY}")));
        }
        self.line(0, "out[at + 6] ^= (uint)h;");
        self.line(0, "out[at + 7] ^= (uint)(h >> 32);");
    }

    fn vector(&self, value: &VectorValue) -> String {
        let (scalar, lanes) = self.kernel.vector;
        match value {
            VectorValue::Of(parts) => {
                let parts = parts.iter().cycle().take(lanes);
                let parts: Vec<String> =
                    parts.map(|part| format!("({})({})", scalar.name(), self.expression(part))).collect();
                format!("({})({})", self.vector_name(), parts.join(", "))
            }
            VectorValue::Both(operator, left, right) => format!("w{left} {operator} w{right}"),
            VectorValue::Splat(operator, left, right) => {
                format!("w{left} {operator} ({})({})", scalar.name(), self.expression(right))
            }
            VectorValue::Shuffle(of, order) => {
                let order: String = order.iter().map(|component| format!("{component:x}")).collect();
                format!("w{of}.s{order}")
            }
            VectorValue::Less(left, right) => format!("(w{left} < w{right}) ? w{left} : w{right}"),
        }
    }

    fn element(&self, kind: char, number: usize, index: &Expression) -> String {
        let length = match kind {
            'a' => self.function.arrays[number].1,
            _ => self.function.records[number],
        };
        format!("{kind}{number}[(uint)({}) & {}u]", self.expression(index), length - 1)
    }

    fn expression(&self, expression: &Expression) -> String {
        let (name, wide) = (expression.scalar.name(), expression.scalar.wrapping().name());
        let of = |index: usize| self.expression(&expression.of[index]);
        match expression.form {
            Form::Constant(number) => constant(expression.scalar, number),
            Form::Variable(index) => format!("v{index}"),
            Form::Leaf(leaf) => leaf.to_owned(),
            Form::Input => format!("in[(uint)({}) & {}u]", of(0), INPUT - 1),
            Form::Table => format!("T{}[(uint)({}) & 7u]", self.number, of(0)),
            Form::Output => format!("out[at + ((uint)({}) & 3u)]", of(0)),
            Form::Element(array) => self.element('a', array, &expression.of[0]),
            Form::Field(record, field) => format!("{}.f{field}", self.element('r', record, &expression.of[0])),
            Form::Component(vector) => self.component(vector, &expression.of[0]),
            Form::Pointee(pointer) => format!("*p{pointer}"),
            Form::Prefix("!") => format!("!({})", of(0)),
            Form::Prefix(operator) => format!("({name})({operator}({wide})({}))", of(0)),
            Form::Wrapping(operator) => format!("({name})(({wide})({}) {operator} ({wide})({}))", of(0), of(1)),
            Form::Shift(operator) => {
                let left = if operator == "<<" { wide } else { name };
                format!(
                    "({name})(({left})({}) {operator} ((uint)({}) & {}u))",
                    of(0),
                    of(1),
                    expression.scalar.bits() - 1
                )
            }
            Form::Guarded(function) => format!("{function}_{name}(({name})({}), ({name})({}))", of(0), of(1)),
            Form::Compare(operator) | Form::Logical(operator) => format!("(({}) {operator} ({}))", of(0), of(1)),
            Form::Choose => format!("(({}) ? ({name})({}) : ({name})({}))", of(0), of(1), of(2)),
            Form::Cast => format!("({name})({})", of(0)),
            Form::BuiltIn(function) => {
                let operands: Vec<String> =
                    (0..expression.of.len()).map(|index| format!("({name})({})", of(index))).collect();
                format!("({name}){function}({})", operands.join(", "))
            }
            Form::Call(callee, array) => {
                let mut operands: Vec<String> = (0..expression.of.len()).map(of).collect();
                if self.kernel.callees[callee].takes_array {
                    operands.push(format!("a{array}"));
                }
                format!("f{}_{callee}({})", self.number, operands.join(", "))
            }
        }
    }

    fn component(&self, vector: usize, index: &Expression) -> String {
        let (scalar, lanes) = self.kernel.vector;
        match index.form {
            Form::Constant(number) => format!("w{vector}.s{:x}", number % lanes as u64),
            _ => format!("(({} *)&w{vector})[(uint)({}) % {lanes}u]", scalar.name(), self.expression(index)),
        }
    }
}

/// A number in its type.
fn constant(scalar: Scalar, number: u64) -> String {
    let cut = number & (u64::MAX >> (64 - scalar.bits()));
    let suffix = if scalar.bits() == 64 { "ul" } else { "u" };
    match scalar {
        Scalar::Uint | Scalar::Ulong => format!("{cut:#x}{suffix}"),
        _ => format!("({}){cut:#x}{suffix}", scalar.name()),
    }
}

fn collect_labels(statement: &Statement, labels: &mut BTreeSet<usize>, gotos: &mut BTreeSet<usize>) {
    match statement {
        Statement::Label(label) => _ = labels.insert(*label),
        Statement::Goto { label, .. } => _ = gotos.insert(*label),
        _ => {}
    }
    statement.lists().into_iter().flatten().for_each(|inner| collect_labels(inner, labels, gotos));
}
