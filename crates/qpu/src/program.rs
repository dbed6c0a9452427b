//! Programs: the code of a kernel, and what a host gives to each QPU that runs it.

use reconverge_lanes::{CodePart, Facts, InputFact, Variation};
use spirv::BuiltIn;

/// The lanes of a QPU.
pub const LANES: u32 = 16;
/// The QPUs of the chip.
pub const QPUS: u32 = 12;
/// The rows of the vertex pipe memory that programs have: 4 KiB.
pub const ROWS: u32 = 64;

/// A word that a QPU reads when it begins. The order is that of the stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Uniform {
    /// The first of the rows of the vertex pipe memory that this QPU has for itself.
    FirstRow,
    /// The pack of the first unit of this QPU, in its work-group.
    Pack,
    /// The number of the work-group of the first unit, in a dimension.
    Group(u8),
    /// The number of units from one unit of this QPU to the next.
    Step,
    /// The number of work-groups in a dimension.
    Count(u8),
    /// The address of the data of the program: at least four bytes.
    Data,
    /// The address of the memory of the work-group.
    Local,
    /// The address of the scratch memory of the QPU.
    Scratch,
    /// A word of the push constants, by its place. Of a 64-bit address, the low word.
    Argument(u32),
}

/// The launch that a kernel is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Specialization {
    /// The size of a work-group.
    pub local: [u32; 3],
}

impl Specialization {
    /// The number of work-items of a work-group.
    pub fn items(&self) -> u32 {
        self.local.iter().fold(1, |items, &size| items.saturating_mul(size))
    }

    /// The number of packs of a work-group.
    pub fn packs(&self) -> u32 {
        self.items().div_ceil(LANES)
    }

    /// Returns whether a work-group fills its packs.
    pub fn is_full(&self) -> bool {
        self.items().is_multiple_of(LANES)
    }

    /// The facts of the built-in inputs.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts { is_full: self.is_full(), ..Facts::default() };
        let range = (0, i128::from(u32::MAX));
        let mut add = |built_in: BuiltIn, component: u32, shape: Variation| {
            facts.inputs.insert((built_in, component), InputFact { variation: shape, range });
        };
        for component in 0..3 {
            let shape = self.shape_of_id(component);
            add(BuiltIn::LocalInvocationId, component, shape);
            add(BuiltIn::GlobalInvocationId, component, shape);
            add(BuiltIn::WorkgroupId, component, Variation::Uniform);
            add(BuiltIn::NumWorkgroups, component, Variation::Uniform);
        }
        add(BuiltIn::LocalInvocationIndex, 0, Variation::Affine { stride: 1 });
        add(BuiltIn::SubgroupLocalInvocationId, 0, Variation::Affine { stride: 1 });
        for built_in in [BuiltIn::SubgroupSize, BuiltIn::SubgroupId, BuiltIn::NumSubgroups] {
            add(built_in, 0, Variation::Uniform);
        }
        facts
    }

    /// The shape of a component of an id across the lanes of a pack.
    fn shape_of_id(&self, component: u32) -> Variation {
        let place = component as usize;
        let before: u32 = self.local[..place].iter().product();
        let behind: u32 = self.local[place + 1..].iter().product();
        match (before, self.local[place], behind) {
            (_, 1, _) => Variation::Uniform,
            (before, ..) if before % LANES == 0 => Variation::Uniform,
            // A pack is part of a row.
            (1, size, behind) if size % LANES == 0 || behind == 1 => Variation::Affine { stride: 1 },
            _ => Variation::Divergent,
        }
    }
}

/// The code of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its words, in the order of the memory; each is little-endian there.
    pub words: Vec<u64>,
    /// What its words are made of, in their order; the beginning of a part is a word. A word that a branch takes along from its target is a
    /// word of the branch's part.
    pub parts: Vec<CodePart>,
    /// The words that each QPU reads, in order.
    pub uniforms: Vec<Uniform>,
    /// The bytes at the address of [`Uniform::Data`].
    pub data: Vec<u8>,
    /// The bytes of the memory of a work-group.
    pub local_bytes: u32,
    /// The bytes of the scratch memory of a QPU.
    pub scratch_bytes: u32,
    /// The rows of the vertex pipe memory that a QPU needs for itself.
    pub rows: u32,
    /// The specialization that it was compiled for.
    pub specialization: Specialization,
    /// True if the packs of a work-group run at the same time, a QPU for each; else a QPU takes any unit.
    pub is_together: bool,
}

impl Program {
    /// The most QPUs that run the program at once: of [`QPUS`], as many as there are rows for.
    pub fn qpus(&self) -> u32 {
        (ROWS / self.rows.max(1)).clamp(1, QPUS)
    }
}

/// A launch of a program, as a host knows it.
#[derive(Clone, Copy, Debug)]
pub struct Dispatch<'a> {
    /// The number of work-groups.
    pub groups: [u32; 3],
    /// The words of the push constants; of a 64-bit address, the low word comes first.
    pub push_constants: &'a [u32],
    /// The address of the data of the program.
    pub data: u32,
    /// The address of memory for work-groups: the bytes of a work-group for each QPU, rounded up to 64.
    pub local: u32,
    /// The address of scratch memory: [`Program::scratch_bytes`] for each QPU.
    pub scratch: u32,
}

impl Program {
    /// The bytes of a work-group's memory, as the host lays them out.
    pub fn local_stride(&self) -> u32 {
        self.local_bytes.next_multiple_of(64)
    }

    /// The words that each QPU reads, for a launch. There are as many QPUs as have work, at most [`Program::qpus`]; none for a launch without
    /// work-groups.
    pub fn dispatch(&self, dispatch: &Dispatch<'_>) -> Vec<Vec<u32>> {
        let packs = self.specialization.packs();
        let groups = dispatch.groups.iter().fold(1_u64, |count, &size| count.saturating_mul(size.into()));
        let units = if self.is_together { u64::from(packs) } else { groups.saturating_mul(packs.into()) };
        let qpus = if groups == 0 { 0 } else { units.min(self.qpus().into()) as u32 };
        (0..qpus).map(|qpu| self.words_of(dispatch, qpu, qpus)).collect()
    }

    fn words_of(&self, dispatch: &Dispatch<'_>, qpu: u32, qpus: u32) -> Vec<u32> {
        let packs = self.specialization.packs();
        let [width, height, _] = dispatch.groups;
        let (pack, group) = if self.is_together { (qpu, 0) } else { (qpu % packs, qpu / packs) };
        let first = [group % width, group / width % height, group / width / height];
        let word = |uniform: &Uniform| match *uniform {
            Uniform::FirstRow => qpu * self.rows,
            Uniform::Pack => pack,
            Uniform::Group(dimension) => first[usize::from(dimension)],
            Uniform::Step => qpus,
            Uniform::Count(dimension) => dispatch.groups[usize::from(dimension)],
            Uniform::Data => dispatch.data,
            Uniform::Local if self.is_together => dispatch.local,
            Uniform::Local => dispatch.local + qpu * self.local_stride(),
            Uniform::Scratch => dispatch.scratch + qpu * self.scratch_bytes,
            Uniform::Argument(word) => dispatch.push_constants.get(word as usize).copied().unwrap_or(0),
        };
        self.uniforms.iter().map(word).collect()
    }
}
