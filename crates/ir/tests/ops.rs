//! The op table holds together.

use std::collections::{BTreeMap, BTreeSet};

use reconverge_ir::{Class, Op, OpGroup, Quantity, Shape};

#[test]
fn names_are_unique_and_lead_back() {
    let names: BTreeSet<&str> = Op::ALL.iter().map(|op| op.name()).collect();
    assert_eq!(names.len(), Op::ALL.len());
    for &op in Op::ALL {
        assert_eq!(Op::from_name(op.name()), Some(op));
        assert!(op.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'));
    }
    assert_eq!(Op::from_name("phi"), None);
}

#[test]
fn names_are_those_of_spirv() {
    let own = [
        "func",
        "block",
        "edge",
        "function_parameter",
        "block_parameter",
        "branch_if",
        "if",
        "structured_switch",
        "loop",
    ];
    for &op in Op::ALL.iter().filter(|op| op.opcode().is_some() && !own.contains(&op.name())) {
        let opcode = op.opcode().unwrap();
        let known = spirv::Op::from_u32(u32::from(opcode)).unwrap_or_else(|| panic!("{opcode}"));
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        assert_eq!(plain(op.name()), plain(&format!("{known:?}")), "opcode {opcode}");
    }
}

#[test]
fn opcodes_lead_back() {
    let mut by_opcode: BTreeMap<u16, Vec<Op>> = BTreeMap::new();
    for &op in Op::ALL {
        op.opcode().into_iter().for_each(|opcode| by_opcode.entry(opcode).or_default().push(op));
    }
    for (&opcode, ops) in &by_opcode {
        if let Some(op) = Op::from_opcode(opcode) {
            assert_eq!(ops.as_slice(), [op], "opcode {opcode}");
        } else {
            let translated = ops.iter().all(|op| {
                matches!(op.class(), Class::Structure | Class::Decoration | Class::Terminator | Class::Opaque)
            });
            assert!(translated, "opcode {opcode}");
        }
    }
    assert_eq!(Op::from_opcode(128), Some(Op::IAdd));
    assert_eq!([245, 246, 247, 250, 54, 71].map(Op::from_opcode), [None; 6]);
}

#[test]
fn the_place_alone_decides_what_an_operand_is() {
    for &op in Op::ALL {
        let signature = op.signature();
        let required = signature.iter().take_while(|entry| entry.quantity == Quantity::One).count();
        assert!(signature[required..].iter().all(|entry| entry.quantity != Quantity::One), "{}", op.name());
        let many = signature.iter().position(|entry| entry.quantity == Quantity::Many);
        assert!(many.is_none_or(|place| place + 1 == signature.len()), "{}", op.name());
        let past = signature.len() + 5;
        match signature.last() {
            Some(last) if last.quantity == Quantity::Many => assert_eq!(op.operand_kind(past), Some(last.kind)),
            _ => assert_eq!(op.operand_kind(past), None),
        }
        assert!(!signature[required..].iter().any(|entry| entry.kind.prints_by_name()), "{}", op.name());
    }
}

#[test]
fn operands_have_names_of_their_own() {
    for &op in Op::ALL {
        for (index, entry) in op.signature().iter().enumerate() {
            assert_eq!(op.slot(entry.name), index, "{}: {}", op.name(), entry.name);
        }
    }
}

#[test]
fn shapes_fit_classes() {
    for &op in Op::ALL {
        let shape = op.shape();
        match op.class() {
            Class::Type => assert_eq!(shape, Shape::Result, "{}", op.name()),
            Class::Constant => assert_eq!(shape, Shape::Typed, "{}", op.name()),
            Class::Terminator | Class::Decoration => assert_eq!(shape, Shape::Plain, "{}", op.name()),
            _ => {}
        }
    }
}

#[test]
fn groups_are_parts_of_classes() {
    for &op in Op::ALL.iter().filter(|op| op.group() != OpGroup::Declaration) {
        let alike = Op::ALL.iter().filter(|other| other.group() == op.group());
        assert!(alike.into_iter().all(|other| other.class() == op.class()), "{op:?}");
    }
    let ends = [OpGroup::Jump, OpGroup::Branch, OpGroup::Return, OpGroup::LaneEnd, OpGroup::Unreachable];
    assert!(Op::ALL.iter().all(|op| op.is_terminator() == ends.contains(&op.group())));
}
