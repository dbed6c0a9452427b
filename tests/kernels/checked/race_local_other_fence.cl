// The barrier orders global memory, but local memory is exchanged.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint tile[4];
  uint i = get_local_id(0);
  tile[i] = i; // expect: run-race
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = tile[3 - i]; // expect: run-race
}
