"""The measured level, in environments that forbid some layers: made by a filter on the service, as containers do."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from glossator.sandbox import Sandbox
from glossator.sandbox.probes import judge

SERVICE = """
import asyncio, errno, json, sys
from glossator.kernel import namespaces, seccomp
from glossator.kernel.seccomp import ALLOW, Rule, refuse
from glossator.sandbox import IsolationTooWeak, Sandbox

refused, user = json.loads(sys.argv[1]), sys.argv[2]
if user == "nobody":
    namespaces.become_nobody()
if refused:
    seccomp.install([Rule(name, refuse(getattr(errno, code))) for name, code in refused.items()], default=ALLOW)

async def main():
    async with Sandbox() as sandbox:
        isolation = await sandbox.isolation()
        said = {"level": isolation.level, "notes": isolation.notes}
        said["missing"] = [layer for layer, holds in isolation.layers.items() if not holds]
        try:
            session = await sandbox.session()
            said["result"] = (await session.run("2 + 2")).value
        except IsolationTooWeak as error:
            said["result"] = str(error)
        print(json.dumps(said))

asyncio.run(main())
"""


def measured(refused: dict[str, str], user: str) -> dict[str, object]:
    command = [sys.executable, "-c", SERVICE, json.dumps(refused), user]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


@pytest.mark.parametrize("user", ["same", "nobody"])
@pytest.mark.parametrize(
    ("refused", "level", "missing"),
    [
        pytest.param({}, 3, [], id="nothing"),
        pytest.param({"unshare": "EPERM", "mount": "EPERM"}, 2, ["namespaces"], id="namespaces, as in a container"),
        pytest.param({"mount": "EPERM"}, 2, ["namespaces"], id="mounts"),
        pytest.param({"landlock_create_ruleset": "ENOSYS"}, 2, ["landlock"], id="landlock"),
    ],
)
def test_level_two_is_what_one_missing_layer_leaves(
    refused: dict[str, str], level: int, missing: list[str], user: str
) -> None:
    said = measured(refused, user)
    assert (said["level"], said["missing"], said["result"]) == (level, missing, "4")
    assert bool(said["notes"]) == bool(missing)


def test_below_the_minimum_no_code_is_run() -> None:
    said = measured({"unshare": "EPERM", "landlock_create_ruleset": "ENOSYS"}, "same")
    assert said["level"] == 1
    assert str(said["result"]).startswith("isolation level 1 was measured, at least 2 is needed: no code is run")
    assert "allow unprivileged user namespaces" in str(said["result"])


@pytest.mark.anyio
async def test_this_machine() -> None:
    async with Sandbox() as sandbox:
        isolation = await sandbox.isolation()
        session = await sandbox.session()
        assert session.isolation == isolation
        assert isolation.level >= 2
        assert set(isolation.layers) == {
            *("namespaces", "landlock", "seccomp", "rlimits", "no_new_privs", "capabilities"),
        }


@pytest.mark.parametrize(
    ("walls", "level"),
    [
        (("seccomp", "landlock", "namespaces"), 3),
        (("seccomp", "landlock"), 2),
        (("seccomp", "namespaces"), 2),
        (("landlock", "namespaces"), 1),
        (("seccomp",), 1),
        ((), 1),
    ],
)
def test_levels(walls: tuple[str, ...], level: int) -> None:
    layers = {layer: layer in walls for layer in ("namespaces", "landlock", "seccomp")}
    isolation = judge(layers, ("why",))
    assert isolation.level == level
    assert isolation.notes[0] == "why"
    assert len(isolation.notes) == 1 + 3 - len(walls)
