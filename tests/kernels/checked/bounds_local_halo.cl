// A local array with room for a border.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint tile[6];
  uint i = get_local_id(0);
  tile[i + 1] = i;
  if (i == 0) tile[0] = tile[5] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i] + tile[i + 2];
}
