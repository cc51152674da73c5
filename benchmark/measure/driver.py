# driver.py - loads and launches compiled kernels through the CUDA driver.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few calls of the driver that a measurement needs. The context is the one that PyTorch made current."""

import ctypes

DYNAMIC_SHARED_SIZE = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


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

    def launcher(self, function, grid, threads, shared, parameters):
        """A function of a stream that launches; what can be prepared is prepared here."""
        slots = (ctypes.c_uint64 * max(1, len(parameters)))(*[value & (1 << 64) - 1 for value in parameters])
        pointers = (ctypes.c_void_p * max(1, len(parameters)))(
            *[ctypes.addressof(slots) + 8 * number for number in range(len(parameters))]
        )
        sizes = [ctypes.c_uint(number) for number in (*grid, threads, 1, 1, shared)]
        launch = self.library.cuLaunchKernel

        def start(stream):
            code = launch(function, *sizes, ctypes.c_void_p(stream), pointers, None)
            if code != 0:
                raise DriverError(f"cuLaunchKernel failed with {code}")

        # The launch reads the slots through the pointers, so they must live as long as it does.
        start.keeps = slots
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
