//! Kernels that call the functions: functions with the same types are in one kernel, which reads its operands once and stores one result after
//! the other.
//!
//! ```text
//! kernel void k7(global const int *pa, global const int *pb, global int *r) {
//!     size_t i = get_global_id(0);
//!     int4 a = vload4(i, pa), b = vload4(i, pb);
//!     { int4 v = max(a, b); vstore4(v, 0 * ITEMS + i, r); }
//!     …
//! ```

use std::collections::BTreeMap;
use std::fmt::Write;

use super::exact::WORD;
use super::number::{Number, Type};
use super::row::Row;
use crate::random::Random;

/// The work-items of a launch.
pub(super) const ITEMS: usize = 16;

/// The most components of the functions of a kernel: drivers take long for large ones.
const MOST: usize = 64;

/// The functions of one kernel, for operands of a number of components.
pub(super) struct Group {
    /// The name of the kernel.
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) rows: Vec<Row>,
}

/// A pointer that functions are given: to memory of the work-item, or to the first operands.
pub(super) struct Scratch {
    token: &'static str,
    /// The expression for it.
    value: &'static str,
    /// The declaration of its variable in the kernel.
    variable: &'static str,
    /// The parameter for it; none for local memory.
    parameter: &'static str,
    /// The content that the parameter points to.
    pub(super) content: Content,
}

/// The content that a parameter for functions points to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing: there is no parameter.
    None,
    /// Room for one value of the first operand's type for each work-item.
    Values,
    /// Room for as many `int`.
    Words,
    /// The first operands.
    Operands,
}

/// The pointers, in the order of their parameters.
pub(super) const SCRATCH: [Scratch; 5] = [
    Scratch {
        token: "$L",
        value: "(l + get_local_id(0))",
        variable: "    local $T l[8];\n",
        parameter: "",
        content: Content::None,
    },
    Scratch {
        token: "$J",
        value: "(j + get_local_id(0))",
        variable: "    local $I j[8];\n",
        parameter: "",
        content: Content::None,
    },
    Scratch { token: "$G", value: "(g + i)", variable: "", parameter: "global $T *g, ", content: Content::Values },
    Scratch { token: "$H", value: "(h + i)", variable: "", parameter: "global $I *h, ", content: Content::Words },
    Scratch { token: "$K", value: "k", variable: "", parameter: "constant $t *k, ", content: Content::Operands },
];

