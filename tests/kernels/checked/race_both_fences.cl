// One barrier orders both memories.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint tile[4];
  uint i = get_local_id(0), base = get_group_id(0) * 4;
  tile[i] = i;
  out[base + i] = i;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  uint sum = tile[3 - i] + out[base + (i ^ 1)];
  if (sum > 100) tile[i] = 0;
}
