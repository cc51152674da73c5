# programs.py - compiles the forms of the rows with the tools in a folder, several at a time.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import concurrent.futures
import dataclasses
import pathlib
import shutil
import subprocess
import tempfile

from measure import cases, launchinfo

COMPILE_SECONDS = 90


class CompileError(Exception):
    """The tools refused a program: their first line."""


@dataclasses.dataclass
class Compiled:
    """The kernels of a form in the order they are launched: description and machine code."""

    kernels: list


class Programs:
    def __init__(self, folder, jobs, arch):
        self.folder, self.arch = pathlib.Path(folder).resolve(), arch
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.futures = {}

    def start(self, form):
        """Begins to compile a form, once."""
        if form not in self.futures:
            self.futures[form] = self.pool.submit(self.compile, form)
        return self.futures[form]

    def get(self, form):
        return self.start(form).result()

    def run(self, tool, *arguments):
        command = [str(self.folder / tool), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=COMPILE_SECONDS)
        except (subprocess.TimeoutExpired, OSError) as error:
            raise CompileError(f"{pathlib.Path(tool).name}: {error}"[:200]) from error
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"status {done.returncode}"]
            said = next((line for line in lines if "error" in line), lines[0])
            said = said.strip().replace(f"{cases.FOLDER}/", "")[:240]
            raise CompileError(f"{pathlib.Path(tool).name}: status {done.returncode}: {said}")
        return done.stdout

    def compile(self, form):
        options = [str(form.path)] + [f"-D{name}={value}" for name, value in form.defines] + ["--arch", self.arch]
        infos = launchinfo.parse(self.run("tile-translate", "--kernel-info", *options))
        kernels = []
        with tempfile.TemporaryDirectory() as folder:
            for name in form.kernels or list(infos):
                cubin = pathlib.Path(folder) / f"{name}.cubin"
                self.run("tile-run", *options, "--kernel", name, "--emit", "cubin", "-o", str(cubin))
                kernels.append((infos[name], cubin.read_bytes()))
        return Compiled(kernels)

    def start_patterns(self, threads):
        """Begins to compile the hand-written patterns for so many threads, once; the result is their machine code."""
        if threads not in self.futures:
            self.futures[threads] = self.pool.submit(self.compile_patterns, threads)
        return self.futures[threads]

    def compile_patterns(self, threads):
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        with tempfile.TemporaryDirectory() as folder:
            cubin = pathlib.Path(folder) / "patterns.cubin"
            self.run(
                nvcc,
                "-std=c++17",
                "-cubin",
                f"-arch={self.arch}",
                f"-DTHREADS={threads}",
                "-o",
                str(cubin),
                str(cases.FOLDER / "row_patterns.cu"),
            )
            return cubin.read_bytes()

    def wait(self):
        """Until everything begun is done: compilers would disturb a measurement."""
        concurrent.futures.wait(list(self.futures.values()))

    def stop(self):
        self.pool.shutdown(wait=False, cancel_futures=True)
