//! Random programs that treat memory as bytes: structs, arrays and vectors that are written as one thing and read as another.
//!
//! Each function gets a number and a buffer in global memory. It fills its variables, does things to them in straight lines, branches
//! and loops, mixes what it reads into a sum, and at the end writes all variables to the buffer and returns the sum.

use reconverge_interpret::{Argument, End, Interpreter, Launch, Outcome, Value, no_externals};
use reconverge_ir::{Function, Module};
use reconverge_testing::random::Random;

/// What the programs begin with. `%table` holds 160 defined bytes.
const TYPES: &str = "\
capability Kernel
capability Addresses
memory_model Physical64, OpenCL
%bool = type_bool
%i8 = type_int 8, 0
%i16 = type_int 16, 0
%i64 = type_int 64, 0
%f32 = type_float 32
%f64 = type_float 64
%v2i32 = type_vector %i32, 2
%v4i32 = type_vector %i32, 4
%v2f32 = type_vector %f32, 2
%v4i8 = type_vector %i8, 4
%v2i16 = type_vector %i16, 2
%words = type_array %i32, %c4
%bytes = type_array %i8, %c16
%mixed = type_struct %i32, %f32, %i8, %i16, %i64
%nested = type_struct %v2f32, %mixed, %words
%lanes = type_array %v2i32, %c2
%table_type = type_array %i32, %c40
%global = type_pointer CrossWorkgroup, %i8
%holder = type_struct %global, %i32
%global_i32 = type_pointer CrossWorkgroup, %i32
%table_pointer = type_pointer UniformConstant, %table_type
%constant_i8 = type_pointer UniformConstant, %i8
";

/// The scalars and vectors that are read and written, with their sizes.
const LEAVES: [(&str, u64); 12] = [
    ("i8", 1),
    ("i16", 2),
    ("i32", 4),
    ("i32", 4),
    ("i64", 8),
    ("f32", 4),
    ("f64", 8),
    ("v2i32", 8),
    ("v4i32", 16),
    ("v2f32", 8),
    ("v4i8", 4),
    ("v2i16", 4),
];

/// A way down to a leaf of a type.
type Path = (&'static [u32], &'static str);

/// The types of variables, with their sizes, and the paths to leaves of them.
const AGGREGATES: [(&str, u64, &[Path]); 7] = [
    ("words", 16, &[(&[0], "i32"), (&[1], "i32"), (&[3], "i32")]),
    ("bytes", 16, &[(&[0], "i8"), (&[5], "i8"), (&[15], "i8")]),
    ("mixed", 24, &[(&[0], "i32"), (&[1], "f32"), (&[2], "i8"), (&[3], "i16"), (&[4], "i64")]),
    ("nested", 48, &[(&[0], "v2f32"), (&[1, 1], "f32"), (&[1, 4], "i64"), (&[2, 2], "i32"), (&[0, 1], "f32")]),
    ("v4i32", 16, &[(&[2], "i32"), (&[], "v4i32")]),
    ("lanes", 16, &[(&[0], "v2i32"), (&[1, 1], "i32")]),
    ("i64", 8, &[(&[], "i64")]),
];

/// How much of what is risky a program has.
#[derive(Clone, Copy)]
pub(crate) struct Taste {
    /// Percent of variables that are not filled at the start.
    pub(crate) unfilled: usize,
    /// Percent of statements that index by something that is not constant.
    pub(crate) dynamic: usize,
}

/// A random program of one function.
pub(crate) fn program(seed: u64, taste: Taste) -> String {
    let mut writer = Writer { random: Random::new(seed), taste, out: String::new(), next: 0, variables: Vec::new() };
    writer.write();
    let mut head = "%i32 = type_int 32, 0\n".to_owned();
    for number in 0..=300 {
        head += &format!("%c{number}: %i32 = constant {number}\n");
    }
    head += TYPES;
    let aggregates = AGGREGATES.iter().map(|aggregate| aggregate.0);
    let mut names: Vec<&str> = LEAVES.iter().map(|leaf| leaf.0).chain(aggregates).chain(["holder", "global"]).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        head += &format!("%p_{name} = type_pointer Function, %{name}\n%null_{name}: %{name} = constant_null\n");
    }
    let rows: Vec<String> = (0..40_u32).map(|row| format!("%t{row}")).collect();
    for row in 0..40_u32 {
        head += &format!("%t{row}: %i32 = constant {}\n", row.wrapping_mul(0x9E37_79B9) | 0x0101_0101);
    }
    head += &format!("%rows: %table_type = constant_composite {}\n", rows.join(", "));
    head += "%some_words: %words = constant_composite %c1, %c2, %c3, %c4\n";
    head += "%table: %table_pointer = variable UniformConstant, %rows\n";
    head + &writer.out
}

