// The last work-group is smaller, and all its work-items reach the barrier.
// run: --global 10 --local 4 --arg 'out:u32[10]=zero'
kernel void k(global uint *out) {
  local uint tile[4];
  uint i = get_local_id(0), size = get_local_size(0);
  tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[size - 1 - i] + get_enqueued_local_size(0);
}
