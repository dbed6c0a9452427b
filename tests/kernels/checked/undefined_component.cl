// A vector of which one component has a value.
// run: --global 4 --local 4 --arg 'out:u32[16]=zero'
kernel void k(global uint4 *out) {
  uint4 v;
  v.x = 1;
  out[get_global_id(0)] = v; // expect: U15
}
