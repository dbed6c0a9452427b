//! A kernel that computes cases: every lane of every work-group loads operands of its own, and stores every result.
//!
//! ```text
//! column of T:  in_T[(group · COLUMNS + column) · LANES + lane]       operand number `column`, varying; of lane 0, uniform
//! result:       out_T[(case · GROUPS + group) · LANES + lane]         T as it is in memory
//! ```

use std::fmt::Write;

use reconverge_interpret::{BufferAddress, Holder, Interpreter, KernelLaunch};
use reconverge_ir::{Module, view};
use reconverge_run::{Address, Binding, Contents, Size};

use super::cases::{Case, Kind};
use super::domain::{MEMORY, Memory, Part, declaration, pointer_declaration, pointer_to};
use super::scalar::{Scalar, Values, float_bits};

/// Lanes of a work-group.
pub(super) const LANES: usize = 16;
/// Work-groups.
pub(super) const GROUPS: usize = 4;
/// The operands that a combination has at most.
const COLUMNS: usize = 4;
/// A kernel with its inputs.
pub(super) struct Kernel<'a> {
    cases: &'a [Case],
    pub(super) module: Module,
    /// The buffers of inputs, then those of results.
    buffers: Vec<Vec<u8>>,
}

/// The results of a case: bits for each lane of each work-group; `None` where they are undefined.
pub(super) type Results = Vec<Option<u64>>;

impl<'a> Kernel<'a> {
    /// The kernel of some cases.
    pub(super) fn new(cases: &'a [Case], values: Values) -> Kernel<'a> {
        let text = text(cases, values);
        let module = reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let inputs = MEMORY.iter().map(|&ty| input(ty, values));
        let outputs = MEMORY.iter().map(|ty| vec![0; (cases.len() * GROUPS * LANES * ty.bytes()).next_multiple_of(4)]);
        Kernel { cases, module, buffers: inputs.chain(outputs).collect() }
    }

    /// The launch of machine code.
    pub(super) fn binding(&self) -> Binding {
        let buffer = |bytes: &Vec<u8>| Contents { bytes: bytes.clone(), addresses: Vec::new() };
        let count = self.buffers.len();
        Binding {
            entry_point: "main".to_owned(),
            size: Size { groups: [GROUPS as u32, 1, 1], local: [LANES as u32, 1, 1] },
            push_constants: Contents {
                bytes: vec![0; 8 * count],
                addresses: (0..count).map(|buffer| Address { at: 8 * buffer, buffer, target: 0 }).collect(),
            },
            buffers: self.buffers.iter().map(buffer).collect(),
            descriptors: Vec::new(),
            program_data: None,
            specialization: Vec::new(),
            subgroup_size: None,
        }
    }

    /// The results of each case in the interpreter, or what is undefined.
    pub(super) fn interpret(&self, subgroup_size: u32) -> Result<Vec<Results>, String> {
        let module = &self.module;
        let entry = module.globals().find_map(|inst| view::EntryPoint::of(module, inst)).expect("there is a kernel");
        let function = module.cast(entry.function).expect("an entry point is a function");
        let count = self.buffers.len();
        let address = |buffer| BufferAddress { holder: Holder::PushConstants, at: 8 * buffer, buffer, offset: 0 };
        let launch = KernelLaunch {
            groups: [GROUPS as u32, 1, 1],
            local: [LANES as u32, 1, 1],
            subgroup_size,
            buffers: self.buffers.clone(),
            push_constants: vec![0; 8 * count],
            addresses: (0..count).map(address).collect(),
            ..KernelLaunch::default()
        };
        let outcome = Interpreter::new(module).launch_kernel(function, &launch).expect("the launch fits the kernel");
        if let Some(failure) = outcome.failure {
            return Err(failure.to_string());
        }
        let bytes: Vec<&[u8]> = outcome.buffers.iter().map(|buffer| &*buffer.bytes).collect();
        let defined: Vec<&[bool]> = outcome.buffers.iter().map(|buffer| &*buffer.defined).collect();
        Ok(self.results(&bytes, Some(&defined)))
    }

    /// The results of each case in the buffers of a launch.
    pub(super) fn found(&self, buffers: &[Vec<u8>]) -> Vec<Results> {
        self.results(&buffers.iter().map(|bytes| &**bytes).collect::<Vec<_>>(), None)
    }

    fn results(&self, buffers: &[&[u8]], defined: Option<&[&[bool]]>) -> Vec<Results> {
        let mut results = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            let ty = case.combination.result.stored();
            let (buffer, size) = (MEMORY.len() + number(ty), ty.bytes());
            let value = |element: usize| {
                let range = element * size..(element + 1) * size;
                let is_defined =
                    defined.is_none_or(|defined| defined[buffer][range.clone()].iter().all(|&defined| defined));
                let mut bits = [0; 8];
                bits[..size].copy_from_slice(&buffers[buffer][range]);
                is_defined.then_some(u64::from_le_bytes(bits))
            };
            let first = index * GROUPS * LANES;
            results.push((first..first + GROUPS * LANES).map(value).collect());
        }
        results
    }
}

