// A broadcast from one work-item.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_local_id(0);
  out[get_global_id(0)] = work_group_broadcast(i, (size_t)2);
}
