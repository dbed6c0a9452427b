//! Reads tests in the script language of Amber: those that draw rectangles with fragment shaders and uniform buffers.
//!
//! ```text
//! SHADER fragment colors SPIRV-ASM
//! …
//! END
//! BUFFER limits DATA_TYPE int32[] STD140 DATA
//!  1 4
//! END
//! BUFFER target FORMAT B8G8R8A8_UNORM
//! PIPELINE graphics first
//!   ATTACH corners
//!   ATTACH colors
//!   FRAMEBUFFER_SIZE 256 256
//!   BIND BUFFER target AS color LOCATION 0
//!   BIND BUFFER limits AS uniform DESCRIPTOR_SET 0 BINDING 0
//! END
//! RUN first DRAW_RECT POS 0 0 SIZE 256 256
//! ```

use std::collections::HashMap;

use crate::renderer::{Drawing, Uniform};

/// A fragment shader with what it draws with.
pub(crate) struct Test {
    /// The text of the assembler of SPIR-V.
    pub(crate) assembly: String,
    pub(crate) drawing: Drawing,
    /// The parts of the target whose colors the script states.
    pub(crate) expected: Vec<Area>,
}

/// A part of the target.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Area {
    pub(crate) fn holds(self, x: usize, y: usize) -> bool {
        (self.left..self.left + self.width).contains(&x) && (self.top..self.top + self.height).contains(&y)
    }
}

/// The tests of a script, one for each pipeline that runs.
///
/// # Errors
/// A command that is not known here.
pub(crate) fn read(script: &str) -> Result<Vec<Test>, String> {
    let mut lines = script.lines().map(str::trim).filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut shaders: HashMap<&str, String> = HashMap::new();
    let mut buffers: HashMap<&str, Vec<u8>> = HashMap::new();
    let mut pipelines: HashMap<&str, Test> = HashMap::new();
    let (mut tests, mut areas, mut states_all): (Vec<Test>, _, _) = (Vec::new(), Vec::new(), false);
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["SHADER", "vertex", _, "PASSTHROUGH"] => {}
            ["SHADER", "fragment", name, "SPIRV-ASM", ..] => {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "END").collect();
                shaders.insert(name, body.join("\n"));
            }
            ["BUFFER", name, "DATA_TYPE", ty, .., "DATA"] => {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "END").collect();
                let words: Vec<&str> = body.iter().flat_map(|line| line.split_whitespace()).collect();
                buffers.insert(name, contents(ty, &words)?);
            }
            ["BUFFER", name, "FORMAT", "B8G8R8A8_UNORM"] => {
                buffers.insert(name, Vec::new());
            }
            ["PIPELINE", "graphics", name] => {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "END").collect();
                pipelines.insert(name, pipeline(&body, &shaders, &buffers)?);
            }
            ["RUN", name, "DRAW_RECT", "POS", "0", "0", "SIZE", width, height] => {
                let mut test = pipelines.remove(name).ok_or("a pipeline runs twice, or is not declared")?;
                if [*width, *height] != [test.drawing.width.to_string(), test.drawing.height.to_string()] {
                    return Err("a rectangle that is not the whole target".to_owned());
                }
                test.drawing.uniforms.sort_by_key(|uniform| (uniform.set, uniform.binding));
                tests.push(test);
            }
            ["EXPECT", _, "IDX", left, top, "SIZE", width, height, "EQ_RGBA" | "EQ_RGB", ..] => {
                let [left, top, width, height] = numbers([left, top, width, height])?;
                areas.push(Area { left, top, width, height });
            }
            ["EXPECT", ..] => states_all = true,
            ["CLEAR" | "CLEAR_COLOR" | "DEVICE_EXTENSION" | "DEVICE_FEATURE" | "DEVICE_PROPERTY", ..] => {}
            _ => return Err(line.to_owned()),
        }
    }
    for test in &mut tests {
        let Drawing { width, height, .. } = test.drawing;
        let all = Area { left: 0, top: 0, width: width as usize, height: height as usize };
        // A comparison of two targets states all their colors.
        test.expected = if states_all || areas.is_empty() { vec![all] } else { areas.clone() };
    }
    Ok(tests)
}

fn numbers<const N: usize>(words: [&&str; N]) -> Result<[usize; N], String> {
    let mut numbers = [0; N];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word.parse().map_err(|error| format!("{word}: {error}"))?;
    }
    Ok(numbers)
}

fn pipeline(body: &[&str], shaders: &HashMap<&str, String>, buffers: &HashMap<&str, Vec<u8>>) -> Result<Test, String> {
    let mut test = Test {
        assembly: String::new(),
        drawing: Drawing { width: 250, height: 250, ..Drawing::default() },
        expected: Vec::new(),
    };
    let number = |word: &str| word.parse::<u32>().map_err(|error| error.to_string());
    for line in body {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ATTACH", name] => {
                if let Some(shader) = shaders.get(name) {
                    test.assembly.clone_from(shader);
                }
            }
            ["FRAMEBUFFER_SIZE", width, height] => {
                (test.drawing.width, test.drawing.height) = (number(width)?, number(height)?);
            }
            ["BIND", "BUFFER", _, "AS", "color", "LOCATION", "0"] => {}
            ["BIND", "BUFFER", name, "AS", "uniform", "DESCRIPTOR_SET", set, "BINDING", binding] => {
                let bytes = buffers.get(name).ok_or("a buffer that is not declared")?.clone();
                test.drawing.uniforms.push(Uniform { set: number(set)?, binding: number(binding)?, bytes });
            }
            ["BIND", "BUFFER", name, "AS", "push_constant"] => {
                test.drawing.push_constants.clone_from(buffers.get(name).ok_or("a buffer that is not declared")?);
            }
            _ => return Err((*line).to_owned()),
        }
    }
    if test.assembly.is_empty() { Err("a pipeline without a fragment shader".to_owned()) } else { Ok(test) }
}

/// The bytes of a uniform buffer, in the layout `std140`.
fn contents(ty: &str, words: &[&str]) -> Result<Vec<u8>, String> {
    let (element, is_array) = ty.strip_suffix("[]").map_or((ty, false), |element| (element, true));
    let (count, scalar) = match element.strip_suffix('>').and_then(|vector| vector.split_once('<')) {
        Some(("vec2", scalar)) => (2, scalar),
        Some(("vec3", scalar)) => (3, scalar),
        Some(("vec4", scalar)) => (4, scalar),
        Some(_) => return Err(format!("buffers of {ty}")),
        None => (1, element),
    };
    let is_array = is_array || words.len() > count;
    let bits = |word: &&str| match scalar {
        "float" => word.parse::<f32>().map(f32::to_bits).map_err(|error| error.to_string()),
        "int32" => word.parse::<i32>().map(i32::cast_unsigned).map_err(|error| error.to_string()),
        "uint32" => word.parse::<u32>().map_err(|error| error.to_string()),
        _ => Err(format!("buffers of {ty}")),
    };
    let mut bytes = Vec::new();
    for element in words.chunks(count) {
        for word in element {
            bytes.extend(bits(word)?.to_le_bytes());
        }
        if is_array {
            bytes.resize(bytes.len().next_multiple_of(16), 0);
        }
    }
    Ok(bytes)
}
