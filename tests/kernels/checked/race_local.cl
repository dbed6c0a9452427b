// Local memory is exchanged without a barrier.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint tile[4];
  uint i = get_local_id(0);
  tile[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[i] = i; // expect: run-race
  out[get_global_id(0)] = tile[3 - i]; // expect: run-race
}
