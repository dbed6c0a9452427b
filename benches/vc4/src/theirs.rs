//! Code of VC4C on the emulator, with the uniforms that its run time gives.
//!
//! A program runs one work-item. The programs of a launch run one after another, on one QPU. If the work-items of a work-group wait for each
//! other, they run at the same time, each on a QPU.

use reconverge_qpu_emulate::{Fault, FaultKind, Launch, MAX_QPUS, Memory, Report, run as emulate};
use reconverge_run::{Argument, Element, Value};

use crate::Cost;
use crate::kernels::Kernel;
use crate::layout::{Layout, buffers};
use crate::vc4c::{Implicit, Module};

/// The cycles that a program may take.
pub(crate) const CYCLES: u64 = 200_000_000;
/// What an id in a work-group may be: a byte of a uniform.
const LOCAL_LIMIT: u32 = 256;

/// The cycles of all QPUs of a launch together.
pub(crate) fn cycles(report: &Report) -> u64 {
    report.executed.iter().chain(&report.stalled).sum()
}

/// Runs the launch of a kernel and checks the outputs.
///
/// # Errors
/// Why it has no result.
pub(crate) fn run(kernel: &Kernel, module: &Module) -> Result<Cost, String> {
    let local = kernel.launch.local.ok_or("the launch has no size of work-groups")?;
    if local.iter().any(|&size| size >= LOCAL_LIMIT) {
        return Err("more work-items of a work-group than it has ids for".to_owned());
    }
    let job = Job { kernel, module, local };
    let deadlock = |result: &Result<_, Fault>| matches!(result, Err(Fault { kind: FaultKind::Deadlock, .. }));
    let mut result = job.run(1);
    if deadlock(&result) && job.items() <= MAX_QPUS {
        result = job.run(job.items());
    } else if deadlock(&result) {
        return Err(format!("work-items wait for each other, and a work-group has more than {MAX_QPUS}"));
    }
    result.map_err(|fault| format!("the emulator: {}", fault.kind.code()))?
}

struct Job<'a> {
    kernel: &'a Kernel,
    module: &'a Module,
    local: [u32; 3],
}

/// Memory with what a launch needs.
struct Prepared {
    memory: Memory,
    /// The uniforms of each work-item of each work-group.
    uniforms: Vec<Vec<Vec<u32>>>,
    buffers: Vec<u32>,
}

/// A work-item, and the addresses that its program gets.
struct Unit {
    group: [u32; 3],
    item: u32,
    data: u32,
    uniforms: u32,
}