/// The number of a type of memory.
fn number(ty: Scalar) -> usize {
    MEMORY.iter().position(|&stored| stored == ty).expect("memory has the type")
}

/// The contents of the columns of a type; of booleans and pointers as their numbers are.
fn input(ty: Scalar, values: Values) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in 0..GROUPS * COLUMNS * LANES {
        let (place, lane) = (element / LANES, element % LANES);
        let (group, column) = (place / COLUMNS, place % COLUMNS);
        // Every column has the values in another order.
        let index = (group * LANES + lane) * (2 * column + 1) + column;
        bytes.extend(&ty.value(index, values).to_le_bytes()[..ty.bytes()]);
    }
    bytes
}

/// The text of a kernel.
fn text(cases: &[Case], values: Values) -> String {
    let mut text = declarations();
    let mut writer = Writer { values, constants: String::new(), body: String::new() };
    cases.iter().enumerate().for_each(|(index, case)| writer.add_case(index, case));
    text += &pairs(cases);
    text += &writer.constants;
    text += "func %main: %void () type %function {\nblock ^entry:\n";
    text += "  %lane: %i32 = load %lane_at\n  %groups: %i32x3 = load %group_at\n";
    text += "  %group: %i32 = composite_extract %groups, 0\n";
    text += &format!("  %first: %i32 = i_mul %group, %n{}\n", COLUMNS * LANES);
    text += &format!("  %place: %i32 = i_mul %group, %n{LANES}\n  %own: %i32 = i_add %place, %lane\n");
    for (index, ty) in MEMORY.iter().enumerate() {
        for (name, member) in [("in", index), ("out", MEMORY.len() + index)] {
            writeln!(text, "  %{name}_{ty}_at: %word_pointer = access_chain %constants, %n{member}")
                .expect("text grows");
            writeln!(text, "  %{name}_{ty}: %i64 = load %{name}_{ty}_at").expect("text grows");
        }
    }
    text + &writer.body + "  return\n}\n"
}

