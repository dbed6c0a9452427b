// The source may be read while the copy is under way.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero' --arg 'in:u32[8]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tile[8];
  event_t e = async_work_group_copy(tile, in, 8, 0);
  uint own = in[get_global_id(0)];
  wait_group_events(1, &e);
  out[get_global_id(0)] = own + tile[get_local_id(0)];
}
