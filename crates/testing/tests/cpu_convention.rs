//! The calling convention of CPU code: what is called by its JSON alone gives the buffers that the engine's own launch gives.
#![expect(unsafe_code, reason = "the test maps machine code and calls it")]

use std::path::Path;

use memmap2::{Mmap, MmapMut};
use reconverge::codegen::{BackEnd, Request};
use reconverge::ir::Module;
use reconverge::opencl::{GlobalOffset, Reflection};
use reconverge::{CompileOptions, Format, Level, Lowering, Target, lower};
use reconverge_run::launch::Argument;
use reconverge_run::{CpuOptions, InterpreterOptions, Launch, Size, bind, interpret_compiled, run_on_cpu};
use serde_json::Value;

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

    /// The address, through which the code may write.
    fn address(&mut self) -> u64 {
        self.0.as_mut_ptr() as u64
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
        let mut memory: Vec<Memory> = buffers.iter().map(|bytes| Memory::of(bytes)).collect();
        let mut accessible: Vec<Range> =
            memory.iter_mut().zip(buffers).map(|(memory, bytes)| (memory.address(), bytes.len())).collect();
        let mut constants = Memory::new(self.number("/push_constants/bytes"));
        let block = (self.json["arguments_in"]["kind"] == "buffer").then(|| self.number("/arguments_in/size"));
        let mut block = block.map(|bytes| (Memory::new(bytes), bytes));
        let mut addresses = accessible.clone().into_iter().map(|(address, _)| address);
        for (index, argument) in launch.arguments.iter().enumerate() {
            let bytes = match argument {
                Argument::Buffer(_) => addresses.next().expect("a buffer has memory").to_le_bytes().to_vec(),
                Argument::Value(value) => value.bytes.clone(),
                Argument::Local(_) => continue,
                Argument::Image(image) => {
                    let address = addresses.next().expect("an image has memory").to_le_bytes();
                    let words = image.shape().expect("the launch is valid");
                    let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    for (place, bytes) in [("texels/offset", &address[..]), ("shape", &words)] {
                        let offset = self.number(&format!("/arguments/{index}/{place}"));
                        block.as_mut().map_or(&mut constants, |(block, _)| block).put(offset, bytes);
                    }
                    continue;
                }
                // The code is for the sampler of the launch.
                Argument::Sampler(_) => continue,
            };
            let place = format!("/arguments/{index}");
            assert_eq!(self.number(&format!("{place}/size")), bytes.len());
            let offset = self.number(&format!("{place}/offset"));
            assert!(offset.is_multiple_of(self.number(&format!("{place}/alignment"))));
            block.as_mut().map_or(&mut constants, |(block, _)| block).put(offset, &bytes);
        }
        if let Some((block, bytes)) = &mut block {
            constants.put(self.number("/arguments_in/address_offset"), &block.address().to_le_bytes());
            accessible.push((block.address(), *bytes));
        }
        let mut data = self.program_data();
        if let Some((offset, data, bytes)) = &mut data {
            constants.put(*offset, &data.address().to_le_bytes());
            accessible.push((data.address(), *bytes));
        }
        if let Some(at) = self.json["global_offset"].as_u64() {
            constants.put(at as usize, &launch.offset.map(u64::to_le_bytes).concat());
        }
        self.call(groups, &mut self.ranges(&accessible), &mut constants);
        memory.iter().zip(buffers).map(|(memory, bytes)| memory.bytes(bytes.len())).collect()
    }

    /// Calls the code for each work-group.
    fn call(&self, groups: [u32; 3], ranges: &mut Memory, constants: &mut Memory) {
        let mut context = Memory::new(self.number("/context/bytes"));
        let field = |name: &str| self.number(&format!("/context/fields/{name}"));
        context.put(field("ranges"), &ranges.address().to_le_bytes());
        context.put(field("workgroup_count"), &groups.map(u32::to_le_bytes).concat());
        let before = self.number("/workgroup_memory/bytes_before");
        let mut local = Memory::new(before + self.number("/workgroup_memory/bytes"));
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

/// An error as text.
fn text(error: impl ToString) -> String {
    error.to_string()
}

fn compiled(path: &Path, launch: &Launch) -> Result<Compiled, String> {
    let bytes = std::fs::read(path).map_err(|_| "no module".to_owned())?;
    let mut module = reconverge::read(&bytes, Format::SPIRV).map_err(text)?;
    let mut kernel = BackEnd::CPU.kernel_options();
    kernel.kernels = launch.kernel.iter().cloned().collect();
    kernel.launch_constants = launch.constants();
    if launch.offset != [0; 3] {
        kernel.global_offset = GlobalOffset::Passed;
    }
    let options = CompileOptions::new().target(Target::CPU).kernel(kernel).level(Level::None);
    let run = reconverge::run(&mut module, &options, &mut |_, _| ()).map_err(text)?;
    let reflection = run.reflection.clone().ok_or("no kernel")?;
    Ok(Compiled { module, reflection, options, run })
}

/// The code and its interface, as `compile` makes them for the size of a launch.
fn assembled(compiled: Compiled, size: Size, constants: Vec<(u32, u32)>) -> Result<Host, String> {
    let Compiled { mut module, reflection, options, mut run } = compiled;
    let kernel = &reflection.kernels[0];
    let request = Request { constants, ..Request::new(kernel.name.as_str(), size.local) };
    let function = request.function(&module).map_err(text)?;
    let facts = BackEnd::CPU.facts(&request).map_err(text)?;
    let lowering = Lowering { back_end: BackEnd::CPU, function, facts };
    lower(&mut module, &lowering, &options, &mut run, &mut |_, _| ()).map_err(text)?;
    let code = BackEnd::CPU.assemble(&module, function, &request).map_err(text)?;
    Ok(Host::new(&code.bytes(), &code.interface(kernel, reflection.program_data.as_ref())))
}

/// A launch that was called by the interface of its code.
struct Called {
    module: Module,
    reflection: Reflection,
    lanes: u32,
    buffers: Vec<Vec<u8>>,
}

/// Calls the code of a launch by its interface. An error says why there is nothing to call.
fn called(path: &Path, launch: &Launch) -> Result<Called, String> {
    let compiled = compiled(path, launch)?;
    let binding = bind(launch, &compiled.reflection).map_err(text)?;
    let size = binding.size;
    let (module, reflection) = (compiled.module.clone(), compiled.reflection.clone());
    let host = assembled(compiled, size, binding.specialization)?;
    let buffers = host.launch(launch, size.groups, &launch.buffers().map_err(text)?);
    Ok(Called { module, reflection, lanes: host.number("/lanes") as u32, buffers })
}

/// Compares a launch that is called by the interface of its code with that of the engine. An error says why it is not called.
fn hold(path: &Path) -> Result<(), String> {
    let text_of_launch = std::fs::read_to_string(path).expect("a launch is readable");
    let launch = Launch::from_json(&text_of_launch).map_err(text)?;
    let json: Value = serde_json::from_str(&text_of_launch).expect("a launch is JSON");
    let module = json["modules"][0].as_str().expect("a launch names its modules");
    let Called { module, reflection, lanes, buffers } = called(&path.with_file_name(module), &launch)?;
    let options = CpuOptions { width: Some(lanes), vectors: Some(1), is_checked: true, ..CpuOptions::default() };
    let expected = run_on_cpu(&module, &reflection, &launch, options).expect("the engine runs what can be called");
    // Others may contain addresses.
    for output in launch.outputs() {
        assert!(buffers[output.index] == expected.buffers[output.index], "{}: buffer {}", path.display(), output.index);
    }
    Ok(())
}

/// All launches are called.
#[test]
fn code_is_called_by_its_interface() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let entries = std::fs::read_dir(folder).expect("the kernels are there");
    let mut launches: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    launches.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    launches.sort();
    let left_out = launches.iter().filter_map(|path| hold(path).err().map(|reason| (path, reason)));
    let left_out: Vec<_> = left_out.collect();
    assert!(!launches.is_empty() && left_out.is_empty(), "{left_out:#?}");
}