/// What every kernel has before its function.
fn declarations() -> String {
    let mut text = String::from(
        "capability Shader
capability Int8
capability Int16
capability Int64
capability Float16
capability Float64
capability PhysicalStorageBufferAddresses
capability ShaderClockKHR
extension \"SPV_KHR_shader_clock\"
%glsl = ext_inst_import \"GLSL.std.450\"
memory_model PhysicalStorageBuffer64, GLSL450
entry_point GLCompute, %main, \"main\", %lane_at, %group_at
execution_mode %main, LocalSize, 16, 1, 1
%void = type_void
",
    );
    text += &Scalar::ALL.iter().map(|ty| declaration(*ty)).collect::<String>();
    text += &MEMORY.iter().map(|&ty| pointer_declaration(ty)).collect::<String>();
    text += "%i32x3 = type_vector %i32, 3
%input = type_pointer Input, %i32
%inputs = type_pointer Input, %i32x3
%lane_at: %input = variable Input {decorate BuiltIn 29}
%group_at: %inputs = variable Input {decorate BuiltIn 26}
%true: %bool = constant_true
%false: %bool = constant_false
%function = type_function %void
";
    let numbers = (0..2 * MEMORY.len()).chain([COLUMNS * LANES, LANES]);
    numbers.for_each(|number| writeln!(text, "%n{number}: %i32 = constant {number}").expect("text grows"));
    for bits in [8, 16, 32, 64] {
        let ty = Scalar::Int(bits);
        for (name, value) in [("one", 1), ("minus3", u64::MAX - 2)] {
            writeln!(text, "%{name}_{ty}: %{ty} = constant {}", literal(ty, value)).expect("text grows");
        }
    }
    text += "%address: %i64 = constant words(2147483647, 0)\n";
    for size in [1, 2, 4, 8] {
        writeln!(text, "%size{size}: %i64 = constant words({size}, 0)").expect("text grows");
    }
    let members = vec!["%i64"; 2 * MEMORY.len()].join(", ");
    let offsets: Vec<String> =
        (0..2 * MEMORY.len()).map(|index| format!("member_decorate {index} Offset {}", 8 * index)).collect();
    text += &format!("%block = type_struct {members} {{decorate Block, {}}}\n", offsets.join(", "));
    text + "%block_pointer = type_pointer PushConstant, %block
%word_pointer = type_pointer PushConstant, %i64
%constants: %block_pointer = variable PushConstant
"
}