/// The key of groups: operands, result, the number of components of the result, whether functions are partial, and their kind.
type Key = (Vec<Type>, Type, usize, bool, &'static str);

/// The groups of the rows for operands of `count` components.
pub(super) fn groups(rows: &[Row], count: usize) -> Vec<Group> {
    let mut groups: BTreeMap<Key, Vec<Row>> = BTreeMap::new();
    for row in rows {
        if let Some(results) = row.result_count(count) {
            let key = (row.operands.clone(), row.result, results, row.is_partial, row.apart);
            groups.entry(key).or_default().push(row.clone());
        }
    }
    let most = (MOST / count).clamp(2, 8);
    let parts = groups.into_values().flat_map(|rows| rows.chunks(most).map(<[Row]>::to_vec).collect::<Vec<_>>());
    parts.enumerate().map(|(index, rows)| Group { name: format!("k{count}_{index}"), count, rows }).collect()
}

/// The type with this number of components.
pub(super) fn vector(ty: Type, count: usize) -> String {
    if count == 1 { ty.name().to_owned() } else { format!("{}{count}", ty.name()) }
}

impl Group {
    /// The number of components of the results.
    pub(super) fn results(&self) -> usize {
        self.rows[0].result_count(self.count).expect("invariant: the group has functions for this number of components")
    }

    /// Returns whether a function uses this pointer.
    pub(super) fn has(&self, pointer: &Scratch) -> bool {
        self.rows.iter().any(|row| row.text.contains(pointer.token))
    }

    /// The kernel as OpenCL C.
    pub(super) fn source(&self) -> String {
        let (first, count, results) = (&self.rows[0], self.count, self.results());
        let names = ["a", "b", "c"];
        let operands = || names.iter().zip(&first.operands);
        let mut text = format!("kernel void {}(", self.name);
        for (name, ty) in operands() {
            write!(text, "global const {} *p{name}, ", ty.name()).expect("a string takes everything");
        }
        let used: Vec<&Scratch> = SCRATCH.iter().filter(|pointer| self.has(pointer)).collect();
        used.iter().for_each(|pointer| text += &self.typed(pointer.parameter, first));
        writeln!(text, "global {} *r) {{\n    size_t i = get_global_id(0);", first.result.name())
            .expect("a string takes everything");
        used.iter().for_each(|pointer| text += &self.typed(pointer.variable, first));
        for (name, &ty) in operands() {
            let loaded = if count == 1 { format!("p{name}[i]") } else { format!("vload{count}(i, p{name})") };
            writeln!(text, "    {} {name} = {loaded};", vector(ty, count)).expect("a string takes everything");
        }
        for (index, row) in self.rows.iter().enumerate() {
            let place = index * ITEMS;
            let stored = match results {
                1 => format!("r[{place} + i] = v"),
                _ => format!("vstore{results}(v, {place} + i, r)"),
            };
            let (result, call) = (vector(row.result, results), self.call(row));
            writeln!(text, "    {{ {result} v = {call}; {stored}; }}").expect("a string takes everything");
        }
        text + "}\n"
    }

    fn call(&self, row: &Row) -> String {
        let text = SCRATCH.iter().fold(row.text.clone(), |text, pointer| text.replace(pointer.token, pointer.value));
        self.typed(&text, row)
    }

    /// A text with the names of types in it.
    fn typed(&self, text: &str, row: &Row) -> String {
        let (operand, count) = (row.operand(), self.count);
        let text = text.replace("$T", &vector(operand, count)).replace("$R", &vector(row.result, self.results()));
        let text = text.replace("$I", &vector(WORD, count)).replace("$U", &vector(operand.as_unsigned(), count));
        text.replace("$t", operand.name())
            .replace("$r", row.result.name())
            .replace("$N", &if count == 1 { String::new() } else { count.to_string() })
    }

    /// The operands of every work-item: edges of the types, in all kinds of combination, and random values.
    pub(super) fn operands(&self, random: &mut Random) -> Vec<Vec<Vec<Number>>> {
        (0..ITEMS).map(|_| self.operands_of_an_item(random)).collect()
    }

    fn operands_of_an_item(&self, random: &mut Random) -> Vec<Vec<Number>> {
        let first = &self.rows[0];
        let mut operands = vec![Vec::new(); first.operands.len()];
        while operands[0].len() < self.count {
            let values: Vec<Number> = first.operands.iter().map(|&ty| operand(ty, random)).collect();
            let is_open = |row: &Row| {
                row.wanted(&values.iter().map(|&value| vec![value]).collect::<Vec<_>>())
                    .contains(&super::row::Wanted::Any)
            };
            if !first.is_partial || !self.rows.iter().any(is_open) {
                operands.iter_mut().zip(values).for_each(|(operand, value)| operand.push(value));
            }
        }
        operands
    }
}

/// An operand: an edge of the type, a small number, or any bits.
pub(super) fn operand(ty: Type, random: &mut Random) -> Number {
    match ty {
        Type::Int { .. } => Number::Int(match random.below(10) {
            0..5 => {
                let edges = [
                    0,
                    1,
                    -1,
                    2,
                    -2,
                    ty.least(),
                    ty.least() + 1,
                    ty.greatest(),
                    ty.greatest() - 1,
                    127,
                    128,
                    -128,
                    -129,
                ];
                ty.wrap(edges[random.below(edges.len())])
            }
            5..8 => ty.wrap(random.below(64) as i128 - 32),
            _ => ty.wrap(i128::from(random.word())),
        }),
        Type::Float { .. } => Number::Float(match random.below(10) {
            0..5 => float_edge(ty, random),
            5..8 => {
                let value = (random.below(1 << 20) as f64 - f64::from(1 << 19)) / f64::from(1 << 14);
                ty.round(value, super::number::Rounding::Nearest)
            }
            _ => match ty.read(&random.word().to_le_bytes()) {
                Number::Float(value) => value,
                Number::Int(value) => value as f64,
            },
        }),
    }
}

fn float_edge(ty: Type, random: &mut Random) -> f64 {
    let tiny = ty.ulp(0.0);
    let edges = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        3.5,
        1.0 - ty.ulp(0.75),
        1.0 + ty.ulp(1.0),
        127.5,
        128.5,
        254.5,
        255.5,
        ty.round(32767.5, super::number::Rounding::Zero),
        ty.round(65504.0, super::number::Rounding::Zero),
        ty.round(2147483648.0, super::number::Rounding::Zero),
        ty.greatest_float(),
        ty.least_normal(),
        ty.least_normal() - tiny,
        tiny,
        f64::INFINITY,
        f64::NAN,
    ];
    let edge = edges[random.below(edges.len())];
    if random.chance(40) { -edge } else { edge }
}
