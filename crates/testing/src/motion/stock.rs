//! The memory of programs with added operations: a struct of a word, an array and a word, in every storage class.
//!
//! | variable | class | whose |
//! |---|---|---|
//! | `left`, `right` | Private | the lane's |
//! | `local` | Function | the call's |
//! | `shared` | Workgroup | an array, one struct a lane |
//! | `buffer`, `other_buffer` | StorageBuffer | an array each, one struct a lane |
//!
//! A lane accesses only its own struct, so that no program has a race; for the compiler the index is an arbitrary number.

use reconverge_interpret::{Contents, Value};
use reconverge_ir::{Builder, Inst, Module, Op};
use spirv::StorageClass;

/// The maximal number of lanes with shared variables.
pub(super) const LANES: usize = 64;
/// The length of the array in the struct.
pub(super) const ELEMENTS: u32 = 4;

/// A variable that is read and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct StockVariable {
    pub(super) variable: Inst,
    pub(super) class: StorageClass,
    /// True if it has a struct for each lane.
    pub(super) is_array: bool,
}

/// Types and variables.
#[derive(Clone, Debug)]
pub(super) struct Stock {
    pub(super) word: Inst,
    pub(super) record: Inst,
    pub(super) variables: Vec<StockVariable>,
    /// The initial value of `local`.
    pub(super) initial: Inst,
}

impl Stock {
    /// Adds it to a module.
    pub(super) fn add(module: &mut Module) -> Stock {
        let mut build = Builder::new(module);
        let word = build.int_type(32);
        let length = build.constant_word(word, ELEMENTS);
        let words = build.editor().unique(Op::TypeArray, None, &[word, length]);
        let record = build.editor().append_global(Op::TypeStruct, None, &[word, words, word]);
        let count = build.constant_word(word, LANES as u32);
        let records = build.editor().unique(Op::TypeArray, None, &[record, count]);
        let block = build.editor().append_global(Op::TypeStruct, None, &[records]);
        let parts = [11, 12, 13, 14].map(|number| build.constant_word(word, number));
        let array = build.editor().unique(Op::ConstantComposite, Some(words), &parts);
        let ends = [7, 9].map(|number| build.constant_word(word, number));
        let initial = build.editor().unique(Op::ConstantComposite, Some(record), &[ends[0], array, ends[1]]);
        let mut variables = Vec::new();
        let kinds = [
            ("left", StorageClass::Private, record),
            ("right", StorageClass::Private, record),
            ("shared", StorageClass::Workgroup, records),
            ("buffer", StorageClass::StorageBuffer, block),
            ("other_buffer", StorageClass::StorageBuffer, block),
        ];
        for (name, class, ty) in kinds {
            let pointer = build.pointer_type(class, ty);
            let mut operands = vec![build.enumerant(class)];
            operands.extend((class == StorageClass::Private).then_some(initial));
            let variable = build.editor().append_global(Op::Variable, Some(pointer), &operands);
            build.editor().set_name(variable, name);
            variables.push(StockVariable { variable, class, is_array: class != StorageClass::Private });
        }
        Stock { word, record, variables, initial }
    }

    /// The indices that lead from a variable to the lane's struct.
    pub(super) fn prefix(&self, build: &mut Builder<'_>, variable: StockVariable, lane: Inst) -> Vec<Inst> {
        match (variable.is_array, variable.class) {
            (false, _) => Vec::new(),
            (true, StorageClass::StorageBuffer) => vec![build.constant_word(self.word, 0), lane],
            (true, _) => vec![lane],
        }
    }
}

/// The initial contents of the shared variables of such a module.
pub(super) fn contents(module: &Module) -> Vec<Contents> {
    let word = |number: u32| Value::u32(number);
    let record = |lane: u32| {
        let array = Value::composite((0..ELEMENTS).map(|index| word(lane + index)).collect());
        Value::composite(vec![word(lane), array, word(0)])
    };
    let records = || Value::composite((0..LANES as u32).map(record).collect());
    observed(module)
        .into_iter()
        .filter_map(|(variable, class)| match class {
            StorageClass::Workgroup => Some(Contents { variable, lane: None, value: records() }),
            StorageClass::StorageBuffer => {
                Some(Contents { variable, lane: None, value: Value::composite(vec![records()]) })
            }
            _ => None,
        })
        .collect()
}

/// The module-level variables of such a module, with their classes.
pub(super) fn observed(module: &Module) -> Vec<(Inst, StorageClass)> {
    const NAMES: [&str; 5] = ["left", "right", "shared", "buffer", "other_buffer"];
    let variables = module.globals().filter(|&inst| module.op(inst) == Op::Variable);
    let named = variables.filter(|&variable| module.name(variable).is_some_and(|name| NAMES.contains(&name.as_str())));
    named.filter_map(|variable| Some((variable, module.storage_class(variable)?))).collect()
}
