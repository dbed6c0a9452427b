// Rows and columns are exchanged.
// run: --global 4,2 --local 4,2 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  out[get_global_id(0) * 4 + get_global_id(1)] = 1; // expect: U08
}
