//! Mutations of files: readers must report an error or accept the result.

use crate::random::Random;

/// Words before the first instruction of a SPIR-V file.
const HEADER: usize = 5;

/// A SPIR-V file with one to three mutations: of bits, words, instructions, its length.
pub fn mutate_spirv(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    for _ in 0..random.between(1, 3) {
        if !words.is_empty() {
            damage_words(&mut words, &mut random);
        }
    }
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    if random.chance(5) {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

fn damage_words(words: &mut Vec<u32>, random: &mut Random) {
    let at = random.below(words.len());
    match random.below(10) {
        0 => words[at] ^= 1 << random.below(32),
        1 => words[at] = random.word() as u32,
        2 => words[at] = words[random.below(words.len())],
        3 => words[at] = words[at].wrapping_add(1),
        4 => words[at] = [0, 1, u32::MAX, 0x7FFF_FFFF, 0x0001_0000][random.below(5)],
        5 => {
            words.remove(at);
        }
        6 => words.insert(at, random.below(64) as u32),
        7 => words.truncate(at),
        _ => damage_instructions(words, random),
    }
}

/// Deletes, repeats, exchanges or moves a whole instruction, or gives it another opcode or length.
fn damage_instructions(words: &mut Vec<u32>, random: &mut Random) {
    let starts = instructions(words);
    if starts.is_empty() {
        return;
    }
    let (start, length) = *random.choose(&starts);
    let instruction: Vec<u32> = words[start..start + length].to_vec();
    match random.below(5) {
        0 => {
            words.drain(start..start + length);
        }
        1 => {
            words.splice(start..start, instruction);
        }
        2 => {
            words.drain(start..start + length);
            let rest = instructions(words);
            let to = if rest.is_empty() { HEADER.min(words.len()) } else { random.choose(&rest).0 };
            words.splice(to..to, instruction);
        }
        3 => words[start] = (words[start] & 0xFFFF_0000) | random.below(420) as u32,
        _ => words[start] = (words[start] & 0xFFFF) | ((random.below(length + 3) as u32) << 16),
    }
}

/// Start and length of each instruction, as long as lengths are valid.
fn instructions(words: &[u32]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = HEADER;
    while at < words.len() {
        let length = (words[at] >> 16) as usize;
        if length == 0 || at + length > words.len() {
            break;
        }
        found.push((at, length));
        at += length;
    }
    found
}

/// A text with one to three mutations: of characters, words, lines.
pub fn mutate_text(text: &str, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..random.between(1, 3) {
        if !lines.is_empty() {
            damage_lines(&mut lines, &mut random);
        }
    }
    lines.join("\n")
}

fn damage_lines(lines: &mut Vec<String>, random: &mut Random) {
    let at = random.below(lines.len());
    match random.below(6) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let line = lines[at].clone();
            lines.insert(random.below(lines.len() + 1), line);
        }
        2 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        3 => {
            let mut characters: Vec<char> = lines[at].chars().collect();
            let place = random.below(characters.len() + 1);
            let new = *random.choose(&['%', '^', '"', '(', '}', '=', ',', '0', 'x', '-', '\u{e9}', ';', ':']);
            match place < characters.len() {
                true => characters[place] = new,
                false => characters.push(new),
            }
            lines[at] = characters.into_iter().collect();
        }
        _ => {
            // A word of one line replaces a word of another.
            let from = random.below(lines.len());
            let words: Vec<String> = lines[from].split_whitespace().map(str::to_owned).collect();
            let mut into: Vec<String> = lines[at].split_whitespace().map(str::to_owned).collect();
            if !words.is_empty() && !into.is_empty() {
                let place = random.below(into.len());
                into[place] = random.choose(&words).clone();
                lines[at] = into.join(" ");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_done_and_decided_by_the_seed() {
        let bytes: Vec<u8> = [0x0723_0203u32, 0x0001_0300, 0, 8, 0, 0x0002_0011, 1, 0x0003_000E, 0, 1]
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .collect();
        assert!((0..200).filter(|&seed| mutate_spirv(&bytes, seed) != bytes).count() > 180);
        assert_eq!(mutate_spirv(&bytes, 5), mutate_spirv(&bytes, 5));
        assert!((0..200).filter(|&seed| mutate_text("a b\nc d", seed) != "a b\nc d").count() > 150);
    }
}
