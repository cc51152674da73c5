# bench.py - measures one row: our forms, checked, beside the copy and the peers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess

import torch

from measure import operands, patterns, programs
from measure.driver import Driver, DriverError
from measure.launchinfo import LaunchError
from measure.timing import GRAPH_CALLS, SHORT_US, Timer, first_line

COPY_BYTES = 1 << 30
REPETITIONS, QUICK_REPETITIONS = 30, 9


def set_up_compiler():
    """Peers choose among their kernels by timing here: what the warmers timed on a busy GPU does not count."""
    try:
        import torch._inductor.config as config

        config.autotune_local_cache = False
    except (ImportError, AttributeError):
        pass


def warm(rows):
    """Compiles the peers of some rows, for the cache on disk."""
    set_up_compiler()
    for row in rows:
        try:
            problem = operands.problem(row)
            torch.compile(problem.peer, dynamic=False)(*operands.inputs_of(problem))
            torch.cuda.synchronize()
        except Exception:  # the measuring process meets the same error and reports it
            pass
        problem = None
        torch._dynamo.reset()
        torch.cuda.empty_cache()
    return 0


class Bench:
    def __init__(self, compiler, arguments, say):
        self.compiler, self.arguments, self.say = compiler, arguments, say
        torch.cuda.init()
        torch.zeros(1, device="cuda")
        set_up_compiler()
        if not arguments.quick:
            # The first use loads the compiler, which is nobody's time.
            torch.compile(lambda x: x + 1, dynamic=False)(torch.zeros(8, device="cuda"))
        self.driver = Driver()
        self.timer = Timer(self.driver)
        self.copies = [torch.randint(0, 255, (COPY_BYTES,), dtype=torch.uint8, device="cuda") for _ in range(2)]
        self.patterns = patterns.Patterns(self.driver, compiler)

    def head(self):
        """What stands above the rows: the card and the versions."""
        query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        try:
            version = subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip().splitlines()[0]
        except (OSError, IndexError):
            version = "?"
        versions = {"torch": torch.__version__, "cuda": torch.version.cuda, "driver": version}
        try:
            import triton

            versions["triton"] = triton.__version__
        except ImportError:
            pass
        return {"device": torch.cuda.get_device_name(), "versions": versions}

    def measure(self, row):
        """(the row's figures or its error, whether the GPU is lost to this process)."""
        try:
            return self.figures(row), False
        except Exception as error:  # one row's failure is that row's
            why, is_lost = first_line(error), self.is_lost()
            if not is_lost:
                torch.cuda.empty_cache()
            return {"error": why}, is_lost

    @staticmethod
    def is_lost():
        """Whether a kernel has faulted: from then on every call fails."""
        try:
            torch.cuda.synchronize()
            return False
        except Exception:
            return True

    def launcher(self, form, row, problem):
        """A function that launches the form's kernels on the current stream; whether it took the fast variants."""
        given = {**problem.operands, **operands.scratch(form, row)}
        starts, is_fast = [], True
        for info, image in self.compiler.get(form).kernels:
            plan = info.plan(given)
            function = self.driver.function(self.driver.load(image), plan.entry, plan.shared)
            sizes = (plan.grid, plan.threads, plan.shared)
            starts.append(self.driver.launcher(function, *sizes, plan.parameters, plan.may_overlap))
            is_fast = is_fast and plan.is_first
        stream = torch.cuda.current_stream

        def launch(_keeps=given):
            for start in starts:
                start(stream().cuda_stream)

        return launch, is_fast

    def checked(self, form, row, problem):
        """The launcher of a form that computed the right result."""
        launch, is_fast = self.launcher(form, row, problem)
        problem.poison()
        launch()
        torch.cuda.synchronize()
        complaint = problem.complaint()
        if complaint:
            raise LaunchError(f"wrong: {complaint}")
        return launch, is_fast

    def ours(self, row, problem):
        """The form to measure: the first that works, or with --tune the fastest."""
        best, errors, times = None, [], {}
        for form in row.forms:
            try:
                launch, is_fast = self.checked(form, row, problem)
            except (programs.CompileError, LaunchError, DriverError) as error:
                errors.append(f"{form.text()}: {error}")
                if self.is_lost():
                    raise
                continue
            time = self.timer.estimate(launch, 7 if self.arguments.tune else 5)
            if time < 2 * SHORT_US:
                time = self.timer.estimate(self.timer.graph_of(launch)) / GRAPH_CALLS
            times[form.text()] = round(time, 2)
            if best is None or time < best[0]:
                best = (time, form, launch, is_fast)
            if not self.arguments.tune:
                break
        if best is None:
            raise LaunchError(errors[0])
        return best, errors, times

    def peers(self, row, problem):
        """({name: function}, {name: why there is none})."""
        inputs, failed = operands.inputs_of(problem), {}
        peers = {"torch": lambda: problem.peer(*inputs)}
        if not self.arguments.quick:
            try:
                torch._dynamo.reset()
                compiled = torch.compile(problem.peer, dynamic=False)
                compiled(*inputs)
                torch.cuda.synchronize()
                peers["torch.compile"] = lambda: compiled(*inputs)
            except Exception as error:
                failed["torch.compile"] = first_line(error)
        if row.threads:
            try:
                peers.update(self.patterns.of(row))
            except (ValueError, DriverError, programs.CompileError) as error:
                failed["by hand"] = first_line(error)
        return peers, failed

    def copy_of(self, moved):
        half = min(moved // 2, COPY_BYTES)
        target, source = (buffer.data_ptr() for buffer in self.copies)
        return lambda: self.driver.copy(target, source, half, torch.cuda.current_stream().cuda_stream)

    def figures(self, row):
        problem = operands.problem(row)
        (estimate, form, launch, is_fast), errors, times = self.ours(row, problem)
        peers, failed = self.peers(row, problem)
        repetitions = QUICK_REPETITIONS if self.arguments.quick else REPETITIONS
        functions = {"copy": self.copy_of(row.moved), "ours": launch, **peers}
        medians, untimed = self.timer.medians(functions, repetitions, estimate < SHORT_US)
        if "ours" in untimed:
            raise LaunchError(f"{form.text()}: {untimed['ours']}")
        copy, ours = medians.pop("copy"), medians.pop("ours")
        copy *= row.moved / (2 * min(row.moved // 2, COPY_BYTES))
        peer = min(medians, key=medians.get) if medians else None
        figures = {
            "ours_us": round(ours, 2),
            "ours_tbs": round(row.moved / ours / 1e6, 3),
            "copy_ratio": round(copy / ours, 3),
            "peer": peer,
            "peer_us": round(medians[peer], 2) if peer else None,
            "peer_ratio": round(medians[peer] / ours, 3) if peer else None,
            "copy_us": round(copy, 2),
            "peers_us": {name: round(time, 2) for name, time in medians.items()},
            "program": form.text(),
            "threads": form.threads,
        }
        if not is_fast:
            figures["variant"] = "careful"
        if errors:
            figures["forms_refused"] = errors
        if len(times) > 1:
            figures["forms_us"] = times
        if failed or untimed:
            figures["peers_failed"] = {**failed, **untimed}
        return figures
