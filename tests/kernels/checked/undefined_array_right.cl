// An array of which all elements are written.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0), list[4];
  for (uint j = 0; j < 4; ++j) list[j] = j;
  out[i] = list[i & 3];
}
