//! Random words: whatever they are, the emulator gives a report or a fault.

use reconverge_qpu_emulate::{FaultKind, Launch, run};

use crate::assemble::{end, memory, nop};

/// A generator of numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A word that is an instruction more often than a random one.
fn draw_word(random: &mut Random) -> u64 {
    let signals = [1, 1, 1, 10, 11, 13, 13, 14, 15, 3];
    let mut word = random.next() & !(0xF << 60) | signals[random.below(10) as usize] << 60;
    let addresses = [0, 5, 31, 32, 33, 35, 37, 38, 39, 40, 48, 49, 50, 51, 52, 56, 60];
    let mut put = |low: u32, value: u64| word = word & !(0x3F << low) | value << low;
    put(38, addresses[random.below(17) as usize]);
    put(32, addresses[random.below(17) as usize]);
    put(18, addresses[random.below(17) as usize]);
    put(12, addresses[random.below(17) as usize]);
    if random.below(2) == 0 {
        // No pack, no unpack, always.
        word = word & !(0xFFF << 48) | 1 << 49 | 1 << 46;
    }
    word
}

#[test]
fn random_words_do_not_panic() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mut words = 0;
    let mut kinds = std::collections::HashSet::new();
    while words < 100_000 {
        let length = 1 + random.below(12) as usize;
        let is_wild = random.below(4) == 0;
        let mut code: Vec<u64> =
            (0..length).map(|_| if is_wild { random.next() } else { draw_word(&mut random) }).collect();
        words += code.len();
        code.push(nop().0);
        code.extend(end().map(|word| word.0));
        let uniforms = vec![vec![0x2000_0000, 0x8000_1000, 0x8000_0001 << 4]; 1 + random.below(3) as usize];
        let mut launch = Launch::new(&code, &uniforms);
        launch.cycle_limit = 2000;
        launch.seed = random.next() as u32;
        match run(&launch, &mut memory(&[0; 64])) {
            Ok(report) => assert!(report.cycles <= 2000),
            Err(fault) => {
                kinds.insert(fault.kind);
            }
        }
    }
    assert!(kinds.len() > 20, "{kinds:?}");
}

#[test]
fn codes_are_unique() {
    let mut codes: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), FaultKind::ALL.len());
}
