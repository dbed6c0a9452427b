//! Random functions over vectors, structs and arrays do the same in scalars.
//!
//! A function is a chain of segments: straight code, a selection or a loop, whose joins have parameters of any type. It returns a word made
//! from the last values of every type.

use std::fmt::Write;

use reconverge_lanes::scalarize;
use reconverge_testing::is_deep;
use reconverge_testing::programs::{check_equal, check_verified, functions, module};
use reconverge_testing::random::Random;

use crate::kernels::hold_scalar;

/// The types of values: the word first, then what is made of words.
const TYPES: [&str; 8] = ["%u32", "%v2", "%v3", "%v4", "%bool", "%b2", "%pair", "%pairs"];
const HEAD: &str = "\
%u16 = type_int 16, 0
%u64 = type_int 64, 0
%v2 = type_vector %u32, 2
%v3 = type_vector %u32, 3
%v4 = type_vector %u32, 4
%b2 = type_vector %bool, 2
%s4 = type_vector %u16, 4
%pair = type_struct %v2, %u32
%pairs = type_array %pair, %two
%words = type_struct %u32, %u32
%vectors = type_struct %v2, %v2
%memory = type_pointer Function, %pairs
%part = type_pointer Function, %v2
%fn = type_function %u32, %u32, %u32
%false: %bool = constant_false
%kv2: %v2 = constant_composite %ten, %three
%kv3: %v3 = constant_null
%kv4: %v4 = constant_composite %one, %two, %three, %ten
%kb2: %b2 = constant_composite %true, %false
%kpair: %pair = constant_composite %kv2, %two
%kpairs: %pairs = constant_composite %kpair, %kpair
";

