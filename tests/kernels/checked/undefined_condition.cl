// A branch on a variable without a value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint x;
  if (get_global_id(0) == 5) x = 1;
  if (x) // expect: U02
    out[0] = 1;
}
