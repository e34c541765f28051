"""What a benchmark ran on: figures mean nothing without it."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    model = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "")
    load = "/".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"CPython {platform.python_version()}, Linux {platform.release()}, {platform.machine()}, "
        f"{os.cpu_count()} CPUs{model.partition(':')[2]}, load {load}"
    )
