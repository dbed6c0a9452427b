//! The launches of the kernels. Each is a function, so that 17 launches with up to 128 MiB of data are a few lines.
//!
//! The sizes are such that a launch takes 2 to 500 ms on one core.

use reconverge_run::{Argument, Buffer, Element, Launch, Role, Rule, Tolerance, Value, ValueType};

const ZEROS: Rule = Rule::Zero;

pub(crate) fn pixels() -> Launch {
    let count = 1024 * 768;
    let launch = row(count, 64).output(Element::U32, count, sevens());
    launch.value(1024).value(768).value(256).0
}

pub(crate) fn collatz() -> Launch {
    let count = 1 << 18;
    row(count, 64)
        .input(Element::U32, count, random(14, 3_000_000, 0))
        .output(Element::U32, 2 * count, sevens())
        .value(180)
        .0
}

pub(crate) fn bytecode_vm() -> Launch {
    const CODE: [u32; 24] =
        [3078, 3, 12, 3078, 2056, 4, 4_294_967_042, 7, 13, 5387, 3590, 9, 19713, 0, 778, 2568, 9, 0, 0, 0, 0, 0, 0, 0];
    let count = 1 << 17;
    let code = row(count, 64).input(Element::U32, CODE.len(), words(CODE));
    code.output(Element::U32, 3 * count, sevens()).value(24).value(200).0
}

pub(crate) fn bvh_traverse() -> Launch {
    let (count, nodes) = (1 << 18, 127);
    let boxes =
        row(count, 64).input(Element::I32, nodes, random(1, 256, 0)).input(Element::I32, nodes, random(2, 256, 0));
    let boxes = boxes.input(Element::I32, nodes, random(3, 80, 60));
    boxes.output(Element::U32, 3 * count, sevens()).value(nodes as u32).0
}

pub(crate) fn sudoku() -> Launch {
    const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    let count = 1024;
    let puzzle = row(count, 32).input(Element::U32, 81, words(PUZZLE.bytes().map(|digit| u32::from(digit - b'0'))));
    puzzle.output(Element::U32, 3 * count, sevens()).value(6000).0
}

pub(crate) fn base64_decode() -> Launch {
    let (count, each) = (1 << 17, 64);
    let text = row(count, 64).input(Element::U8, count * each, Rule::Bytes(base64(count, each)));
    text.output(Element::U32, 3 * count, sevens()).value(each as u32).0
}

/// Base64 text with 0.1 % of white space, and in 30 % of the lines a character that ends it early.
fn base64(lines: usize, length: usize) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut numbers = Numbers(5);
    let mut text = Vec::with_capacity(lines * length);
    for _ in 0..lines * length {
        let is_blank = numbers.below(100) >= 97 && numbers.below(33) == 0;
        text.push(if is_blank { b" \n"[numbers.below(2)] } else { ALPHABET[numbers.below(64)] });
    }
    for line in text.chunks_mut(length) {
        if numbers.below(100) < 30 {
            line[numbers.below(length)] = b"=*"[numbers.below(2)];
        }
    }
    text
}

pub(crate) fn bignum_mul() -> Launch {
    let count = 1 << 18;
    let factors = row(count, 64).input(Element::U32, 8 * count, random(36, 0, 0)).input(
        Element::U32,
        8 * count,
        random(37, 0, 0),
    );
    factors.output(Element::U32, 17 * count, sevens()).0
}

pub(crate) fn sha256_block() -> Launch {
    let count = 1 << 18;
    row(count, 64).input(Element::U32, 16 * count, random(21, 0, 0)).output(Element::U32, 8 * count, sevens()).0
}

pub(crate) fn bitonic_sort() -> Launch {
    let count = 1 << 20;
    row(count, 64).input(Element::U32, count, random(11, 0, 0)).output(Element::U32, count, sevens()).local(256).0
}

pub(crate) fn matmul() -> Launch {
    let size = 512;
    let mut numbers = Numbers(7);
    let mut matrix = || floats((0..size * size).map(|_| (numbers.below(17) as f32 - 8.0) / 8.0));
    let factors = grid([size, size], [16, 16]).input(Element::F32, size * size, matrix()).input(
        Element::F32,
        size * size,
        matrix(),
    );
    factors.output(Element::F32, size * size, ZEROS).value(size as u32).within(1e-3, 1e-4)
}

