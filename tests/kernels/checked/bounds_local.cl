// An access past a local array.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint tile[4];
  uint i = get_local_id(0);
  tile[i + 1] = i; // expect: U08
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i];
}
