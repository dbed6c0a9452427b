// A copy that nobody waits for.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero' --arg 'in:u32[8]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tile[8];
  async_work_group_copy(tile, in, 8, 0); // expect: U17
  out[get_global_id(0)] = 1;
}
