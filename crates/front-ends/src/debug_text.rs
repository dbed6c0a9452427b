//! SPIR-V without the debug information that the reader ignores, and with the source text that messages show.
//!
//! ```text
//! %1 = OpExtInstImport "OpenCL.DebugInfo.100"
//! %7 = OpString "./a.cl"                             %7 = OpString "a.cl"
//! %8 = OpString "float"                       ⇒      OpSource OpenCL_C 200000 %7 "kernel void …"
//! OpSource OpenCL_C 200000
//! %9 = OpExtInst %void %1 DebugTypeBasic %8 …
//! OpLine %7 2 16                                     OpLine %7 2 16
//! ```
//!
//! llvm-spirv says lines twice: as `OpLine`, which is read, and in the set `OpenCL.DebugInfo.100`, which no Vulkan driver takes and which
//! some of its versions write wrong. Its entry points get the names that they are called by. The file has the name that the user gave it, also if the front end read it from a copy. What is no
//! SPIR-V in the byte order of this format stays as it is. Linear in the words, and in the text.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::Op;

/// Words of the header of a module (SPIR-V, section 2.3).
const HEADER: usize = 5;

/// The longest part of a text in one instruction, in bytes: an instruction has at most 65,535 words.
const PART: usize = 65_000 * 4;

/// The longest text that is embedded.
const TEXT_LIMIT: usize = 16 << 20;

/// The sets of debug information that are left out.
const SETS: [&str; 2] = ["DebugInfo", "OpenCL.DebugInfo.100"];

/// Returns whether bytes begin as SPIR-V does, in either byte order.
pub(crate) fn is_spirv(bytes: &[u8]) -> bool {
    let magic = spirv::MAGIC_NUMBER.to_le_bytes();
    bytes.starts_with(&magic) || bytes.starts_with(&spirv::MAGIC_NUMBER.to_be_bytes())
}

/// The module with the source text, under the name that is given; the names are those that the module may have for it.
pub(crate) fn with_source(module: Vec<u8>, text: &[u8], name: &str, names: &[String]) -> Vec<u8> {
    if !module.starts_with(&spirv::MAGIC_NUMBER.to_le_bytes()) {
        return module;
    }
    let words: Vec<u32> =
        module.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let Some(instructions) = split(&words) else { return module };
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= TEXT_LIMIT && !text.contains('\0'));
    let rewritten = Rewriter::new(&instructions, names).rewrite(&words[..HEADER], &instructions, name, text);
    rewritten.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The instructions; `None` if one of them does not fit.
fn split(words: &[u32]) -> Option<Vec<&[u32]>> {
    let mut rest = words.get(HEADER..)?;
    let mut instructions = Vec::new();
    while let [first, ..] = rest {
        let count = (first >> 16) as usize;
        let (instruction, after) = rest.split_at_checked(count).filter(|_| count > 0)?;
        instructions.push(instruction);
        rest = after;
    }
    Some(instructions)
}

/// The facts about a module that rewriting needs.
struct Rewriter {
    /// The imports of the sets.
    sets: HashSet<u32>,
    /// The strings that something other than the sets uses.
    used: BTreeSet<u32>,
    /// The string that names the source.
    file: Option<u32>,
    /// True if the module has the text already.
    has_text: bool,
    /// The language and its version.
    language: [u32; 2],
    /// Functions of entry points without a name of their own, with the name of the entry point: llvm-spirv wraps each kernel in one.
    entries: Vec<(u32, String)>,
}

impl Rewriter {
    fn new(instructions: &[&[u32]], names: &[String]) -> Rewriter {
        let sets = instructions.iter().filter(|words| is(words, Op::ExtInstImport) && words.len() > 2);
        let sets: HashSet<u32> =
            sets.filter(|words| SETS.contains(&&*string(&words[2..]))).map(|words| words[1]).collect();
        let mut strings = HashMap::new();
        let mut used = BTreeSet::new();
        let (mut language, mut with_text) = ([0, 0], None);
        let (mut entries, mut named_ids): (Vec<(u32, String)>, HashSet<u32>) = Default::default();
        for words in instructions {
            match () {
                () if is(words, Op::String) && words.len() > 2 => {
                    strings.insert(words[1], string(&words[2..]));
                }
                () if is(words, Op::Source) && words.len() > 2 => {
                    language = [words[1], words[2]];
                    used.extend(words.get(3));
                    with_text = with_text.or(words.get(4).and(words.get(3)).copied());
                }
                () if is(words, Op::EntryPoint) && words.len() > 3 => entries.push((words[2], string(&words[3..]))),
                () if is(words, Op::Name) => named_ids.extend(words.get(1)),
                () if is(words, Op::Line) => used.extend(words.get(1)),
                () if is(words, Op::ExtInst) && !sets.contains(words.get(3).unwrap_or(&0)) => {
                    used.extend(words.iter().skip(5));
                }
                () => {}
            }
        }
        let named = |id: &&u32| strings.get(id).is_some_and(|text| names.contains(text));
        let file = used.iter().find(named).copied();
        entries.retain(|(id, _)| !named_ids.contains(id));
        Rewriter { sets, used, file, has_text: with_text.is_some() && with_text == file, language, entries }
    }

