const COUNT: u32 = 4u;

struct Light {
    color: vec3f,
    strength: f32,
}

const weights = array<f32, 12>(
    0.03125, 1.09375, 2.15625, 3.21875, 4.28125, 5.34375, 6.40625, 7.46875,
    8.53125, 9.59375, 10.65625, 11.71875
);

fn scale(total: ptr<function, f32>, light: Light) {
    *total *= light.strength;
}

@compute @workgroup_size(1)
fn main() {
    var total = weights[COUNT];
    let light = Light(vec3f(0.5), 2.0);
    scale(&total, light);
    let complement = ~(u32(total) & 0xff00u);
    let value = -2147483648;
    while (total < 1.0) {
        total += select(0.25, 3.0, total < 2.0);
    }
    loop {
        if (total < 4.0) {
            total -= 1.0;
        } else if (total < 5.0) {
            break;
        } else {
            total = 1.0;
        }
        continuing {
            break if total < 8.0;
        }
    }
}
