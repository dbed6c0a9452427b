// A word at an address that is no multiple of four.
// run: --global 1 --local 1 --arg 'out:u32[1]=zero' --arg 'in:u8[9]=zero'
kernel void k(global uint *out, global const uchar *in) {
  *out = *(global const uint *)(in + 1); // expect: U13
}
