//! Register pressure: random programs against what they should compute, with more values than registers of every class.

use crate::machine_support::{Builder, has_avx512, run};
use iced_x86::{Code as Form, Register};
use reconverge_lanes_cpu::machine::{Class, Condition, Implicit, Inst, Operand, Terminator, VReg};

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % below
    }
}

/// A program and, beside each register, what it holds.
struct Program {
    b: Builder,
    random: Random,
    generals: Vec<(VReg, u64)>,
    vectors: Vec<(VReg, [u32; 16])>,
    masks: Vec<(VReg, u16)>,
}

impl Program {
    fn new(seed: u64, has_avx512: bool, live: usize) -> Program {
        let mut program = Program {
            b: Builder::new(has_avx512),
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1),
            generals: Vec::new(),
            vectors: Vec::new(),
            masks: Vec::new(),
        };
        for value in 0..live as u32 {
            let number = u64::from(value).wrapping_mul(0x1234_5678_9abc_def1);
            let register = program.b.number(number as i64);
            program.generals.push((register, number));
            let register = program.b.splat(value * 77);
            program.vectors.push((register, [value * 77; 16]));
        }
        if has_avx512 {
            for _ in 0..live {
                program.compare_vectors();
            }
        }
        program
    }

    fn two<T: Copy>(random: &mut Random, list: &[T]) -> (T, T) {
        (list[random.next(list.len())], list[random.next(list.len())])
    }

    fn general_step(&mut self) {
        let place = self.random.next(self.generals.len());
        let ((a, x), (c, y)) = (self.generals[place], self.generals[self.random.next(self.generals.len())]);
        let (form, value) = match self.random.next(4) {
            0 => (Form::Add_r64_rm64, x.wrapping_add(y)),
            1 => (Form::Sub_r64_rm64, x.wrapping_sub(y)),
            2 => (Form::Xor_r64_rm64, x ^ y),
            _ => (Form::Imul_r64_rm64, x.wrapping_mul(y)),
        };
        let register = self.b.update(form, a, c);
        self.generals[place] = (register, value);
    }

    /// A division or a shift, which want fixed registers.
    fn fixed_step(&mut self) {
        let ((a, x), (c, y)) = Self::two(&mut self.random, &self.generals);
        let place = self.random.next(self.generals.len());
        self.generals[place] = if self.random.next(2) == 0 {
            let (to, update) = (self.b.general(), self.b.general());
            let shift = Inst::new(Form::Shl_rm64_CL, [Operand::Update { from: a, to: update }]);
            self.b.add(shift.with_implicit(Implicit::Use(c, Register::RCX)));
            // The result gets around through memory or a register, as the allocator likes.
            self.b.add(Inst::new(Form::Mov_r64_rm64, [Operand::Def(to), Operand::Use(update)]));
            (to, x << (y & 63))
        } else {
            let (zero, divisor) = (self.b.number(0), self.b.update_by(Form::Or_rm64_imm8, c, 1));
            let (quotient, remainder) = (self.b.general(), self.b.general());
            self.b.add(
                Inst::new(Form::Div_rm64, [Operand::Use(divisor)])
                    .with_implicit(Implicit::Use(a, Register::RAX))
                    .with_implicit(Implicit::Use(zero, Register::RDX))
                    .with_implicit(Implicit::Def(quotient, Register::RAX))
                    .with_implicit(Implicit::Def(remainder, Register::RDX)),
            );
            let divisor = y | 1;
            if self.random.next(2) == 0 { (quotient, x / divisor) } else { (remainder, x % divisor) }
        };
    }

    fn vector_step(&mut self) {
        let place = self.random.next(self.vectors.len());
        let ((a, x), (c, y)) = (self.vectors[place], self.vectors[self.random.next(self.vectors.len())]);
        let has_avx512 = self.b.function.has_avx512;
        type Step = (Form, Form, fn(u32, u32) -> u32);
        let steps: [Step; 3] = [
            (Form::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Form::VEX_Vpaddd_ymm_ymm_ymmm256, u32::wrapping_add),
            (Form::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, Form::VEX_Vpsubd_ymm_ymm_ymmm256, u32::wrapping_sub),
            (Form::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, Form::VEX_Vpmulld_ymm_ymm_ymmm256, u32::wrapping_mul),
        ];
        let (wide, narrow, compute) = steps[self.random.next(3)];
        let value = std::array::from_fn(|lane| compute(x[lane], y[lane]));
        let form = if has_avx512 { wide } else { narrow };
        let register = self.b.define(form, Class::Vector, [Operand::Use(a), Operand::Use(c)]);
        self.vectors[place] = (register, value);
    }

    fn broadcast_step(&mut self) {
        let (general, x) = self.generals[self.random.next(self.generals.len())];
        let register = if self.b.function.has_avx512 {
            self.b.define(Form::EVEX_Vpbroadcastd_zmm_k1z_r32, Class::Vector, [Operand::Use(general)])
        } else {
            let low = self.b.define(Form::VEX_Vmovd_xmm_rm32, Class::Vector, [Operand::Use(general)]);
            self.b.define(Form::VEX_Vpbroadcastd_ymm_xmmm32, Class::Vector, [Operand::Use(low)])
        };
        let place = self.random.next(self.vectors.len());
        self.vectors[place] = (register, [x as u32; 16]);
    }

    fn compare_vectors(&mut self) {
        let ((a, x), (c, y)) = Self::two(&mut self.random, &self.vectors);
        let less = [Operand::Use(a), Operand::Use(c), Operand::Immediate(1)];
        let register = self.b.define(Form::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, Class::Mask, less);
        let value = (0..16).map(|lane| u16::from(x[lane] < y[lane]) << lane).sum();
        if self.masks.len() < self.vectors.len() {
            self.masks.push((register, value));
        } else {
            let place = self.random.next(self.masks.len());
            self.masks[place] = (register, value);
        }
    }

    fn mask_step(&mut self) {
        let ((a, x), (c, y)) = Self::two(&mut self.random, &self.masks);
        let (form, value) = match self.random.next(3) {
            0 => (Form::VEX_Kandw_kr_kr_kr, x & y),
            1 => (Form::VEX_Korw_kr_kr_kr, x | y),
            _ => (Form::VEX_Kxorw_kr_kr_kr, x ^ y),
        };
        let register = self.b.define(form, Class::Mask, [Operand::Use(a), Operand::Use(c)]);
        let place = self.random.next(self.masks.len());
        self.masks[place] = (register, value);
    }

    /// An addition in some lanes: the others stay, or become zero.
    fn masked_step(&mut self) {
        let ((a, x), (c, y)) = Self::two(&mut self.random, &self.vectors);
        let (mask, bits) = self.masks[self.random.next(self.masks.len())];
        let (from, old) = self.vectors[self.random.next(self.vectors.len())];
        let is_zeroing = self.random.next(2) == 0;
        let to = self.b.vector();
        let first = if is_zeroing { Operand::Def(to) } else { Operand::Update { from, to } };
        let operands = [first, Operand::Use(a), Operand::Use(c)];
        let form = Form::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
        let inst = Inst::new(form, operands);
        self.b.add(if is_zeroing { inst.with_zeroing_mask(mask) } else { inst.with_merging_mask(mask) });
        let value = std::array::from_fn(|lane| match bits >> lane & 1 {
            1 => x[lane].wrapping_add(y[lane]),
            _ if is_zeroing => 0,
            _ => old[lane],
        });
        let place = self.random.next(self.vectors.len());
        self.vectors[place] = (to, value);
    }

    /// A VEX form between wide ones: its registers are below 16.
    fn low_step(&mut self) {
        let ((a, x), (c, y)) = Self::two(&mut self.random, &self.vectors);
        let operands = [Operand::Use(a), Operand::Use(c)];
        let register = self.b.define(Form::VEX_Vpaddd_ymm_ymm_ymmm256, Class::Vector, operands);
        let value = std::array::from_fn(|lane| if lane < 8 { x[lane].wrapping_add(y[lane]) } else { 0 });
        let place = self.random.next(self.vectors.len());
        self.vectors[place] = (register, value);
    }

    fn step(&mut self) {
        match self.random.next(if self.b.function.has_avx512 { 11 } else { 6 }) {
            0 | 1 => self.general_step(),
            2 | 3 => self.vector_step(),
            4 => self.broadcast_step(),
            5 => self.fixed_step(),
            6 => self.compare_vectors(),
            7 => self.mask_step(),
            8 | 9 => self.masked_step(),
            _ => self.low_step(),
        }
    }

    /// A branch around nothing, whose blocks give all values that live to the next block, some of them in another order.
    fn cut(&mut self) {
        let count = self.generals.len();
        let (yes, []) = self.b.block(0, []);
        let (no, []) = self.b.block(0, []);
        let (join, []) = self.b.block(0, []);
        let parameters: Vec<VReg> = (0..count).map(|_| self.b.general()).collect();
        self.b.function.blocks[join.0 as usize].parameters = parameters.clone();
        let (tested, value) = self.generals[0];
        self.b.compare(tested, 0);
        self.b.branch(Condition::Less, yes, no);
        for (block, shift) in [(yes, 1), (no, 2)] {
            self.b.block = block;
            let arguments = (0..count).map(|index| self.generals[(index + shift) % count].0).collect();
            self.b.end(Terminator::Jump(join, arguments));
        }
        self.b.block = join;
        let shift = if (value as i64) < 0 { 1 } else { 2 };
        self.generals = (0..count).map(|index| (parameters[index], self.generals[(index + shift) % count].1)).collect();
    }

    /// A barrier: everything that lives is in the frame meanwhile.
    fn barrier(&mut self) {
        let (after, []) = self.b.block(0, []);
        self.b.end(Terminator::Barrier { resume: after });
        self.b.block = after;
    }

    /// Runs it and compares all values that live.
    fn check(mut self, is_large: bool) {
        let lanes = if self.b.function.has_avx512 { 16 } else { 8 };
        for (index, (vector, _)) in (0..).zip(&self.vectors.clone()) {
            self.b.vector_result(index, *vector);
        }
        let vectors = self.vectors.len() as i32 * 8;
        for (index, (general, _)) in (vectors..).zip(&self.generals.clone()) {
            self.b.result(index, *general);
        }
        let masks = vectors + self.generals.len() as i32;
        for (index, (mask, _)) in (masks..).zip(&self.masks.clone()) {
            let general = self.b.define(Form::VEX_Kmovw_r32_kr, Class::General, [Operand::Use(*mask)]);
            self.b.result(index, general);
        }
        self.b.end(Terminator::Return);
        let code = self.b.finish();
        assert_eq!(code.statistics().is_allocated_fast, is_large, "{:?}", code.statistics());
        let run = run(&code, 1, &[]);
        for (index, (_, value)) in self.vectors.iter().enumerate() {
            for (lane, value) in value.iter().enumerate().take(lanes) {
                assert_eq!(run.lane(0, index, lane), *value, "vector {index}, lane {lane}");
            }
        }
        for (index, (_, value)) in self.generals.iter().enumerate() {
            assert_eq!(run.result(0, vectors as usize + index), *value, "general {index}");
        }
        for (index, (_, value)) in self.masks.iter().enumerate() {
            assert_eq!(run.result(0, masks as usize + index), u64::from(*value), "mask {index}");
        }
    }
}