impl Job<'_> {
    fn items(&self) -> usize {
        self.local.iter().product::<u32>() as usize
    }

    fn groups(&self, dimension: usize) -> u32 {
        self.kernel.launch.global[dimension] as u32 / self.local[dimension]
    }

    /// The programs of the launch, so many of a work-group at the same time: their cost, or why it does not count. A fault stops them.
    fn run(&self, together: usize) -> Result<Result<Cost, String>, Fault> {
        let Prepared { mut memory, uniforms, buffers } = self.prepare();
        let mut cycles = 0;
        for group in &uniforms {
            for items in group.chunks(together) {
                cycles += self.emulate(items, &mut memory)?;
            }
        }
        Ok(self.settle(cycles, &memory, &buffers))
    }

    fn emulate(&self, uniforms: &[Vec<u32>], memory: &mut Memory) -> Result<u64, Fault> {
        let mut launch = Launch::new(&self.module.code, uniforms);
        launch.cycle_limit = CYCLES;
        // VC4C reads through the texture unit what it has stored, reads the vertex pipe memory at once, and gives addresses of bytes.
        launch.is_cache_strict = false;
        launch.waits_for_vpm = true;
        launch.aligns_lookups = true;
        Ok(cycles(&emulate(&launch, memory)?))
    }

    fn settle(&self, cycles: u64, memory: &Memory, starts: &[u32]) -> Result<Cost, String> {
        let lengths = self.kernel.launch.buffers().map_err(|error| error.to_string())?;
        self.kernel.check(&buffers(memory, starts, lengths.iter().map(Vec::len)))?;
        let passes = self.kernel.launch.global.iter().product();
        Ok(Cost { words: self.module.code.len(), cycles, passes })
    }

    fn prepare(&self) -> Prepared {
        let mut layout = Layout::new();
        let data = layout.add(&self.module.data);
        let contents = self.kernel.launch.buffers().expect("invariant: ours has run the launch");
        let starts: Vec<u32> = contents.iter().map(|bytes| layout.add(bytes)).collect();
        let arguments = self.arguments(&mut layout, &starts);
        let [width, height, depth] = [0, 1, 2].map(|dimension| self.groups(dimension));
        let places =
            (0..width * height * depth).map(|group| [group % width, group / width % height, group / width / height]);
        let mut of_group = |group: [u32; 3]| {
            let uniforms = |item: usize| {
                let address = layout.add(&vec![0; 4 * (self.module.uniforms.len() + arguments.len())]);
                let unit = Unit { group, item: item as u32, data, uniforms: address };
                let words = self.uniforms(&arguments, &unit);
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                layout.write(address, &bytes);
                words
            };
            (0..self.items()).map(uniforms).collect()
        };
        let uniforms = places.map(&mut of_group).collect();
        Prepared { memory: layout.memory(), uniforms, buffers: starts }
    }

    fn uniforms(&self, arguments: &[u32], unit: &Unit) -> Vec<u32> {
        let implicit = |last: bool| self.module.uniforms.iter().filter(move |uniform| uniform.is_last() == last);
        let word = |uniform: &Implicit| self.implicit(*uniform, unit);
        implicit(false).map(word).chain(arguments.iter().copied()).chain(implicit(true).map(word)).collect()
    }

    fn implicit(&self, uniform: Implicit, unit: &Unit) -> u32 {
        let [width, height, _] = self.local;
        let packed = |words: [u32; 3]| words[2] << 16 | words[1] << 8 | words[0];
        match uniform {
            Implicit::Dimensions => self.kernel.launch.dimensions,
            Implicit::LocalSizes => packed(self.local),
            Implicit::LocalIds => packed([unit.item % width, unit.item / width % height, unit.item / width / height]),
            Implicit::GroupCount(dimension) | Implicit::GroupLimit(dimension) => self.groups(dimension),
            Implicit::Group(dimension) => unit.group[dimension],
            Implicit::Offset(dimension) => self.kernel.launch.offset[dimension] as u32,
            Implicit::Data => unit.data,
            Implicit::Uniforms => unit.uniforms,
        }
    }

    /// The uniforms of the arguments: addresses, and a word for each component of a value.
    fn arguments(&self, layout: &mut Layout, buffers: &[u32]) -> Vec<u32> {
        let mut buffers = buffers.iter();
        let mut words = Vec::new();
        for argument in &self.kernel.launch.arguments {
            match argument {
                Argument::Buffer(_) => words.extend(buffers.next()),
                Argument::Local(bytes) => words.push(layout.add(&vec![0; *bytes as usize])),
                // Their compiler refuses kernels with images before there are arguments.
                Argument::Image(_) | Argument::Sampler(_) => {}
                // A struct is passed by its address.
                Argument::Value(Value { bytes, ty: None }) => words.push(layout.add(bytes)),
                Argument::Value(Value { bytes, ty: Some(ty) }) => {
                    let components = bytes.chunks(ty.element.size()).take(ty.components);
                    words.extend(components.flat_map(|component| widened(component, ty.element)));
                }
            }
        }
        words
    }
}

/// The words of a component, its sign extended.
fn widened(component: &[u8], element: Element) -> Vec<u32> {
    let is_signed = matches!(element, Element::I8 | Element::I16);
    let sign = if is_signed && component.last().is_some_and(|&byte| byte >= 128) { 255 } else { 0 };
    let mut bytes = component.to_vec();
    bytes.resize(component.len().next_multiple_of(4), sign);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
