extern constant uint matrix[3][4];
uint row_sum(uint row) {
    uint sum = 0;
    for (uint k = 0; k < 4; k++) sum += matrix[row][k];
    return sum;
}
