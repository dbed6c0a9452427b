//! The disassembler: known texts, any words, and the way back through `vc4asm`.

use std::path::Path;
use std::process::Command;

use reconverge_qpu_check::{data_reason, disassemble};

use crate::common::{Random, valid_word};

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

fn words_of(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u64::from_le_bytes(word)).collect()
}

/// How many of the words have a text of their own. The words are divided into programs of at most 4096.
fn assert_reads_back(vc4asm: &Path, words: &[u64]) -> usize {
    let folder = std::env::temp_dir().join(format!("reconverge-qpu-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let [source, binary] = ["in.qasm", "out.bin"].map(|name| folder.join(name));
    for words in words.chunks(4096) {
        std::fs::write(&source, disassemble(words)).expect("a writable file");
        let output = Command::new(vc4asm).arg("-o").arg(&binary).arg(&source).output().expect("the assembler runs");
        let messages = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{messages}\n{}", source.display());
        let bytes = std::fs::read(&binary).expect("the assembler's output");
        let back = words_of(&bytes);
        for (index, (word, back)) in words.iter().zip(&back).enumerate() {
            assert_eq!(word, back, "{word:#018x} came back as {back:#018x}: {}, {index}", disassemble(&[*word]));
        }
        assert_eq!(words.len(), back.len());
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    words.iter().filter(|&&word| data_reason(word).is_none()).count()
}

/// Compares with the program that `RECONVERGE_VC4ASM` names; `RECONVERGE_QPU_WORDS` sets how many random words, and
/// `RECONVERGE_QPU_SAMPLES` names a folder of programs as raw words.
#[test]
fn assembler_reads_back_the_same_words() {
    let Some(vc4asm) = std::env::var_os("RECONVERGE_VC4ASM") else {
        println!("skipped: RECONVERGE_VC4ASM does not name the assembler");
        return;
    };
    let vc4asm = Path::new(&vc4asm);
    let count = std::env::var("RECONVERGE_QPU_WORDS").map_or(20_000, |count| count.parse().unwrap());
    let mut random = Random::new(7);
    let words: Vec<u64> = (0..count).map(|_| valid_word(&mut random)).collect();
    println!("{count} random words, {} with text", assert_reads_back(vc4asm, &words));
    let Some(samples) = std::env::var_os("RECONVERGE_QPU_SAMPLES") else { return };
    let mut paths: Vec<_> = std::fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let words: Vec<u64> =
            bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
        println!("{}: {} words, {} with text", path.display(), words.len(), assert_reads_back(vc4asm, &words));
    }
}
