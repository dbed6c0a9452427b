//! A kernel whose work-items cooperate, or ask where they are: its results are defined for the launch, not for each operand.

use reconverge_run::launch::{Argument, Launch, Role};

use super::judge::{LOCAL, buffer};
use super::number::{Number, Type};
use super::row::Wanted;
use super::source::ITEMS;

/// The definition of the expected results. It is given the results, since some are the engine's choice, as the number of lanes of a
/// subgroup.
pub(super) type Definition = Box<dyn Fn(&[Number]) -> Vec<Wanted>>;

/// The sizes of a launch.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) global: [u64; 3],
    pub(super) local: [u32; 3],
    pub(super) offset: [u64; 3],
    pub(super) dimensions: u32,
}

/// A kernel and its launch.
pub(super) struct Case {
    pub(super) name: String,
    /// The functions that it calls, for messages.
    pub(super) what: String,
    pub(super) source: String,
    /// The type and the values of each buffer that is read.
    pub(super) inputs: Vec<(Type, Vec<Number>)>,
    /// The type and the number of the results.
    pub(super) output: (Type, usize),
    /// The initial values of the first results; the others are zero.
    pub(super) before: Vec<Number>,
    pub(super) sizes: Sizes,
    pub(super) definition: Definition,
}

impl Sizes {
    /// Two work-groups in one dimension.
    pub(super) const LINE: Sizes =
        Sizes { global: [ITEMS as u64, 1, 1], local: [LOCAL, 1, 1], offset: [0; 3], dimensions: 1 };
}

impl Case {
    /// The launch of the kernel.
    pub(super) fn launch(&self) -> Launch {
        let bytes = |(ty, values): &(Type, Vec<Number>)| -> Vec<u8> {
            values.iter().flat_map(|&value| ty.write(value)).collect()
        };
        let inputs = self.inputs.iter().map(|input| buffer(bytes(input), Role::Input));
        let (ty, count) = self.output;
        let mut before = bytes(&(ty, self.before.clone()));
        before.resize(count * ty.bytes(), 0);
        let arguments: Vec<Argument> = inputs.chain([buffer(before, Role::Output)]).collect();
        let Sizes { global, local, offset, dimensions } = self.sizes;
        let kernel = Some(self.name.clone());
        Launch { kernel, global, local: Some(local), offset, dimensions, arguments, ..Launch::default() }
    }

    /// The first result that is wrong, with what it should be.
    pub(super) fn fault(&self, output: &[u8]) -> Option<String> {
        let (ty, _) = self.output;
        let found: Vec<Number> = output.chunks(ty.bytes()).map(|bytes| ty.read(bytes)).collect();
        let wanted = (self.definition)(&found);
        if wanted.len() != found.len() {
            return Some(format!("{} results are defined, and there are {}", wanted.len(), found.len()));
        }
        let mut all = wanted.iter().zip(&found).enumerate();
        let (place, (wanted, found)) = all.find(|(_, (wanted, found))| !wanted.accepts(ty, **found))?;
        Some(format!("result {place}: {found:?}, not {wanted:?}"))
    }
}

/// Wanted integers.
pub(super) fn integers(values: impl IntoIterator<Item = i128>) -> Vec<Wanted> {
    values.into_iter().map(Wanted::Int).collect()
}
