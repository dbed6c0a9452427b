// Vectors of three in local memory, copied by the work-group.
// run: --global 4 --local 4 --arg 'out:f32[16]=zero'
kernel void k(global float3 *out) {
  local float3 tile[4];
  tile[get_local_id(0)] = (float3)(1, 2, get_local_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, tile, 4, 0);
  wait_group_events(1, &e);
}
