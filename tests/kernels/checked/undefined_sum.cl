// A sum without a start.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint sum;
  for (uint i = 0; i < 4; ++i) sum += i;
  out[get_global_id(0)] = sum; // expect: U15
}
