// Zero times a variable without a value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint x;
  out[get_global_id(0)] = x * 0 + (x ^ 1); // expect: U15
}
