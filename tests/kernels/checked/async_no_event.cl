// An event without a value is awaited.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero' --arg 'in:u32[8]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  local uint tile[8];
  event_t e;
  wait_group_events(1, &e); // expect: U18
  out[get_global_id(0)] = 1;
}
