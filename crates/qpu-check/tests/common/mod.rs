//! Words for the tests: a small generator of random numbers, and random words of each kind.

pub(crate) mod word;

/// Marsaglia's xorshift with 64 bits of state.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }

    fn one_of(&mut self, values: &[u64]) -> u64 {
        values[self.below(values.len() as u64) as usize]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A word whose fields are in their valid ranges, of any kind.
pub(crate) fn valid_word(random: &mut Random) -> u64 {
    match random.below(8) {
        0 => load(random),
        1 => branch(random),
        _ => alu(random),
    }
}

/// Field and value pairs to a word.
fn word(fields: &[(u64, u32)]) -> u64 {
    fields.iter().fold(0, |word, &(value, low)| word | value << low)
}

fn address(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => 39,
        1 => random.below(32),
        2 => 32 + random.below(4),
        _ => 32 + random.below(32),
    }
}

fn condition(random: &mut Random, address: u64) -> u64 {
    match address {
        39 => 0,
        _ if random.chance(50) => 1,
        _ => random.below(8),
    }
}

/// The fields above bit 32 that ALU words and loads share.
fn writes(random: &mut Random) -> u64 {
    let [add, mul] = [address(random), address(random)];
    let (swap, pm) = (random.below(2), u64::from(random.chance(10)));
    let pack = match (pm, if swap == 1 { mul } else { add }) {
        (1, _) => 4 + random.below(4),
        (_, 0..32) if random.chance(20) => random.below(16),
        _ => 0,
    };
    word(&[
        (pm, 56),
        (pack, 52),
        (condition(random, add), 49),
        (condition(random, mul), 46),
        (u64::from(random.chance(20)), 45),
        (swap, 44),
        (add, 38),
        (mul, 32),
    ])
}

fn alu(random: &mut Random) -> u64 {
    const ADD: [u64; 24] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 30, 31];
    let (add, mul) = (random.one_of(&ADD), random.below(8));
    let mut inputs = [0; 4].map(|_: u64| random.below(8));
    if add == 0 {
        inputs[..2].fill(0);
    }
    if mul == 0 {
        inputs[2..].fill(0);
    }
    if matches!(add, 7 | 8 | 23 | 24) || random.chance(20) {
        inputs[1] = inputs[0];
    }
    let signal = if random.chance(40) { 1 } else { random.below(14) };
    let unpack = if random.chance(20) { random.below(8) } else { 0 };
    let raddr_a = if inputs.contains(&6) { random.below(64) } else { address(random) };
    let raddr_b = if inputs.contains(&7) || signal == 13 { random.below(64) } else { address(random) };
    writes(random)
        | word(&[(signal, 60), (unpack, 57), (mul, 29), (add, 24), (raddr_a, 18), (raddr_b, 12)])
        | word(&[(inputs[0], 9), (inputs[1], 6), (inputs[2], 3), (inputs[3], 0)])
}

fn load(random: &mut Random) -> u64 {
    let mode = random.one_of(&[0, 0, 1, 3, 4]);
    let immediate = if mode == 4 { random.below(32) } else { random.next() >> 32 };
    writes(random) | word(&[(14, 60), (mode, 57), (immediate, 0)])
}

fn branch(random: &mut Random) -> u64 {
    let uses_register = random.below(2);
    let register = if uses_register == 1 { random.below(32) } else { random.below(2) };
    let condition = random.one_of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15]);
    let near = (random.below(4096) as i64 - 2048) * 8;
    let immediate = if random.chance(80) { u64::from(near as u32) } else { random.next() >> 32 };
    word(&[
        (15, 60),
        (condition, 52),
        (random.below(2), 51),
        (uses_register, 50),
        (register, 45),
        (random.below(2), 44),
        (address(random), 38),
        (address(random), 32),
        (immediate, 0),
    ])
}