struct Writer {
    random: Random,
    text: String,
    count: usize,
    /// The values that can be used, by type.
    values: [Vec<String>; TYPES.len()],
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let constants = ["%ten", "%kv2", "%kv3", "%kv4", "%true", "%kb2", "%kpair", "%kpairs"];
        let mut values = constants.map(|constant| vec![constant.to_owned()]);
        values[0].extend(["%x".to_owned(), "%y".to_owned()]);
        Writer { random: Random::new(seed), text: String::new(), count: 0, values }
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("%n{}", self.count)
    }

    /// A value of a type: one of the last.
    fn any(&mut self, ty: usize) -> String {
        let recent = self.values[ty].len().min(4);
        let index = self.values[ty].len() - 1 - self.random.below(recent);
        self.values[ty][index].clone()
    }

    /// Writes an instruction whose result may be used.
    fn value(&mut self, ty: usize, operation: &str) -> String {
        let name = self.unnamed(TYPES[ty], operation);
        self.values[ty].push(name.clone());
        name
    }

    fn unnamed(&mut self, ty: &str, operation: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.text, "  {name}: {ty} = {operation}");
        name
    }

    fn instruction(&mut self) {
        match self.random.below(20) {
            0..=5 => self.vector_instruction(),
            6..=11 => self.lanewise_instruction(),
            12..=16 => self.struct_instruction(),
            17 => self.wide_instruction(),
            _ => self.memory_instruction(),
        }
    }

    /// Moves components of vectors.
    fn vector_instruction(&mut self) {
        let width = self.random.between(2, 4);
        let (ty, at) = (width - 1, self.random.below(width));
        let (u, v, v2, v4) = (self.any(0), self.any(ty), self.any(1), self.any(3));
        match self.random.below(7) {
            0 => drop(self.value(3, &format!("composite_construct {u}, {v2}, {u}"))),
            1 => drop(self.value(0, &format!("composite_extract {v}, {at}"))),
            2 => drop(self.value(ty, &format!("composite_insert {u}, {v}, {at}"))),
            3 => {
                let picks: Vec<String> = (0..width).map(|_| self.random.below(width + 4).to_string()).collect();
                drop(self.value(ty, &format!("vector_shuffle {v}, {v4}, {}", picks.join(", "))));
            }
            4 => {
                let index = self.unnamed("%u32", &format!("u_mod {u}, %two"));
                drop(self.value(0, &format!("vector_extract_dynamic {v}, {index}")));
            }
            5 => {
                let index = self.unnamed("%u32", &format!("u_mod {u}, %two"));
                drop(self.value(ty, &format!("vector_insert_dynamic {v}, {u}, {index}")));
            }
            _ => {
                let long = self.unnamed("%u64", &format!("bitcast {v2}"));
                let short = self.unnamed("%s4", &format!("bitcast {long}"));
                drop(self.value(1, &format!("bitcast {short}")));
            }
        }
    }

    /// Computes component by component.
    fn lanewise_instruction(&mut self) {
        let ty = self.random.between(1, 3);
        let [v, w, v2, w2] = [ty, ty, 1, 1].map(|ty| self.any(ty));
        let (one, each) = (self.any(4), self.any(5));
        match self.random.below(5) {
            0 => {
                let op = *self.random.choose(&["i_add", "i_sub", "i_mul", "bitwise_xor"]);
                drop(self.value(ty, &format!("{op} {v}, {w}")));
            }
            1 => drop(self.value(5, &format!("u_less_than {v2}, {w2}"))),
            2 => drop(self.value(1, &format!("select {each}, {v2}, {w2}"))),
            3 => drop(self.value(ty, &format!("select {one}, {v}, {w}"))),
            _ => {
                let op = *self.random.choose(&["any", "all"]);
                drop(self.value(4, &format!("{op} {each}")));
            }
        }
    }

    fn struct_instruction(&mut self) {
        let (index, component) = (self.random.below(2), self.random.below(2));
        let [u, v2, condition, pair, other, pairs] = [0, 1, 4, 6, 6, 7].map(|ty| self.any(ty));
        match self.random.below(5) {
            0 => drop(self.value(6, &format!("composite_construct {v2}, {u}"))),
            1 => drop(self.value(7, &format!("composite_construct {pair}, {other}"))),
            2 => drop(self.value(1, &format!("composite_extract {pairs}, {index}, 0"))),
            3 => drop(self.value(7, &format!("composite_insert {u}, {pairs}, {index}, 0, {component}"))),
            _ => {
                let ty = self.random.between(6, 7);
                let (left, right) = (self.any(ty), self.any(ty));
                drop(self.value(ty, &format!("select {condition}, {left}, {right}")));
            }
        }
    }

    /// A result of two words, of words and of vectors.
    fn wide_instruction(&mut self) {
        let op = *self.random.choose(&["i_add_carry", "i_sub_borrow", "u_mul_extended", "s_mul_extended"]);
        let (index, [u, v2, w2]) = (self.random.below(2), [0, 1, 1].map(|ty| self.any(ty)));
        let words = self.unnamed("%words", &format!("{op} {u}, %ten"));
        self.value(0, &format!("composite_extract {words}, {index}"));
        let vectors = self.unnamed("%vectors", &format!("{op} {v2}, {w2}"));
        self.value(1, &format!("composite_extract {vectors}, {index}"));
    }

    fn memory_instruction(&mut self) {
        let (pairs, index) = (self.any(7), *self.random.choose(&["%zero", "%one"]));
        if self.random.chance(50) {
            let _ = writeln!(self.text, "  store %memory0, {pairs}");
            return;
        }
        let part = self.unnamed("%part", &format!("access_chain %memory0, {index}, %zero"));
        self.value(1, &format!("load {part}"));
        self.value(7, "load %memory0");
    }

    fn straight(&mut self) {
        (0..self.random.between(2, 8)).for_each(|_| self.instruction());
    }

    /// Two sides that hand a value of one type each to the join.
    fn selection(&mut self) {
        let (condition, ty, id) = (self.any(4), self.random.below(TYPES.len()), self.name().split_off(1));
        let _ = writeln!(self.text, "  if {condition} ^t{id} ^e{id} merge ^m{id} control 0");
        let outside = self.values.clone();
        for side in ["t", "e"] {
            let _ = writeln!(self.text, "block ^{side}{id}:");
            self.straight();
            let value = self.any(ty);
            let _ = writeln!(self.text, "  branch ^m{id}({value})");
            self.values = outside.clone();
        }
        let _ = writeln!(self.text, "block ^m{id}(%p{id}: {}):", TYPES[ty]);
        self.values[ty].push(format!("%p{id}"));
    }

    /// Three rounds with a value of one type from each to the next.
    fn repetition(&mut self) {
        let (ty, id) = (self.random.below(TYPES.len()), self.name().split_off(1));
        let (start, name) = (self.any(ty), TYPES[ty]);
        let _ = writeln!(self.text, "  loop ^h{id}({start}, %zero) break ^k{id} continue ^c{id} control 0");
        let _ = writeln!(self.text, "block ^h{id}(%p{id}: {name}, %i{id}: %u32):");
        self.values[ty].push(format!("%p{id}"));
        let _ = writeln!(self.text, "  %l{id}: %bool = u_less_than %i{id}, %three");
        let _ = writeln!(self.text, "  branch_if %l{id} ^b{id} ^o{id}");
        let _ = writeln!(self.text, "block ^b{id}:");
        let outside = self.values.clone();
        self.straight();
        let value = self.any(ty);
        let _ = writeln!(self.text, "  branch ^c{id}");
        let _ =
            writeln!(self.text, "block ^c{id}:\n  %j{id}: %u32 = i_add %i{id}, %one\n  branch ^h{id}({value}, %j{id})");
        let _ = writeln!(self.text, "edge ^o{id}:\n  branch ^k{id}(%p{id})\nblock ^k{id}(%q{id}: {name}):");
        self.values = outside;
        self.values[ty].push(format!("%q{id}"));
    }

    fn function(mut self) -> String {
        let _ =
            writeln!(self.text, "func %f: %u32 (%x: %u32, %y: %u32) type %fn control 0 stage structured {{\nblock ^a:");
        let _ = writeln!(self.text, "  %memory0: %memory = variable Function\n  store %memory0, %kpairs");
        for _ in 0..self.random.between(1, 6) {
            self.straight();
            match self.random.below(3) {
                0 => self.selection(),
                1 => self.repetition(),
                _ => {}
            }
        }
        let paths = ["", "0", "1", "2", "", "", "0, 1", "1, 0, 0"];
        let mut sum = self.any(0);
        for ty in [1, 2, 3, 6, 7] {
            let whole = self.values[ty].last().cloned().unwrap_or_default();
            let part = self.unnamed("%u32", &format!("composite_extract {whole}, {}", paths[ty]));
            let scaled = self.unnamed("%u32", &format!("i_mul {sum}, %three"));
            sum = self.unnamed("%u32", &format!("bitwise_xor {scaled}, {part}"));
        }
        let _ = writeln!(self.text, "  return_value {sum}\n}}");
        self.text
    }
}

#[test]
fn random_functions_do_the_same_in_scalars() {
    let count = if is_deep() { 20_000 } else { 400 };
    for seed in 0..count {
        let source = format!("{HEAD}{}", Writer::new(seed).function());
        let before = module(&source);
        check_verified(&before);
        let mut after = before.clone();
        let function = functions(&before)[0];
        scalarize(&mut after, function).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        check_verified(&after);
        hold_scalar(&after, &source);
        assert!(check_equal(&before, &after) > 0, "seed {seed}: nothing was run");
    }
}
