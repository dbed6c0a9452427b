// Work-items write the source, and a barrier is before the copy.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero' --arg 'in:u32[8]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tile[8];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, tile, 8, 0);
  wait_group_events(1, &e);
}
