uint advance(uint x, uint k) {
    while (x > 1000) x -= 333;
    return x * 5 + k;
}
