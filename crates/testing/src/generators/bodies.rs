//! Random bodies of compute shaders in WGSL and GLSL: statements and expressions of every form, whose results every implementation must agree on.
//!
//! A body reads eight words for each of eight lanes and writes eight. Integers take every value, divisors and distances of shifts included where the language
//! defines the result; constants have names, because a text whose constant expressions overflow is not valid. Floating-point numbers are multiples of a
//! quarter below 2,048, so that every operation on them is exact; WGSL leaves the sign of a zero open (section 15.7.2), so no bits of it are looked at.
//! Loops count, so that every body ends. Indices of GLSL are masked; WGSL defines those out of range, and Tint takes the last element. No lane reads what another one writes, except behind a barrier.

mod forms;
mod texts;

use std::fmt::Write as _;

use self::texts::{GLSL_END, GLSL_HEAD, GLSL_VARIABLES, WGSL_END, WGSL_HEAD, WGSL_VARIABLES};
use crate::random::Random;

/// The language of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyLanguage {
    /// WGSL.
    Wgsl,
    /// GLSL 4.50 for Vulkan.
    Glsl,
}

/// The lanes of a body.
pub const LANES: usize = 8;
/// The words that each lane reads, and that it writes.
pub const WORDS: usize = 8;

/// The body of a seed, as the text of a whole shader. The buffer at binding 0 is read, that at binding 1 is written.
pub fn body(seed: u64, language: BodyLanguage) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        language,
        text: String::new(),
        indent: 1,
        depth: 0,
        names: 0,
        loops: 0,
        switches: 0,
    };
    generator.shader()
}

