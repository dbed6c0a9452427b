// A local argument of eight words.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg local=32
kernel void k(global uint *out, local uint *tile) {
  uint i = get_local_id(0);
  tile[i * 2] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[i * 2];
}
