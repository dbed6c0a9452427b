//! Forms of instructions with registers of their own, and executable memory.

use crate::machine_support::{Builder, RESULTS, has_avx512, indexed, run};
use iced_x86::{Code as Form, Register};
use reconverge_lanes_cpu::machine::{Address, Base, Class, Implicit, Inst, Operand, Terminator, VReg, assemble};

/// Quotient and remainder, both in fixed registers, of values that live on in others.
#[test]
fn a_division_has_fixed_registers() {
    let mut b = Builder::new(false);
    let (dividend, divisor, zero) = (b.number(1000), b.number(7), b.number(0));
    let divide = |b: &mut Builder, low: VReg, by: VReg| {
        let (quotient, remainder) = (b.general(), b.general());
        b.add(
            Inst::new(Form::Div_rm64, [Operand::Use(by)])
                .with_implicit(Implicit::Use(low, Register::RAX))
                .with_implicit(Implicit::Use(zero, Register::RDX))
                .with_implicit(Implicit::Def(quotient, Register::RAX))
                .with_implicit(Implicit::Def(remainder, Register::RDX)),
        );
        (quotient, remainder)
    };
    let (quotient, remainder) = divide(&mut b, dividend, divisor);
    let (again, _) = divide(&mut b, quotient, remainder);
    let (one, nothing) = divide(&mut b, dividend, dividend);
    for (index, value) in (0..).zip([quotient, remainder, again, one, nothing, dividend, zero]) {
        b.result(index, value);
    }
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|index| run.result(0, index)), [142, 6, 23, 1, 0, 1000, 0]);
}

/// A shift by `cl`, which the instruction may give as an operand or not.
#[test]
fn a_shift_takes_its_count_in_cl() {
    let mut b = Builder::new(false);
    let (value, count) = (b.number(3), b.number(5));
    let shifted = b.general();
    let update = Operand::Update { from: value, to: shifted };
    b.add(Inst::new(Form::Shl_rm64_CL, [update]).with_implicit(Implicit::Use(count, Register::RCX)));
    let explicit = b.update(Form::Shl_rm64_CL, count, value);
    let twice = b.general();
    b.add(Inst::new(Form::Shl_rm64_1, [Operand::Update { from: value, to: twice }]));
    let itself = b.update(Form::Shl_rm64_CL, value, value);
    for (index, value) in (0..).zip([shifted, explicit, twice, itself]) {
        b.result(index, value);
    }
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert_eq!([0, 1, 2, 3].map(|index| run.result(0, index)), [96, 40, 6, 24]);
}

/// What the caller reads in a fixed register is lost where an instruction clobbers it.
#[test]
fn clobbered_registers_lose_no_values() {
    let mut b = Builder::new(false);
    let values: Vec<VReg> = (0..14).map(|value| b.number(value)).collect();
    let mut nop = Inst::new(Form::Nopd, []).with_effect();
    for register in [Register::RAX, Register::RSI, Register::R9, Register::R15, Register::XMM3] {
        nop = nop.with_implicit(Implicit::Clobber(register));
    }
    b.add(nop);
    for (index, value) in (0..).zip(&values) {
        b.result(index, *value);
    }
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert!((0..14).all(|index| run.result(0, index) == index as u64), "all are there");
}

/// Byte registers: those of `rsi` and `rdi` need a prefix, and no `ah` comes up.
#[test]
fn bytes_have_registers() {
    let mut b = Builder::new(false);
    let values: Vec<VReg> = (0..13).map(|value| b.number(0x100 + value)).collect();
    let bytes: Vec<VReg> =
        values.iter().map(|value| b.define(Form::Movzx_r32_rm8, Class::General, [Operand::Use(*value)])).collect();
    for (index, byte) in (0..).zip(&bytes) {
        b.result(index, *byte);
    }
    b.compare(values[3], 0x103);
    let set = b.define(Form::Sete_rm8, Class::General, []);
    let wide = b.define(Form::Movzx_r32_rm8, Class::General, [Operand::Use(set)]);
    b.result(13, wide);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert!((0..13).all(|index| run.result(0, index) == index as u64) && run.result(0, 13) == 1);
}

