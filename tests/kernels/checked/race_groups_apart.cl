// Each work-group has its own part of the buffer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint group = get_group_id(0);
  if (get_local_id(0) == 0) out[group] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 1 && out[group] > 100) out[4 + group] = 1;
}
