// A tree of sums without barriers between its levels.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint sums[8];
  uint i = get_local_id(0);
  sums[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 4; step > 0; step /= 2)
    if (i < step)
      sums[i] += sums[i + step]; // expect: run-race
  if (i == 0) out[0] = sums[0];
}