/// Sixteen words of the context in an order, by a gather whose mask lives on.
#[test]
fn a_gather_consumes_a_copy_of_its_mask() {
    if !has_avx512() {
        return;
    }
    let mut b = Builder::new(true);
    let context = b.context();
    let order: Vec<u8> = (0..16u32).flat_map(|lane| (lane * 5 % 16 * 2).to_le_bytes()).collect();
    let order = b.function.constant(&order);
    let order = b.define(Form::EVEX_Vmovdqu32_zmm_k1z_zmmm512, Class::Vector, [Operand::Memory(order)]);
    let mask = b.number(0x0fff);
    let mask = b.define(Form::VEX_Kmovw_kr_r32, Class::Mask, [Operand::Use(mask)]);
    let gathered: Vec<VReg> = [order, b.splat(9)]
        .into_iter()
        .map(|old| {
            let (to, used) = (b.vector(), b.mask());
            let place = Address { base: Base::Register(context), index: Some(order), scale: 4, displacement: 16 };
            let update = Operand::Update { from: old, to };
            let mut gather = Inst::new(Form::EVEX_Vpgatherdd_zmm_k1_vm32z, [update, Operand::Memory(place)]);
            gather.consumed_mask = Some((mask, used));
            b.add(gather);
            to
        })
        .collect();
    for (index, value) in (0..).zip(gathered) {
        b.vector_result(index, value);
    }
    let bits = b.define(Form::VEX_Kmovw_r32_kr, Class::General, [Operand::Use(mask)]);
    b.result(40, bits);
    b.end(Terminator::Return);
    let values: Vec<u64> = (0..16).map(|value| value + 100).collect();
    let run = run(&b.finish(), 1, &values);
    for lane in 0..16 {
        let found = lane as u32 * 5 % 16 + 100;
        assert_eq!(run.lane(0, 0, lane), if lane < 12 { found } else { lane as u32 * 5 % 16 * 2 });
        assert_eq!(run.lane(0, 1, lane), if lane < 12 { found } else { 9 });
    }
    assert_eq!(run.result(0, 40), 0x0fff, "the mask lives on");
}

/// The gather of AVX2: its mask is an operand, which it clears.
#[test]
fn a_gather_of_avx2_updates_its_mask() {
    let mut b = Builder::new(false);
    let context = b.context();
    let (index, all) = (b.splat(2), b.splat(u32::MAX));
    let (to, used) = (b.vector(), b.vector());
    let place = Address { base: Base::Register(context), index: Some(index), scale: 8, displacement: 0 };
    let operands =
        [Operand::Update { from: index, to }, Operand::Memory(place), Operand::Update { from: all, to: used }];
    b.add(Inst::new(Form::VEX_Vpgatherdd_ymm_vm32y_ymm, operands));
    b.vector_result(0, to);
    b.vector_result(1, used);
    b.vector_result(2, all);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[4711]);
    assert_eq!((run.lane(0, 0, 5), run.lane(0, 1, 5), run.lane(0, 2, 5)), (4711, 0, u32::MAX));
}

/// A masked scatter to the frame.
#[test]
fn a_scatter_writes_its_lanes() {
    if !has_avx512() {
        return;
    }
    let mut b = Builder::new(true);
    let lanes: Vec<u8> = (0..16u32).flat_map(u32::to_le_bytes).collect();
    let lanes = b.function.constant(&lanes);
    let lanes = b.define(Form::EVEX_Vmovdqu32_zmm_k1z_zmmm512, Class::Vector, [Operand::Memory(lanes)]);
    let mask = b.number(0xa5a5);
    let mask = b.define(Form::VEX_Kmovw_kr_r32, Class::Mask, [Operand::Use(mask)]);
    let used = b.mask();
    let place = Address { base: Base::Frame, index: Some(lanes), scale: 4, displacement: RESULTS };
    let mut scatter =
        Inst::new(Form::EVEX_Vpscatterdd_vm32z_k1_zmm, [Operand::Memory(place), Operand::Use(lanes)]).with_effect();
    scatter.consumed_mask = Some((mask, used));
    b.add(scatter);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    for lane in 0..16 {
        assert_eq!(run.lane(0, 0, lane), if 0xa5a5 >> lane & 1 == 1 { lane as u32 } else { 0 });
    }
}

/// Constants of every size, stored once each; one element for all lanes.
#[test]
fn constants_are_relative_to_the_code() {
    let mut b = Builder::new(has_avx512());
    let eight = b.function.constant(&0x1122_3344_5566_7788u64.to_le_bytes());
    let again = b.function.constant(&0x1122_3344_5566_7788u64.to_le_bytes());
    assert_eq!(eight, again, "equal constants are one");
    let wide: Vec<u8> = (0..64).collect();
    let wide = b.function.constant(&wide);
    let number = b.define(Form::Mov_r64_rm64, Class::General, [Operand::Memory(eight)]);
    let second = b.define(Form::Mov_r32_rm32, Class::General, [Operand::Memory(wide.plus(60))]);
    b.result(20, number);
    b.result(21, second);
    if b.function.has_avx512 {
        let three = b.splat(3);
        let four = b.function.constant(&4u32.to_le_bytes());
        let to = b.vector();
        let operands = [Operand::Def(to), Operand::Use(three), Operand::Memory(four)];
        let mut add = Inst::new(Form::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, operands);
        add.is_broadcast = true;
        b.add(add);
        b.vector_result(0, to);
    }
    let is_wide = b.function.has_avx512;
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert_eq!((run.result(0, 20), run.result(0, 21)), (0x1122_3344_5566_7788, 0x3f3e_3d3c));
    assert!(!is_wide || (0..16).all(|lane| run.lane(0, 0, lane) == 7));
}

