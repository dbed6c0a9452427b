//! The part of the OpenCL 1.2 API that the benchmark calls, from a loader that is opened at run time.
//!
//! Handles are never released: a worker measures a few kernels and ends.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

use libloading::Library;

const LOADER: &str = "libOpenCL.so.1";
const DEVICE_TYPE_ALL: u64 = 0xffff_ffff;
const PLATFORM_NAME: u32 = 0x0902;
const DEVICE_NAME: u32 = 0x102b;
const DRIVER_VERSION: u32 = 0x102d;
const BUILD_LOG: u32 = 0x1183;
const MEM_READ_WRITE: u64 = 1;
const MEM_ALLOC_HOST_PTR: u64 = 1 << 4;
const TRUE: u32 = 1;

/// A handle of OpenCL: a pointer that only the runtime reads.
type Handle = *mut c_void;
type GetInfo = unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
type GetBuildInfo = unsafe extern "C" fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
type CreateSource = unsafe extern "C" fn(Handle, u32, *const *const c_char, *const usize, *mut i32) -> Handle;
type Build = unsafe extern "C" fn(Handle, u32, *const Handle, *const c_char, *const c_void, *const c_void) -> i32;
type Read =
    unsafe extern "C" fn(Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle) -> i32;
type Launch = unsafe extern "C" fn(
    Handle,
    Handle,
    u32,
    *const usize,
    *const usize,
    *const usize,
    u32,
    *const Handle,
    *mut Handle,
) -> i32;

/// A device of a platform, with a context and a queue.
pub(super) struct Device {
    library: Library,
    device: Handle,
    context: Handle,
    queue: Handle,
}

/// A kernel of a built program.
#[derive(Clone, Copy)]
pub(super) struct Kernel(Handle);

/// Memory of the device.
#[derive(Clone, Copy)]
pub(super) struct Buffer(Handle);

/// An argument of a kernel.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    Buffer(Buffer),
    Value(&'a [u8]),
    Local(usize),
}

/// Calls a function of the loader by its name and type.
macro_rules! call {
    ($library:expr, $name:literal as $ty:ty, $($argument:expr),*) => {{
        // SAFETY: the function of that name has this type in the OpenCL specification, the handles are of the same loader, and pointers
        // are to arrays of the sizes that are passed.
        let result = unsafe {
            let function = $library.get::<$ty>(concat!($name, "\0").as_bytes());
            function.map(|function| function($($argument),*))
        };
        result.map_err(|error| error.to_string())
    }};
}

impl Device {
    /// The first device of the first platform whose name contains a text.
    pub(super) fn of_platform(part: &str) -> Result<Device, String> {
        // SAFETY: the library of that name is the OpenCL loader, whose initialization may run at any time.
        let library = unsafe { Library::new(LOADER) }.map_err(|error| format!("no OpenCL loader: {error}"))?;
        let platform = platforms(&library)?.into_iter().find(|&platform| {
            text(&library, "clGetPlatformInfo", platform, PLATFORM_NAME).is_ok_and(|name| name.contains(part))
        });
        let platform = platform.ok_or_else(|| format!("no OpenCL platform has {part} in its name"))?;
        let mut device: Handle = null_mut();
        type GetDevices = unsafe extern "C" fn(Handle, u64, u32, *mut Handle, *mut u32) -> i32;
        let code =
            call!(library, "clGetDeviceIDs" as GetDevices, platform, DEVICE_TYPE_ALL, 1, &raw mut device, null_mut())?;
        check("clGetDeviceIDs", code)?;
        let mut code = 0;
        type CreateContext =
            unsafe extern "C" fn(*const isize, u32, *const Handle, *const c_void, *const c_void, *mut i32) -> Handle;
        let context = call!(
            library,
            "clCreateContext" as CreateContext,
            null(),
            1,
            &raw const device,
            null(),
            null(),
            &raw mut code
        )?;
        check("clCreateContext", code)?;
        type CreateQueue = unsafe extern "C" fn(Handle, Handle, u64, *mut i32) -> Handle;
        let queue = call!(library, "clCreateCommandQueue" as CreateQueue, context, device, 0, &raw mut code)?;
        check("clCreateCommandQueue", code)?;
        Ok(Device { library, device, context, queue })
    }

    /// Name and version.
    pub(super) fn description(&self) -> String {
        let info = |which| text(&self.library, "clGetDeviceInfo", self.device, which).unwrap_or_default();
        format!("{}, driver {}", info(DEVICE_NAME), info(DRIVER_VERSION))
    }

    /// Builds a program and takes a kernel of it.
    pub(super) fn build(&self, source: &str, kernel: &str, options: &str) -> Result<Kernel, String> {
        let source_pointer = source.as_ptr().cast::<c_char>();
        let length = source.len();
        let mut code = 0;
        let program = call!(
            self.library,
            "clCreateProgramWithSource" as CreateSource,
            self.context,
            1,
            &raw const source_pointer,
            &raw const length,
            &raw mut code
        )?;
        check("clCreateProgramWithSource", code)?;
        let options = CString::new(options).map_err(|error| error.to_string())?;
        let built = call!(
            self.library,
            "clBuildProgram" as Build,
            program,
            1,
            &raw const self.device,
            options.as_ptr(),
            null(),
            null()
        )?;
        check("clBuildProgram", built).map_err(|error| format!("{error}\n{}", self.build_log(program)))?;
        let name = CString::new(kernel).map_err(|error| error.to_string())?;
        type CreateKernel = unsafe extern "C" fn(Handle, *const c_char, *mut i32) -> Handle;
        let kernel = call!(self.library, "clCreateKernel" as CreateKernel, program, name.as_ptr(), &raw mut code)?;
        check("clCreateKernel", code)?;
        Ok(Kernel(kernel))
    }