struct Writer {
    random: Random,
    taste: Taste,
    out: String,
    next: usize,
    /// Name, type and size.
    variables: Vec<(String, &'static str, u64)>,
}

impl Writer {
    fn write(&mut self) {
        self.line("func %f: %i32 (%n: %i32, %out: %global) {");
        self.line("block ^entry:");
        let count = self.random.between(2, 6);
        for index in 0..count {
            let &(ty, size, _) = self.random.choose(&AGGREGATES);
            let initializer = if self.random.chance(20) { format!(", %null_{ty}") } else { String::new() };
            self.variables.push((format!("v{index}"), ty, size));
            self.line(&format!("%v{index}: %p_{ty} = variable Function{initializer}"));
        }
        self.line("%sum: %p_i32 = variable Function");
        self.line("%holder_variable: %p_holder = variable Function");
        self.line("%count: %p_i32 = variable Function");
        self.line("store %sum, %n");
        for index in 0..count {
            if !self.random.chance(self.taste.unfilled) {
                let (source, size) = (self.table(), self.variables[index].2);
                self.copy(&format!("%v{index}"), &source, size);
            }
        }
        let length = self.random.between(4, 14);
        self.statements(length, 0);
        let mut place = 0;
        for (name, _, size) in self.variables.clone() {
            let target = self.fresh();
            self.line(&format!("{target}: %global = in_bounds_ptr_access_chain %out, %c{place}"));
            self.copy(&target, &format!("%{name}"), size);
            place += size;
        }
        self.line("%result: %i32 = load %sum");
        self.line("return_value %result");
        self.line("}");
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%x{}", self.next)
    }

    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.random.below(if depth < 2 { 13 } else { 11 }) {
                0..=2 => self.write_leaf(),
                3..=5 => self.read_leaf(),
                6 => self.copy_between(),
                7 => self.copy_constants(),
                8 => self.whole(),
                9 => self.pointer_through_memory(),
                10 => self.lifetime(),
                11 => self.branch(depth),
                _ => self.repeat(depth),
            }
        }
    }

    /// A pointer to a leaf of a variable: by members, or by bytes and a cast.
    fn place(&mut self) -> (String, &'static str) {
        let (name, ty, size) = self.random.choose(&self.variables).clone();
        let pointer = self.fresh();
        if self.random.chance(self.taste.dynamic) && ty == "words" {
            let (index, masked) = (self.fresh(), self.fresh());
            self.line(&format!("{index}: %i32 = load %sum"));
            self.line(&format!("{masked}: %i32 = bitwise_and {index}, %c3"));
            self.line(&format!("{pointer}: %p_i32 = in_bounds_access_chain %{name}, {masked}"));
            return (pointer, "i32");
        }
        if self.random.chance(50) {
            let paths = AGGREGATES.iter().find(|aggregate| aggregate.0 == ty).expect("it is one of them").2;
            let &(path, leaf) = self.random.choose(paths);
            if path.is_empty() {
                return (format!("%{name}"), leaf);
            }
            let indices: Vec<String> = path.iter().map(|index| format!("%c{index}")).collect();
            let op = *self.random.choose(&["in_bounds_access_chain", "in_bounds_ptr_access_chain"]);
            let first = if op == "in_bounds_ptr_access_chain" { "%c0, " } else { "" };
            self.line(&format!("{pointer}: %p_{leaf} = {op} %{name}, {first}{}", indices.join(", ")));
            return (pointer, leaf);
        }
        let &(leaf, bytes) = loop {
            let leaf = self.random.choose(&LEAVES);
            if leaf.1 <= size {
                break leaf;
            }
        };
        let steps = (size - bytes) / bytes;
        // Half the time at a multiple of its size, which is what programs do.
        let offset = match self.random.chance(70) {
            true => self.random.below(steps as usize + 1) as u64 * bytes,
            false => self.random.below((size - bytes) as usize + 1) as u64,
        };
        let (as_bytes, moved) = (self.fresh(), self.fresh());
        self.line(&format!("{as_bytes}: %p_i8 = bitcast %{name}"));
        self.line(&format!("{moved}: %p_i8 = ptr_access_chain {as_bytes}, %c{offset}"));
        self.line(&format!("{pointer}: %p_{leaf} = bitcast {moved}"));
        (pointer, leaf)
    }

    fn write_leaf(&mut self) {
        let (pointer, leaf) = self.place();
        let sum = self.fresh();
        self.line(&format!("{sum}: %i32 = load %sum"));
        let value = self.value_of(&sum, leaf);
        let aligned = if self.random.chance(30) { ", 2, 1" } else { "" };
        self.line(&format!("store {pointer}, {value}{aligned}"));
    }

    fn read_leaf(&mut self) {
        let (pointer, leaf) = self.place();
        let value = self.fresh();
        self.line(&format!("{value}: %{leaf} = load {pointer}"));
        let word = self.word_of(&value, leaf);
        self.mix(&word);
    }

    /// `sum = sum * 5 ^ word`
    fn mix(&mut self, word: &str) {
        let (old, scaled, new) = (self.fresh(), self.fresh(), self.fresh());
        self.line(&format!("{old}: %i32 = load %sum"));
        self.line(&format!("{scaled}: %i32 = i_mul {old}, %c5"));
        self.line(&format!("{new}: %i32 = bitwise_xor {scaled}, {word}"));
        self.line(&format!("store %sum, {new}"));
    }

    /// A value of a leaf type, made from a word.
    fn value_of(&mut self, word: &str, leaf: &str) -> String {
        let value = self.fresh();
        match leaf {
            "i32" => return word.to_owned(),
            "i8" | "i16" | "i64" => self.line(&format!("{value}: %{leaf} = u_convert {word}")),
            "f64" => {
                let wide = self.fresh();
                self.line(&format!("{wide}: %i64 = u_convert {word}"));
                self.line(&format!("{value}: %f64 = bitcast {wide}"));
            }
            "f32" | "v4i8" | "v2i16" => self.line(&format!("{value}: %{leaf} = bitcast {word}")),
            "v2i32" | "v4i32" => {
                let other = self.fresh();
                self.line(&format!("{other}: %i32 = i_add {word}, %c7"));
                let rest = if leaf == "v4i32" { format!(", {other}, {word}") } else { String::new() };
                self.line(&format!("{value}: %{leaf} = composite_construct {word}, {other}{rest}"));
            }
            _ => {
                let pair = self.value_of(word, "v2i32");
                self.line(&format!("{value}: %{leaf} = bitcast {pair}"));
            }
        }
        value
    }

    /// A word that all bytes of a value of a leaf type go into.
    fn word_of(&mut self, value: &str, leaf: &str) -> String {
        let word = self.fresh();
        match leaf {
            "i32" => return value.to_owned(),
            "i8" | "i16" => self.line(&format!("{word}: %i32 = u_convert {value}")),
            "f32" | "v4i8" | "v2i16" => self.line(&format!("{word}: %i32 = bitcast {value}")),
            "v4i32" => {
                self.line(&format!("{word}: %i32 = composite_extract {value}, 1"));
                for lane in [0, 2, 3] {
                    let part = self.fresh();
                    self.line(&format!("{part}: %i32 = composite_extract {value}, {lane}"));
                    self.mix(&part);
                }
            }
            _ => {
                let pair = self.fresh();
                self.line(&format!(
                    "{pair}: %v2i32 = {} {value}",
                    if leaf == "v2i32" { "copy_object" } else { "bitcast" }
                ));
                let first = self.fresh();
                self.line(&format!("{first}: %i32 = composite_extract {pair}, 0"));
                self.mix(&first);
                self.line(&format!("{word}: %i32 = composite_extract {pair}, 1"));
            }
        }
        word
    }

    fn copy(&mut self, target: &str, source: &str, size: u64) {
        self.line(&format!("copy_memory_sized {target}, {source}, %c{size}, 2, 1"));
    }

    /// A pointer into the constant table.
    fn table(&mut self) -> String {
        let (base, moved) = (self.fresh(), self.fresh());
        let offset = self.random.below(28) * 4 % 64;
        self.line(&format!("{base}: %constant_i8 = bitcast %table"));
        self.line(&format!("{moved}: %constant_i8 = ptr_access_chain {base}, %c{offset}"));
        moved
    }

    /// Some bytes of a variable.
    fn part(&mut self, size: u64) -> Option<(String, usize)> {
        let fitting: Vec<usize> = (0..self.variables.len()).filter(|&index| self.variables[index].2 >= size).collect();
        if fitting.is_empty() {
            return None;
        }
        let index = *self.random.choose(&fitting);
        let (name, _, whole) = self.variables[index].clone();
        let offset = self.random.below((whole - size) as usize + 1) as u64 / 4 * 4;
        let (base, moved) = (self.fresh(), self.fresh());
        self.line(&format!("{base}: %p_i8 = bitcast %{name}"));
        self.line(&format!("{moved}: %p_i8 = in_bounds_ptr_access_chain {base}, %c{offset}"));
        Some((moved, index))
    }

    fn copy_between(&mut self) {
        let size = *self.random.choose(&[4, 8, 12, 16, 24]);
        let (Some(target), Some(source)) = (self.part(size), self.part(size)) else { return };
        let same = self.variables[target.1].1 == self.variables[source.1].1;
        if target.1 == source.1 {
            return;
        }
        if same && self.random.chance(40) {
            let (target, source) = (self.variables[target.1].0.clone(), self.variables[source.1].0.clone());
            return self.line(&format!("copy_memory %{target}, %{source}"));
        }
        self.copy(&target.0, &source.0, size);
    }

    fn copy_constants(&mut self) {
        let size = *self.random.choose(&[4, 8, 16, 20]);
        if let Some((target, _)) = self.part(size) {
            let source = self.table();
            self.copy(&target, &source, size);
        }
    }

    /// A whole aggregate is stored, or loaded and stored elsewhere, or loaded and taken apart.
    fn whole(&mut self) {
        let (name, ty, _) = self.random.choose(&self.variables).clone();
        match self.random.below(4) {
            0 => self.line(&format!("store %{name}, %null_{ty}")),
            1 if ty == "words" => self.line(&format!("store %{name}, %some_words")),
            _ => {
                let value = self.fresh();
                self.line(&format!("{value}: %{ty} = load %{name}"));
                let same: Vec<_> = self.variables.iter().filter(|other| other.1 == ty).cloned().collect();
                let target = self.random.choose(&same).0.clone();
                self.line(&format!("store %{target}, {value}"));
                let paths = AGGREGATES.iter().find(|aggregate| aggregate.0 == ty).expect("it is one of them").2;
                let &(path, leaf) = self.random.choose(paths);
                let part = match path {
                    [] => value,
                    _ => {
                        let part = self.fresh();
                        let path: Vec<String> = path.iter().map(u32::to_string).collect();
                        self.line(&format!("{part}: %{leaf} = composite_extract {value}, {}", path.join(", ")));
                        part
                    }
                };
                let word = self.word_of(&part, leaf);
                self.mix(&word);
            }
        }
    }

    /// The buffer's address goes through memory and is used again.
    fn pointer_through_memory(&mut self) {
        let names: [String; 6] = std::array::from_fn(|_| self.fresh());
        let [member, back, other, moved, word, number] = names;
        self.line(&format!("{member}: %p_global = in_bounds_access_chain %holder_variable, %c0"));
        self.line(&format!("store {member}, %out"));
        self.line(&format!("{back}: %p_holder = copy_object %holder_variable"));
        self.line(&format!("{other}: %p_global = bitcast {back}"));
        self.line(&format!("{moved}: %global = load {other}"));
        self.line(&format!("{word}: %global_i32 = bitcast {moved}"));
        self.line(&format!("{number}: %i32 = load {word}"));
        self.mix(&number);
    }

    fn lifetime(&mut self) {
        if self.random.chance(self.taste.unfilled) {
            let name = self.random.choose(&self.variables).0.clone();
            let op = *self.random.choose(&["lifetime_start", "lifetime_stop"]);
            self.line(&format!("{op} %{name}, 0"));
        }
    }

    fn label(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn condition(&mut self) -> String {
        let (sum, bit, condition) = (self.fresh(), self.fresh(), self.fresh());
        self.line(&format!("{sum}: %i32 = load %sum"));
        self.line(&format!("{bit}: %i32 = bitwise_and {sum}, %c{}", self.next % 7 + 1));
        self.line(&format!("{condition}: %bool = i_equal {bit}, %c0"));
        condition
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        let label = self.label();
        self.line(&format!("branch_if {condition} ^then{label} ^else{label}"));
        self.line(&format!("block ^then{label}:"));
        let count = self.random.between(1, 4);
        self.statements(count, depth + 1);
        self.line(&format!("branch ^join{label}"));
        self.line(&format!("block ^else{label}:"));
        let count = self.random.below(3);
        self.statements(count, depth + 1);
        self.line(&format!("branch ^join{label}"));
        self.line(&format!("block ^join{label}:"));
    }

    /// A loop of three rounds.
    fn repeat(&mut self, depth: usize) {
        if depth > 0 {
            return;
        }
        let label = self.label();
        self.line("store %count, %c0");
        self.line(&format!("branch ^head{label}"));
        self.line(&format!("block ^head{label}:"));
        let count = self.random.between(1, 4);
        self.statements(count, depth + 1);
        let [old, new, more] = std::array::from_fn(|_| self.fresh());
        self.line(&format!("{old}: %i32 = load %count"));
        self.line(&format!("{new}: %i32 = i_add {old}, %c1"));
        self.line(&format!("store %count, {new}"));
        self.line(&format!("{more}: %bool = u_less_than {new}, %c3"));
        self.line(&format!("branch_if {more} ^again{label} ^done{label}"));
        self.line(&format!("edge ^again{label}:"));
        self.line(&format!("branch ^head{label}"));
        self.line(&format!("block ^done{label}:"));
    }
}

