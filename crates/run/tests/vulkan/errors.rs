//! What is missing or wrong has its own error, which says what to do.

use super::common::{CHILD, IDS, WIDE, choice, compile, in_child, instance, open, shader};
use reconverge_run::vulkan::{
    DeviceChoice, DeviceKind, Instance, InstanceOptions, Requirements, Shader, Validation, VulkanCode, known_features,
};

#[test]
fn devices_are_described() {
    let devices = instance(Validation::Off).devices().unwrap();
    let device = devices.iter().find(|device| device.name.contains("llvmpipe")).expect("run `cargo xtask setup`");
    assert_eq!(device.kind, DeviceKind::Software);
    assert!(device.driver.contains("Mesa"), "{}", device.driver);
    assert!(device.api_version >= [1, 2, 0]);
    assert!(device.subgroup_size.is_power_of_two() && device.subgroup_size > 1);
    assert!(device.limits.push_constants >= 128 && device.limits.group_invocations >= 128);
    assert!(device.features.contains(&"shaderInt64") && device.features.contains(&"VK_SUBGROUP_FEATURE_VOTE_BIT"));
    assert!(device.features.iter().all(|&name| known_features().any(|known| known == name)));
}

#[test]
fn a_device_that_is_not_there_names_those_that_are() {
    let instance = instance(Validation::Off);
    let open = |choice| instance.open(&choice, &Requirements::default()).err().unwrap();
    let error = open(DeviceChoice::Name("Voodoo 2".to_owned()));
    assert_eq!(error.code.name, "vulkan-device-not-found");
    assert!(error.message.starts_with("no device is named \"Voodoo 2\"; there are: "), "{error}");
    assert!(error.message.contains("llvmpipe"), "{error}");
    assert!(open(DeviceChoice::Index(99)).message.starts_with("no device is number 99; there are: "));
}

#[test]
fn what_a_device_lacks_is_named() {
    let instance = instance(Validation::Off);
    let open = |requirements: Requirements<'_>| instance.open(&choice(), &requirements).err().unwrap();
    let error =
        open(Requirements { features: &["shaderInt64", "shaderMaximalReconvergence"], ..Requirements::default() });
    let device = error.message.strip_suffix(" lacks the feature shaderMaximalReconvergence").expect("it is named");
    assert!(error.is(VulkanCode::MissingFeature) && device.contains("llvmpipe"), "{error}");
    let error = open(Requirements { features: &["shaderInt65"], ..Requirements::default() });
    assert_eq!(
        (error.code, error.message.as_str()),
        (VulkanCode::UnknownFeature.declared(), "unknown device feature shaderInt65")
    );
    let error = open(Requirements { subgroup_operations: &["vote", "clustered"], ..Requirements::default() });
    assert_eq!(error.message, format!("{device} lacks the feature VK_SUBGROUP_FEATURE_CLUSTERED_BIT"));
    let error = open(Requirements { extensions: &["VK_KHR_telepathy"], ..Requirements::default() });
    assert_eq!(error.code.name, "vulkan-missing-extension");
}

#[test]
fn what_is_no_shader_is_refused() {
    let device = open(&IDS);
    let ids = shader("ids");
    let refused = |spirv: &[u8], name: &str| compile(&device, &Shader::new(spirv, name)).err().unwrap().message;
    assert_eq!(refused(b"BC\xc0\xde", "ids"), "the shader is not a little-endian SPIR-V module");
    assert_eq!(refused(&ids[..ids.len() - 2], "ids"), "the shader is not a little-endian SPIR-V module");
    assert_eq!(refused(&ids[..24], "ids"), "the shader ends within an instruction");
    assert_eq!(refused(&ids, "main"), "the shader has no compute entry point main; there are: ids");
}

#[test]
fn limits_of_a_shader_are_checked() {
    let device = open(&IDS);
    let spirv = shader("ids");
    let refused = |change: fn(&mut Shader<'_>)| {
        let mut shader = Shader { push_constant_size: 12, ..Shader::new(&spirv, "ids") };
        change(&mut shader);
        let error = compile(&device, &shader).err().unwrap();
        assert_eq!(error.code, VulkanCode::Limit);
        error.message.split(": ").next().unwrap().to_owned()
    };
    assert_eq!(refused(|shader| shader.push_constant_size = 1 << 20), "bytes of push constants");
    assert_eq!(refused(|shader| shader.shared_memory = 1 << 40), "bytes of memory that a work-group shares");
    assert_eq!(refused(|shader| shader.local_size = Some([1, 1 << 20, 1])), "work-group size along y");
    assert_eq!(refused(|shader| shader.local_size = Some([64, 64, 64])), "invocations of a work-group");
    assert_eq!(refused(|shader| shader.subgroup_size = Some(3)), "invocations of a subgroup");
    let size = Some(device.description().subgroup_size);
    let fitting = Shader { push_constant_size: 12, subgroup_size: size, ..Shader::new(&spirv, "ids") };
    assert!(compile(&device, &fitting).is_ok());
}

#[test]
fn the_validation_layer_is_heard() {
    let spirv = shader("copy");
    let compile = |features: &[&str], validation| {
        let requirements = Requirements { features, ..Requirements::default() };
        let device = instance(validation).open(&choice(), &requirements).unwrap();
        compile(&device, &Shader { push_constant_size: 8, ..Shader::new(&spirv, "copy") }).map(drop)
    };
    assert_eq!(compile(&WIDE, Validation::On), Ok(()));
    let error = compile(&IDS, Validation::On).expect_err("the device was opened without 64-bit integers");
    assert!(error.is(VulkanCode::Validation) && error.message.contains("Int64"), "{error}");
}

/// Whether this process is the one that lacks what the variable names. If not, that one is made and runs the test.
fn lacks(variable: &str, value: &str, test: &str) -> bool {
    let is_child = std::env::var(CHILD).is_ok_and(|child| child == variable);
    if !is_child {
        in_child(&[test], &[(variable, value.as_ref()), (CHILD, variable.as_ref())]);
    }
    is_child
}

#[test]
fn without_a_loader_the_package_is_named() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-loader");
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(format!("{folder}/libvulkan.so.1"), "no library").unwrap();
    if lacks("LD_LIBRARY_PATH", folder, "vulkan::errors::without_a_loader_the_package_is_named") {
        let error = Instance::new(&InstanceOptions::default()).err().unwrap();
        assert_eq!(error.code.name, "vulkan-no-loader");
        assert!(error.message.contains("apt-get install libvulkan1"), "{error}");
    }
}

#[test]
fn without_drivers_there_is_no_device() {
    if lacks("VK_DRIVER_FILES", "/nowhere.json", "vulkan::errors::without_drivers_there_is_no_device") {
        let opened = Instance::new(&InstanceOptions::default())
            .and_then(|instance| instance.open(&DeviceChoice::Default, &Requirements::default()));
        assert_eq!(opened.err().unwrap().code, VulkanCode::NoDevice);
    }
}

#[test]
fn without_the_layer_validation_says_so() {
    if lacks("VK_LAYER_PATH", "/nowhere", "vulkan::errors::without_the_layer_validation_says_so") {
        let error = Instance::new(&InstanceOptions { validation: Validation::On }).err().unwrap();
        assert_eq!(error.code.name, "vulkan-missing-layer");
        assert!(error.message.contains("vulkan-validationlayers"), "{error}");
    }
}
