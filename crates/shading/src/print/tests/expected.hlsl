static const uint COUNT = 4u;

struct Light {
    float3 color;
    float strength;
};

static const float weights[12] = {
    0.03125, 1.09375, 2.15625, 3.21875, 4.28125, 5.34375, 6.40625, 7.46875,
    8.53125, 9.59375, 10.65625, 11.71875
};

void scale(inout float total, Light light) {
    total *= light.strength;
}

[numthreads(1, 1, 1)]
void main() {
    float total = weights[COUNT];
    Light light = { float3(0.5, 0.5, 0.5), 2.0 };
    scale(total, light);
    uint complement = ~(uint(total) & 0xff00u);
    int value = -2147483647 - 1;
    while (total < 1.0) {
        total += total < 2.0 ? 3.0 : 0.25;
    }
    do {
        if (total < 4.0) {
            total -= 1.0;
        } else if (total < 5.0) {
            break;
        } else {
            total = 1.0;
        }
    } while (!(total < 8.0));
}
