//! The calling convention of CPU code: what is called by its JSON alone gives the buffers that the engine's own launch gives.
#![expect(unsafe_code, reason = "the test maps machine code and calls it")]

use std::path::Path;

use memmap2::{Mmap, MmapMut};
use reconverge::codegen::{BackEnd, Request};
use reconverge::ir::Module;
use reconverge::opencl::Reflection;
use reconverge::{CompileOptions, Format, Lowering, Target, lower};
use reconverge_run::launch::Argument;
use reconverge_run::{CpuOptions, Launch, Size, bind, run_on_cpu};
use serde_json::Value;

/// The most work-groups of a launch that is tried.
const MOST_GROUPS: u32 = 64;

/// Memory of a call: lines of 64 bytes.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u8; 64]);

struct Memory(Vec<Line>);

impl Memory {
    fn new(bytes: usize) -> Memory {
        Memory(vec![Line([0; 64]); bytes.div_ceil(64)])
    }

    fn of(bytes: &[u8]) -> Memory {
        let mut memory = Memory::new(bytes.len());
        memory.put(0, bytes);
        memory
    }

    fn address(&self) -> u64 {
        self.0.as_ptr() as u64
    }

    fn put(&mut self, offset: usize, bytes: &[u8]) {
        for (at, &byte) in (offset..).zip(bytes) {
            self.0[at / 64].0[at % 64] = byte;
        }
    }

    fn bytes(&self, count: usize) -> Vec<u8> {
        self.0.iter().flat_map(|line| line.0).take(count).collect()
    }
}

/// Code of a kernel as a host has it.
struct Host {
    json: Value,
    image: Mmap,
}

/// Memory that a launch may access: an address and bytes.
type Range = (u64, usize);

impl Host {
    fn new(bytes: &[u8], json: &str) -> Host {
        let mut map = MmapMut::map_anon(bytes.len()).expect("there is memory");
        map.copy_from_slice(bytes);
        let image = map.make_exec().expect("memory can be executed");
        Host { json: serde_json::from_str(json).expect("the interface is JSON"), image }
    }

    fn number(&self, place: &str) -> usize {
        let number = self.json.pointer(place).and_then(Value::as_u64);
        number.unwrap_or_else(|| panic!("no {place} in {}", self.json)) as usize
    }

    /// The table of the memory that may be accessed: nothing, then all of it to write.
    fn ranges(&self, given: &[Range]) -> Memory {
        let (first, size) = (self.number("/ranges/first"), self.number("/ranges/size"));
        let mut table = Memory::new(first + (1 + given.len()) * size);
        for (index, &(address, bytes)) in [(0, 0)].iter().chain(given).enumerate() {
            let at = first + index * size;
            table.put(at, &address.to_le_bytes());
            for (place, width) in [1, 2, 4, 8].into_iter().enumerate() {
                let count = (bytes + 1).saturating_sub(width) as u64;
                table.put(at + self.number("/ranges/counts") + 8 * place, &count.to_le_bytes());
            }
        }
        let end = table.address() + (first + (1 + given.len()) * size) as u64;
        table.put(self.number("/ranges/end_of_writes"), &end.to_le_bytes());
        table.put(self.number("/ranges/end_of_reads"), &end.to_le_bytes());
        table
    }

    /// The program data, with its addresses.
    fn program_data(&self) -> Option<(usize, Memory, usize)> {
        let data = self.json.get("program_data").filter(|data| !data.is_null())?;
        let text = data["bytes"].as_str().expect("bytes are text");
        let digits = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("bytes are hexadecimal");
        let bytes: Vec<u8> = (0..text.len()).step_by(2).map(digits).collect();
        let mut memory = Memory::of(&bytes);
        for relocation in data["relocations"].as_array().expect("relocations are a list") {
            let [at, target] = ["at", "target"].map(|name| relocation[name].as_u64().expect("a number"));
            let address = memory.address() + target;
            memory.put(at as usize, &address.to_le_bytes());
        }
        Some((self.number("/program_data/offset"), memory, bytes.len()))
    }

    /// Runs a launch on buffers of these contents. Gives their contents after it.
    fn launch(&self, launch: &Launch, groups: [u32; 3], buffers: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let memory: Vec<Memory> = buffers.iter().map(|bytes| Memory::of(bytes)).collect();
        let mut accessible: Vec<Range> =
            memory.iter().zip(buffers).map(|(memory, bytes)| (memory.address(), bytes.len())).collect();
        let mut constants = Memory::new(self.number("/push_constants/bytes"));
        let block = (self.json["arguments_in"]["kind"] == "buffer").then(|| self.number("/arguments_in/size"));
        let mut block = block.map(|bytes| (Memory::new(bytes), bytes));
        let mut next = memory.iter();
        for (index, argument) in launch.arguments.iter().enumerate() {
            let bytes = match argument {
                Argument::Buffer(_) => next.next().expect("a buffer has memory").address().to_le_bytes().to_vec(),
                Argument::Value(value) => value.bytes.clone(),
                Argument::Local(_) => continue,
            };
            let place = format!("/arguments/{index}");
            assert_eq!(self.number(&format!("{place}/size")), bytes.len());
            let offset = self.number(&format!("{place}/offset"));
            assert!(offset.is_multiple_of(self.number(&format!("{place}/alignment"))));
            block.as_mut().map_or(&mut constants, |(block, _)| block).put(offset, &bytes);
        }
        if let Some((block, bytes)) = &block {
            constants.put(self.number("/arguments_in/address_offset"), &block.address().to_le_bytes());
            accessible.push((block.address(), *bytes));
        }
        let data = self.program_data();
        if let Some((offset, data, bytes)) = &data {
            constants.put(*offset, &data.address().to_le_bytes());
            accessible.push((data.address(), *bytes));
        }
        self.call(groups, &self.ranges(&accessible), &constants);
        memory.iter().zip(buffers).map(|(memory, bytes)| memory.bytes(bytes.len())).collect()
    }

