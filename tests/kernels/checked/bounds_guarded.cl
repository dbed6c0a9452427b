// A guard keeps the last work-item inside.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0) + 1;
  if (i < 8) out[i] = 1;
}
