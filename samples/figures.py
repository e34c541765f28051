"""The year 2025 of an invented harbour: every number that more than one sample document quotes comes from here."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache


@dataclass(frozen=True)
class Vessel:
    name: str
    kind: str
    length: float  # metres
    home: str


@dataclass(frozen=True)
class Call:
    number: int
    arrived: date
    vessel: Vessel
    nights: int
    berth: str
    landed: float  # tonnes of fish or cargo

    @property
    def metres(self) -> int:
        return math.ceil(self.vessel.length)

    @property
    def dues(self) -> float:
        return round(self.metres * self.nights * TARIFF[self.vessel.kind], 2)


TARIFF = {"coaster": 1.60, "fishing": 0.90, "workboat": 1.25, "yacht": 2.10}  # EUR per metre and night

VESSELS = (
    Vessel("Petrel Bay", "coaster", 58.4, "Olthaven"),
    Vessel("Almida", "coaster", 63.0, "Brevenne"),
    Vessel("Corrigan", "coaster", 44.8, "Port Skarrow"),
    Vessel("Gannet", "fishing", 17.2, "Port Skarrow"),
    Vessel("Marit", "fishing", 21.6, "Port Skarrow"),
    Vessel("Two Sisters", "fishing", 14.9, "Port Skarrow"),
    Vessel("Belle Aurore", "fishing", 18.3, "Brevenne"),
    Vessel("Olthaven 4", "workboat", 36.0, "Olthaven"),
    Vessel("Bastion", "workboat", 31.5, "Hallin"),
    Vessel("Quickstep", "yacht", 9.8, "Port Skarrow"),
    Vessel("Blue Hour", "yacht", 12.4, "Brevenne"),
    Vessel("Saltmarsh", "yacht", 10.6, "Olthaven"),
    Vessel("Vesper", "yacht", 13.7, "Brevenne"),
    Vessel("Halcyon", "yacht", 11.9, "Olthaven"),
)
CALLS_A_YEAR = 132
LANDED = {"coaster": (180.0, 620.0), "fishing": (0.8, 9.5)}  # tonnes per call; the others land nothing
BERTHS = {
    "coaster": ("F1", "F2"),
    "fishing": ("F3", "F4", "F5", "F6"),
    "workboat": ("W1", "W2"),
    "yacht": ("A", "B", "C"),
}
NIGHTS = {"coaster": (1, 3), "fishing": (1, 4), "workboat": (2, 9), "yacht": (1, 6)}

# Millimetres above chart datum, from the gauge on the North Mole: mean high water, mean low water, highest reading.
TIDES = (
    (3182, 812, 3790), (3205, 801, 3845), (3241, 776, 4012), (3198, 790, 3884), (3150, 815, 3701), (3127, 829, 3655),
    (3139, 822, 3688), (3188, 797, 3829), (3236, 771, 3998), (3259, 768, 4051), (3247, 784, 4120), (3215, 803, 3917),
)  # fmt: skip


@cache
def calls() -> tuple[Call, ...]:
    """The calls of 2025 in order of arrival: the same ones every time."""
    dice = random.Random(1871)
    days = sorted(dice.randrange(365) for _ in range(CALLS_A_YEAR))
    return tuple(_call(dice, number, date(2025, 1, 1) + timedelta(day)) for number, day in enumerate(days, 1))


def _call(dice: random.Random, number: int, arrived: date) -> Call:
    season = [vessel for vessel in VESSELS if vessel.kind != "yacht" or 4 <= arrived.month <= 10]
    vessel = season[dice.randrange(len(season))]
    low, high = NIGHTS[vessel.kind]
    least, most = LANDED.get(vessel.kind, (0.0, 0.0))
    return Call(
        number=number,
        arrived=arrived,
        vessel=vessel,
        nights=low + dice.randrange(high - low + 1),
        berth=BERTHS[vessel.kind][dice.randrange(len(BERTHS[vessel.kind]))],
        landed=round(least + dice.random() * (most - least), 1),
    )


def dues(kind: str | None = None) -> float:
    """EUR invoiced in 2025, for one class of vessel or for all."""
    return round(sum(call.dues for call in calls() if kind in (None, call.vessel.kind)), 2)


def count(kind: str) -> int:
    return sum(call.vessel.kind == kind for call in calls())


def landed(kind: str) -> float:
    return round(sum(call.landed for call in calls() if call.vessel.kind == kind), 1)
