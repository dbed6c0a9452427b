// A barrier in one case of a switch.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  switch (get_local_id(0)) {
  case 1:
    barrier(CLK_LOCAL_MEM_FENCE); // expect: U12
    break;
  default:
    out[get_global_id(0)] = 1;
  }
}
