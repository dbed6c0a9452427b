// All work-items write one element.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  out[0] = get_global_id(0); // expect: run-race
}
