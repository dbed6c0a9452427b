//! Operations on memory that work-items share: barriers and fences (OpenCL C 3.0, sections 6.15.8 and 6.15.9), and atomic functions of all
//! work-items of a group or of the launch on one object (6.15.12).

use super::case::{Case, Sizes, integers};
use super::judge::LOCAL;
use super::number::{Number, Type};
use super::row::Wanted;
use super::source::ITEMS;

const INT: Type = Type::Int { is_signed: true, bits: 32 };

/// Every kernel.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![barriers(), broadcasts()];
    for bits in [32, 64] {
        cases.extend([true, false].map(|is_signed| contended(Type::Int { is_signed, bits })));
    }
    cases
}

/// Each barrier orders a store before the loads of other work-items; fences leave values as they are.
const BARRIERS: [&str; 6] = [
    "barrier(CLK_LOCAL_MEM_FENCE)",
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
    "work_group_barrier(CLK_LOCAL_MEM_FENCE)",
    "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)",
    "work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device)",
    "{ mem_fence(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_GLOBAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE);
      sub_group_barrier(CLK_LOCAL_MEM_FENCE); sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);
      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
      barrier(CLK_LOCAL_MEM_FENCE); }",
];

fn barriers() -> Case {
    let mut source = format!(
        "kernel void barriers(global const int *a, global int *r) {{
    local int l[{LOCAL}];
    size_t i = get_global_id(0), at = get_local_id(0);\n"
    );
    for (index, barrier) in BARRIERS.iter().enumerate() {
        let (place, other) = (index * ITEMS, LOCAL - 1);
        source += &format!(
            "    l[at] = a[i] + {index}; {barrier}; r[{place} + i] = l[{other} - at]; barrier(CLK_LOCAL_MEM_FENCE);\n"
        );
    }
    let group = |item: usize| item / LOCAL as usize * LOCAL as usize;
    let mirrored = move |item: usize| (group(item) + LOCAL as usize - 1 - (item - group(item))) as i128;
    let wanted = move || {
        (0..BARRIERS.len()).flat_map(move |index| (0..ITEMS).map(move |item| mirrored(item) * 3 + index as i128))
    };
    case("barriers", "barriers and fences", source, BARRIERS.len() * ITEMS, move || integers(wanted()))
}

fn case(name: &str, what: &str, source: String, count: usize, wanted: impl Fn() -> Vec<Wanted> + 'static) -> Case {
    Case {
        name: name.to_owned(),
        what: what.to_owned(),
        source: source + "}\n",
        inputs: vec![(INT, (0..ITEMS).map(|item| Number::Int(item as i128 * 3)).collect())],
        output: (INT, count),
        before: Vec::new(),
        sizes: Sizes::LINE,
        definition: Box::new(move |_| wanted()),
    }
}

/// Broadcasts in two and three dimensions: of the work-item with these local ids.
fn broadcasts() -> Case {
    let source = "kernel void broadcasts(global const int *a, global int *r) {
    size_t i = get_global_linear_id();
    r[i] = work_group_broadcast(a[i], 1, 1, 0);
    r[16 + i] = work_group_broadcast(a[i], 0, 1, 1);\n"
        .to_owned();
    let sizes = Sizes { global: [4, 2, 2], local: [2, 2, 2], offset: [0; 3], dimensions: 3 };
    let of =
        |x: usize, y: usize, z: usize| (0..ITEMS).map(move |item| ((z * 2 + y) * 4 + item % 4 / 2 * 2 + x) as i128 * 3);
    let wanted = move || integers(of(1, 1, 0).chain(of(0, 1, 1)));
    let what = "work_group_broadcast in three dimensions";
    Case { sizes, ..case("broadcasts", what, source, 2 * ITEMS, wanted) }
}

/// A function of all work-items on one object, the value before, and the value after; operands are the numbers of the work-items from 1.
type Contended = (&'static str, i128, fn(i128) -> i128);

const CONTENDED: [Contended; 9] = [
    ("atomic_fetch_add(p, i + 1)", 100, |count| 100 + count * (count + 1) / 2),
    ("atomic_fetch_sub(p, i + 1)", 1000, |count| 1000 - count * (count + 1) / 2),
    ("atomic_fetch_or(p, (T)1 << i)", 0, |count| (1 << count) - 1),
    ("atomic_fetch_and(p, ~((T)1 << i))", 0x1ffff, |count| 0x1ffff & !((1 << count) - 1)),
    ("atomic_fetch_xor(p, (T)3 << i)", 0, |count| 1 ^ (1 << count)),
    ("atomic_fetch_min(p, 50 - i)", 99, |count| 50 - (count - 1)),
    ("atomic_fetch_max(p, 50 + i)", 1, |count| 50 + (count - 1)),
    ("{ T e = atomic_load(p); while (!atomic_compare_exchange_weak(p, &e, e + 2)); }", 5, |count| 5 + 2 * count),
    ("{ T e = atomic_load(p); while (!atomic_compare_exchange_strong(p, &e, e * 3 + 1)); }", 0, |count| {
        (0..count).fold(0, |value, _| value * 3 + 1)
    }),
];

/// Functions of all work-items on one object in global memory, and of those of a group on one in local memory. The results of the groups
/// are after the objects in global memory.
fn contended(ty: Type) -> Case {
    let (name, functions) = (format!("contended_{}", ty.name()), CONTENDED.len());
    let mut source = format!("#undef T\n#define T {0}\nkernel void {name}(global atomic_{0} *g) {{\n", ty.name());
    source += &format!("    local atomic_{} l[{functions}];\n    if (get_local_id(0) == 0) {{\n", ty.name());
    for (index, (_, before, _)) in CONTENDED.iter().enumerate() {
        source += &format!("        atomic_init(l + {index}, {before});\n");
    }
    source += "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n";
    for (space, base, number) in [("global", "g", "get_global_id(0)"), ("local", "l", "get_local_id(0)")] {
        let object = format!("volatile {space} atomic_{} *p = {base}", ty.name());
        for (index, (call, _, _)) in CONTENDED.iter().enumerate() {
            source += &format!("    {{ {object} + {index}; T i = {number}; {call}; }}\n");
        }
    }
    source += "    barrier(CLK_LOCAL_MEM_FENCE);\n";
    source += &format!("    for (int n = get_local_id(0); n < {functions}; n += {LOCAL})\n");
    source += &format!("        atomic_store(g + (get_group_id(0) + 1) * {functions} + n, atomic_load(l + n));\n}}\n");
    let groups = ITEMS / LOCAL as usize;
    let after = |count: usize| CONTENDED.iter().map(move |&(_, _, after)| after(count as i128));
    Case {
        name,
        what: format!("atomic functions of many work-items on {}", ty.name()),
        source,
        inputs: Vec::new(),
        output: (ty, (groups + 1) * functions),
        before: CONTENDED.iter().map(|&(_, before, _)| Number::Int(before)).collect(),
        sizes: Sizes::LINE,
        definition: Box::new(move |_| integers(after(ITEMS).chain((0..groups).flat_map(|_| after(LOCAL as usize))))),
    }
}
