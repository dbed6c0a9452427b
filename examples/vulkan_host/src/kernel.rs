//! A launch in the terms of a compiled kernel: which bytes go to the push constants, which values to the specialization constants.
//!
//! All of it comes from the reflection that `reconverge compile` wrote (docs/kernel-abi.md). Nothing here calls Vulkan, and nothing knows
//! a kernel: this file fits every kernel and every binding of Vulkan. `device.rs` passes the result to `ash`.

use std::error::Error;

use serde_json::Value;

pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// What the compiler says of a shader.
pub struct Reflection(Value);

/// What it says of one of the kernels.
pub struct Kernel<'a>(&'a Value);

/// An argument of a launch.
#[derive(Clone, Copy)]
pub enum Argument<'a> {
    /// A pointer to global or constant memory: the device address of a buffer, or 0.
    Address(u64),
    /// Anything that is passed by value: its bytes, as OpenCL C lays them out.
    Value(&'a [u8]),
    /// A pointer to local memory: how many bytes it leads to.
    Local(u32),
    /// An image.
    Image(Image),
    /// A sampler: its bits, as OpenCL C has them.
    Sampler(u32),
}

/// An image whose texels are in a buffer.
#[derive(Clone, Copy)]
pub struct Image {
    /// The device address of the texels, a multiple of 16.
    pub address: u64,
    /// Width, height, depth, and the bytes from one row and from one slice to the next.
    pub shape: [u32; 5],
    /// The channel order, as the number of OpenCL.
    pub order: u32,
    /// The channel type, as the number of OpenCL.
    pub data_type: u32,
}

/// What a launch ranges over.
#[derive(Clone, Copy)]
pub struct Range {
    /// Work-items in each dimension.
    pub global: [u64; 3],
    /// Work-items of a work-group. Where nothing is said it is what the kernel requires, or up to 64 along the first dimension.
    pub local: Option<[u32; 3]>,
    /// What is added to every global id.
    pub offset: [u64; 3],
    /// How many dimensions there are, 1 to 3.
    pub dimensions: u32,
}

/// What Vulkan has to be told.
#[derive(Debug)]
pub struct Binding {
    /// The name of the entry point.
    pub entry_point: String,
    /// The push constants.
    pub push_constants: Vec<u8>,
    /// Arguments that do not fit there: the contents of a buffer, and where its address goes in the push constants.
    pub argument_buffer: Option<(Vec<u8>, usize)>,
    /// Specialization constants: id and value.
    pub specialization: Vec<(u32, u32)>,
    /// Work-groups in each dimension.
    pub groups: [u32; 3],
    /// The subgroup size that the kernel demands.
    pub subgroup_size: Option<u32>,
}

impl Reflection {
    pub fn parse(text: &str) -> Outcome<Reflection> {
        let document: Value = serde_json::from_str(text)?;
        if !document["program_data"]["printf"].is_null() {
            return Err("a kernel prints, which this program does not show".into());
        }
        match document["format"].as_u64() {
            Some(1 | 4) => Ok(Reflection(document)),
            _ => Err(format!("the reflection has format {}, this program reads 1 and 4", document["format"]).into()),
        }
    }

    /// The names in `features`, `extensions` or `subgroup_operations`.
    pub fn names(&self, list: &str) -> Vec<&str> {
        self.0[list].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    pub fn kernels(&self) -> impl Iterator<Item = Kernel<'_>> {
        self.0["kernels"].as_array().into_iter().flatten().map(Kernel)
    }

    /// The kernel of that name; without a name, the only one.
    pub fn kernel(&self, name: Option<&str>) -> Outcome<Kernel<'_>> {
        let present: Vec<&str> = self.kernels().map(|kernel| kernel.name()).collect();
        let mut fitting = self.kernels().filter(|kernel| name.is_none_or(|name| kernel.name() == name));
        match (fitting.next(), fitting.next()) {
            (Some(kernel), None) => Ok(kernel),
            _ => Err(format!("name one of the kernels of the shader: {}", present.join(", ")).into()),
        }
    }

    /// How many bytes of memory the kernels share, if they share any.
    pub fn program_data_size(&self) -> Option<usize> {
        self.0["program_data"]["bytes"].as_str().map(|digits| digits.len() / 2)
    }

    /// What that memory holds at first, once its address is known: some of its words are addresses in it.
    pub fn program_data(&self, address: u64) -> Outcome<Vec<u8>> {
        let data = &self.0["program_data"];
        let digits = data["bytes"].as_str().unwrap_or_default();
        let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap_or_default(), 16);
        let mut bytes = (0..digits.len()).step_by(2).map(byte).collect::<Result<Vec<u8>, _>>()?;
        for relocation in data["relocations"].as_array().into_iter().flatten() {
            let target = address + number(relocation, "target")? as u64;
            put(&mut bytes, number(relocation, "at")?, &target.to_le_bytes())?;
        }
        Ok(bytes)
    }
}

