// The conditional operator takes the side with the value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0), x;
  out[i] = i < 8 ? i : x;
}
