//! Mutated modules: what the verifier accepts is specialized, or refused with an error, and is valid afterwards. Nothing panics.

use reconverge_generics::specialize;
use reconverge_ir::text;
use reconverge_verify::{Code, Finding, verify};

const FILES: [&str; 6] = [
    include_str!("../../../tests/filetests/verify/generics/everything.ir"),
    include_str!("../../../tests/filetests/generics/associated_types.ir"),
    include_str!("../../../tests/filetests/generics/conditional_conformance.ir"),
    include_str!("../../../tests/filetests/generics/dynamic.ir"),
    include_str!("../../../tests/filetests/generics/nested.ir"),
    include_str!("../../../tests/filetests/generics/recursive_type.ir"),
];

/// Mutants of each file.
const MUTANTS: u64 = 400;

/// Knuth's generator of the 64-bit MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A text in which some operands are others of the same text, or a line is missing.
fn mutant(source: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = source.lines().take_while(|line| *line != "; ----").map(str::to_owned).collect();
    let names: Vec<String> = lines
        .iter()
        .flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || "%._".contains(c))))
        .filter(|word| word.starts_with('%'))
        .map(str::to_owned)
        .collect();
    for _ in 0..=random.below(3) {
        let number = random.below(lines.len());
        let Some((head, tail)) = lines[number].split_once(" = ").map(|(head, tail)| (head.to_owned(), tail.to_owned()))
        else {
            continue;
        };
        let words: Vec<&str> = tail.split_inclusive([' ', ',']).collect();
        let operands: Vec<usize> = (0..words.len()).filter(|&place| words[place].starts_with('%')).collect();
        if operands.is_empty() {
            continue;
        }
        let chosen = operands[random.below(operands.len())];
        let changed: String = words
            .iter()
            .enumerate()
            .map(|(place, word)| match place == chosen {
                true => format!("{}{}", names[random.below(names.len())], if word.ends_with(',') { "," } else { "" }),
                false => (*word).to_owned(),
            })
            .collect();
        lines[number] = format!("{head} = {changed}");
    }
    if random.below(8) == 0 {
        lines.remove(random.below(lines.len()));
    }
    lines.join("\n")
}

#[test]
fn what_is_valid_stays_so() {
    let mut random = Random(26);
    let (mut valid, mut late, mut invalid, mut refused) = (0, 0, 0, 0);
    for source in FILES {
        for _ in 0..MUTANTS {
            let text = mutant(source, &mut random);
            let Ok(mut module) = text::parse(&text) else { continue };
            let is_valid = verify(&module).is_empty();
            let outcome = specialize(&mut module);
            match (is_valid, outcome) {
                (true, Ok(_)) => {
                    valid += 1;
                    // A type that a generic returns is known afterwards: only then can its values be checked, and that it does not contain
                    // itself.
                    let is_of_types = |finding: &Finding| {
                        (Code::T01..=Code::T14).contains(&finding.code) || finding.code == Code::I13
                    };
                    let findings = verify(&module);
                    let show = || format!("{findings:?}\n{text}\n⇒\n{}", text::print(&module));
                    assert!(findings.iter().all(is_of_types), "{}", show());
                    late += usize::from(!findings.is_empty());
                }
                (true, Err(_)) => refused += 1,
                (false, _) => invalid += 1,
            }
        }
    }
    let counts = format!("{valid} valid, {late} of them only before, {refused} refused, {invalid} invalid");
    println!("{counts}");
    assert!(valid > 50 && invalid > 500 && late * 10 < valid, "{counts}");
}
