// An unsigned index wraps, and a mask brings it back.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  size_t i = get_global_id(0);
  out[(i - 1) & 7] = 1;
}
