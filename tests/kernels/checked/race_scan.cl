// A scan in place without a second buffer.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint sums[8];
  uint i = get_local_id(0);
  sums[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 8; step *= 2) {
    if (i >= step)
      sums[i] += sums[i - step]; // expect: run-race
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sums[i];
}
