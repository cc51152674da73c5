# driver.py - loads and launches compiled kernels through the CUDA driver.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few calls of the driver that a measurement needs. The context is the one that PyTorch made current."""

import ctypes

DYNAMIC_SHARED_SIZE = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
CAPABILITY_MAJOR = 75  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
PROGRAMMATIC_SERIALIZATION = 6  # CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute, of 72 bytes: an id, and a value in a union of 64 bytes."""

    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_int), ("rest", ctypes.c_int * 15)]


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(LaunchAttribute)),
        ("count", ctypes.c_uint),
    ]


class DriverError(Exception):
    """A call failed: its name, the driver's code and what the code means."""


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(code, ctypes.byref(text))
            raise DriverError(f"{name} failed with {code}: {(text.value or b'?').decode()}")

    def load(self, image):
        """The module of a cubin, given as bytes."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def function(self, module, entry, shared=0):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if shared > 0:
            self.call("cuFuncSetAttribute", function, DYNAMIC_SHARED_SIZE, shared)
        return function

    def can_overlap(self):
        """Whether the current device and the driver know launches that begin before the kernel ahead has ended."""
        device, major = ctypes.c_int(), ctypes.c_int()
        self.call("cuCtxGetDevice", ctypes.byref(device))
        self.call("cuDeviceGetAttribute", ctypes.byref(major), CAPABILITY_MAJOR, device)
        return major.value >= 9 and hasattr(self.library, "cuLaunchKernelEx")

    def launcher(self, function, grid, threads, shared, parameters, may_overlap=False):
        """A function of a stream that launches, as the runtime does it; what can be prepared is prepared here."""
        slots = (ctypes.c_uint64 * max(1, len(parameters)))(*[value & (1 << 64) - 1 for value in parameters])
        pointers = (ctypes.c_void_p * max(1, len(parameters)))(
            *[ctypes.addressof(slots) + 8 * number for number in range(len(parameters))]
        )
        if may_overlap and self.can_overlap():
            start = self.early(function, grid, threads, shared, pointers)
        else:
            start = self.in_turn(function, grid, threads, shared, pointers)
        # The launch reads the slots through the pointers, so they must live as long as it does.
        start.keeps = slots
        return start

    def early(self, function, grid, threads, shared, pointers):
        """Launches so that blocks may start before the last kernel of the stream has ended."""
        attribute = LaunchAttribute(PROGRAMMATIC_SERIALIZATION, 0, 1)
        config = LaunchConfig(tuple(grid), (threads, 1, 1), shared, None, ctypes.pointer(attribute), 1)
        launch, at = self.library.cuLaunchKernelEx, ctypes.byref(config)

        def start(stream):
            config.stream = stream
            code = launch(at, function, pointers, None)
            if code != 0:
                raise DriverError(f"cuLaunchKernelEx failed with {code}")

        return start

    def in_turn(self, function, grid, threads, shared, pointers):
        """Launches so that no block starts before the last kernel of the stream has ended."""
        sizes = [ctypes.c_uint(number) for number in (*grid, threads, 1, 1, shared)]
        launch = self.library.cuLaunchKernel

        def start(stream):
            code = launch(function, *sizes, ctypes.c_void_p(stream), pointers, None)
            if code != 0:
                raise DriverError(f"cuLaunchKernel failed with {code}")

        return start

    def copy(self, target, source, size, stream):
        """Device to device, as cudaMemcpyAsync does it."""
        self.call(
            "cuMemcpyDtoDAsync_v2",
            ctypes.c_uint64(target),
            ctypes.c_uint64(source),
            ctypes.c_size_t(size),
            ctypes.c_void_p(stream),
        )

    def fill(self, target, word, count, stream):
        """Writes `count` 32-bit words."""
        self.call(
            "cuMemsetD32Async",
            ctypes.c_uint64(target),
            ctypes.c_uint(word),
            ctypes.c_size_t(count),
            ctypes.c_void_p(stream),
        )
