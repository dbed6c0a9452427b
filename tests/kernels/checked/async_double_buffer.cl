// The next tile is copied while this one is used.
// run: --global 4 --local 4 --arg 'out:u32[4]=zero' --arg 'in:u32[16]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tiles[2][4];
  uint i = get_local_id(0), sum = 0;
  event_t events[2];
  events[0] = async_work_group_copy(tiles[0], in, 4, 0);
  for (uint n = 0; n < 4; ++n) {
    if (n < 3) events[(n + 1) & 1] = async_work_group_copy(tiles[(n + 1) & 1], in + 4 * (n + 1), 4, 0);
    wait_group_events(1, &events[n & 1]);
    sum += tiles[n & 1][3 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}
