// A vector of four at the address of its second word.
// run: --global 1 --local 1 --arg 'out:u32[4]=zero' --arg 'in:u32[9]=zero'
kernel void k(global uint4 *out, global const uint *in) {
  *out = *(global const uint4 *)(in + 1); // expect: U13
}
