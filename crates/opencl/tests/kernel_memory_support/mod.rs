//! What the tests of the pass `memory` share: kernels before and after it, what must hold of the result, and runs of both.

use reconverge_interpret::{BufferAddress, Holder, Interpreter, KernelArgument, KernelLaunch};
use reconverge_ir::{Function, Inst, Module, Op, text};
use reconverge_opencl::{ArgumentKind, Context, KernelError, KernelOptions, arguments, lower_memory};
use reconverge_verify::verify;

/// Types and constants that the kernels begin with.
pub(crate) const HEAD: &str = "\
capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, \"k\", %gid
%void = type_void
%bool = type_bool
%u8 = type_int 8, 0
%u16 = type_int 16, 0
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%f32 = type_float 32
%f64 = type_float 64
%v2u32 = type_vector %u32, 2
%v3f32 = type_vector %f32, 3
%v4f32 = type_vector %f32, 4
%v4u8 = type_vector %u8, 4
%v3u64 = type_vector %u64, 3
%n0: %u32 = constant 0
%n1: %u32 = constant 1
%n2: %u32 = constant 2
%n3: %u32 = constant 3
%n4: %u32 = constant 4
%n5: %u32 = constant 5
%n7: %u32 = constant 7
%n8: %u32 = constant 8
%n16: %u32 = constant 16
%n100: %u32 = constant 100
%w0: %u64 = constant words(0, 0)
%w1: %u64 = constant words(1, 0)
%w2: %u64 = constant words(2, 0)
%w3: %u64 = constant words(3, 0)
%w4: %u64 = constant words(4, 0)
%w8: %u64 = constant words(8, 0)
%w12: %u64 = constant words(12, 0)
%w400: %u64 = constant words(400, 0)
%true: %bool = constant_true
%g8 = type_pointer CrossWorkgroup, %u8
%g32 = type_pointer CrossWorkgroup, %u32
%g64 = type_pointer CrossWorkgroup, %u64
%gf32 = type_pointer CrossWorkgroup, %f32
%gv4 = type_pointer CrossWorkgroup, %v4f32
%c32 = type_pointer UniformConstant, %u32
%c8 = type_pointer UniformConstant, %u8
%l8 = type_pointer Workgroup, %u8
%l32 = type_pointer Workgroup, %u32
%l64 = type_pointer Workgroup, %u64
%lf32 = type_pointer Workgroup, %f32
%lv4 = type_pointer Workgroup, %v4f32
%p8 = type_pointer Function, %u8
%p16 = type_pointer Function, %u16
%p32 = type_pointer Function, %u32
%p64 = type_pointer Function, %u64
%pf32 = type_pointer Function, %f32
%x8 = type_pointer Generic, %u8
%x32 = type_pointer Generic, %u32
%a4u32 = type_array %u32, %n4
%a8u32 = type_array %u32, %n8
%a16u8 = type_array %u8, %n16
%a16f32 = type_array %f32, %n16
%a100u32 = type_array %u32, %n100
%la16f32 = type_pointer Workgroup, %a16f32
%la8u32 = type_pointer Workgroup, %a8u32
%pa8u32 = type_pointer Function, %a8u32
%pa16u8 = type_pointer Function, %a16u8
%pa100u32 = type_pointer Function, %a100u32
%input = type_pointer Input, %v3u64
%gid: %input = variable Input {decorate BuiltIn 28}
";

/// A kernel before and after the pass.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// As it came.
    pub before: Module,
    /// What the pass made of it, after the arguments were turned into push constants.
    pub after: Module,
    /// What the passes said to the host.
    pub context: Context,
}

/// Writes a kernel `k(out: *u32 global, in: *u32 global)`, of one work-item a group; `%i` is its global number, 64 bits wide, `%j` the
/// same of 32.
pub(crate) fn kernel(globals: &str, body: &str) -> String {
    kernel_with(globals, "%g32, %g32", "%out: %g32, %in: %g32", body)
}

/// [`kernel`] with other parameters. Variables of the body go to its top.
pub(crate) fn kernel_with(globals: &str, types: &str, parameters: &str, body: &str) -> String {
    let (variables, body): (Vec<&str>, Vec<&str>) = body.lines().partition(|line| line.contains("= variable Function"));
    let (variables, body) = (variables.join("\n"), body.join("\n"));
    format!(
        "{HEAD}{globals}
         %fn = type_function %void, {types}
         func %k: %void ({parameters}) type %fn control 0 stage graph {{
         block ^entry:
           {variables}
           %ids: %v3u64 = load %gid
           %i: %u64 = composite_extract %ids, 0
           %j: %u32 = u_convert %i
           {body}
         }}"
    )
}

