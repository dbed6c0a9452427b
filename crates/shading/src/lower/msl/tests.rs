//! The compiler of MSL places members where the module says: random structs with explicit layouts are written, and the sizes and alignments of
//! the types in the text give the offsets again.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::{Language, TextOptions, Written, write};

/// A generator of numbers (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % u64::from(limit)) as u32
    }
}

/// A type in memory of the module: its name, its bytes, and decorations of a member of it.
struct Kind {
    name: &'static str,
    size: u32,
    notes: &'static str,
}

const KINDS: [Kind; 14] = [
    Kind { name: "%f32", size: 4, notes: "" },
    Kind { name: "%u32", size: 4, notes: "" },
    Kind { name: "%v2", size: 8, notes: "" },
    Kind { name: "%v3", size: 12, notes: "" },
    Kind { name: "%v4", size: 16, notes: "" },
    Kind { name: "%m4", size: 64, notes: "ColMajor|16" },
    Kind { name: "%m4", size: 64, notes: "RowMajor|16" },
    Kind { name: "%m3", size: 48, notes: "ColMajor|16" },
    Kind { name: "%m3", size: 36, notes: "RowMajor|12" },
    Kind { name: "%m2", size: 32, notes: "ColMajor|16" },
    Kind { name: "%m2", size: 16, notes: "RowMajor|8" },
    Kind { name: "%words", size: 48, notes: "" },
    Kind { name: "%vectors", size: 24, notes: "" },
    Kind { name: "%pairs", size: 40, notes: "" },
];

/// The members of a struct: kinds with offsets.
fn members(random: &mut Random) -> Vec<(usize, u32)> {
    let (mut end, mut members) = (0, Vec::new());
    for _ in 0..1 + random.below(6) {
        let kind = random.below(KINDS.len() as u32) as usize;
        let alignment = [4, 8, 16][random.below(3) as usize];
        let offset = u32::next_multiple_of(end + 4 * random.below(3), alignment);
        members.push((kind, offset));
        end = offset + KINDS[kind].size;
    }
    members
}

fn module(members: &[(usize, u32)]) -> String {
    let mut notes = String::new();
    for (number, &(kind, offset)) in members.iter().enumerate() {
        write!(
            notes,
            "{}member_name {number} \"m{number}_\", member_decorate {number} Offset {offset}",
            if number > 0 { ", " } else { "" }
        )
        .unwrap();
        if let Some((order, stride)) = KINDS[kind].notes.split_once('|') {
            write!(notes, ", member_decorate {number} {order}, member_decorate {number} MatrixStride {stride}")
                .unwrap();
        }
    }
    let types: Vec<&str> = members.iter().map(|&(kind, _)| KINDS[kind].name).collect();
    format!(
        "capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\"
execution_mode %main, LocalSize, 1, 1, 1
%void = type_void
%fn = type_function %void
%f32 = type_float 32
%u32 = type_int 32, 0
%v2 = type_vector %f32, 2
%v3 = type_vector %f32, 3
%v4 = type_vector %f32, 4
%m4 = type_matrix %v4, 4
%m3 = type_matrix %v3, 3
%m2 = type_matrix %v2, 2
%three: %u32 = constant 3
%two: %u32 = constant 2
%words = type_array %u32, %three {{decorate ArrayStride 16}}
%vectors = type_array %v3, %two {{decorate ArrayStride 12}}
%pair = type_struct %v3, %f32 {{name \"Pair\", member_name 0 \"pa\", member_name 1 \"pb\", member_decorate 0 Offset 0, member_decorate 1 Offset 12}}
%pairs = type_array %pair, %two {{decorate ArrayStride 20}}
%block = type_struct {} {{name \"Block\", decorate Block, {notes}}}
%pointer = type_pointer StorageBuffer, %block
%data: %pointer = variable StorageBuffer {{name \"data\", decorate DescriptorSet 0, decorate Binding 0}}
func %main: %void () type %fn stage structured {{
block ^entry:
  %all: %block = load %data
  store %data, %all
  return
}}
",
        types.join(", ")
    )
}

/// The structs of a text: members with their types.
fn structs(text: &str) -> HashMap<String, Vec<(String, String)>> {
    let mut found: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let mut open = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {")) {
            open = Some(name.to_owned());
            found.insert(name.to_owned(), Vec::new());
        } else if line == "};" {
            open = None;
        } else if let Some(name) = &open {
            let (ty, member) = line.trim().trim_end_matches(';').rsplit_once(' ').expect("a member has a type");
            found.get_mut(name).expect("a struct is open").push((ty.to_owned(), member.to_owned()));
        }
    }
    found
}

/// The size and alignment of a type by the tables of the language (Metal Shading Language Specification, 2.2 to 2.4).
fn extent(ty: &str, structs: &HashMap<String, Vec<(String, String)>>) -> (u32, u32) {
    if let Some(inside) = ty.strip_prefix("array<").and_then(|rest| rest.strip_suffix('>')) {
        let (element, count) = inside.rsplit_once(", ").expect("an array has a length");
        let (size, alignment) = extent(element, structs);
        return (size * count.parse::<u32>().expect("a length"), alignment);
    }
    if let Some(members) = structs.get(ty) {
        let (mut end, mut largest) = (0, 1);
        for (ty, _) in members {
            let (size, alignment) = extent(ty, structs);
            end = u32::next_multiple_of(end, alignment) + size;
            largest = largest.max(alignment);
        }
        return (u32::next_multiple_of(end, largest), largest);
    }
    match ty {
        "float" | "uint" => (4, 4),
        "uchar" => (1, 1),
        "float2" => (8, 8),
        "float3" | "float4" => (16, 16),
        "packed_float2" => (8, 4),
        "packed_float3" => (12, 4),
        "packed_float4" => (16, 4),
        _ => {
            let (columns, rows) = ty.strip_prefix("float").and_then(|rest| rest.split_once('x')).expect("a known type");
            let rows = if rows == "2" { 8 } else { 16 };
            (columns.parse::<u32>().expect("columns") * rows, rows)
        }
    }
}

#[test]
fn members_are_where_the_module_has_them() {
    let mut random = Random(7);
    let (mut written, mut compared) = (0, 0);
    for round in 0..400 {
        let members = members(&mut random);
        let module = reconverge_ir::text::parse(&module(&members)).expect("the module is a text of the IR");
        // A matrix at an offset that its columns cannot have is refused.
        let Ok(Written { text, .. }) = write(&module, &TextOptions::new(Language::Msl)) else { continue };
        written += 1;
        let structs = structs(&text);
        let block = &structs["Block"];
        let mut end = 0;
        for (ty, name) in block {
            let (size, alignment) = extent(ty, &structs);
            let offset = u32::next_multiple_of(end, alignment);
            end = offset + size;
            if let Some(number) = name.strip_prefix('m').and_then(|rest| rest.parse::<usize>().ok()) {
                compared += 1;
                assert_eq!(offset, members[number].1, "seed 7, round {round}, member {number}:\n{text}");
            }
        }
        assert_eq!(structs.get("Pair").map_or(20, |_| extent("Pair", &structs).0), 20, "round {round}:\n{text}");
    }
    assert!(written > 200 && compared > written, "{written} of 400 structs are written, with {compared} members");
}
