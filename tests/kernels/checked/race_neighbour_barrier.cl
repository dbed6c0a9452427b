// A work-item reads what its neighbour has written before a barrier.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_local_id(0), base = get_group_id(0) * 4;
  out[base + i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  uint other = out[base + (i ^ 1)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[base + i] = other;
}
