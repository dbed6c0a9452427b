// A variable is written on one path only.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0), x;
  if (i > 2) x = i;
  out[i] = x; // expect: U15
}
