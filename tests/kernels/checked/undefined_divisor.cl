// A divisor without a value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint x;
  out[get_global_id(0)] = 10 / x; // expect: U05
}
