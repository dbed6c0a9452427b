// An atomic operation on a word that is not aligned.
// run: --global 1 --local 1 --arg 'out:u8[16]=zero'
kernel void k(global uchar *out) {
  atomic_inc((global uint *)(out + 2)); // expect: U13
}