/// The end of a body that stores a 32-bit value at the work-item's place of `%out`.
pub(crate) fn give(value: &str) -> String {
    format!(
        "%place: %g32 = in_bounds_ptr_access_chain %out, %i
         store %place, {value}, 2, 4
         return"
    )
}

/// A valid module of this text.
pub(crate) fn parse(source: &str) -> Module {
    let module = text::parse(source).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    hold_verified(&module);
    module
}

/// The verifier finds nothing.
pub(crate) fn hold_verified(module: &Module) {
    if let Some(finding) = verify(module).first() {
        panic!("{finding}\n{}", text::print(module));
    }
}

/// Runs the pass on a kernel of this text. The result is valid, holds no pointer of a kernel, and stays as it is in a second run.
pub(crate) fn lower(source: &str) -> Lowered {
    let before = parse(source);
    let mut after = before.clone();
    let mut context = Context::new(KernelOptions::default());
    if let Err(error) = arguments(&mut after, &mut context) {
        panic!("{error}");
    }
    hold_verified(&after);
    match lower_memory(&mut after, &mut context) {
        Ok(changed) => assert!(changed, "nothing changed\n{}", text::print(&after)),
        Err(error) => panic!("{error} at {}\n{}", text::print_inst(&after, error.at), text::print(&after)),
    }
    hold_verified(&after);
    hold_lowered(&after);
    let once = (text::print(&after), context.reflection.clone());
    assert_eq!(lower_memory(&mut after, &mut context), Ok(false), "{}", once.0);
    assert_eq!((text::print(&after), context.reflection.clone()), once);
    Lowered { before, after, context }
}

/// What the pass refuses, and the instruction at which it does.
pub(crate) fn refused(source: &str) -> (KernelError, String) {
    let mut module = parse(source);
    let mut context = Context::new(KernelOptions::default());
    arguments(&mut module, &mut context).unwrap_or_else(|error| panic!("{error}"));
    let error = lower_memory(&mut module, &mut context).expect_err("the pass should refuse");
    let at = text::print_inst(&module, error.at);
    (error, at)
}

/// Work-group and private memory is reached through access chains alone, and no other pointer of OpenCL is left in the code.
fn hold_lowered(module: &Module) {
    for inst in instructions(module) {
        let Some(ty) = module.ty(inst).filter(|&ty| module.op(ty) == Op::TypePointer) else { continue };
        let storage_class = module.literal_word(module.operand(ty, 0));
        let logical = matches!(module.op(inst), Op::Variable | Op::AccessChain | Op::InBoundsAccessChain);
        let allowed = match storage_class {
            Some(0 | 5 | 8) => false,
            Some(4 | 6 | 7) => logical,
            _ => true,
        };
        assert!(allowed, "{} is left\n{}", text::print_inst(module, inst), text::print(module));
    }
}

/// The instructions of all blocks.
pub(crate) fn instructions(module: &Module) -> Vec<Inst> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.flat_map(|block| module.children(block)).collect()
}

impl Lowered {
    /// How many instructions of an op the code has now.
    pub(crate) fn count(&self, op: Op) -> usize {
        instructions(&self.after).iter().filter(|&&inst| self.after.op(inst) == op).count()
    }

    /// The one line of the printed result that holds all of these words.
    pub(crate) fn line(&self, words: &[&str]) -> String {
        let printed = text::print(&self.after);
        let found: Vec<&str> =
            printed.lines().filter(|line| words.iter().all(|word| line.contains(word))).map(str::trim).collect();
        assert_eq!(found.len(), 1, "{words:?}: {found:?}\n{printed}");
        found[0].to_owned()
    }

    /// The type of the variable of that name, with what it points to written out: `Workgroup f32[16]`.
    pub(crate) fn variable(&self, name: &str) -> String {
        let module = &self.after;
        let all = module.globals().chain(instructions(module)).collect::<Vec<_>>();
        let found =
            all.into_iter().find(|&inst| module.op(inst) == Op::Variable && module.name(inst).as_deref() == Some(name));
        let variable = found.unwrap_or_else(|| panic!("no variable {name}\n{}", text::print(module)));
        let ty = module.ty(variable).expect("a valid module");
        let class = ["UniformConstant", "", "", "", "Workgroup", "", "Private", "Function"]
            [module.literal_word(module.operand(ty, 0)).expect("a valid module") as usize];
        format!("{class} {}", type_text(module, module.operand(ty, 1)))
    }