/// Compares a launch that is called by the interface of its code with the interpreter.
fn hold_on_interpreter(path: &str, kernel: &str, arguments: &[&str], offset: [u64; 3]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let launch = Launch {
        kernel: Some(kernel.to_owned()),
        global: [96, 1, 1],
        local: Some([48, 1, 1]),
        offset,
        arguments: arguments.iter().map(|text| Argument::from_flag(text).expect("the argument is valid")).collect(),
        ..Launch::default()
    };
    let Called { module, reflection, buffers, .. } = called(&path, &launch).expect("the kernel is simple");
    let expected = interpret_compiled(&module, &reflection, &launch, InterpreterOptions::default());
    let expected = expected.expect("the launch fits the kernel");
    assert!(expected.failure.is_none() && buffers == expected.buffers, "{buffers:?}\n{:?}", expected.buffers);
}

/// The host writes all arguments, and so there is room for them.
#[test]
fn arguments_that_the_code_does_not_read_have_a_place() {
    let numbers = "i32x8=1,2,3,4,5,6,7,8";
    let arguments = [numbers, numbers, "out:i32[96]"];
    hold_on_interpreter("tests/convention/kernels.spv", "reads_nothing", &arguments, [0; 3]);
}

#[test]
fn the_host_passes_the_global_offset() {
    let arguments = ["out:u32[512]", "out:u64[256]"];
    hold_on_interpreter("../../tests/kernels/ranges.spv", "ranges", &arguments, [16, 0, 1]);
}

/// The code is for any number of work-groups, so that the ids may have more than 32 bits and are in vectors. Their difference is uniform.
#[test]
fn a_difference_of_ids_in_32_bits_is_that_of_lane_0() {
    hold_on_interpreter("tests/convention/kernels.spv", "start_of_group", &["out:u32[192]"], [0; 3]);
}
