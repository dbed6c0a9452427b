//! The numbers that LLVM gives to what has no name.
//!
//! In a function, parameters come first, then each block and its instructions. Metadata gets numbers when it is reached, before its members:
//! from lists with names, then from instructions in order. A location of an instruction equals a location in the metadata if all its fields do.

use rustc_hash::FxHashMap;

use crate::module::{
    Argument, BlockId, DebugField, DebugInfo, DebugKind, DebugLocation, Function, Metadata, MetadataId, Module,
    Operation, ValueId, ValueKind,
};

/// Numbers of variables and functions without names.
#[derive(Default)]
pub(super) struct GlobalNumbers(Vec<u32>);

impl GlobalNumbers {
    pub(super) fn compute(module: &Module) -> GlobalNumbers {
        let mut numbers = vec![0; module.values.len()];
        let mut next = 0;
        let globals = module.globals.iter().map(|global| global.value);
        for value in globals.chain(module.functions.iter().map(|function| function.value)) {
            if module.values[value.index()].name.is_none() {
                numbers[value.index()] = next;
                next += 1;
            }
        }
        GlobalNumbers(numbers)
    }

    pub(super) fn number(&self, value: ValueId) -> u32 {
        self.0[value.index()]
    }
}

/// Numbers of values and blocks of a function.
pub(super) struct LocalNumbers {
    values: Vec<u32>,
    blocks: Vec<u32>,
    /// By block, whether a branch goes to it.
    pub(super) is_target: Vec<bool>,
}

impl LocalNumbers {
    pub(super) fn compute(module: &Module, function: &Function) -> LocalNumbers {
        let first = module.values.len();
        let mut numbers = LocalNumbers {
            values: vec![0; function.values.len()],
            blocks: vec![0; function.blocks.len()],
            is_target: vec![false; function.blocks.len()],
        };
        let mut next = 0;
        let mut number = |slot: &mut u32, is_named: bool| {
            if !is_named {
                *slot = next;
                next += 1;
            }
        };
        for (value, slot) in function.values.iter().zip(&mut numbers.values) {
            if let ValueKind::Parameter(_) = value.kind {
                number(slot, value.name.is_some());
            }
        }
        for (index, block) in function.blocks.iter().enumerate() {
            number(&mut numbers.blocks[index], block.name.is_some());
            for instruction in function.instructions_of(block) {
                if let Some(result) = instruction.result {
                    let index = result.index() - first;
                    number(&mut numbers.values[index], function.values[index].name.is_some());
                }
                instruction.operation.for_each_target(|target| numbers.is_target[target.index()] = true);
            }
        }
        numbers
    }

    /// The number of a value, by its index in the function.
    pub(super) fn value(&self, index: usize) -> u32 {
        self.values[index]
    }

    pub(super) fn block(&self, block: BlockId) -> u32 {
        self.blocks[block.index()]
    }
}

/// An item with a number: metadata, or a location that is no metadata of the module.
#[derive(Clone, Copy)]
pub(super) enum Numbered {
    Metadata(MetadataId),
    Location(DebugLocation),
}

/// Numbers of metadata.
#[derive(Default)]
pub(super) struct MetadataNumbers {
    numbers: Vec<Option<u32>>,
    locations: FxHashMap<DebugLocation, u32>,
    /// In the order of the numbers.
    pub(super) order: Vec<Numbered>,
}

impl MetadataNumbers {
    pub(super) fn compute(module: &Module) -> MetadataNumbers {
        let mut numbers = MetadataNumbers {
            numbers: vec![None; module.metadata.len()],
            locations: FxHashMap::default(),
            order: Vec::new(),
        };
        for named in &module.named_metadata {
            named.members.iter().for_each(|&member| numbers.visit(module, Numbered::Metadata(member)));
        }
        for function in &module.functions {
            for &(_, id) in &function.attachments {
                numbers.visit(module, Numbered::Metadata(id));
            }
            for instruction in &function.instructions {
                if let Operation::Call { arguments, .. } = &instruction.operation {
                    for argument in arguments {
                        if let Argument::Metadata(id) = argument {
                            numbers.visit(module, Numbered::Metadata(*id));
                        }
                    }
                }
                if let Some(location) = instruction.location.filter(|location| location.scope.is_some()) {
                    numbers.visit(module, Numbered::Location(location));
                }
                for &(_, id) in &instruction.metadata {
                    numbers.visit(module, Numbered::Metadata(id));
                }
            }
        }
        numbers
    }

    pub(super) fn number(&self, id: MetadataId) -> Option<u32> {
        self.numbers.get(id.index()).copied().flatten()
    }

    pub(super) fn location(&self, location: &DebugLocation) -> Option<u32> {
        self.locations.get(location).copied()
    }

    /// Gives numbers to what is reached from here and has none, members after what contains them.
    fn visit(&mut self, module: &Module, root: Numbered) {
        let mut stack = vec![root];
        while let Some(item) = stack.pop() {
            let first = stack.len();
            let next = self.order.len() as u32;
            match item {
                Numbered::Metadata(id) => {
                    let Some(metadata) = module.metadata.get(id.index()).map(|entry| &entry.metadata) else { continue };
                    if self.numbers[id.index()].is_some() {
                        continue;
                    }
                    let mut push = |id| stack.push(Numbered::Metadata(id));
                    match metadata {
                        Metadata::String(_) | Metadata::Value(_) => continue,
                        Metadata::List { members, .. } => members.iter().flatten().copied().for_each(&mut push),
                        Metadata::Debug(info) => members_of(info).for_each(&mut push),
                    }
                    let mut number = next;
                    if let Some(location) = location_of(metadata) {
                        number = *self.locations.entry(location).or_insert(next);
                    }
                    self.numbers[id.index()] = Some(number);
                    if number != next {
                        continue;
                    }
                }
                Numbered::Location(location) => {
                    if self.locations.contains_key(&location) {
                        continue;
                    }
                    self.locations.insert(location, next);
                    let members = [location.scope, location.inlined_at];
                    stack.extend(members.into_iter().flatten().map(Numbered::Metadata));
                }
            }
            self.order.push(item);
            stack[first..].reverse();
        }
    }
}

/// A location that equals every other one with the same fields.
fn location_of(metadata: &Metadata) -> Option<DebugLocation> {
    let Metadata::Debug(info @ DebugInfo { kind: DebugKind::Location, is_distinct: false, .. }) = metadata else {
        return None;
    };
    let number = |name| u32::try_from(info.number(name)?).ok();
    Some(DebugLocation {
        line: number("line")?,
        column: number("column")?,
        scope: info.reference("scope"),
        inlined_at: info.reference("inlinedAt"),
    })
}

/// The metadata in the fields of information for debuggers: the file of a scope first, as LLVM stores it.
fn members_of(info: &DebugInfo) -> impl Iterator<Item = MetadataId> + '_ {
    let is_scope = !matches!(
        info.kind,
        DebugKind::LocalVariable | DebugKind::GlobalVariable | DebugKind::ImportedEntity | DebugKind::Location
    );
    let file = if is_scope { info.reference("file") } else { None };
    let fields = info.kind.fields().iter().zip(&info.fields);
    let others = fields.filter_map(move |((name, _), field)| match field {
        DebugField::Metadata(id) if !(is_scope && *name == "file") => *id,
        _ => None,
    });
    file.into_iter().chain(others)
}
