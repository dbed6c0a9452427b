// A variable is written on both paths.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0), x;
  if (i > 2) x = i;
  else x = 0;
  out[i] = x;
}
