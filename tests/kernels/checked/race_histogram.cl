// A histogram without atomic operations.
// run: --global 8 --local 8 --arg 'out:u32[4]=zero' --arg 'in:u32[8]=list(1,2,1,3,0,1,2,2)'
kernel void k(global uint *out, global const uint *in) {
  local uint bins[4];
  uint i = get_local_id(0);
  if (i < 4) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  bins[in[i]]++; // expect: run-race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 4) out[i] = bins[i];
}
