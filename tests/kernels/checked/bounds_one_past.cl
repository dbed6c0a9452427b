// The last work-item writes one element past the end.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  out[get_global_id(0) + 1] = 1; // expect: U08
}
