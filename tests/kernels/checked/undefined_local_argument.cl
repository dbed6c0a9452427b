// A local argument has no initial value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg local=16
kernel void k(global uint *out, local uint *tile) {
  out[get_global_id(0)] = tile[get_local_id(0)]; // expect: U15
}
