//! The disassembler: known texts, and any words. The way back through `vc4asm` is the example `read_back`.

use reconverge_qpu_check::{data_reason, disassemble};

use crate::common::Random;

/// Words as `vc4asm` assembled them, with their texts.
const KNOWN: [(u64, &str); 12] = [
    (0x1000_09e7_009e_7000, "nop"),
    (0x3000_09e7_009e_7000, "nop; thrend"),
    (0xd0c4_e0c3_959f_f289, "or.setf.ifz ra3.8asi, r1, r2; mov.ifnz rb3, r1>>15"),
    (0x1000_1827_159e_7280, "or.never rb32, r1, r2"),
    (0xa200_49e2_2016_7031, "nop; fmul r2, ra5.16a, r1; ldtmu0"),
    (0xe202_2167_cccc_aaaa, "ldipes.setf ra5, [0,1,-2,-1,0,1,-2,-1,0,1,-2,-1,0,1,-2,-1]"),
    (0xe0c0_99c5_ffff_ffff, "ldi -, ra5.ifz.8asi, 0xffffffff"),
    (0xe800_09e7_0000_0013, "sacq -, 0x3"),
    (0xf0f4_89e7_0000_0040, "bra -, ra4, 0x40"),
    (0xd002_4822_959f_325b, "mov r0, r1; mov r2, r3>>3"),
    (0xd000_49c2_800f_0036, "nop; mov rb2, ra3<<r5"),
    (0xd002_0827_0c9e_83c0, "add r0, r1, 0.00390625"),
];

#[test]
fn known_words() {
    for (word, text) in KNOWN {
        let line = disassemble(&[word]);
        assert_eq!(line.trim_end(), text, "{word:#018x}");
        assert_eq!(data_reason(word), None);
    }
}

#[test]
fn targets_are_labels() {
    let back = 0xf008_09e7_ffff_ffd8;
    let nop = 0x1000_09e7_009e_7000;
    assert_eq!(disassemble(&[nop, back, nop]), ":L0\nnop\nbrr.allz -, :L0\nnop\n");
    let away = 0xf008_09e7_0000_1000;
    assert_eq!(disassemble(&[away]), "brr.allz -, 4096\n");
    let end = 0xf008_09e7_ffff_ffe8;
    assert_eq!(disassemble(&[end]), "brr.allz -, :L1\n:L1\n");
}

#[test]
fn any_words_have_a_line_each() {
    let mut random = Random::new(1);
    let words: Vec<u64> = (0..20_000).map(|_| random.next()).collect();
    let text = disassemble(&words);
    assert_eq!(text.lines().filter(|line| !line.starts_with(':')).count(), words.len());
}
