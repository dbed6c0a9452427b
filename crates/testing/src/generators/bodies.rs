//! Random bodies of compute shaders in WGSL and GLSL: statements and expressions of every form, whose results every implementation must agree on.
//!
//! A body reads eight words for each of eight lanes and writes eight. Integers take every value, divisors and distances of shifts included where the language
//! defines the result; constants have names, because a text whose constant expressions overflow is not valid. Floating-point numbers are multiples of a
//! quarter below 2,048, so that every operation on them is exact; WGSL leaves the sign of a zero open (section 15.7.2), so no bits of it are looked at.
//! Loops count, so that every body ends. Indices are masked. No lane reads what another one writes, except behind a barrier.

use std::fmt::Write as _;

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
    let mut generator =
        Generator { random: Random::new(seed), language, text: String::new(), indent: 1, depth: 0, names: 0, loops: 0 };
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
    /// How deep statements nest.
    depth: usize,
    names: usize,
    /// Loops around the current statement.
    loops: usize,
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
        match self.random.below(if simple { 6 } else { 14 }) {
            0 | 1 => self.assignment(),
            2 => self.compound(),
            3 => self.element(),
            4 => self.call(),
            5 => self.special(),
            6 | 7 => {
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

    /// What only one of the languages has.
    fn special(&mut self) {
        let (int, word) = (self.expression(Kind::Int, 2), self.expression(Kind::Word, 2));
        let wgsl = [
            format!("_ = early({int}, {word});"),
            format!(
                "let t = atomicCompareExchangeWeak(&own[lane], {word}, 7u); u1 = u1 + select(0u, 3u, t.exchanged || true) + (t.old_value & 1u) * 0u;"
            ),
            format!("u0 = atomicAdd(&own[lane], {word});"),
            format!("u1 = atomicMax(&own[lane], {word});"),
            format!("u2 = atomicExchange(&own[lane], {word});"),
            format!("i1 = atomicMin(&signed_own[lane], {int});"),
            "pri += N;".to_owned(),
            format!("i0 = TABLE[({word}) & 3u] + C;"),
            format!("{{ let p = &arr[({word}) & 3u]; *p = {int}; }}"),
            format!("i2 = select({int}, i0, {});", "u0 > u1"),
            "{ let m = modf(f0); f1 = fq(m.whole); }".to_owned(),
            format!("u1 = dot(v4, vec4<u32>({word}));"),
        ];
        let glsl = [
            format!("i0 = bool(u0 & 1u) ? {int} : i1;"),
            format!("if (u0 > 3u && side(i1)) {{ i2 = {int}; }}"),
            format!("if (u0 > 3u || side(i2)) {{ u1 = {word}; }}"),
            format!("u0 = atomicAdd(own[lane], {word});"),
            format!("u1 = atomicMax(own[lane], {word});"),
            format!("u2 = atomicExchange(own[lane], {word});"),
            format!("i0 = TABLE[({word}) & 3u] + C;"),
            format!("both(i0, u1, {int});"),
            format!("i1 = (i0++, i0 + {int});"),
            "f1 = fq(v4.x > 2u ? f0 : f1);".to_owned(),
            format!("u1 = uint(i0 = {int});"),
            "b0 = !(b0 ^^ (u1 == 2u));".to_owned(),
        ];
        let lines: &[String] = if self.is_wgsl() { &wgsl } else { &glsl };
        let line = self.random.choose(lines).clone();
        self.line(&format!("{{ {line} }}"));
    }

    fn switch(&mut self) {
        let selector = self.expression(Kind::Int, 2);
        self.line(&format!("switch (({selector}) & 7) {{"));
        self.indent += 1;
        let middle = self.random.below(3);
        let outer = std::mem::replace(&mut self.loops, 0);
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
        self.loops = outer;
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
        let jump = match (self.loops, self.random.below(3)) {
            (0, _) => "i0 = i0 + 1;",
            (_, 0) => "break;",
            (_, 1) => "continue;",
            _ => "i2 = i2 - 1;",
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
            (Kind::Bool, 0) => self.random.choose(&["true", "false"]).to_string(),
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

const WGSL_HEAD: &str = "\
diagnostic(off, derivative_uniformity);
alias Words = array<u32, 64>;
struct S { m: i32, v: vec2<f32>, }
@group(0) @binding(0) var<storage, read> input: Words;
@group(0) @binding(1) var<storage, read_write> output: Words;
override N: u32 = 3u;
const C = 2 + 3;
const TABLE = array<i32, 4>(4, -3, 2, C * 7);
var<private> pri: u32 = 5u;
var<workgroup> own: array<atomic<u32>, 8>;
var<workgroup> signed_own: array<atomic<i32>, 8>;
var<workgroup> seen: array<u32, 8>;
fn fq(x: f32) -> f32 { return clamp(floor(x * 4.0) * 0.25, -1000.0, 1000.0); }
fn fq2(x: vec2<f32>) -> vec2<f32> { return vec2<f32>(fq(x.x), fq(x.y)); }
fn unsigned_zero(x: f32) -> f32 { return select(x, 0.0, x == 0.0); }
fn bump(p: ptr<function, i32>, by: i32) { *p = *p * 3 + by; }
fn early(x: i32, n: u32) -> i32 {
    var r = x;
    for (var i = 0u; i < 3u; i++) {
        if i == (n & 3u) { return r; }
        switch r & 3 { case 1: { continue; } case 2, default: { r = r + 5; } case 3: { r = r ^ 9; } }
    }
    return -r;
}
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) lane: u32) {
";

const WGSL_VARIABLES: &str = "    let zero = 0;
    let one = 1;
    let minus = -1;
    let seven = 7;
    let low = -2147483647 - 1;
    let high = 2147483647;
    let none = 0u;
    let unit = 1u;
    let many = 33u;
    let ones = 4294967295u;
    let byte = 255u;
    let nought = 0.0;
    let half_ = 1.5;
    let below = -2.25;
    let above = 100.0;
    let at = lane * 8u;
    var u0 = input[at];
    var u1 = input[at + 1u];
    var u2 = input[at + 2u];
    var i0 = bitcast<i32>(input[at + 3u]);
    var i1 = i32(input[at + 4u]);
    var i2: i32 = -7;
    var f0 = f32(input[at + 5u] & 511u) * 0.25;
    var f1 = -1.5;
    var b0 = (input[at + 6u] & 1u) == 1u;
    var v4 = vec4<u32>(input[at + 7u], u0, 3u, lane);
    var arr = array<i32, 4>(1, i0, -3, i1);
    var s = S(9, vec2<f32>(f0, 2.5));
    var mat = mat2x2<f32>(1.0, 2.0, 0.5, -1.0);
";

const WGSL_END: &str = "    seen[lane] = u0 ^ pri;
    workgroupBarrier();
    u1 = u1 + seen[lane ^ 1u];
    output[at] = u0;
    output[at + 1u] = u1 + atomicLoad(&own[lane]) + u32(atomicLoad(&signed_own[lane]));
    output[at + 2u] = u2 ^ v4.x ^ (v4.y * 3u) ^ (v4.z * 5u) ^ (v4.w * 7u);
    output[at + 3u] = u32(i0) + select(0u, 1u, b0);
    output[at + 4u] = u32(i1 ^ i2);
    output[at + 5u] = bitcast<u32>(unsigned_zero(fq(f0))) ^ bitcast<u32>(unsigned_zero(fq(f1)));
    output[at + 6u] = u32(arr[0] + arr[1] * 3 + arr[2] * 5 + arr[3] * 7 + s.m);
    output[at + 7u] = u32(i32(fq(s.v.x) * 4.0) ^ i32(fq(s.v.y) * 4.0) ^ i32(fq(mat[0].x + mat[1].y) * 4.0));
}
";

const GLSL_HEAD: &str = "\
#version 450
layout(local_size_x = 8) in;
struct S { int m; vec2 v; };
layout(set = 0, binding = 0, std430) readonly buffer Input { uint words[64]; } input_;
layout(set = 0, binding = 1, std430) buffer Output { uint words[64]; } output_;
const int C = 2 + 3;
const int TABLE[4] = int[4](4, -3, 2, C * 7);
uint pri = 5u;
shared uint own[8];
shared uint seen[8];
float fq(float x) { return clamp(floor(x * 4.0) * 0.25, -1000.0, 1000.0); }
vec2 fq2(vec2 x) { return vec2(fq(x.x), fq(x.y)); }
void bump(inout int p, int by) { p = p * 3 + by; }
void both(inout int p, out uint q, in int by) { by += p; p = by; q = uint(by) + 1u; }
bool side(inout int p) { p += 4; pri ^= 9u; return (p & 1) == 0; }
int early(int x, uint n) {
    int r = x;
    for (uint i = 0u; i < 3u; i++) {
        if (i == (n & 3u)) return r;
        switch (r & 3) { case 1: continue; case 2: r = r + 7; default: r = r + 5; break; case 3: r = r ^ 9; }
    }
    return -r;
}
void main() {
";

const GLSL_VARIABLES: &str =
    "    int zero = 0, one = 1, minus = -1, seven = 7, low = -2147483647 - 1, high = 2147483647;
    uint none = 0u, unit = 1u, many = 33u, ones = 4294967295u, byte = 255u;
    float nought = 0.0, half_ = 1.5, below = -2.25, above = 100.0;
    uint lane = gl_LocalInvocationIndex;
    own[lane] = 0u;
    uint at = lane * 8u;
    uint u0 = input_.words[at];
    uint u1 = input_.words[at + 1u];
    uint u2 = input_.words[at + 2u];
    int i0 = int(input_.words[at + 3u]);
    int i1 = int(input_.words[at + 4u]);
    int i2 = -7;
    float f0 = float(input_.words[at + 5u] & 511u) * 0.25;
    float f1 = -1.5;
    bool b0 = (input_.words[at + 6u] & 1u) == 1u;
    uvec4 v4 = uvec4(input_.words[at + 7u], u0, 3u, lane);
    int arr[4] = int[4](1, i0, -3, i1);
    S s = S(9, vec2(f0, 2.5));
    mat2 mat = mat2(1.0, 2.0, 0.5, -1.0);
";

const GLSL_END: &str = "    seen[lane] = u0 ^ pri;
    barrier();
    u1 = u1 + seen[lane ^ 1u];
    output_.words[at] = u0;
    output_.words[at + 1u] = u1 + own[lane];
    output_.words[at + 2u] = u2 ^ v4.x ^ (v4.y * 3u) ^ (v4.z * 5u) ^ (v4.w * 7u);
    output_.words[at + 3u] = uint(i0) + (b0 ? 1u : 0u);
    output_.words[at + 4u] = uint(i1 ^ i2);
    output_.words[at + 5u] = floatBitsToUint(fq(f0 + 0.0)) ^ floatBitsToUint(fq(f1 + 0.0));
    output_.words[at + 6u] = uint(arr[0] + arr[1] * 3 + arr[2] * 5 + arr[3] * 7 + s.m);
    output_.words[at + 7u] = uint(int(fq(s.v.x) * 4.0) ^ int(fq(s.v.y) * 4.0) ^ int(fq(mat[0].x + mat[1].y) * 4.0));
}
";
