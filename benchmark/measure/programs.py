# programs.py - compiles the forms of the rows with the tools in a folder, several at a time.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import concurrent.futures
import dataclasses
import pathlib
import subprocess
import tempfile

from measure import launchinfo

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
            raise CompileError(f"{tool}: {error}"[:200]) from error
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"status {done.returncode}"]
            said = next((line for line in lines if "error" in line), lines[0])
            raise CompileError(f"{tool}: status {done.returncode}: {said.strip()[:240]}")
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

    def wait(self):
        """Until everything begun is done: compilers would disturb a measurement."""
        concurrent.futures.wait(list(self.futures.values()))

    def stop(self):
        self.pool.shutdown(wait=False, cancel_futures=True)