/// The types of results with two parts.
fn pairs(cases: &[Case]) -> String {
    let mut pairs: Vec<[Scalar; 2]> =
        cases.iter().filter_map(|case| case.combination.part.map(|Part { types, .. }| types)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.iter().map(|[first, second]| format!("%pair_{first}_{second} = type_struct %{first}, %{second}\n")).collect()
}

/// The constants and instructions of cases.
struct Writer {
    values: Values,
    constants: String,
    body: String,
}

impl Writer {
    fn add_case(&mut self, index: usize, case: &Case) {
        let combination = &case.combination;
        let mut operands = Vec::new();
        for (column, (&ty, &kind)) in combination.operands.iter().zip(&case.kinds).enumerate() {
            let name = format!("v{index}_{column}");
            match kind {
                Kind::Constant(which) => self.add_constant(&name, ty, which + 2 * column),
                _ => self.add_operand(&name, ty, kind, column),
            }
            operands.push(format!("%{name}"));
        }
        if let (true, [_, divisor]) = (combination.divides(), &mut operands[..]) {
            self.add_divisor(divisor, combination.result);
        }
        self.add_place(index, combination.result);
        if combination.memory.is_some() {
            self.add_write(index, combination.result, &operands[0]);
            operands[0] = format!("%o{index}");
        }
        match combination.part {
            None => self.add(&combination.instruction(&format!("r{index}"), &operands)),
            Some(part) => {
                self.add(&combination.instruction(&format!("pair{index}"), &operands));
                let ty = combination.result;
                self.add(&format!("%r{index}: %{ty} = composite_extract %pair{index}, {}", part.index));
            }
        }
        if combination.memory != Some(Memory::After) {
            self.add_store(index, combination.result);
        }
    }

    fn add(&mut self, line: &str) {
        writeln!(self.body, "  {line}").expect("text grows");
    }

    fn add_store(&mut self, index: usize, ty: Scalar) {
        let mut value = format!("r{index}");
        match ty {
            Scalar::Bool => self.add(&format!("%s{index}: %i32 = select %{value}, %n1, %n0")),
            Scalar::Pointer => self.add(&format!("%s{index}: %i64 = convert_ptr_to_u %{value}")),
            _ => {}
        }
        if ty.stored() != ty {
            value = format!("s{index}");
        }
        self.add_write(index, ty, &format!("%{value}"));
    }

    fn add_write(&mut self, index: usize, ty: Scalar, value: &str) {
        self.add(&format!("store %o{index}, {value}, 2, {}", ty.bytes()));
    }

    /// The address of the result of a case.
    fn add_place(&mut self, index: usize, ty: Scalar) {
        let stored = ty.stored();
        writeln!(self.constants, "%k{index}: %i32 = constant {}", index * GROUPS * LANES).expect("text grows");
        self.add(&format!("%o{index}_i: %i32 = i_add %own, %k{index}"));
        self.add_address(&format!("o{index}"), &format!("%out_{stored}"), stored);
    }

    /// Changes a divisor to one that is neither 0 nor -1, for which a division may have no result: its lowest bits become 01.
    fn add_divisor(&mut self, divisor: &mut String, ty: Scalar) {
        self.add(&format!("{divisor}_d: %{ty} = bitwise_and {divisor}, %minus3_{ty}"));
        self.add(&format!("{divisor}_o: %{ty} = bitwise_or {divisor}_d, %one_{ty}"));
        divisor.push_str("_o");
    }

    /// The address of the element `%NAME_i` after a base.
    fn add_address(&mut self, name: &str, base: &str, stored: Scalar) {
        let pointer = pointer_to(stored);
        self.add(&format!("%{name}_w: %i64 = u_convert %{name}_i"));
        self.add(&format!("%{name}_b: %i64 = i_mul %{name}_w, %size{}", stored.bytes()));
        self.add(&format!("%{name}_a: %i64 = i_add {base}, %{name}_b"));
        self.add(&format!("%{name}: %{pointer} = convert_u_to_ptr %{name}_a"));
    }

    fn add_operand(&mut self, name: &str, ty: Scalar, kind: Kind, column: usize) {
        let stored = ty.stored();
        writeln!(self.constants, "%column{name}: %i32 = constant {}", column * LANES).expect("text grows");
        self.add(&format!("%{name}_p_f: %i32 = i_add %first, %column{name}"));
        let lane = if kind == Kind::Varying { "lane" } else { "n0" };
        self.add(&format!("%{name}_p_i: %i32 = i_add %{name}_p_f, %{lane}"));
        self.add_address(&format!("{name}_p"), &format!("%in_{stored}"), stored);
        self.add(&format!("%{name}_l: %{stored} = load %{name}_p, 2, {}", stored.bytes()));
        let mut number = format!("{name}_l");
        if ty == Scalar::Pointer && self.values == Values::Moderate {
            self.add(&format!("%{name}_m: %i64 = bitwise_and %{number}, %address"));
            number = format!("{name}_m");
        }
        if kind == Kind::Affine {
            let mut lane = "lane".to_owned();
            if stored != Scalar::Int(32) {
                self.add(&format!("%{name}_n: %{stored} = u_convert %lane"));
                lane = format!("{name}_n");
            }
            self.add(&format!("%{name}_s: %{stored} = i_add %{number}, %{lane}"));
            number = format!("{name}_s");
        }
        match ty {
            Scalar::Bool => self.add(&format!("%{name}: %bool = u_less_than %{number}, %n5")),
            Scalar::Pointer => self.add(&format!("%{name}: %pointer = convert_u_to_ptr %{number}")),
            _ => self.add(&format!("%{name}: %{ty} = copy_object %{number}")),
        }
    }

    fn add_constant(&mut self, name: &str, ty: Scalar, which: usize) {
        let bits = match ty {
            Scalar::Int(bits) => {
                let highest = 1_u64 << (bits - 1);
                [3, u64::MAX >> (64 - bits), 5, highest, 2, highest - 1, 1, 4][which % 8]
            }
            Scalar::Float(bits) => float_bits(bits, [1.5, -0.25, 3.0, -2.0, 0.5, 7.0, -1.0, 2.0][which % 8]),
            Scalar::Bool | Scalar::Pointer => {
                let value = ["true", "false"][which / 2 % 2];
                return self.add(&format!("%{name}: %bool = copy_object %{value}"));
            }
        };
        writeln!(self.constants, "%{name}: %{ty} = constant {}", literal(ty, bits)).expect("text grows");
    }
}

/// The low bits of a number, as the literal of a constant.
fn literal(ty: Scalar, bits: u64) -> String {
    match ty.bits() {
        64 => format!("words({}, {})", bits as u32, bits >> 32),
        width => (bits & u64::MAX >> (64 - width)).to_string(),
    }
}
