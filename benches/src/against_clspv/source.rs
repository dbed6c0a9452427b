//! The kernel with unrolled breaks.

use std::fmt::Write as _;

/// OpenCL C: a loop whose body is written out `copies` times, each copy with three ways out. No two copies are alike, so that nothing is
/// folded; all exits are taken by some input.
pub(crate) fn kernel(copies: usize) -> String {
    let mut text = String::from(
        "kernel void breaks(global const uint *in, global uint *out, uint rounds)\n{\n\
         \x20   uint gid = get_global_id(0), x = in[gid], sum = 0;\n\
         \x20   for (uint outer = 0; outer < rounds; outer++) {\n\
         \x20       for (uint inner = 0; inner < rounds; inner++) {\n",
    );
    for copy in 0..copies {
        let (add, first, second, third) = (2 * copy + 1, 97 + copy % 13, 61 + copy % 7, 251 + copy % 5);
        let _ = writeln!(text, "            x = x * 1664525u + {add}u;");
        let _ = writeln!(text, "            if ((x >> 8) % {first}u == {}u) {{ sum += {copy}u; break; }}", copy % 50);
        let _ = writeln!(text, "            if ((x >> 9) % {second}u == 3u) {{ sum ^= x; continue; }}");
        let _ = writeln!(text, "            if ((x >> 7) % {third}u == 1u) {{ sum += x >> 16; goto done; }}");
    }
    text.push_str("        }\n        sum = sum * 3u + outer;\n    }\ndone:\n    out[gid] = sum ^ x;\n}\n");
    text
}
