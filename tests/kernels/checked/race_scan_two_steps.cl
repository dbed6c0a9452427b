// A scan in place that reads, passes a barrier, and writes.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint sums[8];
  uint i = get_local_id(0);
  sums[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 8; step *= 2) {
    uint other = i >= step ? sums[i - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[i] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sums[i];
}