    fn build_log(&self, program: Handle) -> String {
        let mut bytes = vec![0_u8; 4096];
        let read = call!(
            self.library,
            "clGetProgramBuildInfo" as GetBuildInfo,
            program,
            self.device,
            BUILD_LOG,
            bytes.len(),
            bytes.as_mut_ptr().cast(),
            null_mut()
        );
        read.map(|_| until_zero(&bytes)).unwrap_or_default()
    }

    pub(super) fn set_arguments(&self, kernel: Kernel, arguments: &[Argument<'_>]) -> Result<(), String> {
        type SetArgument = unsafe extern "C" fn(Handle, u32, usize, *const c_void) -> i32;
        for (index, argument) in arguments.iter().enumerate() {
            let (size, pointer): (usize, *const c_void) = match argument {
                Argument::Buffer(buffer) => (size_of::<Handle>(), (&raw const buffer.0).cast()),
                Argument::Value(bytes) => (bytes.len(), bytes.as_ptr().cast()),
                Argument::Local(bytes) => (*bytes, null()),
            };
            let code = call!(self.library, "clSetKernelArg" as SetArgument, kernel.0, index as u32, size, pointer)?;
            check("clSetKernelArg", code)?;
        }
        Ok(())
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<Buffer, String> {
        let mut code = 0;
        type CreateBuffer = unsafe extern "C" fn(Handle, u64, usize, *mut c_void, *mut i32) -> Handle;
        let flags = MEM_READ_WRITE | MEM_ALLOC_HOST_PTR;
        let context = self.context;
        let buffer =
            call!(self.library, "clCreateBuffer" as CreateBuffer, context, flags, bytes, null_mut(), &raw mut code)?;
        check("clCreateBuffer", code)?;
        Ok(Buffer(buffer))
    }

    pub(super) fn release(&self, buffer: Buffer) -> Result<(), String> {
        type Release = unsafe extern "C" fn(Handle) -> i32;
        check("clReleaseMemObject", call!(self.library, "clReleaseMemObject" as Release, buffer.0)?)
    }

    pub(super) fn write(&self, buffer: Buffer, bytes: &[u8]) -> Result<(), String> {
        // `Read` is the type of both functions, except for the constness of the pointer, which has no effect on calls.
        let code = call!(
            self.library,
            "clEnqueueWriteBuffer" as Read,
            self.queue,
            buffer.0,
            TRUE,
            0,
            bytes.len(),
            bytes.as_ptr().cast_mut().cast(),
            0,
            null(),
            null_mut()
        )?;
        check("clEnqueueWriteBuffer", code)
    }

    pub(super) fn read(&self, buffer: Buffer, bytes: &mut [u8]) -> Result<(), String> {
        let code = call!(
            self.library,
            "clEnqueueReadBuffer" as Read,
            self.queue,
            buffer.0,
            TRUE,
            0,
            bytes.len(),
            bytes.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        )?;
        check("clEnqueueReadBuffer", code)
    }

    /// Runs a kernel and waits for its end. Without a local size the runtime chooses one.
    pub(super) fn launch(&self, kernel: Kernel, global: [usize; 3], local: Option<[usize; 3]>) -> Result<(), String> {
        let code = call!(
            self.library,
            "clEnqueueNDRangeKernel" as Launch,
            self.queue,
            kernel.0,
            3,
            null(),
            global.as_ptr(),
            local.as_ref().map_or(null(), |local| local.as_ptr()),
            0,
            null(),
            null_mut()
        )?;
        check("clEnqueueNDRangeKernel", code)?;
        type Finish = unsafe extern "C" fn(Handle) -> i32;
        check("clFinish", call!(self.library, "clFinish" as Finish, self.queue)?)
    }
}

fn platforms(library: &Library) -> Result<Vec<Handle>, String> {
    type GetPlatforms = unsafe extern "C" fn(u32, *mut Handle, *mut u32) -> i32;
    let mut platforms: Vec<Handle> = vec![null_mut(); 16];
    let mut count = 0;
    let code = call!(library, "clGetPlatformIDs" as GetPlatforms, 16, platforms.as_mut_ptr(), &raw mut count)?;
    check("clGetPlatformIDs", code)?;
    platforms.truncate(count as usize);
    Ok(platforms)
}

/// A property of a platform or device that is a text.
fn text(library: &Library, function: &str, handle: Handle, which: u32) -> Result<String, String> {
    let mut bytes = vec![0_u8; 1024];
    let code = match function {
        "clGetPlatformInfo" => {
            let (length, pointer) = (bytes.len(), bytes.as_mut_ptr().cast());
            call!(library, "clGetPlatformInfo" as GetInfo, handle, which, length, pointer, null_mut())?
        }
        _ => {
            let (length, pointer) = (bytes.len(), bytes.as_mut_ptr().cast());
            call!(library, "clGetDeviceInfo" as GetInfo, handle, which, length, pointer, null_mut())?
        }
    };
    check(function, code)?;
    Ok(until_zero(&bytes))
}

fn until_zero(bytes: &[u8]) -> String {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

fn check(function: &str, code: i32) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("{function}: error {code}")) }
}
