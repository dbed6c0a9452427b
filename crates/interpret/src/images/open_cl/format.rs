//! Formats of texels: which channels there are and how each is stored (OpenCL 3.0, section 5.3.1.1), and the border colour (section 8.2).
//!
//! ```text
//! BGRA, unorm8     byte 0 blue │ byte 1 green │ byte 2 red │ byte 3 alpha
//! RGB, unorm 565   bits 15…11 red │ bits 10…5 green │ bits 4…0 blue
//! ```

/// The format of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    pub(crate) order: Order,
    pub(crate) storage: Storage,
    /// The numbers of OpenCL: order and type.
    pub(crate) codes: [u32; 2],
}

/// The channels of a texel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    R,
    A,
    Rg,
    Ra,
    Rgb,
    Rgba,
    Bgra,
    Argb,
    Intensity,
    Luminance,
    Rx,
    Rgx,
    Rgbx,
    Depth,
    Srgbx,
    Srgba,
    Sbgra,
    Abgr,
}

/// The storage of a channel; the numbers are bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// An integer that stands for a number from 0 to 1.
    Unorm(u32),
    /// A signed integer that stands for a number from −1 to 1.
    Snorm(u32),
    Signed(u32),
    Unsigned(u32),
    Half,
    Float,
    /// Red, green and blue in one number, red in the highest of the used bits: the bits of the number, and of each channel.
    Packed(u32, [u32; 3]),
}

/// The numbers that `OpImageQueryOrder` and `OpImageQueryFormat` return count from these of OpenCL.
pub(crate) const FIRST_CODES: [u32; 2] = [0x10b0, 0x10d0];

impl Format {
    /// The format of two numbers of OpenCL, if there is one.
    pub(crate) fn of(order: u32, data_type: u32) -> Option<Format> {
        let codes = [order, data_type];
        let format = Format { order: Order::of(order)?, storage: Storage::of(data_type)?, codes };
        format.exists().then_some(format)
    }

    /// Returns whether OpenCL has the combination (tables 5.6 and 5.7).
    fn exists(self) -> bool {
        let is_packed = matches!(self.storage, Storage::Packed(..));
        match self.order {
            Order::Rgb | Order::Rgbx => is_packed,
            _ if is_packed => false,
            Order::Bgra | Order::Argb | Order::Abgr => self.storage.bits() == 8,
            Order::Intensity | Order::Luminance => !self.storage.is_integer(),
            Order::Depth => matches!(self.storage, Storage::Unorm(16) | Storage::Float),
            Order::Srgbx | Order::Srgba | Order::Sbgra => self.storage == Storage::Unorm(8),
            _ => true,
        }
    }

    /// Bytes of a texel.
    pub(crate) fn texel_size(self) -> u64 {
        let channels = match (self.storage, self.order) {
            (Storage::Packed(..), _) => 1,
            // The fourth byte has no meaning.
            (_, Order::Srgbx) => 4,
            _ => self.order.channels().len(),
        };
        self.channel_size() * channels as u64
    }

    /// Bytes of a channel, or of the number that all channels share.
    pub(crate) fn channel_size(self) -> u64 {
        u64::from(self.storage.bits() / 8)
    }
}

impl Order {
    fn of(code: u32) -> Option<Order> {
        Some(match code {
            0x10b0 => Order::R,
            0x10b1 => Order::A,
            0x10b2 => Order::Rg,
            0x10b3 => Order::Ra,
            0x10b4 => Order::Rgb,
            0x10b5 => Order::Rgba,
            0x10b6 => Order::Bgra,
            0x10b7 => Order::Argb,
            0x10b8 => Order::Intensity,
            0x10b9 => Order::Luminance,
            0x10ba => Order::Rx,
            0x10bb => Order::Rgx,
            0x10bc => Order::Rgbx,
            0x10bd => Order::Depth,
            0x10c0 => Order::Srgbx,
            0x10c1 => Order::Srgba,
            0x10c2 => Order::Sbgra,
            0x10c3 => Order::Abgr,
            _ => return None,
        })
    }

    /// The channels in memory: the component of red, green, blue, alpha that each is.
    pub(crate) fn channels(self) -> &'static [usize] {
        match self {
            Order::R | Order::Rx | Order::Intensity | Order::Luminance | Order::Depth => &[0],
            Order::A => &[3],
            Order::Rg | Order::Rgx => &[0, 1],
            Order::Ra => &[0, 3],
            Order::Rgb | Order::Rgbx | Order::Srgbx => &[0, 1, 2],
            Order::Rgba | Order::Srgba => &[0, 1, 2, 3],
            Order::Bgra | Order::Sbgra => &[2, 1, 0, 3],
            Order::Argb => &[3, 0, 1, 2],
            Order::Abgr => &[3, 2, 1, 0],
        }
    }

    /// The alpha of the border colour: whether an image without alpha is opaque there depends on the order.
    pub(crate) fn border_alpha(self) -> u8 {
        match self {
            Order::R | Order::Rg | Order::Rgb | Order::Luminance | Order::Depth => 1,
            _ => 0,
        }
    }

    /// Returns whether red, green and blue have the transfer function of sRGB.
    pub(crate) fn is_srgb(self) -> bool {
        matches!(self, Order::Srgbx | Order::Srgba | Order::Sbgra)
    }
}

impl Storage {
    fn of(code: u32) -> Option<Storage> {
        Some(match code {
            0x10d0 => Storage::Snorm(8),
            0x10d1 => Storage::Snorm(16),
            0x10d2 => Storage::Unorm(8),
            0x10d3 => Storage::Unorm(16),
            0x10d4 => Storage::Packed(16, [5, 6, 5]),
            0x10d5 => Storage::Packed(16, [5, 5, 5]),
            0x10d6 => Storage::Packed(32, [10, 10, 10]),
            0x10d7 => Storage::Signed(8),
            0x10d8 => Storage::Signed(16),
            0x10d9 => Storage::Signed(32),
            0x10da => Storage::Unsigned(8),
            0x10db => Storage::Unsigned(16),
            0x10dc => Storage::Unsigned(32),
            0x10dd => Storage::Half,
            0x10de => Storage::Float,
            _ => return None,
        })
    }

    /// The bits of a channel, or of the number that all channels share.
    fn bits(self) -> u32 {
        match self {
            Storage::Unorm(bits) | Storage::Snorm(bits) | Storage::Signed(bits) | Storage::Unsigned(bits) => bits,
            Storage::Half => 16,
            Storage::Float => 32,
            Storage::Packed(bits, _) => bits,
        }
    }

    /// Returns whether kernels read and write it as integers.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Storage::Signed(_) | Storage::Unsigned(_))
    }
}