/// The words that the lanes of a body read: small numbers, numbers at the limits, and any.
pub fn inputs(seed: u64) -> Vec<u32> {
    const LIMITS: [u32; 8] = [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1, 31, 32, 0xffff];
    let mut random = Random::new(seed ^ 0x5eed);
    (0..LANES * WORDS)
        .map(|_| match random.below(4) {
            0 => *random.choose(&LIMITS),
            1 => random.word() as u32,
            _ => random.below(20) as u32,
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Word,
    Float,
    Bool,
}

const KINDS: [Kind; 3] = [Kind::Int, Kind::Word, Kind::Float];

struct Generator {
    random: Random,
    language: BodyLanguage,
    text: String,
    indent: usize,
    /// The nesting depth of statements.
    depth: usize,
    names: usize,
    /// Loops around the current statement.
    loops: usize,
    /// Switches around it.
    switches: usize,
}

impl Generator {
    fn is_wgsl(&self) -> bool {
        self.language == BodyLanguage::Wgsl
    }

    fn shader(&mut self) -> String {
        let head = if self.is_wgsl() { WGSL_HEAD } else { GLSL_HEAD };
        self.text = head.to_owned();
        let declarations = if self.is_wgsl() { WGSL_VARIABLES } else { GLSL_VARIABLES };
        self.text += declarations;
        for _ in 0..self.random.between(4, 10) {
            self.statement();
        }
        self.text += if self.is_wgsl() { WGSL_END } else { GLSL_END };
        std::mem::take(&mut self.text)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 4 * self.indent);
    }

    fn block(&mut self, head: &str, most: usize) {
        self.line(&format!("{head} {{"));
        self.inside(most);
        self.line("}");
    }

    fn inside(&mut self, most: usize) {
        self.indent += 1;
        self.depth += 1;
        for _ in 0..self.random.between(1, most) {
            self.statement();
        }
        self.depth -= 1;
        self.indent -= 1;
    }

    fn statement(&mut self) {
        let simple = self.depth >= 3;
        match self.random.below(if simple { 7 } else { 14 }) {
            0 | 1 => self.assignment(),
            2 => self.compound(),
            3 => self.element(),
            4 => self.call(),
            5 | 6 => self.form(),
            7 => {
                let condition = self.expression(Kind::Bool, 2);
                self.block(&format!("if ({condition})"), 3);
                if self.random.chance(50) {
                    self.block("else", 3);
                }
            }
            8 => self.switch(),
            9 => self.counted(),
            10 => self.endless(),
            11 => self.while_loop(),
            12 => {
                let (ty, value) = (self.ty(Kind::Int), self.expression(Kind::Int, 2));
                self.line("{");
                self.indent += 1;
                let declaration =
                    if self.is_wgsl() { format!("var i0: {ty} = {value};") } else { format!("{ty} i0 = {value};") };
                self.line(&declaration);
                self.inside(3);
                self.line("i1 = i1 ^ i0;");
                self.indent -= 1;
                self.line("}");
            }
            _ => self.leave(),
        }
    }

    fn ty(&self, kind: Kind) -> &'static str {
        match (kind, self.is_wgsl()) {
            (Kind::Int, true) => "i32",
            (Kind::Word, true) => "u32",
            (Kind::Float, true) => "f32",
            (Kind::Int, false) => "int",
            (Kind::Word, false) => "uint",
            (Kind::Float, false) => "float",
            (Kind::Bool, _) => "bool",
        }
    }

    fn assignment(&mut self) {
        let kind = *self.random.choose(&[Kind::Int, Kind::Word, Kind::Float, Kind::Bool]);
        let (target, value) = (self.variable(kind), self.expression(kind, 3));
        let value = if kind == Kind::Float { format!("fq({value})") } else { value };
        self.line(&format!("{target} = {value};"));
    }

    fn compound(&mut self) {
        let kind = *self.random.choose(&[Kind::Int, Kind::Word]);
        let target = self.variable(kind);
        if self.random.chance(25) {
            let step = *self.random.choose(&["++", "--"]);
            self.line(&format!("{target}{step};"));
            return;
        }
        let operator = *self.random.choose(&["+", "-", "*", "&", "|", "^"]);
        let value = self.expression(kind, 2);
        self.line(&format!("{target} {operator}= {value};"));
    }

    /// A store to an element of an array, a component, a member or a column.
    fn element(&mut self) {
        let index = self.expression(Kind::Word, 1);
        let line = match self.random.below(6) {
            0 => format!("arr[({index}) & 3u] = {};", self.expression(Kind::Int, 2)),
            1 => format!("v4.{} = {};", self.random.choose(&["x", "y", "z", "w"]), self.expression(Kind::Word, 2)),
            2 => format!("s.m = {};", self.expression(Kind::Int, 2)),
            3 => format!("s.v[({index}) & 1u] = fq({});", self.expression(Kind::Float, 2)),
            4 => format!("mat[({index}) & 1u] = fq2(mat * s.v);"),
            _ => format!("v4 = {};", self.vector()),
        };
        self.line(&line);
    }

    fn vector(&mut self) -> String {
        let of = |generator: &mut Generator| generator.expression(Kind::Word, 1);
        let ty = if self.is_wgsl() { "vec4<u32>" } else { "uvec4" };
        match self.random.below(5) {
            0 => format!("v4.{}", self.random.choose(&["wzyx", "xxyy", "yzwx", "zzzz"])),
            1 => format!("{ty}({}, {}, {}, {})", of(self), of(self), of(self), of(self)),
            2 => format!("v4 + {ty}({})", of(self)),
            3 => format!("{ty}(v4.zw, {}, {})", of(self), of(self)),
            _ => format!("(v4 ^ v4.yxwz) * {ty}({})", of(self)),
        }
    }

    fn call(&mut self) {
        let value = self.expression(Kind::Int, 1);
        let index = self.expression(Kind::Word, 1);
        let line = match (self.random.below(4), self.is_wgsl()) {
            (0, true) => format!("bump(&i0, {value});"),
            (1, true) => format!("bump(&arr[({index}) & 3u], {value});"),
            (2, true) => format!("bump(&s.m, {value});"),
            (0, false) => format!("bump(i0, {value});"),
            (1, false) => format!("bump(arr[({index}) & 3u], {value});"),
            (2, false) => format!("bump(s.m, {value});"),
            _ => format!("i2 = early({value}, {index});"),
        };
        self.line(&line);
    }

    fn switch(&mut self) {
        let selector = self.expression(Kind::Int, 2);
        self.line(&format!("switch (({selector}) & 7) {{"));
        self.indent += 1;
        let middle = self.random.below(3);
        self.switches += 1;
        for place in 0..3 {
            let value = place * 2;
            let head = match (self.is_wgsl(), place == middle) {
                (true, true) if self.random.chance(50) => format!("case {value}, default"),
                (true, true) => "default".to_owned(),
                (true, false) => format!("case {value}, {}", value + 1),
                (false, true) => "default:".to_owned(),
                (false, false) => format!("case {value}: case {}:", value + 1),
            };
            self.line(&format!("{head} {{"));
            self.inside(2);
            if self.random.chance(30) {
                let condition = self.expression(Kind::Bool, 1);
                self.line(&format!("    if ({condition}) {{ break; }}"));
                self.line("    i1 = i1 + 1;");
            }
            // A case of GLSL without a break falls through.
            if !self.is_wgsl() && self.random.chance(70) {
                self.line("    break;");
            }
            self.line("}");
        }
        self.switches -= 1;
        self.indent -= 1;
        self.line("}");
    }

    fn counted(&mut self) {
        let name = self.name();
        let count = self.random.between(1, 4);
        let head = match self.is_wgsl() {
            true => format!("for (var {name} = 0; {name} < {count}; {name}++)"),
            false => format!("for (int {name} = 0; {name} < {count}; {name}++)"),
        };
        self.loops += 1;
        self.block(&head, 3);
        self.loops -= 1;
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("k{}", self.names)
    }

    /// A loop with a continuing block that decides, or a do loop.
    fn endless(&mut self) {
        let name = self.name();
        let count = self.random.between(1, 4);
        let condition = self.expression(Kind::Bool, 1);
        self.loops += 1;
        if self.is_wgsl() {
            self.line(&format!("var {name} = 0;"));
            self.line("loop {");
            self.inside(3);
            self.line(&format!(
                "    continuing {{ {name}++; i1 = i1 * 3; break if {name} >= {count} || {condition}; }}"
            ));
            self.line("}");
        } else {
            self.line(&format!("int {name} = 0;"));
            self.line("do {");
            self.inside(3);
            self.line(&format!("}} while (++{name} < {count} && {condition});"));
        }
        self.loops -= 1;
    }

    fn while_loop(&mut self) {
        let name = self.name();
        let (count, condition) = (self.random.between(1, 5), self.expression(Kind::Bool, 1));
        let declaration =
            if self.is_wgsl() { format!("var {name} = {count};") } else { format!("int {name} = {count};") };
        self.line(&declaration);
        self.loops += 1;
        self.line(&format!("while ({name} > 0 && ({condition} || {name} > 2)) {{"));
        self.line(&format!("    {name} = {name} - 1;"));
        self.inside(3);
        self.line("}");
        self.loops -= 1;
    }

    /// A jump, if it is taken.
    fn leave(&mut self) {
        let condition = self.expression(Kind::Bool, 1);
        let jump = match self.random.below(3) {
            0 if self.loops + self.switches > 0 => "break;",
            1 if self.loops > 0 => "continue;",
            2 => "i2 = i2 - 1;",
            _ => "i0 = i0 + 1;",
        };
        self.line(&format!("if ({condition}) {{ {jump} }}"));
    }

    fn variable(&mut self, kind: Kind) -> String {
        let number = self.random.below(3);
        match kind {
            Kind::Int => format!("i{number}"),
            Kind::Word => format!("u{number}"),
            Kind::Float => format!("f{}", number % 2),
            Kind::Bool => "b0".to_owned(),
        }
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let index = self.random.below(4);
        let component = *self.random.choose(&["x", "y", "z", "w"]);
        match (kind, self.random.below(5)) {
            (Kind::Int, 0) => self.random.choose(&["zero", "one", "minus", "seven", "low", "high"]).to_string(),
            (Kind::Int, 1) => format!("arr[{index}]"),
            (Kind::Int, 2) => "s.m".to_owned(),
            (Kind::Word, 0) => self.random.choose(&["none", "unit", "many", "ones", "byte"]).to_string(),
            (Kind::Word, 1) => format!("v4.{component}"),
            (Kind::Word, 2) => "lane".to_owned(),
            (Kind::Float, 0) => self.random.choose(&["nought", "half_", "below", "above"]).to_string(),
            (Kind::Float, 1) => format!("s.v.{}", self.random.choose(&["x", "y"])),
            (Kind::Float, 2) => format!("mat[{}].y", index & 1),
            (Kind::Bool, 0) => self.random.choose(&["yes", "no"]).to_string(),
            _ => self.variable(kind),
        }
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 || self.random.chance(20) {
            return self.leaf(kind);
        }
        match kind {
            Kind::Int | Kind::Word => self.integer(kind, depth - 1),
            Kind::Float => self.float(depth - 1),
            Kind::Bool => self.boolean(depth - 1),
        }
    }

    fn integer(&mut self, kind: Kind, depth: usize) -> String {
        let other = if kind == Kind::Int { Kind::Word } else { Kind::Int };
        let ty = self.ty(kind);
        let (left, right) = (self.expression(kind, depth), self.expression(kind, depth));
        match self.random.below(16) {
            0..=3 => format!("({left} {} {right})", self.random.choose(&["+", "-", "*", "^", "&", "|"])),
            // GLSL leaves a division by zero, and one of negative numbers with a remainder, undefined.
            4 if self.is_wgsl() => format!("({left} {} {right})", self.random.choose(&["/", "%"])),
            4 => format!(
                "(({left} & 65535{s}) / (({right} & 255{s}) | 1{s}))",
                s = if kind == Kind::Word { "u" } else { "" }
            ),
            5 => {
                let distance = self.expression(Kind::Word, depth);
                let distance = if self.is_wgsl() { distance } else { format!("({distance} & 31u)") };
                format!("({left} {} {distance})", self.random.choose(&["<<", ">>"]))
            }
            6 => format!("{ty}({})", self.expression(other, depth)),
            7 if kind == Kind::Int => format!("(-({left}))"),
            7 => format!("(~({left}))"),
            8 => format!("{}({left}, {right})", self.random.choose(&["min", "max"])),
            9 => format!(
                "clamp({left}, min({right}, 5{s}), max({right}, 5{s}))",
                s = if kind == Kind::Word { "u" } else { "" }
            ),
            10 if kind == Kind::Int => format!("abs({left})"),
            10 | 11 => self.bits(kind, &left, &right),
            12 => {
                let condition = self.expression(Kind::Bool, depth);
                if self.is_wgsl() {
                    format!("select({left}, {right}, {condition})")
                } else {
                    format!("({condition} ? {left} : {right})")
                }
            }
            13 => self.converted(kind, depth),
            14 => format!("{ty}({})", self.expression(Kind::Bool, depth)),
            _ => self.packed(kind, &left, depth),
        }
    }

    fn bits(&mut self, kind: Kind, left: &str, right: &str) -> String {
        let count = self.expression(Kind::Word, 1);
        if self.is_wgsl() {
            return match self.random.below(8) {
                0 => format!("countOneBits({left})"),
                1 => format!("reverseBits({left})"),
                2 => format!("firstLeadingBit({left})"),
                3 => format!("firstTrailingBit({left})"),
                4 => format!("countLeadingZeros({left})"),
                5 => format!("countTrailingZeros({left})"),
                6 => format!("extractBits({left}, {count}, u0)"),
                _ => format!("insertBits({left}, {right}, {count}, u1)"),
            };
        }
        let ty = self.ty(kind);
        match self.random.below(6) {
            0 => format!("{ty}(bitCount({left}))"),
            1 => format!("bitfieldReverse({left})"),
            2 => format!("{ty}(findMSB({left}))"),
            3 => format!("{ty}(findLSB({left}))"),
            4 => format!("bitfieldExtract({left}, int({count} & 15u), int(u0 & 15u))"),
            _ => format!("bitfieldInsert({left}, {right}, int({count} & 15u), int(u1 & 15u))"),
        }
    }

    /// A conversion of a floating-point number; WGSL defines it for every number.
    fn converted(&mut self, kind: Kind, depth: usize) -> String {
        let (ty, float) = (self.ty(kind), self.expression(Kind::Float, depth));
        match self.is_wgsl() {
            true if self.random.chance(30) => format!("{ty}({float} * 1073741824.0)"),
            true => format!("{ty}({float})"),
            false => format!("{ty}(abs({float}))"),
        }
    }

    fn packed(&mut self, kind: Kind, left: &str, depth: usize) -> String {
        let ty = self.ty(kind);
        let float = self.expression(Kind::Float, depth);
        if self.is_wgsl() {
            return match self.random.below(5) {
                0 => format!("{ty}(pack2x16float(vec2<f32>(unsigned_zero({float}), 1.0)))"),
                1 => format!("{ty}(dot4U8Packed(u32({left}), u0))"),
                2 => format!("{ty}(unpack4xU8(u32({left})).z)"),
                3 => format!("{ty}(pack4xI8(vec4<i32>(i0, i1, i2, 3)))"),
                _ => format!("bitcast<{ty}>(unsigned_zero(fq({float})))"),
            };
        }
        let cast = if kind == Kind::Int { "floatBitsToInt" } else { "floatBitsToUint" };
        match self.random.below(2) {
            0 => format!("{ty}(packHalf2x16(vec2({float}, 1.0)))"),
            _ => format!("{cast}(fq({float}))"),
        }
    }

    fn float(&mut self, depth: usize) -> String {
        let (left, right) = (self.expression(Kind::Float, depth), self.expression(Kind::Float, depth));
        match self.random.below(10) {
            0..=2 => format!("fq({left} {} {right})", self.random.choose(&["+", "-", "*"])),
            3 => format!("{}({left}, {right})", self.random.choose(&["min", "max"])),
            4 => format!("{}({left})", self.random.choose(&["floor", "ceil", "trunc", "abs", "sign", "fract"])),
            5 => format!("(-({left}))"),
            6 => format!("clamp({left}, -3.5, 8.0)"),
            7 => format!("{}({} & 255)", self.ty(Kind::Float), self.expression(Kind::Int, depth)),
            8 => {
                let condition = self.expression(Kind::Bool, depth);
                if self.is_wgsl() {
                    format!("select({left}, {right}, {condition})")
                } else {
                    format!("({condition} ? {left} : {right})")
                }
            }
            _ => format!("fq(dot(s.v, fq2(s.v * {left})))"),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        let kind = *self.random.choose(&KINDS);
        let (left, right) = (self.expression(kind, depth), self.expression(kind, depth));
        match self.random.below(6) {
            0..=2 => format!("({left} {} {right})", self.random.choose(&["<", "<=", ">", ">=", "==", "!="])),
            3 => format!("(!{})", self.expression(Kind::Bool, depth)),
            4 => {
                let (left, right) = (self.expression(Kind::Bool, depth), self.expression(Kind::Bool, depth));
                format!("({left} {} {right})", self.random.choose(&["&&", "||"]))
            }
            _ if self.is_wgsl() => format!("{}(v4 > v4.yzwx)", self.random.choose(&["any", "all"])),
            _ => format!("{}(greaterThan(v4, v4.yzwx))", self.random.choose(&["any", "all"])),
        }
    }
}
