// An array of which one element is written.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0), list[4];
  list[0] = 1;
  out[i] = list[i & 3]; // expect: U15
}