/// Runs both versions from a few starts. What was defined before must be the same after. How many bytes were compared.
pub(crate) fn compare(before: &Module, after: &Module, function: Function) -> Result<usize, String> {
    let versions = [Interpreter::new(before), Interpreter::new(after)];
    let mut compared = 0;
    for start in [0_u32, 1, 6, 0xDEAD_BEEF] {
        let launch = Launch {
            arguments: vec![Value::u32(start).into(), Argument::Buffer(0)],
            buffers: vec![(0..512).map(|byte| byte as u8 ^ start as u8).collect()],
            ..Launch::default()
        };
        let run = |version: &Interpreter<'_>| {
            version.run(function, &launch, &mut no_externals).map_err(|error| error.to_string())
        };
        let (old, new) = (run(&versions[0])?, run(&versions[1])?);
        compared += compare_outcomes(&old, &new).map_err(|message| format!("from {start}: {message}"))?;
    }
    Ok(compared)
}

fn compare_outcomes(old: &Outcome, new: &Outcome) -> Result<usize, String> {
    let returned = match (&old.only().end, &new.only().end) {
        (End::Undefined { .. }, _) => return Ok(0),
        (End::Returned(Some(Value::Undefined)), End::Returned(Some(_))) => 0,
        (End::Returned(left), End::Returned(right)) if left == right => 4,
        (left, right) => return Err(format!("{left:?}, now {right:?}")),
    };
    let (old, new) = (&old.buffers[0], &new.buffers[0]);
    let mut compared = returned;
    for index in 0..old.bytes.len() {
        if old.defined[index] {
            if !new.defined[index] || old.bytes[index] != new.bytes[index] {
                return Err(format!(
                    "byte {index} was {}, now {} ({})",
                    old.bytes[index], new.bytes[index], new.defined[index]
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}
