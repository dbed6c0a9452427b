// A negative float and an unsigned integer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg f32=-1
kernel void k(global uint *out, float x) {
  out[get_global_id(0)] = (uint)x; // expect: U15
}
