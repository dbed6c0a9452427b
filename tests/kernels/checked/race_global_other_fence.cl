// The barrier orders local memory, but global memory is exchanged.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_local_id(0), base = get_group_id(0) * 4;
  out[base + i] = i; // expect: run-race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (out[base + (i ^ 1)] > 100) // expect: run-race
    return;
}
