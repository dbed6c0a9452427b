//! K16 at its full size: a switch with many arms, each of which needs one of as many values that are computed before it.

use std::fmt::Write as _;

use reconverge_interpret::Value;
use reconverge_ir::text;

use crate::filetest::Kernel;

/// The switch with this number of arms, launched to take one of them.
///
/// # Errors
/// The text does not parse.
pub fn ladder(arms: u32, taken: u32) -> Result<Kernel, String> {
    let mut constants = String::new();
    let (mut values, mut cases, mut blocks) = (String::new(), String::new(), String::new());
    for arm in 0..arms {
        _ = writeln!(constants, "%c{arm}: %u32 = constant {}", 2 * arm + 3);
        _ = writeln!(values, "  %x{arm}: %u32 = i_mul %a, %c{arm}");
        _ = write!(cases, " [{arm} ^arm{arm}]");
        _ = writeln!(blocks, "block ^arm{arm}:\n  %y{arm}: %u32 = bitwise_xor %x{arm}, %n\n  branch ^join(%y{arm})");
    }
    let source = format!(
        "capability Shader\nmemory_model Logical, GLSL450\n%u32 = type_int 32, 0\n{constants}\
         func %f: %u32 (%n: %u32, %a: %u32) {{\nblock ^entry:\n{values}  switch %n default ^other{cases}\n{blocks}\
         block ^other:\n  branch ^join(%a)\nblock ^join(%y: %u32):\n  return_value %y\n}}\n"
    );
    let module = text::parse(&source).map_err(|errors| format!("{errors:?}"))?;
    let function = module.functions().next().ok_or("no function")?;
    let arguments = [taken, 6].map(Value::u32).to_vec();
    let (name, call) = (format!("k16_ladder_{arms}"), format!("f({taken}, 6)"));
    Ok(Kernel { name, call, module, function, arguments, lanes: 1 })
}
