// Only some work-items begin the copy.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero' --arg 'in:u32[8]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tile[8];
  if (get_local_id(0) < 4) {
    event_t e = async_work_group_copy(tile, in, 8, 0); // expect: U12
    wait_group_events(1, &e);
  }
  out[get_global_id(0)] = 1;
}
