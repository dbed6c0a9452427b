// A value that is none goes through local memory.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint tile[4];
  uint x;
  tile[get_local_id(0)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[3 - get_local_id(0)]; // expect: U15
}