    fn rewrite(&self, header: &[u32], instructions: &[&[u32]], name: &str, text: Option<&str>) -> Vec<u32> {
        let mut output = header.to_vec();
        let mut entries = self.entries.iter();
        let embeds = self.file.is_some() && !self.has_text && text.is_some();
        for words in instructions {
            let id = words.get(1).copied();
            let set = if is(words, Op::ExtInst) {
                words.get(3)
            } else {
                words.get(1).filter(|_| is(words, Op::ExtInstImport))
            };
            let is_of_set = set.is_some_and(|set| self.sets.contains(set));
            let is_unused =
                is(words, Op::String) && !self.sets.is_empty() && !id.is_some_and(|id| self.used.contains(&id));
            let is_replaced = embeds && (is(words, Op::Source) || is(words, Op::SourceContinued));
            if is_of_set || is_unused || is_replaced {
                continue;
            }
            if is(words, Op::String) && id == self.file {
                push(&mut output, Op::String, &words[1..2], Some(name));
                if let Some(text) = text.filter(|_| embeds) {
                    self.push_source(&mut output, words[1], text);
                }
                continue;
            }
            if is(words, Op::Name) {
                entries.by_ref().for_each(|(id, name)| push(&mut output, Op::Name, &[*id], Some(name)));
            }
            output.extend_from_slice(words);
        }
        output
    }

    fn push_source(&self, output: &mut Vec<u32>, file: u32, text: &str) {
        let [language, version] = self.language;
        let (first, mut rest) = text.split_at(boundary(text, PART));
        push(output, Op::Source, &[language, version, file], Some(first));
        while !rest.is_empty() {
            let (part, after) = rest.split_at(boundary(rest, PART));
            push(output, Op::SourceContinued, &[], Some(part));
            rest = after;
        }
    }
}

/// The last boundary of a character that is at most at the limit.
fn boundary(text: &str, limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    (0..=limit).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

fn is(words: &[u32], op: Op) -> bool {
    words[0] & 0xffff == op as u32
}

/// The string that words hold, up to its zero byte.
fn string(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn push(output: &mut Vec<u32>, op: Op, operands: &[u32], text: Option<&str>) {
    let mut words = operands.to_vec();
    if let Some(text) = text {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize((bytes.len() / 4 + 1) * 4, 0);
        words.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
    }
    let count = words.len() as u32 + 1;
    output.push(count << 16 | op as u32);
    output.extend(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module: the words of its instructions after a header.
    fn module(instructions: &[(Op, &[u32], Option<&str>)]) -> Vec<u8> {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x10000, 0, 99, 0];
        instructions.iter().for_each(|&(op, operands, text)| push(&mut words, op, operands, text));
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn lines_stay_and_sets_go() {
        let before = module(&[
            (Op::ExtInstImport, &[1], Some("OpenCL.std")),
            (Op::ExtInstImport, &[2], Some("OpenCL.DebugInfo.100")),
            (Op::EntryPoint, &[6, 20], Some("f")),
            (Op::String, &[7], Some("./a.cl")),
            (Op::String, &[8], Some("float")),
            (Op::Source, &[3, 200_000], None),
            (Op::Name, &[21], Some("f")),
            (Op::ExtInst, &[4, 9, 2, 2, 8], None),
            (Op::ExtInst, &[4, 10, 1, 2, 8], None),
            (Op::Line, &[7, 2, 16], None),
        ]);
        let after = module(&[
            (Op::ExtInstImport, &[1], Some("OpenCL.std")),
            (Op::EntryPoint, &[6, 20], Some("f")),
            (Op::String, &[7], Some("a b.cl")),
            (Op::Source, &[3, 200_000, 7], Some("kernel")),
            (Op::String, &[8], Some("float")),
            (Op::Name, &[20], Some("f")),
            (Op::Name, &[21], Some("f")),
            (Op::ExtInst, &[4, 10, 1, 2, 8], None),
            (Op::Line, &[7, 2, 16], None),
        ]);
        assert_eq!(with_source(before, b"kernel", "a b.cl", &["./a.cl".to_owned()]), after);
    }

    #[test]
    fn a_text_that_is_there_stays() {
        let before = module(&[(Op::String, &[7], Some("stdin")), (Op::Source, &[2, 450, 7], Some("a"))]);
        let after = module(&[(Op::String, &[7], Some("<stdin>")), (Op::Source, &[2, 450, 7], Some("a"))]);
        assert_eq!(with_source(before, b"b", "<stdin>", &["stdin".to_owned()]), after);
    }

    #[test]
    fn long_texts_are_continued_at_characters() {
        let text = "é".repeat(PART);
        let before = module(&[(Op::String, &[7], Some("a")), (Op::Line, &[7, 1, 1], None)]);
        let after = with_source(before, text.as_bytes(), "a", &["a".to_owned()]);
        let words: Vec<u32> = after.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let instructions = split(&words).unwrap();
        let parts = instructions.iter().filter_map(|words| match () {
            () if is(words, Op::Source) => Some(string(&words[4..])),
            () if is(words, Op::SourceContinued) => Some(string(&words[1..])),
            () => None,
        });
        let parts: Vec<String> = parts.collect();
        assert_eq!(parts.concat(), text);
        assert!(parts.len() >= 2);
    }

    #[test]
    fn what_is_broken_stays_as_it_is() {
        let mut broken = module(&[(Op::Line, &[7, 2, 16], None)]);
        broken.truncate(broken.len() - 4);
        assert_eq!(with_source(broken.clone(), b"a", "a", &["a".to_owned()]), broken);
        assert_eq!(with_source(b"DXBC".to_vec(), b"a", "a", &[]), b"DXBC");
    }
}
