//! The values of a pack: random straight-line code, executed for every lane by definition, and cases made by hand.

use std::fmt::Write;

use reconverge_analysis::launch::{Facts, InputFact};
use reconverge_analysis::uniformity::{PackSearch, PackValues, Variation};
use reconverge_ir::{Function, Inst, Module, Op, text};
use spirv::BuiltIn;

use crate::common::Random;

const HEADER: &str = r#"
capability Kernel
memory_model Physical64, OpenCL
entry_point Kernel, %main, "main", %index, %count, %any
%void = type_void
%bool = type_bool
%u8 = type_int 8, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%vec4 = type_vector %u32, 4
%fn = type_function %void
%input = type_pointer Input, %u32
%c8: %u32 = constant 8
%words = type_array %u32, %c8
%global = type_pointer CrossWorkgroup, %words
%word = type_pointer CrossWorkgroup, %u32
%own = type_pointer Function, %words
%own_word = type_pointer Function, %u32
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%c3: %u32 = constant 3
%low: %u64 = constant words(4294967295, 0)
%anything: %u32 = undef
%index: %input = variable Input {decorate BuiltIn 29}
%count: %input = variable Input {decorate BuiltIn 24}
%any: %input = variable Input {decorate BuiltIn 42}
"#;

/// The number of a lane follows that of the lane before. Nothing is known of the other inputs but what holds for any launch.
fn facts(last: u64) -> Facts {
    let mut facts = Facts::default();
    let fact = InputFact { variation: Variation::Affine { stride: 1 }, range: (0, last.into()) };
    facts.inputs.insert((BuiltIn::LocalInvocationIndex, 0), fact);
    facts
}

fn parse(body: &str, constants: &str) -> (Module, Function) {
    let start = "  %l: %u32 = load %index\n  %n: %u32 = load %count\n  %d: %u32 = load %any\n  \
                 %c: %bool = i_equal %n, %c3\n  %b: %bool = i_equal %d, %c3\n";
    let main = format!("func %main: %void () type %fn control 0 stage graph {{\nblock ^entry:\n{start}{body}\n}}\n");
    let module = text::parse(&format!("{HEADER}{constants}{main}"));
    let module = module.unwrap_or_else(|error| panic!("{error}\n{main}"));
    let function = module.functions().next().expect("there is one");
    (module, function)
}

fn named(module: &Module, function: Function, name: &str) -> Inst {
    let mut insts = module.blocks(function).flat_map(|block| module.children(block));
    insts.find(|&inst| module.name(inst).as_deref() == Some(name)).unwrap_or_else(|| panic!("no `{name}`"))
}

/// A value of random code: its width, what it computes, and its number in each lane of each execution.
struct Value {
    name: String,
    width: u32,
    lanes: Vec<Vec<u64>>,
}

struct Program {
    text: String,
    constants: String,
    values: Vec<Value>,
    lanes: u64,
    last: u64,
}

/// The unsigned numbers of a width.
fn masked(number: u64, width: u32) -> u64 {
    if width == 64 { number } else { number & ((1 << width) - 1) }
}

fn signed(number: u64, width: u32) -> i64 {
    (number << (64 - width)) as i64 >> (64 - width)
}

impl Program {
    fn generate(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let lanes = [2, 3, 8][random.below(3)];
        let room = [0, 5, 1 << 20, u64::from(u32::MAX) - 8][random.below(4)];
        let last = lanes - 1 + room;
        let mut program = Program { text: String::new(), constants: String::new(), values: Vec::new(), lanes, last };
        let firsts = [0, room, room / 3];
        let index = firsts.map(|first| (0..lanes).map(|lane| first + lane).collect());
        let count = firsts.map(|_| vec![masked(random.below(1 << 40) as u64, 32); lanes as usize]);
        let any = firsts.map(|_| (0..lanes).map(|_| masked(random.below(1 << 40) as u64, 32)).collect());
        for (name, lanes) in [("l", index), ("n", count), ("d", any)] {
            program.values.push(Value { name: name.to_owned(), width: 32, lanes: lanes.to_vec() });
        }
        for number in 0..24 {
            program.add(number, &mut random);
        }
        program.text.push_str("  return\n");
        program
    }

