//! The pictures of a launch for its report: the images that it writes, as the CPU engine leaves them.

use std::time::Duration;

use reconverge::codegen::cpu;
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, run};
use reconverge_report::Picture;
use reconverge_run::{CpuKernel, CpuOptions, Launch};

use crate::input::Input;

/// The time limit of the launch.
const LIMIT: Duration = Duration::from_secs(10);

/// The images that a launch writes and that are pictures. None if this CPU cannot run it, or not in time: the page then shows lanes alone.
pub(crate) fn pictures_of(input: &Input, launch: &Launch) -> Vec<Picture> {
    let has_one =
        |launch: &Launch| launch.outputs().any(|output| output.image.is_some_and(|image| image.png_misfit().is_none()));
    if has_one(launch) { written(input, launch).unwrap_or_default() } else { Vec::new() }
}

fn written(input: &Input, launch: &Launch) -> Option<Vec<Picture>> {
    let mut module = input.module().ok()?;
    let kernel = cpu::kernel_options().kernels(launch.kernel.clone()).launch_constants(launch.constants());
    let options = CompileOptions::new().kernel(kernel).level(Level::None);
    let reflection = run(&mut module, &options, &mut |_, _| {}).ok()?.reflection?;
    let options = CpuOptions { limit: Some(LIMIT), ..CpuOptions::default() };
    let kernel = CpuKernel::compile(&module, &reflection, launch, options).ok()?;
    let ran = kernel.launch(&reflection, launch, options.threads).ok()?;
    let picture = |output: reconverge_run::OutputBuffer<'_>| {
        let png = output.image?.write_png(ran.buffers.get(output.index)?).ok()?;
        Some(Picture { name: output.to_string(), png: base64(&png) })
    };
    Some(launch.outputs().filter_map(picture).collect())
}

/// Bytes in base 64, with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let part = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            text.push(if is_there { DIGITS[(bits >> (18 - 6 * digit) & 63) as usize] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base_64() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xfb, 0x00]), "//sA");
    }
}
