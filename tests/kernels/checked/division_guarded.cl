// A divisor that is checked.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=0
kernel void k(global uint *out, uint n) {
  out[get_global_id(0)] = n ? 7 / n : 0;
}