    /// A constant of a width: its name, and its number.
    fn constant(&mut self, number: u32, width: u32, random: &mut Random) -> (String, u64) {
        let some = [1, 2, 3, 4, 255, 0x7fff_ffff, 0xffff_ffff, 0xffff_ffff, u64::MAX, u64::MAX - 2, 1 << 31];
        let bits = masked(some[random.below(some.len())], width).max(1);
        let name = format!("k{number}");
        let literal = match width {
            64 => format!("words({}, {})", bits as u32, bits >> 32),
            _ => bits.to_string(),
        };
        writeln!(self.constants, "%{name}: %u{width} = constant {literal}").expect("a string takes all");
        (name, bits)
    }

    fn add(&mut self, number: u32, random: &mut Random) {
        // Recent values are likely, so that strides go through several operations.
        let recent = |program: &Program, random: &mut Random| {
            let count = program.values.len();
            if random.below(3) == 0 { random.below(count) } else { count - 1 - random.below(count.min(4)) }
        };
        let left = recent(self, random);
        let width = self.values[left].width;
        let alike: Vec<usize> = (0..self.values.len()).filter(|&value| self.values[value].width == width).collect();
        let right = alike[random.below(alike.len())];
        let (constant, bits) = self.constant(number, width, random);
        let by = bits % u64::from(width);
        let name = |value: usize| self.values[value].name.clone();
        let binary = |op: &str| (format!("{op} %{}, %{}", name(left), name(right)), width);
        let with_constant = |op: &str| (format!("{op} %{}, %{constant}", name(left)), width);
        let to = [8, 32, 64][random.below(3)];
        type Rule = Box<dyn Fn(u64, u64, u64) -> u64>;
        let kind = random.below(14);
        let ((code, to), rule): ((String, u32), Rule) = match kind {
            0 => (binary("i_add"), Box::new(|a, b, _| a.wrapping_add(b))),
            1 => (binary("i_sub"), Box::new(|a, b, _| a.wrapping_sub(b))),
            2 => (binary("i_mul"), Box::new(|a, b, _| a.wrapping_mul(b))),
            3 => (with_constant("i_mul"), Box::new(|a, _, c| a.wrapping_mul(c))),
            4 => (with_constant("i_add"), Box::new(|a, _, c| a.wrapping_add(c))),
            5 | 6 => (with_constant("bitwise_and"), Box::new(|a, _, c| a & c)),
            7 => ((format!("not %{}", name(left)), width), Box::new(|a, _, _| !a)),
            8 => (with_constant("u_div"), Box::new(|a, _, c| a / c)),
            9 => (with_constant("u_mod"), Box::new(|a, _, c| a % c)),
            10 if bits == by => (with_constant("shift_left_logical"), Box::new(|a, _, c| a << c)),
            11 if bits == by => (with_constant("shift_right_logical"), Box::new(|a, _, c| a >> c)),
            12 if to != width => {
                ((format!("s_convert %{}", name(left)), to), Box::new(move |a, _, _| signed(a, width) as u64))
            }
            _ if to != width => ((format!("u_convert %{}", name(left)), to), Box::new(|a, _, _| a)),
            _ => ((format!("s_negate %{}", name(left)), width), Box::new(|a, _, _| a.wrapping_neg())),
        };
        let (left, right) = (&self.values[left].lanes, &self.values[right].lanes);
        let lanes = left
            .iter()
            .zip(right)
            .map(|(left, right)| left.iter().zip(right).map(|(&a, &b)| masked(rule(a, b, bits), to)).collect());
        let lanes = lanes.collect();
        writeln!(self.text, "  %v{number}: %u{to} = {code}").expect("a string takes all");
        self.values.push(Value { name: format!("v{number}"), width: to, lanes });
    }
}

/// What was claimed of values.
#[derive(Debug, Default)]
struct Claims {
    affine: usize,
    low: usize,
    ranges: usize,
    cancelled: usize,
}

/// Whether neighbouring lanes differ by a stride in the low bits.
fn differs_by(lanes: &[u64], stride: i64, bits: u32) -> bool {
    lanes.windows(2).all(|pair| masked(pair[1].wrapping_sub(pair[0]), bits) == masked(stride as u64, bits))
}

