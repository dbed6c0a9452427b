//! Values chosen by the condition of a branch whose ways go to one block.

use reconverge_ir::Op;
use reconverge_restructure::Options;
use reconverge_testing::programs::{
    count, flat, hold_verified, module, plain_module, structurized, structurized_alone, structurized_with,
};

/// Both ways of a branch go to one block, with another argument each.
fn both_ways(ty: &str, left: &str, right: &str, result: &str) -> String {
    format!(
        "block ^entry:
           {left}
           {right}
           branch_if %c ^l ^r
         edge ^l:
           branch ^m(%left)
         edge ^r:
           branch ^m(%right)
         block ^m(%p: {ty}):
           {result}
         }}"
    )
}

#[test]
fn scalars() {
    let body = both_ways("%u32", "%left: %u32 = i_add %n, %one", "%right: %u32 = i_mul %n, %two", "return_value %p");
    let after = structurized(&module(&format!("func %f: %u32 (%n: %u32, %c: %bool) {{\n{body}")));
    assert_eq!(count(&after, Op::Select), 1);
}

#[test]
fn vectors_take_a_vector_of_conditions() {
    let body = both_ways(
        "%v3",
        "%left: %v3 = composite_construct %n, %one, %two",
        "%right: %v3 = composite_construct %two, %n, %n",
        "%x: %u32 = composite_extract %p, 1
         return_value %x",
    );
    let after =
        structurized(&module(&format!("%v3 = type_vector %u32, 3\nfunc %f: %u32 (%n: %u32, %c: %bool) {{\n{body}")));
    assert_eq!((count(&after, Op::Select), count(&after, Op::CompositeConstruct)), (1, 3));
}

#[test]
fn composites_are_chosen_member_by_member() {
    let types = "%v2 = type_vector %f32, 2\n%m2 = type_matrix %v2, 2\n%pair = type_array %u32, %two\n\
                 %thing = type_struct %m2, %pair, %bool\n%half: %f32 = constant 0x3f000000\n";
    let make = |name: &str, number: &str| {
        format!(
            "%{name}v: %v2 = composite_construct %half, %half
             %{name}m: %m2 = composite_construct %{name}v, %{name}v
             %{name}p: %pair = composite_construct {number}, %n
             %{name}: %thing = composite_construct %{name}m, %{name}p, %c"
        )
    };
    let result = "%x: %u32 = composite_extract %p, 1, 0\nreturn_value %x";
    let body = both_ways("%thing", &make("left", "%one"), &make("right", "%n"), result);
    let after = structurized(&module(&format!("{types}func %f: %u32 (%n: %u32, %c: %bool) {{\n{body}")));
    // Two columns, two numbers, one bool.
    assert_eq!(count(&after, Op::Select), 5);
}

#[test]
fn an_array_of_unknown_length_is_not_taken_apart() {
    let types = "%length: %u32 = spec_constant 2\n%list = type_array %u32, %length\n%first: %list = constant_null\n";
    let before = module(&format!(
        "{types}func %f: %u32 (%other: %list, %c: %bool) {{
         block ^entry:
           branch_if %c ^l ^r
         edge ^l:
           branch ^m(%first)
         edge ^r:
           branch ^m(%other)
         block ^m(%p: %list):
           %x: %u32 = composite_extract %p, 0
           return_value %x
         }}"
    ));
    let after = structurized_alone(&before, &Options::default());
    assert_eq!((count(&after, Op::Select), count(&after, Op::CompositeConstruct)), (1, 0));
}

/// A switch over `ty` whose rows go to two joins with other arguments on each row, from two sides.
fn switch_rows(ty: &str, rows: [&str; 3]) -> String {
    let [a, b, c] = rows;
    format!(
        "%s = type_int {ty}
         func %f: %u32 (%v: %s, %n: %u32) {{
         block ^entry:
           switch %v default ^d [{a} ^one_way] [{b} ^other_way] [{c} ^third_way]
         edge ^d:
           branch ^m(%zero)
         edge ^one_way:
           branch ^m(%one)
         edge ^other_way:
           branch ^m(%ten)
         edge ^third_way:
           branch ^m(%n)
         block ^m(%p: %u32):
           return_value %p
         }}"
    )
}

#[test]
fn switch_literals_of_every_width() {
    let rows = [
        ("8, 0", ["1", "2", "3"]),
        ("8, 1", ["1", "2", "3"]),
        ("16, 0", ["1", "2", "4"]),
        ("32, 0", ["0", "1", "2"]),
        ("64, 0", ["words(1, 0)", "words(2, 0)", "words(4, 0)"]),
        ("64, 0", ["words(0, 0)", "words(1, 0)", "words(1, 1)"]),
    ];
    for (ty, rows) in rows {
        let before = module(&switch_rows(ty, rows));
        for options in [Options::default(), flat()] {
            structurized_with(&before, &options);
        }
    }
}

#[test]
fn rows_with_the_default_value_are_not_tested() {
    let before = module(
        "func %f: %u32 (%v: %u32, %n: %u32) {
         block ^entry:
           switch %v default ^d [1 ^a] [2 ^b] [3 ^c]
         edge ^d:
           branch ^m(%zero)
         edge ^a:
           branch ^m(%zero)
         edge ^b:
           branch ^m(%ten)
         edge ^c:
           branch ^m(%zero)
         block ^m(%p: %u32):
           return_value %p
         }",
    );
    let after = structurized(&before);
    assert_eq!((count(&after, Op::IEqual), count(&after, Op::Select)), (1, 1));
}

#[test]
fn selectors_are_chosen_too() {
    // Both ways of ^a leave for joins that lie beyond the merge of the branch before, so one bundle stands for two targets.
    let before = module(
        "func %f: %u32 (%c: %bool, %d: %bool, %e: %bool, %v: %u32) {
         block ^entry:
           branch_if %c ^a ^b
         block ^a:
           branch_if %d ^m ^k
         block ^b:
           branch_if %e ^m ^k
         block ^m:
           switch %v default ^x [1 ^y] [2 ^x2]
         block ^x2:
           branch ^x1
         block ^x:
           branch ^x1
         block ^x1:
           return_value %one
         block ^y:
           return_value %two
         block ^k:
           return_value %three
         }"
        .replace("branch_if %d ^m ^k", "branch_if %d ^am ^ak\n edge ^am:\n branch ^m\n edge ^ak:\n branch ^k")
        .replace("branch_if %e ^m ^k", "branch_if %e ^bm ^bk\n edge ^bm:\n branch ^m\n edge ^bk:\n branch ^k")
        .as_str(),
    );
    for options in [Options::default(), flat()] {
        structurized_with(&before, &options);
    }
}

#[test]
fn pointers_are_chosen_where_pointers_are_values() {
    let before = plain_module(
        "capability Kernel
         capability Addresses
         memory_model Physical64, OpenCL
         %bool = type_bool
         %u32 = type_int 32, 0
         %p32 = type_pointer CrossWorkgroup, %u32
         func %f: %u32 (%x: %p32, %y: %p32, %c: %bool) {
         block ^entry:
           branch_if %c ^l ^r
         edge ^l:
           branch ^m(%x)
         edge ^r:
           branch ^m(%y)
         block ^m(%p: %p32):
           %v: %u32 = load %p {}
           return_value %v
         }"
        .replace(" {}", "")
        .as_str(),
    );
    let after = structurized(&before);
    assert_eq!(count(&after, Op::Select), 1);
    hold_verified(&after);
}
