// A vector of three has the size of one of four.
// run: --global 4 --local 4 --arg 'out:u32[15]=zero'
kernel void k(global uint3 *out) {
  out[get_global_id(0)] = (uint3)(1, 2, 3); // expect: U08
}