fn judge(value: &Value, claimed: &PackValues, inst: Inst, claims: &mut Claims) -> bool {
    let mut holds = true;
    for lanes in &value.lanes {
        holds &= match claimed.of(inst) {
            Variation::Uniform => differs_by(lanes, 0, value.width),
            Variation::Affine { stride } => differs_by(lanes, stride, value.width),
            Variation::Divergent => true,
        };
        if let Some(stride) = claimed.low_stride(inst) {
            holds &= differs_by(lanes, i64::from(stride), value.width.min(32));
        }
        if let Some((low, high)) = claimed.range(inst) {
            let size = 1_i128 << value.width;
            holds &= lanes.iter().all(|&lane| (i128::from(lane) - low).rem_euclid(size) <= high - low);
        }
    }
    claims.affine += usize::from(matches!(claimed.of(inst), Variation::Affine { .. }));
    let is_low = claimed.of(inst) == Variation::Divergent && claimed.low_stride(inst).is_some();
    claims.low += usize::from(is_low);
    claims.ranges += usize::from(claimed.range(inst).is_some());
    holds
}

#[test]
fn claims_hold_in_every_lane() {
    let mut claims = Claims::default();
    for seed in 0..1500 {
        let program = Program::generate(seed);
        let (module, function) = parse(&program.text, &program.constants);
        let claimed = PackValues::compute(&module, function, &facts(program.last));
        for value in &program.values {
            let inst = named(&module, function, &value.name);
            let holds = judge(value, &claimed, inst, &mut claims);
            let (of, low, range) = (claimed.of(inst), claimed.low_stride(inst), claimed.range(inst));
            assert!(
                holds,
                "seed {seed}, {} lanes to {}: `{}` is {of}, {low:?}, {range:?}, and has {:?}\n{}{}",
                program.lanes, program.last, value.name, value.lanes, program.constants, program.text
            );
            let depends = value.name.starts_with('v')
                && !matches!(value.lanes[0][..], [first, ref rest @ ..] if rest.iter().any(|&lane| lane != first));
            claims.cancelled += usize::from(depends && of == Variation::Uniform);
        }
    }
    let Claims { affine, low, ranges, cancelled } = claims;
    assert!(affine > 2000 && low > 100 && ranges > 5000 && cancelled > 500, "{claims:?}");
}

/// What is known of a value: its variation, else the stride of its low word.
fn answer(values: &PackValues, inst: Inst) -> String {
    match (values.of(inst), values.low_stride(inst)) {
        (Variation::Affine { stride }, _) => format!("affine {stride}"),
        (Variation::Divergent, Some(stride)) => format!("low {}", stride.cast_signed()),
        (other, _) => other.to_string(),
    }
}