impl<'a> Kernel<'a> {
    pub fn name(&self) -> &'a str {
        self.0["name"].as_str().unwrap_or_default()
    }

    /// The subgroup size that the kernel demands.
    pub fn subgroup_size(&self) -> Option<u32> {
        self.0["subgroup_size"].as_u64().map(|size| size as u32)
    }

    /// Arguments in the order of the kernel, from arguments by name. The shader must keep names (clang's `-fno-discard-value-names`).
    pub fn in_order<'v>(&self, named: &[(&str, Argument<'v>)]) -> Outcome<Vec<Argument<'v>>> {
        let find = |argument: &Value| {
            let name = argument["name"].as_str().ok_or("the shader keeps no names of arguments: give them in order")?;
            let found = named.iter().find(|(given, _)| *given == name);
            Ok(found.ok_or_else(|| format!("the argument {name} is not given"))?.1)
        };
        self.arguments().iter().map(find).collect()
    }

    /// Puts everything in its place. `program_data` is the address of the memory that the kernels share, or 0.
    pub fn bind(&self, range: &Range, arguments: &[Argument<'_>], program_data: u64) -> Outcome<Binding> {
        let Kernel(kernel) = *self;
        let local = self.local_size(range)?;
        let mut binding = Binding {
            entry_point: self.name().to_owned(),
            push_constants: vec![0; number(kernel, "push_constant_size")?],
            argument_buffer: None,
            specialization: Vec::new(),
            groups: groups(range.global, local)?,
            subgroup_size: self.subgroup_size(),
        };
        let ids = kernel["local_size"]["spec_ids"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        binding.specialization.extend(ids.map(|id| id as u32).zip(local));
        binding.specialization.extend(kernel["work_dim"].as_u64().map(|id| (id as u32, range.dimensions)));
        let place = &kernel["arguments_in"];
        if place["kind"] == "buffer" {
            let mut bytes = vec![0; number(place, "size")?];
            self.put_arguments(arguments, &mut bytes, &mut binding.specialization)?;
            binding.argument_buffer = Some((bytes, number(place, "address_offset")?));
        } else {
            self.put_arguments(arguments, &mut binding.push_constants, &mut binding.specialization)?;
        }
        if !kernel["program_data"].is_null() {
            put(&mut binding.push_constants, number(kernel, "program_data")?, &program_data.to_le_bytes())?;
        }
        if !kernel["global_offset"].is_null() {
            let bytes = range.offset.map(u64::to_le_bytes).concat();
            put(&mut binding.push_constants, number(kernel, "global_offset")?, &bytes)?;
        } else if range.offset != [0; 3] {
            return Err("a global offset needs a kernel that was compiled with --global-offset".into());
        }
        Ok(binding)
    }

    fn arguments(&self) -> &'a [Value] {
        self.0["arguments"].as_array().map_or(&[], Vec::as_slice)
    }

    /// Values and addresses go to `bytes`; sizes of local memory, formats of images and samplers to specialization constants.
    fn put_arguments(&self, given: &[Argument<'_>], bytes: &mut [u8], constants: &mut Vec<(u32, u32)>) -> Outcome<()> {
        let wanted = self.arguments();
        if given.len() != wanted.len() {
            return Err(format!("{} takes {} arguments, not {}", self.name(), wanted.len(), given.len()).into());
        }
        for (index, (wanted, given)) in wanted.iter().zip(given).enumerate() {
            match (wanted["kind"].as_str().unwrap_or_default(), *given) {
                ("pointer", Argument::Address(address)) => {
                    put(bytes, number(wanted, "offset")?, &address.to_le_bytes())?;
                }
                ("value", Argument::Value(value)) if value.len() == number(wanted, "size")? => {
                    put(bytes, number(wanted, "offset")?, value)?;
                }
                ("local", Argument::Local(size)) => {
                    let size = size.next_multiple_of(number(wanted, "alignment")?.max(1) as u32);
                    constants.push((number(wanted, "spec_id")? as u32, size));
                }
                ("image", Argument::Image(image)) => {
                    put(bytes, number(&wanted["texels"], "offset")?, &image.address.to_le_bytes())?;
                    put(bytes, number(wanted, "shape")?, &image.shape.map(u32::to_le_bytes).concat())?;
                    let format = &wanted["format"];
                    constants.push((number(format, "order_spec_id")? as u32, image.order));
                    constants.push((number(format, "data_type_spec_id")? as u32, image.data_type));
                }
                ("sampler", Argument::Sampler(bits)) => constants.push((number(wanted, "spec_id")? as u32, bits)),
                ("value", Argument::Value(value)) => {
                    let (size, found) = (number(wanted, "size")?, value.len());
                    return Err(format!("argument {index} has {size} bytes, {found} are given").into());
                }
                (kind, _) => return Err(format!("argument {index} is a {kind}; something else is given").into()),
            }
        }
        Ok(())
    }

    fn local_size(&self, range: &Range) -> Outcome<[u32; 3]> {
        let fixed =
            [&self.0["local_size"]["size"], &self.0["required_local_size"]].into_iter().find_map(Value::as_array);
        let fixed = fixed.map(|sizes| [0, 1, 2].map(|axis| sizes[axis].as_u64().unwrap_or(1) as u32));
        match (fixed, range.local) {
            (Some(fixed), Some(local)) if fixed != local => {
                Err(format!("{} requires work-groups of {fixed:?}, not {local:?}", self.name()).into())
            }
            (Some(local), _) | (None, Some(local)) => Ok(local),
            (None, None) => Ok([1 << range.global[0].trailing_zeros().min(6), 1, 1]),
        }
    }
}

/// Vulkan counts work-groups, not work-items.
fn groups(global: [u64; 3], local: [u32; 3]) -> Outcome<[u32; 3]> {
    let mut groups = [0; 3];
    for axis in 0..3 {
        let (items, size) = (global[axis], u64::from(local[axis]));
        if size == 0 || items % size != 0 {
            return Err(format!("{items} work-items are no whole number of work-groups of {size}").into());
        }
        groups[axis] = u32::try_from(items / size)?;
    }
    Ok(groups)
}

fn number(object: &Value, field: &str) -> Outcome<usize> {
    let number = object[field].as_u64().ok_or_else(|| format!("the reflection lacks the number {field}"))?;
    Ok(usize::try_from(number)?)
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) -> Outcome<()> {
    let place = bytes.get_mut(at..at + value.len()).ok_or("the reflection puts something outside of its place")?;
    place.copy_from_slice(value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel of docs/kernel-abi.md: `kernel void k(global int *a, uchar b, short c, float4 d, local int *e, long f)`.
    const REFLECTION: &str = r#"{ "format": 1, "kernels": [{
        "name": "k", "local_size": { "kind": "specialized", "spec_ids": [0, 1, 2] }, "required_local_size": null,
        "push_constant_size": 40, "arguments_in": { "kind": "push_constants" }, "arguments": [
            { "name": "a", "kind": "pointer", "address_space": "global", "offset": 0 },
            { "name": "b", "kind": "value", "offset": 8, "size": 1, "alignment": 1 },
            { "name": "c", "kind": "value", "offset": 10, "size": 2, "alignment": 2 },
            { "name": "d", "kind": "value", "offset": 16, "size": 16, "alignment": 16 },
            { "name": "e", "kind": "local", "spec_id": 3, "alignment": 4 },
            { "name": "f", "kind": "value", "offset": 32, "size": 8, "alignment": 8 }
        ], "global_offset": null, "program_data": null, "subgroup_size": null, "work_dim": 4 }],
        "program_data": { "bytes": "00112233445566778899", "alignment": 8, "relocations": [{ "at": 1, "target": 2 }] },
        "features": ["shaderInt64"], "extensions": [], "subgroup_operations": [] }"#;

    const RANGE: Range = Range { global: [96, 4, 1], local: Some([8, 2, 1]), offset: [0; 3], dimensions: 2 };

    fn arguments() -> [(&'static str, Argument<'static>); 6] {
        [
            ("f", Argument::Value(&[6; 8])),
            ("e", Argument::Local(5)),
            ("d", Argument::Value(&[4; 16])),
            ("c", Argument::Value(&[3; 2])),
            ("b", Argument::Value(&[2])),
            ("a", Argument::Address(0x0102_0304_0506_0708)),
        ]
    }

    fn bind(reflection: &str, range: &Range) -> Outcome<Binding> {
        let reflection = Reflection::parse(reflection)?;
        let kernel = reflection.kernel(None)?;
        kernel.bind(range, &kernel.in_order(&arguments())?, 0x99)
    }

    #[test]
    fn arguments_go_where_the_page_on_kernels_draws_them() {
        let binding = bind(REFLECTION, &RANGE).unwrap();
        let drawn = [&[8, 7, 6, 5, 4, 3, 2, 1, 2, 0, 3, 3, 0, 0, 0, 0][..], &[4; 16], &[6; 8]].concat();
        assert_eq!(binding.push_constants, drawn);
        assert_eq!(binding.specialization, [(0, 8), (1, 2), (2, 1), (4, 2), (3, 8)]);
        assert_eq!(binding.groups, [12, 2, 1]);
    }

    #[test]
    fn arguments_in_a_buffer_leave_the_push_constants_to_addresses() {
        let in_buffer = r#"{ "kind": "buffer", "address_offset": 32, "size": 40 }"#;
        let reflection = REFLECTION.replacen(r#"{ "kind": "push_constants" }"#, in_buffer, 1);
        let reflection = reflection.replacen(
            r#""global_offset": null, "program_data": null"#,
            r#""global_offset": 0, "program_data": 24"#,
            1,
        );
        let binding = bind(&reflection, &Range { offset: [1, 2, 3], ..RANGE }).unwrap();
        let words = [1, 2, 3, 0x99, 0_u64].map(u64::to_le_bytes).concat();
        assert_eq!(binding.push_constants, words);
        let (bytes, at) = binding.argument_buffer.unwrap();
        assert_eq!((&bytes[32..], at), (&[6; 8][..], 32));
    }

    #[test]
    fn program_data_holds_addresses_in_itself() {
        let data = Reflection::parse(REFLECTION).unwrap().program_data(0x1000).unwrap();
        assert_eq!(data, [0, 2, 0x10, 0, 0, 0, 0, 0, 0, 0x99]);
    }

    #[test]
    fn images_have_an_address_five_words_and_constants() {
        let (first, _) = REFLECTION.split_once(r#"{ "name": "a", "kind": "pointer""#).unwrap();
        let image = r#"{ "name": "a", "kind": "image", "texels": { "kind": "pointer", "offset": 0 }, "shape": 16,
            "format": { "order_spec_id": 5, "data_type_spec_id": 6 } },
            { "name": "s", "kind": "sampler", "spec_id": 7 }], "global_offset": null, "program_data": null,
            "subgroup_size": null, "work_dim": null }], "program_data": null }"#;
        let text = format!("{first}{image}").replacen(r#""format": 1"#, r#""format": 4"#, 1);
        let reflection = Reflection::parse(&text).unwrap();
        let image = Image { address: 0x0102, shape: [3, 2, 1, 12, 24], order: 0x10b5, data_type: 0x10d2 };
        let given = [Argument::Image(image), Argument::Sampler(0x13)];
        let binding = reflection.kernel(None).unwrap().bind(&RANGE, &given, 0).unwrap();
        assert_eq!(binding.push_constants[..8], [2, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(binding.push_constants[16..36], [3_u32, 2, 1, 12, 24].map(u32::to_le_bytes).concat());
        assert_eq!(binding.specialization[3..], [(5, 0x10b5), (6, 0x10d2), (7, 0x13)]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let complaint = |reflection: &str, range: &Range| bind(reflection, range).unwrap_err().to_string();
        let odd = Range { global: [9, 2, 1], ..RANGE };
        assert_eq!(complaint(REFLECTION, &odd), "9 work-items are no whole number of work-groups of 8");
        let offset = Range { offset: [1, 0, 0], ..RANGE };
        assert!(complaint(REFLECTION, &offset).contains("--global-offset"));
        let newer = REFLECTION.replacen(r#""format": 1"#, r#""format": 2"#, 1);
        assert_eq!(complaint(&newer, &RANGE), "the reflection has format 2, this program reads 1 and 4");
        let wider = REFLECTION.replacen(r#""size": 2"#, r#""size": 4"#, 1);
        assert_eq!(complaint(&wider, &RANGE), "argument 2 has 4 bytes, 2 are given");
        let unnamed = REFLECTION.replacen(r#""name": "a""#, r#""name": null"#, 1);
        assert!(complaint(&unnamed, &RANGE).contains("give them in order"));
        let other = REFLECTION.replacen(r#""required_local_size": null"#, r#""required_local_size": [4, 4, 1]"#, 1);
        assert_eq!(complaint(&other, &RANGE), "k requires work-groups of [4, 4, 1], not [8, 2, 1]");
    }
}
