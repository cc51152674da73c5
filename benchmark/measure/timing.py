# timing.py - times functions against each other on the GPU.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Alternated timing: every round calls each function in turn, each after a flush of the L2; medians of all rounds.

Functions shorter than 20 microseconds are captured, 20 calls a graph, and the graphs are timed in the same way.
"""

import statistics

import torch

FLUSH_BYTES = 256 << 20
SHORT_US = 20.0
GRAPH_CALLS = 20


class Timer:
    def __init__(self, driver):
        self.driver = driver
        self.flush_buffer = torch.empty(FLUSH_BYTES, dtype=torch.uint8, device="cuda")
        self.events = []

    def flush(self):
        self.driver.fill(
            self.flush_buffer.data_ptr(), 0x5A5A5A5A, FLUSH_BYTES // 4, torch.cuda.current_stream().cuda_stream
        )

    def alternate(self, functions, times):
        """{name: [microseconds, …]}: `times` calls of each function, taken in turn."""
        while len(self.events) < 2 * times * len(functions):
            self.events.append(torch.cuda.Event(enable_timing=True))
        # Work for the GPU, so that the host is ahead of it from the first call on.
        for _ in range(4):
            self.flush()
        pairs = []
        free = iter(self.events)
        for _ in range(times):
            for name, function in functions.items():
                begin, end = next(free), next(free)
                self.flush()
                begin.record()
                function()
                end.record()
                pairs.append((name, begin, end))
        torch.cuda.synchronize()
        result = {name: [] for name in functions}
        for name, begin, end in pairs:
            result[name].append(begin.elapsed_time(end) * 1e3)
        return result

    def estimate(self, function, times=5):
        """Microseconds of one call, roughly."""
        function()
        return statistics.median(self.alternate({"": function}, times)[""])

    @staticmethod
    def graph_of(function):
        """A function that replays 20 captured calls."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            function()
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(GRAPH_CALLS):
                function()
        graph.replay()
        torch.cuda.synchronize()
        return graph.replay

    def medians(self, functions, times, are_short):
        """({name: median microseconds}, {name: why it could not be timed})."""
        ready, failed = {}, {}
        for name, function in functions.items():
            try:
                ready[name] = self.graph_of(function) if are_short else function
                ready[name]()
                torch.cuda.synchronize()
            except Exception as error:  # a peer that cannot be captured is left out, and said to be
                failed[name] = first_line(error)
                ready.pop(name, None)
        self.alternate(ready, 2)
        calls = GRAPH_CALLS if are_short else 1
        samples = {name: [] for name in ready}
        for _ in range(3):
            for name, taken in self.alternate(ready, max(1, times // 3)).items():
                samples[name] += taken
        return {name: statistics.median(taken) / calls for name, taken in samples.items()}, failed


def first_line(error):
    """An error in one line."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0].strip()[:160]}" if lines else type(error).__name__
