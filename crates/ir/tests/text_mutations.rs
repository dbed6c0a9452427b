//! Texts that nobody would write: no panic, every rejection with a place, and what is accepted reads back as it prints.

use reconverge_ir::compare::compare;
use reconverge_ir::text::{parse, print};

pub(crate) const SEED: &str = "\
module {name \"m\"}
capability Shader
%glsl = ext_inst_import \"GLSL.std.450\"
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %input
%file = string \"a.comp\"
type_forward_pointer %p, PhysicalStorageBuffer
%void = type_void
%u32 = type_int 32, 0
%s = type_struct %u32, %p {member_decorate 0 Offset 0, decorate Block}
%p = type_pointer PhysicalStorageBuffer, %s
%1 = type_function %void
%zero: %u32 = constant 0
%12: %u32 = constant words(1, 2)
%input_pointer = type_pointer Input, %u32
%input: %input_pointer = variable Input {decorate BuiltIn 29, decorate_id UniformId %zero}
func %main: %void () type %1 control 0 stage graph at %file 3:1 {
block ^entry:
  %n: %u32 = load %input at %file 4:7
  %4: %u32 = function_call %f, %n
  return at none
}
func %f: %u32 (%n: %u32) stage structured {decorate LinkageAttributes \"f\" 0} {
block ^entry:
  %t = type_array %u32, %n
  %q = type_array %t, %i
  loop ^header(%zero, %zero) break ^done continue ^next control words(4, 8)
block ^header(%i: %u32, %sum: %u32 {decorate RelaxedPrecision}):
  branch_if %i ^7 ^exit weights 9 1
edge ^exit:
  branch ^done(%sum)
block ^7 {name \"the body\"}:
  if %i ^left ^right merge ^next control 1
block ^left:
  branch ^next
block ^right:
  structured_switch %i default ^next merge ^next control 0 [1 ^next] [words(2, 0) ^next]
block ^next:
  %9: %u32 = ext_inst %glsl, 5, %i
  %v: %t = undef
  branch ^header(%9, %9)
block ^done(%r: %u32):
  switch %r default ^entry [4 ^left]
}
";

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// Pieces of the text: words and signs with what is blank before them.
fn pieces(text: &str) -> Vec<&str> {
    let bounds: Vec<usize> = text
        .char_indices()
        .filter(|&(_, character)| !character.is_ascii_alphanumeric() && character != '_')
        .flat_map(|(index, character)| [index, index + character.len_utf8()])
        .chain([0, text.len()])
        .collect();
    let mut bounds = bounds;
    bounds.sort_unstable();
    bounds.dedup();
    bounds.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
    for _ in 0..1 + random.below(2) {
        let (from, to) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(5) {
            0 => _ = pieces.remove(from),
            1 => pieces[from] = pieces[to].clone(),
            2 => pieces.swap(from, to),
            3 => pieces.insert(from, pieces[to].clone()),
            _ => {
                let lines: Vec<usize> = (0..pieces.len()).filter(|&index| pieces[index] == "\n").collect();
                let (start, end) = (lines[random.below(lines.len() - 1)], lines[random.below(lines.len() - 1)]);
                let line: Vec<String> = pieces[start.min(end)..start.max(end)].to_vec();
                let place = lines[random.below(lines.len() - 1)];
                pieces.splice(place..place, line.into_iter().take(40));
            }
        }
    }
    pieces.concat()
}

#[test]
fn mutated_texts_are_read_or_refused() {
    let mut accepted = 0;
    for seed in 1..=6_000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let text = mutate(SEED, &mut random);
        match parse(&text) {
            Ok(module) => {
                accepted += 1;
                let printed = print(&module);
                let again =
                    parse(&printed).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n=>\n{printed}"));
                assert_eq!(print(&again), printed, "seed {seed}\n{text}");
                compare(&module, &again).unwrap_or_else(|difference| panic!("seed {seed}: {difference}\n{text}"));
            }
            Err(error) => {
                let (line, column) = error.place.line_and_column().unwrap();
                assert!(line >= 1 && line <= text.lines().count() + 1, "{error}");
                assert!(column >= 1 && error.message.starts_with("expected "), "{error}");
            }
        }
    }
    assert!(accepted > 300, "{accepted}");
}

#[test]
fn limits_are_declared() {
    let operands = |count: usize| format!("%u = type_int 32, 0\n%s = type_struct {}\n", vec!["%u"; count].join(", "));
    assert!(parse(&operands(65_535)).is_ok());
    assert!(parse(&operands(65_536)).unwrap_err().message.contains("65,535"));
    let words = |count: usize| format!("opaque 1, words({})\n", vec!["1"; count].join(", "));
    assert!(parse(&words(65_535)).is_ok());
    assert!(parse(&words(65_536)).unwrap_err().message.contains("65,535"));
    let decorated = |count: usize| format!("%v = type_void {{decorate Block {}}}\n", "1 ".repeat(count));
    assert!(parse(&decorated(65_534)).is_ok());
    assert!(parse(&decorated(65_535)).unwrap_err().message.contains("65,535"));
    assert!(parse(&format!("extension \"{}\"\n", "a".repeat(300_000))).unwrap_err().message.contains("65,535"));
    assert!(parse("%4194302 = type_void\n").is_ok());
    assert!(parse("%4194303 = type_void\n").unwrap_err().message.contains("4194302"));
    let named = |length: usize| format!("%{} = type_void\n", "n".repeat(length));
    assert!(parse(&named(262_131)).is_ok());
    assert!(parse(&named(262_132)).unwrap_err().message.contains("262,131"));
    let noted = format!("%1 = type_void {{name \"{}\"}}\n", "n".repeat(262_132));
    let printed = print(&parse(&noted).unwrap());
    assert_eq!(print(&parse(&printed).unwrap()), printed);
}

#[test]
fn many_of_everything() {
    let mut text = String::from("%void = type_void\n%c: %void = undef\nfunc %f: %void () {\n");
    for index in 0..30_000 {
        text += &format!("block ^b{index}:\n  branch_if %c ^b{} ^b{}\n", index + 1, index / 2);
    }
    text += "block ^b30000:\n  return\n}\n";
    let module = parse(&text).unwrap();
    assert!(print(&module).contains("branch_if %c ^b30000 ^b14999"));
}
