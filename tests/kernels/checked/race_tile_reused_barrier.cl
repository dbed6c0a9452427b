// A second barrier is before the tile is written again.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg 'in:u32[16]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tile[4];
  uint i = get_local_id(0), sum = 0;
  for (uint round = 0; round < 2; ++round) {
    tile[i] = in[round * 8 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[3 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
