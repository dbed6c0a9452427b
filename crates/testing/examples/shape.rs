//! Writes a graph of a named shape as a compute shader without merge instructions, to try the command line on:
//!
//! ```text
//! cargo run --release -p reconverge-testing --example shape -- three_breaks 512 shape.spv
//! ```

use reconverge_testing::generators::shapes::SHAPES;
use reconverge_testing::program_from_graph::as_shader;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, count, path] = arguments.as_slice() else {
        let names: Vec<&str> = SHAPES.iter().map(|(name, _)| *name).collect();
        return Err(format!("usage: shape NAME COUNT FILE.spv, NAME one of {}", names.join(", ")));
    };
    let (_, shape) = SHAPES.iter().find(|(known, _)| known == name).ok_or_else(|| format!("no shape {name}"))?;
    let count: usize = count.parse().map_err(|error| format!("{count}: {error}"))?;
    let module = as_shader(&[shape(count)], 1).module;
    let bytes = reconverge_spirv::write(&module, &Default::default()).map_err(|error| error.to_string())?;
    std::fs::write(path, bytes).map_err(|error| format!("{path}: {error}"))
}