/// `lock xadd` and `lock cmpxchg`.
#[test]
fn atomics_are_locked() {
    let mut b = Builder::new(false);
    let (five, nine) = (b.number(5), b.number(9));
    let place = Operand::Memory(Address::in_frame(RESULTS));
    let old = b.general();
    b.add(Inst::new(Form::Xadd_rm64_r64, [place, Operand::Update { from: five, to: old }]).locked());
    let before = b.general();
    b.add(
        Inst::new(Form::Cmpxchg_rm64_r64, [place, Operand::Use(nine)])
            .locked()
            .with_implicit(Implicit::Use(five, Register::RAX))
            .with_implicit(Implicit::Def(before, Register::RAX)),
    );
    b.result(1, old);
    b.result(2, before);
    b.end(Terminator::Return);
    let code = b.finish();
    assert_eq!(code.instructions().iter().filter(|inst| inst.has_lock_prefix()).count(), 2);
    let run = run(&code, 1, &[]);
    assert_eq!([0, 1, 2].map(|index| run.result(0, index)), [9, 0, 5]);
}

/// Addresses without base, with displacements of both sizes, with `r12` and `r13` among the bases.
#[test]
fn addresses_have_all_parts() {
    let mut b = Builder::new(false);
    let to = b.define(Form::Lea_r64_m, Class::General, [Operand::Memory(Address::in_frame(RESULTS))]);
    let copies: Vec<VReg> = (0..13).map(|_| b.update_by(Form::Add_rm64_imm8, to, 0)).collect();
    for (index, base) in (0..).zip(&copies) {
        let number = b.number(i64::from(index));
        let place = Operand::Memory(Address::of(*base).plus(index * 8));
        b.add(Inst::new(Form::Mov_rm64_r64, [place, Operand::Use(number)]).with_effect());
    }
    let three = b.number(3);
    let scaled = Address { base: Base::None, index: Some(three), scale: 8, displacement: 1000 };
    let sum = b.define(Form::Lea_r64_m, Class::General, [Operand::Memory(scaled)]);
    b.result(13, sum);
    let loaded = b.define(Form::Mov_r64_rm64, Class::General, [indexed(to, three, 8)]);
    b.result(14, loaded);
    b.end(Terminator::Return);
    let run = run(&b.finish(), 1, &[]);
    assert!((0..13).all(|index| run.result(0, index) == index as u64));
    assert_eq!((run.result(0, 13), run.result(0, 14)), (1024, 3));
}

#[test]
fn an_immediate_that_does_not_fit_is_an_error() {
    let mut b = Builder::new(false);
    let value = b.number(1);
    let sum = b.update_by(Form::Add_rm64_imm32, value, 1 << 31);
    b.result(0, sum);
    b.end(Terminator::Return);
    let error = assemble(b.function).unwrap_err();
    let starts = error.message.starts_with("an instruction cannot be encoded");
    assert!(starts && error.message.contains("2147483648"), "{error}");
}

/// Code is readable and executable, and not writable.
#[test]
#[cfg(target_os = "linux")]
fn executable_memory_is_not_writable() {
    let mut b = Builder::new(false);
    b.end(Terminator::Return);
    let code = b.finish();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let rights = maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let range = u64::from_str_radix(from, 16).ok()?..u64::from_str_radix(to, 16).ok()?;
        range.contains(&code.entry()).then(|| rest[..3].to_owned())
    });
    assert_eq!(rights.as_deref(), Some("r-x"));
}

/// Functions and code have texts.
#[test]
fn functions_and_code_have_texts() {
    let mut b = Builder::new(false);
    let value = b.number(6);
    let product = b.update(Form::Imul_r64_rm64, value, value);
    b.result(0, product);
    b.end(Terminator::Return);
    let text = b.function.to_string();
    assert_eq!(
        text,
        "b0(): depth 0\n  Mov_r64_imm64 =g0, 6\n  Imul_r64_rm64 g1=g0, g0\n  Mov_rm64_r64 [frame +64], g1 !\n  return\n"
    );
    let code = b.finish().to_string();
    assert!(code.contains("  imul ") && code.contains("  mov [rbp+0x40],"), "{code}");
}
