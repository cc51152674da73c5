# launchinfo_test.py - launches that the benchmark prepares from the descriptions our tools print.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import struct
import subprocess
import sys
import unittest

SOURCE, TOOL = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(SOURCE / "benchmark"))
from measure import launchinfo  # noqa: E402


class Tensor:
    """As much of a tensor as a launch asks for."""

    def __init__(self, shape, address=1 << 20, size=2):
        self.shape, self.address, self.size = tuple(shape), address, size

    def data_ptr(self):
        return self.address

    def element_size(self):
        return self.size

    def stride(self, dim):
        product = 1
        for extent in self.shape[dim + 1 :]:
            product *= extent
        return product

    def view(self, *shape):
        total = 1
        for extent in self.shape:
            total *= extent
        known = 1
        for extent in shape[1:]:
            known *= extent
        return Tensor([total // known, *shape[1:]], self.address, self.size)


def described_text(program, *defines):
    path = SOURCE / "benchmark/operators" / f"{program}.mlir"
    command = [TOOL, "--kernel-info", str(path), *(f"-D{define}" for define in defines)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def described(program, *defines):
    return launchinfo.parse(described_text(program, *defines))


class LaunchInfoTest(unittest.TestCase):
    def test_parameters_follow_the_signature(self):
        """Pointers, the bits of a scalar and the size stand in the order of the C function; R = 2 halves the grid."""
        info = described("rmsnorm", "T=64", "N=256", "R=2")["rmsnorm"]
        matrix = Tensor([7, 256], 1 << 21)
        plan = info.plan({"x": matrix, "w": Tensor([256], 1 << 22), "y": Tensor([7, 256], 1 << 23), "eps": 1e-5})
        self.assertEqual((plan.entry, plan.grid, plan.threads, plan.is_first), ("rmsnorm", (4, 1, 1), 64, True))
        self.assertEqual(plan.parameters[:3], [1 << 21, 1 << 22, 1 << 23])
        self.assertIn(int.from_bytes(struct.pack("<f", 1e-5), "little"), plan.parameters)
        self.assertIn(7, plan.parameters)

    def test_our_kernels_may_overlap(self):
        """Every kernel says that it waits for its turn; a description that does not say so is launched in turn."""
        text = described_text("add", "T=64", "E=512")
        for text, may_overlap in ((text, True), (text.replace('kernel "add" 64 0 2048', 'kernel "add" 64 0 0'), False)):
            plan = launchinfo.parse(text)["add"].plan({name: Tensor([1000], 1 << 20) for name in "xyz"})
            self.assertIs(plan.may_overlap, may_overlap)

    def test_a_crooked_address_takes_the_careful_variant(self):
        """The fast variant asks for addresses that are multiples of 16 bytes."""
        info = described("add", "T=64", "E=512")["add"]
        plan = info.plan({name: Tensor([1000], (1 << 20) + 2 * (name == "z")) for name in "xyz"})
        self.assertEqual((plan.entry, plan.is_first), ("add_careful", False))

    def test_ranks_are_made_to_fit(self):
        """A matrix goes to a kernel of vectors, and to one that takes each row apart."""
        plan = described("add", "T=64", "E=512")["add"].plan({name: Tensor([8, 160]) for name in "xyz"})
        self.assertEqual(plan.grid, (3, 1, 1))
        parts = described("row_parts", "T=32", "P=32", "V=4")["row_parts"]
        plan = parts.plan({"x": Tensor([5, 128]), "o": Tensor([5, 32], size=4)})
        self.assertEqual(plan.grid, (5, 1, 1))

    def test_two_kernels_share_a_size(self):
        """A size that only another tensor binds is checked against all others."""
        kernels = described("column_sum", "P=8", "R=4", "E=64")
        self.assertEqual(list(kernels), ["column_parts", "column_total"])
        operands = {"x": Tensor([20, 100]), "part": Tensor([3, 100], size=4), "o": Tensor([100])}
        x, y, z = kernels["column_parts"].plan(operands).grid
        self.assertEqual(x * y * z, 6)
        with self.assertRaisesRegex(launchinfo.LaunchError, r"'part': shape is \[3, 99\]; expected \[3, 100\]"):
            kernels["column_parts"].plan({**operands, "part": Tensor([3, 99], size=4)})

    def test_a_tall_grid_is_folded(self):
        """A grid of more blocks than a launch allows along y is launched along x, in the fast variant too."""
        info = described("transpose", "T=64", "B=16")["transpose"]
        plan = info.plan({"a": Tensor([16 * 65536, 16]), "b": Tensor([16, 16 * 65536])})
        self.assertEqual((plan.entry, plan.grid), ("transpose", (65536, 1, 1)))
        self.assertEqual(info.order, [1, 0])

    def test_expressions(self):
        """Postfix, with divisions that round as their names say."""
        self.assertEqual(launchinfo.evaluate("v0 c-3 + c4 ceildiv".split(), [12]), 3)
        self.assertEqual(launchinfo.evaluate("c-7 c2 floordiv v0 mod".split(), [5]), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
