//! The fuzz targets on a fixed set of inputs, about a second each.

use reconverge_ir::{binary, text};
use reconverge_testing::fuzz;
use reconverge_testing::generators::wild::wild;
use reconverge_testing::mutate::mutate_text;
use reconverge_testing::program_from_graph::{as_shader, with_calls};
use reconverge_testing::random::Random;

fn bytes(seed: u64, limit: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let length = random.below(limit);
    (0..length).map(|_| random.word() as u8).collect()
}

#[test]
fn smoke_spirv_reader() {
    for seed in 0..2_000 {
        let mut input = 0x0723_0203u32.to_le_bytes().to_vec();
        input.extend([0x0001_0300u32, 0, 40, 0].into_iter().flat_map(u32::to_le_bytes));
        // Instructions of right length, with any operands: so that something is read.
        let mut random = Random::new(seed);
        for _ in 0..random.below(30) {
            let operands = random.below(5);
            let opcode = random.below(330);
            input.extend((((operands + 1) << 16 | opcode) as u32).to_le_bytes());
            input.extend((0..operands).flat_map(|_| (random.below(40) as u32).to_le_bytes()));
        }
        fuzz::spirv_reader(&input);
        fuzz::spirv_reader(&bytes(seed, 200));
    }
}

#[test]
fn smoke_text_parser() {
    let modules = (0..20).map(|seed| [with_calls(&[wild(seed, 4)], seed), as_shader(&[wild(seed, 4)], seed)]);
    let texts: Vec<String> = modules.flatten().map(|filled| text::print(&filled.module)).collect();
    for seed in 0..1_000 {
        fuzz::text_parser(&bytes(seed, 200));
        fuzz::text_parser(mutate_text(&texts[seed as usize % texts.len()], seed).as_bytes());
    }
}

#[test]
fn smoke_binary_reader() {
    let modules = (0..20).map(|seed| [with_calls(&[wild(seed, 4)], seed), as_shader(&[wild(seed, 4)], seed)]);
    let files: Vec<Vec<u8>> = modules.flatten().map(|filled| binary::write(&filled.module)).collect();
    for seed in 0..2_000 {
        fuzz::binary_reader(&bytes(seed, 200));
        let mut random = Random::new(seed);
        let mut damaged = files[seed as usize % files.len()].clone();
        for _ in 0..random.between(1, 3) {
            let at = random.below(damaged.len());
            match random.below(4) {
                0 => damaged[at] ^= 1 << random.below(8),
                1 => damaged[at] = random.word() as u8,
                2 => damaged.insert(at, random.below(32) as u8),
                _ => damaged.truncate(at.max(8)),
            }
        }
        fuzz::binary_reader(&damaged);
    }
}

#[test]
fn smoke_dxil_reader() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dxil");
    let files = ["numbers.O3", "points.O3", "rays.O3", "sort_and_count.Zi", "surface.Od"];
    let files =
        files.map(|name| std::fs::read(format!("{folder}/{name}.dxil")).expect("the file is part of the repository"));
    for seed in 0..1_000 {
        fuzz::dxil_reader(&bytes(seed, 200));
        let mut random = Random::new(seed);
        let mut damaged = files[seed as usize % files.len()].clone();
        for _ in 0..random.below(3) {
            let at = random.below(damaged.len());
            match random.below(4) {
                0 => damaged[at] ^= 1 << random.below(8),
                1 => damaged[at] = random.word() as u8,
                2 => damaged.insert(at, random.below(32) as u8),
                _ => damaged.truncate(at.max(8)),
            }
        }
        fuzz::dxil_reader(&damaged);
    }
}

#[test]
fn smoke_structurizer() {
    for seed in 0..300 {
        fuzz::structurizer(&bytes(seed, 60));
    }
}

#[test]
fn smoke_graph_text() {
    let texts = [
        "a condbr b c # comment\nb switch c a b, weight 7, convergent\nc ret, entry\n",
        "{\"format\":1,\"graph\":{\"entry\":0,\"blocks\":[{\"name\":\"a\",\"successors\":[1,0]},{\"successors\":[0,1,1]}]}}",
    ];
    for seed in 0..2_000 {
        fuzz::graph_text(&bytes(seed, 60));
        fuzz::graph_text(mutate_text(texts[seed as usize % texts.len()], seed).as_bytes());
    }
}
