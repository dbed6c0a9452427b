// The tile that is used is the one that is being copied.
// run: --global 4 --local 4 --arg 'out:u32[4]=zero' --arg 'in:u32[16]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tiles[2][4];
  uint i = get_local_id(0), sum = 0;
  event_t events[2];
  events[0] = async_work_group_copy(tiles[0], in, 4, 0);
  for (uint n = 0; n < 3; ++n) {
    events[(n + 1) & 1] = async_work_group_copy(tiles[(n + 1) & 1], in + 4 * (n + 1), 4, 0); // expect: run-race
    wait_group_events(1, &events[n & 1]);
    sum += tiles[(n + 1) & 1][3 - i]; // expect: run-race
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  wait_group_events(1, &events[1]);
  out[i] = sum;
}