fn check_random(has_avx512: bool) {
    for seed in 1..=12 {
        for live in [3, 20, 40] {
            let mut program = Program::new(seed, has_avx512, live);
            for step in 0..300 {
                program.step();
                if step % 37 == 0 {
                    program.cut();
                }
                if step % 110 == 100 && seed % 2 == 0 {
                    program.barrier();
                }
            }
            program.check(false);
        }
    }
}

#[test]
fn random_programs_of_avx2_compute() {
    check_random(false);
}

#[test]
fn random_programs_of_avx512_compute() {
    if has_avx512() {
        check_random(true);
    }
}

/// Beyond the size at which the allocator becomes the fast one.
#[test]
fn large_programs_compute() {
    for is_wide in [false, true] {
        if is_wide && !has_avx512() {
            continue;
        }
        let mut program = Program::new(5, is_wide, 30);
        for step in 0..35_000 {
            program.step();
            if step % 2000 == 0 {
                program.cut();
            }
            if step % 9000 == 0 {
                program.barrier();
            }
        }
        program.check(true);
    }
}

/// What is spilled is read where it is.
#[test]
fn spilled_operands_are_folded() {
    let mut b = Builder::new(false);
    let values: Vec<VReg> = (0..40).map(|value| b.splat(value)).collect();
    let mut sum = b.splat(0);
    for _ in 0..2 {
        for value in &values {
            let operands = [Operand::Use(sum), Operand::Use(*value)];
            sum = b.define(Form::VEX_Vpaddd_ymm_ymm_ymmm256, Class::Vector, operands);
        }
    }
    b.vector_result(0, sum);
    b.end(Terminator::Return);
    let code = b.finish();
    let folded = code
        .instructions()
        .iter()
        .filter(|inst| inst.code() == Form::VEX_Vpaddd_ymm_ymm_ymmm256 && inst.op2_kind() == iced_x86::OpKind::Memory)
        .count();
    assert!(folded > 20, "{folded} of 80 additions read memory\n{code}");
    assert_eq!(run(&code, 1, &[]).lane(0, 0, 3), 2 * (0..40).sum::<u32>());
}