/// Code, and what is known of the values in it.
const CASES: &[(&str, &[(&str, &str)])] = &[
    // An index of a launch that is small enough is exact in 64 bits, and so is its low word.
    ("  %w: %u64 = u_convert %l\n  %m: %u64 = bitwise_and %w, %low\n  return", &[("w", "affine 1"), ("m", "affine 1")]),
    // A sum with something unknown may wrap: only the low word keeps its stride, and gets it back.
    (
        "  %s: %u32 = i_add %l, %n\n  %w: %u64 = u_convert %s\n  %t: %u32 = u_convert %w\n  %q: %u8 = u_convert %w\n  return",
        &[("s", "affine 1"), ("w", "low 1"), ("t", "affine 1"), ("q", "affine 1")],
    ),
    // Addresses of elements, and what is loaded from one address.
    (
        "  %p: %global = convert_u_to_ptr %low\n  %e: %word = access_chain %p, %l\n  %f: %word = access_chain %p, %n\n  \
         %x: %u32 = load %e\n  %y: %u32 = load %f\n  %a: %u64 = convert_ptr_to_u %e\n  return",
        &[
            ("p", "uniform"),
            ("e", "affine 4"),
            ("f", "uniform"),
            ("x", "divergent"),
            ("y", "uniform"),
            ("a", "affine 4"),
        ],
    ),
    // An index with an unknown upper word.
    (
        "  %p: %global = convert_u_to_ptr %low\n  %s: %u32 = i_add %l, %n\n  %e: %word = access_chain %p, %s\n  return",
        &[("e", "low 4")],
    ),
    // Memory of each lane, at one place.
    (
        "  %v: %own = variable Function\n  %e: %own_word = access_chain %v, %c1\n  %x: %u32 = load %e\n  \
         %a: %u64 = convert_ptr_to_u %e\n  return",
        &[("e", "uniform"), ("x", "divergent"), ("a", "divergent")],
    ),
    // Two numbers that grow alike are equal in all lanes or in none; two choices of one are that one.
    (
        "  %s: %u32 = i_add %l, %n\n  %e: %bool = i_equal %s, %l\n  %z: %u32 = i_sub %s, %l\n  \
         %g: %u32 = select %b, %l, %l\n  %h: %u32 = select %b, %l, %s\n  %i: %u32 = select %c, %l, %s\n  return",
        &[("e", "uniform"), ("z", "uniform"), ("g", "affine 1"), ("h", "divergent"), ("i", "affine 1")],
    ),
    // The count of the bits of a ballot is that of the lane's own operand; a reduction is common.
    (
        "  %v: %vec4 = composite_construct %d, %c0, %c0, %c0\n  \
         %x: %u32 = group_non_uniform_ballot_bit_count %c3, Reduce, %v\n  \
         %r: %u32 = group_non_uniform_i_add %c3, Reduce, %d\n  \
         %s: %u32 = group_non_uniform_i_add %c3, InclusiveScan, %n\n  return",
        &[("x", "divergent"), ("r", "uniform"), ("s", "divergent")],
    ),
    // One lane's value for all, each lane's own choice, and values that are everywhere the same.
    (
        "  %x: %u32 = group_non_uniform_shuffle %c3, %d, %n\n  %y: %u32 = group_non_uniform_shuffle %c3, %d, %l\n  \
         %z: %u32 = group_non_uniform_shuffle_xor %c3, %n, %l\n  return",
        &[("x", "uniform"), ("y", "divergent"), ("z", "uniform")],
    ),
    // A counter that begins affine and grows by a uniform step; an argument that is not defined is anything.
    (
        "  branch ^head(%l, %anything, %l)\nblock ^head(%i: %u32, %u: %u32, %j: %u32):\n  %next: %u32 = i_add %i, %n\n  \
         %far: %u32 = i_add %j, %l\n  branch_if %c ^back ^end\nblock ^back:\n  branch ^head(%next, %l, %far)\n\
         block ^end:\n  return",
        &[("i", "affine 1"), ("u", "affine 1"), ("j", "divergent")],
    ),
];

#[test]
fn what_is_known() {
    for (code, expected) in CASES {
        let (module, function) = parse(code, "");
        let values = PackValues::compute(&module, function, &facts(1 << 20));
        for (name, expected) in *expected {
            assert_eq!(answer(&values, named(&module, function, name)), *expected, "`{name}` of\n{code}");
        }
    }
}

/// A user that knows that lanes bring different values says so, and what depends on the parameter follows.
#[test]
fn control_flow_adds_divergence() {
    let code = "  branch_if %c ^one ^other\nblock ^one:\n  branch ^join(%l)\nblock ^other:\n  branch ^join(%l)\n\
                block ^join(%p: %u32):\n  %z: %u32 = i_sub %p, %l\n  return";
    let (module, function) = parse(code, "");
    let facts = facts(1 << 20);
    let (p, z) = (named(&module, function, "p"), named(&module, function, "z"));
    let mut search = PackSearch::new(&module, function, &facts);
    search.settle();
    assert!(search.is_divergent(p) && !search.is_divergent(z));
    assert!(search.diverge(p) && !search.diverge(p));
    search.settle();
    let values = search.finish();
    assert_eq!((values.of(p), values.of(z)), (Variation::Divergent, Variation::Divergent));
    assert_eq!(module.op(p), Op::BlockParameter);
}

/// Two lanes leave room for two strides that are congruent: a widening keeps neither.
#[test]
fn strides_of_two_lanes_are_ambiguous() {
    let code = "  %m: %u32 = i_mul %l, %half\n  %s: %u32 = i_add %m, %m\n  %w: %u64 = u_convert %s\n  return";
    let (module, function) = parse(code, "%half: %u32 = constant 2147483647\n");
    let values = PackValues::compute(&module, function, &facts(1));
    let of = |name: &str| answer(&values, named(&module, function, name));
    assert_eq!((of("s"), of("w")), ("affine -2".to_owned(), "low -2".to_owned()));
}
