// The least integer divided by -1.
// run: --global 1 --local 1 --arg 'out:i32[1]=zero' --arg i32=-2147483648 --arg i32=-1
kernel void k(global int *out, int a, int b) {
  *out = a / b; // expect: U04
}
