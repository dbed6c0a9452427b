// Only the component with a value is used.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint4 v;
  v.x = 1;
  out[get_global_id(0)] = v.x;
}
