// A negative fraction is zero as an integer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg f32=-0.5
kernel void k(global uint *out, float x) {
  out[get_global_id(0)] = (uint)x;
}