    /// Calls the code for each work-group.
    fn call(&self, groups: [u32; 3], ranges: &Memory, constants: &Memory) {
        let mut context = Memory::new(self.number("/context/bytes"));
        let field = |name: &str| self.number(&format!("/context/fields/{name}"));
        context.put(field("ranges"), &ranges.address().to_le_bytes());
        context.put(field("workgroup_count"), &groups.map(u32::to_le_bytes).concat());
        let before = self.number("/workgroup_memory/bytes_before");
        let local = Memory::new(before + self.number("/workgroup_memory/bytes"));
        let (count, size) = (self.number("/frames/count"), self.number("/frames/bytes"));
        let mut frames = Memory::new(count * size);
        let base = frames.address();
        let [width, height, _] = groups;
        for group in 0..groups.iter().product() {
            let number = [group % width, group / width % height, group / (width * height)];
            context.put(field("workgroup_id"), &number.map(u32::to_le_bytes).concat());
            for frame in 0..count {
                let header = [
                    ("resume", self.image.as_ptr() as u64 + self.number("/image/resume") as u64),
                    ("next", base + ((frame + 1) % count * size) as u64),
                    ("before", base + (frame.saturating_sub(1) * size) as u64),
                    ("pack", frame as u64),
                    ("packs", self.number("/packs") as u64),
                    ("context", context.address()),
                    ("workgroup_memory", local.address() + before as u64),
                    ("push_constants", constants.address()),
                ];
                for (name, value) in header {
                    frames.put(frame * size + self.number(&format!("/frames/fields/{name}")), &value.to_le_bytes());
                }
            }
            let entry = self.image[self.number("/image/entry")..].as_ptr();
            // SAFETY: the interface says that there is such a function, and all that it accesses is as the interface says.
            let result = unsafe { std::mem::transmute::<*const u8, extern "sysv64" fn(u64) -> u64>(entry)(base) };
            let [kernel, checks] = ["kernel", "checks"].map(|name| &self.json[name]);
            assert_eq!(result, 0, "{kernel}, work-group {number:?}: one of the checks {checks}");
        }
    }
}

/// A kernel that a launch is of, at stage Structured.
struct Compiled {
    module: Module,
    reflection: Reflection,
    options: CompileOptions,
    run: reconverge::Run,
}

fn compiled(path: &Path, launch: &Launch) -> Option<Compiled> {
    let bytes = std::fs::read(path).ok()?;
    let mut module = reconverge::read(&bytes, Format::SPIRV).ok()?;
    let mut kernel = BackEnd::CPU.kernel_options();
    kernel.kernels = launch.kernel.iter().cloned().collect();
    let options = CompileOptions { target: Target::CPU, kernel, ..CompileOptions::default() };
    let run = reconverge::run(&mut module, &options, &mut |_, _| ()).ok()?;
    let reflection = run.reflection.clone()?;
    Some(Compiled { module, reflection, options, run })
}

/// The code and its interface, as `compile` makes them for the size of a launch.
fn assembled(compiled: Compiled, size: Size, constants: Vec<(u32, u32)>) -> Option<Host> {
    let Compiled { mut module, reflection, options, mut run } = compiled;
    let kernel = &reflection.kernels[0];
    let request = Request { constants, ..Request::new(kernel.name.as_str(), size.local) };
    let function = request.function(&module).ok()?;
    let lowering = Lowering { back_end: BackEnd::CPU, function, facts: BackEnd::CPU.facts(&request).ok()? };
    lower(&mut module, &lowering, &options, &mut run, &mut |_, _| ()).ok()?;
    let code = BackEnd::CPU.assemble(&module, function, &request).ok()?;
    Some(Host::new(&code.bytes(), &code.interface(kernel, reflection.program_data.as_ref())))
}

/// Whether a launch was called by the interface of its code.
fn holds(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a launch is readable");
    let Ok(launch) = Launch::from_json(&text) else { return false };
    let Some(compiled) = compiled(&path.with_extension("spv"), &launch) else { return false };
    let Ok(binding) = bind(&launch, &compiled.reflection) else { return false };
    let size = binding.size;
    if size.groups.iter().product::<u32>() > MOST_GROUPS {
        return false;
    }
    let (module, reflection) = (compiled.module.clone(), compiled.reflection.clone());
    let Some(host) = assembled(compiled, size, binding.specialization) else { return false };
    let options = CpuOptions {
        width: Some(host.number("/lanes") as u32),
        vectors: Some(1),
        is_checked: true,
        ..CpuOptions::default()
    };
    let Ok(expected) = run_on_cpu(&module, &reflection, &launch, options) else { return false };
    let buffers = launch.buffers().expect("the launch has buffers");
    let found = host.launch(&launch, size.groups, &buffers);
    // Others may contain addresses.
    for output in launch.outputs() {
        assert!(found[output.index] == expected.buffers[output.index], "{}: buffer {}", path.display(), output.index);
    }
    true
}

#[test]
fn code_is_called_by_its_interface() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let entries = std::fs::read_dir(folder).expect("the kernels are there");
    let mut launches: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    launches.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    launches.sort();
    let count = launches.iter().filter(|path| holds(path)).count();
    assert!(count >= 60, "{count} of {} launches", launches.len());
}
