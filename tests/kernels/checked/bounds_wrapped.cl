// An unsigned index wraps below zero.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  size_t i = get_global_id(0);
  out[i - 1] = 1; // expect: U08
}