    /// Runs both for that many work-items, with what `%in` holds, and holds what `%out` holds afterwards against each other.
    /// The words come back.
    pub(crate) fn run(&self, items: u32, input: &[u32], local: u64) -> Vec<u32> {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let buffers = vec![vec![0; 4 * items as usize], bytes(input)];
        let before = self.run_before(items, buffers.clone(), local);
        let after = self.run_after(items, buffers, local);
        assert_eq!(before, after, "{}\n{}", text::print(&self.before), text::print(&self.after));
        words(&after)
    }

    /// Runs the result alone: for what the interpreter does not know about OpenCL.
    pub(crate) fn run_after_only(&self, items: u32, input: &[u32]) -> Vec<u32> {
        let input = input.iter().flat_map(|word| word.to_le_bytes()).collect();
        words(&self.run_after(items, vec![vec![0; 4 * items as usize], input], 0))
    }

    fn run_before(&self, items: u32, buffers: Vec<Vec<u8>>, local: u64) -> Vec<u8> {
        let function = function(&self.before);
        let mut arguments: Vec<KernelArgument> =
            (0..buffers.len()).map(|index| KernelArgument::Buffer { index, offset: 0 }).collect();
        let more = self.before.parameters(function).count() - arguments.len();
        arguments.extend((0..more).map(|_| KernelArgument::Local { bytes: local }));
        let launch = KernelLaunch { groups: [items, 1, 1], arguments, buffers, ..KernelLaunch::default() };
        outcome(&self.before, &launch)
    }

    fn run_after(&self, items: u32, mut buffers: Vec<Vec<u8>>, local: u64) -> Vec<u8> {
        let kernel = &self.context.reflection.kernels[0];
        let mut addresses = Vec::new();
        let mut specialization = Vec::new();
        for (index, argument) in kernel.arguments.iter().enumerate() {
            match argument.kind {
                ArgumentKind::Pointer { offset, .. } => {
                    addresses.push((Holder::PushConstants, offset as usize, index, 0))
                }
                ArgumentKind::Local { spec_id, .. } => specialization.push((spec_id, local)),
                ArgumentKind::Value { .. } => panic!("no test has values"),
            }
        }
        if let (Some(data), Some(offset)) = (&self.context.reflection.program_data, kernel.program_data) {
            let number = buffers.len();
            buffers.push(data.bytes.clone());
            addresses.push((Holder::PushConstants, offset as usize, number, 0));
            for relocation in &data.relocations {
                addresses.push((Holder::Buffer(number), relocation.at as usize, number, u64::from(relocation.target)));
            }
        }
        let addresses = addresses.into_iter();
        let launch = KernelLaunch {
            groups: [items, 1, 1],
            push_constants: vec![0; kernel.push_constant_size as usize],
            addresses: addresses
                .map(|(holder, at, buffer, offset)| BufferAddress { holder, at, buffer, offset })
                .collect(),
            specialization,
            buffers,
            ..KernelLaunch::default()
        };
        outcome(&self.after, &launch)
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn outcome(module: &Module, launch: &KernelLaunch) -> Vec<u8> {
    let outcome = Interpreter::new(module).launch_kernel(function(module), launch);
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{}", text::print(module)));
    assert!(outcome.failure.is_none(), "{:?}\n{}", outcome.failure, text::print(module));
    assert!(outcome.buffers[0].defined.iter().all(|&defined| defined), "undefined results\n{}", text::print(module));
    outcome.buffers[0].bytes.clone()
}

fn function(module: &Module) -> Function {
    module.functions().find(|&function| module.entry(function).is_some()).expect("a valid module")
}

fn type_text(module: &Module, ty: Inst) -> String {
    match module.op(ty) {
        Op::TypeInt => format!("u{}", module.literal_word(module.operand(ty, 0)).expect("a valid module")),
        Op::TypeFloat => format!("f{}", module.literal_word(module.operand(ty, 0)).expect("a valid module")),
        Op::TypeVector => {
            let count = module.literal_word(module.operand(ty, 1)).expect("a valid module");
            format!("{}x{count}", type_text(module, module.operand(ty, 0)))
        }
        Op::TypeArray => {
            let length = module.operand(ty, 1);
            let count = match module.op(length) {
                Op::Constant => module.literal_word(length).expect("a valid module").to_string(),
                _ => "?".to_owned(),
            };
            format!("{}[{count}]", type_text(module, module.operand(ty, 0)))
        }
        op => op.name().to_owned(),
    }
}
