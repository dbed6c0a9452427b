//! What is left of stage Generic, and why it is needed.

use reconverge_ir::{Module, Op, text};

fn parse(text: &str) -> Module {
    text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn the_shortest_chain_from_an_entry_point_is_found() {
    let module = parse(
        "
        entry_point GLCompute, %main, \"main\"
        %void = type_void
        %kind = type_kind
        interface %I {
          %This: %kind = generic_parameter
        }
        %any = type_existential %I
        func %other: %void (%x: %any) stage generic {
        block ^entry:
          return
        }
        func %main: %void () stage generic {
        block ^entry:
          %u: %any = undef
          %call: %void = function_call %other, %u
          return
        }",
    );
    let found = module.generic_use().unwrap();
    let ops: Vec<Op> = found.chain.iter().map(|&step| module.op(step)).collect();
    assert_eq!(
        (module.op(found.inst), &ops[..]),
        (Op::TypeExistential, &[Op::Undef, Op::Function, Op::EntryPoint][..])
    );
    let text = found.to_string();
    assert!(
        text.starts_with("`%any = type_existential %I` is left of stage generic; used by `%u: %any = undef`"),
        "{text}"
    );
}

#[test]
fn what_nothing_needs_is_found_too_and_what_is_deleted_is_not() {
    let mut module = parse("%kind = type_kind\n%u32 = type_int 32, 0");
    let found = module.generic_use().unwrap();
    assert_eq!((module.op(found.inst), found.chain.len()), (Op::TypeKind, 0));
    module.edit().delete(found.inst);
    assert_eq!(module.generic_use(), None);
}

/// A tower of structs around an existential, in a function: the chain is longer than what prints.
#[test]
fn long_chains_are_cut_in_print() {
    let mut text =
        "%kind = type_kind\ninterface %I {\n%This: %kind = generic_parameter\n}\n%t0 = type_existential %I\n"
            .to_owned();
    (1..100).for_each(|level| text += &format!("%t{level} = type_struct %t{}\n", level - 1));
    text += "%void = type_void\nfunc %f: %void (%x: %t99) stage generic {\nblock ^entry:\n  return\n}\n";
    let found = parse(&text).generic_use().unwrap();
    assert!(found.chain.len() > 2, "the shortest way to a function leads through its parameter");
    let printed = found.to_string();
    assert!(printed.matches("used by").count() <= 8 && printed.contains("more"), "{printed}");
}