pub(crate) fn hist() -> Launch {
    let (count, each) = (1 << 24, 64);
    row(count / each, 256)
        .input(Element::U32, count, random(13, 0, 0))
        .output(Element::U32, 256, ZEROS)
        .value(each as u32)
        .0
}

pub(crate) fn scan() -> Launch {
    let count = 1 << 22;
    row(count, 256).input(Element::U32, count, random(9, 1000, 0)).output(Element::U32, count, ZEROS).0
}

pub(crate) fn nbody() -> Launch {
    let count = 8192;
    let mut numbers = Numbers(7);
    let coordinate = |index: usize| if index % 4 < 3 { (numbers.below(257) as f32 - 128.0) / 128.0 } else { 0.5 };
    let bodies = row(count, 64).input(Element::F32, 4 * count, floats((0..4 * count).map(coordinate)));
    bodies.output(Element::F32, 4 * count, ZEROS).value(count as u32).within(1e-2, 1e-3)
}

pub(crate) fn stencil() -> Launch {
    let size = 4096;
    let fields = grid([size, size], [32, 4]).input(Element::F32, size * size, fill(1.25)).output(
        Element::F32,
        size * size,
        ZEROS,
    );
    fields.value(size as u32).value(size as u32).within(1e-5, 1e-5)
}

pub(crate) fn blackscholes() -> Launch {
    let count = 1 << 22;
    let numbers = row(count, 128).input(Element::U32, count, random(3, 0, 0));
    let results = numbers.output(Element::F32, count, ZEROS).output(Element::F32, count, ZEROS);
    results.real(0.02).real(0.3).within(2e-3, 2e-3)
}

pub(crate) fn saxpy() -> Launch {
    let count = 1 << 23;
    let vectors = row(count, 256).input(Element::F32, count, fill(1.5)).output(Element::F32, count, fill(0.25));
    vectors.real(2.5).within(1e-5, 1e-5)
}

pub(crate) fn empty() -> Launch {
    row(1 << 22, 256).output(Element::U32, 1, sevens()).0
}

/// A launch that is described argument by argument.
struct Description(Launch);

fn row(global: usize, local: u32) -> Description {
    grid([global, 1], [local, 1])
}

fn grid(global: [usize; 2], local: [u32; 2]) -> Description {
    let [width, height] = global.map(|size| size as u64);
    Description(Launch {
        kernel: None,
        global: [width, height, 1],
        dimensions: if height == 1 { 1 } else { 2 },
        local: Some([local[0], local[1], 1]),
        offset: [0; 3],
        arguments: Vec::new(),
        expected: None,
        tolerance: Tolerance::default(),
    })
}

impl Description {
    fn input(self, element: Element, count: usize, rule: Rule) -> Description {
        self.argument(Argument::Buffer(Buffer { name: None, element, count, rule, role: Role::Input }))
    }

    fn output(self, element: Element, count: usize, rule: Rule) -> Description {
        self.argument(Argument::Buffer(Buffer { name: None, element, count, rule, role: Role::Output }))
    }

    fn value(self, value: u32) -> Description {
        self.scalar(Element::U32, value.to_le_bytes())
    }

    fn real(self, value: f32) -> Description {
        self.scalar(Element::F32, value.to_le_bytes())
    }

    fn scalar(self, element: Element, bytes: [u8; 4]) -> Description {
        let ty = Some(ValueType { element, components: 1 });
        self.argument(Argument::Value(Value { bytes: bytes.to_vec(), ty }))
    }

    fn local(self, bytes: u64) -> Description {
        self.argument(Argument::Local(bytes))
    }

    fn argument(mut self, argument: Argument) -> Description {
        self.0.arguments.push(argument);
        self
    }

    fn within(mut self, absolute: f64, relative: f64) -> Launch {
        self.0.tolerance = Tolerance { absolute, relative };
        self.0
    }
}

fn random(seed: u32, modulus: u32, add: u32) -> Rule {
    Rule::Congruential { seed, modulus, add: add.into(), scale: 1.0 }
}

/// What outputs hold before a launch, so that an element that is not written is noticed.
fn sevens() -> Rule {
    Rule::Fill(7_u32.to_le_bytes().to_vec())
}

fn fill(number: f32) -> Rule {
    Rule::Fill(number.to_le_bytes().to_vec())
}

fn words(words: impl IntoIterator<Item = u32>) -> Rule {
    Rule::Bytes(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn floats(numbers: impl Iterator<Item = f32>) -> Rule {
    Rule::Bytes(numbers.flat_map(f32::to_le_bytes).collect())
}

/// Pseudo-random numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}
