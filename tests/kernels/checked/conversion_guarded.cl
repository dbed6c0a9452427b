// A conversion whose result is used only in its range.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg f32=1e10
kernel void k(global uint *out, float x) {
  out[get_global_id(0)] = x < 1000.0f ? (uint)x : 1000;
}
