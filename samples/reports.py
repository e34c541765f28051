"""The two PDFs: the survey of the breakwaters and the annual report."""

from __future__ import annotations

from pathlib import Path

import figures
from pdf import Pdf


def breakwater_survey(path: Path) -> None:
    pdf = Pdf("Breakwater Survey 2025", "Lena Brandt", "Skarrow Harbour Authority: Breakwater Survey 2025")
    pdf.title("Breakwater Survey 2025", "North Mole and Grey Wall, surveyed 6 to 17 October 2025")
    pdf.heading(1, "1 Summary")
    pdf.paragraph(
        "The North Mole is in good condition. The Grey Wall has lost armour between chainage 180 and "
        "chainage 210: seven blocks have moved, and behind them the sea has washed out a cavity of 14 "
        "cubic metres. The wall is safe for this winter, but not for another one. We recommend that the "
        "armour be repaired before 31 October 2026. The estimated cost is EUR 186,000."
    )
    pdf.paragraph(
        "Nothing in this survey restricts the use of the port. The parapet of the Grey Wall stays closed "
        "to the public, as the Harbour Handbook lays down."
    )
    pdf.heading(1, "2 How the survey was made")
    pdf.heading(2, "2.1 Above water")
    pdf.paragraph(
        "Both breakwaters were walked at low water springs. Every tenth metre was photographed from the "
        "crest and from the boat. Levels were taken with a total station on the crest, on the berm and, "
        "where it could be reached, on the toe."
    )
    pdf.heading(2, "2.2 Under water")
    pdf.paragraph(
        "A multibeam sounder on the pilot boat covered the seaward slopes. Two divers looked at the toe "
        "of the Grey Wall on 14 October between chainage 150 and chainage 240; the visibility was four "
        "metres."
    )
    pdf.heading(2, "2.3 Accuracy")
    pdf.bullets(
        [
            "Levels above water: 10 millimetres.",
            "Levels under water: 60 millimetres.",
            "Volumes of cavities: 20 per cent, because divers cannot see their inner ends.",
        ]
    )
    pdf.new_page()
    pdf.heading(1, "3 North Mole")
    pdf.heading(2, "3.1 Crest and parapet")
    pdf.paragraph(
        "The crest of the North Mole has settled by 22 millimetres since the survey of 2020, evenly over "
        "its length of 412 metres. The joints of the parapet are tight, apart from joint 31, which "
        "should be filled."
    )
    pdf.heading(2, "3.2 Armour")
    pdf.paragraph("No block has moved. Two blocks at the roundhead are cracked and were cracked in 2020 already.")
    pdf.heading(2, "3.3 Levels")
    pdf.table(
        "Table 1: Levels of the crest of the North Mole, metres above chart datum",
        [110, 110, 110, 121],
        [
            ["Chainage (m)", "2020", "2025", "Change (mm)"],
            ["0", "6.812", "6.794", "-18"],
            ["100", "6.805", "6.783", "-22"],
            ["200", "6.798", "6.774", "-24"],
            ["300", "6.801", "6.779", "-22"],
            ["400", "6.790", "6.766", "-24"],
        ],
    )
    pdf.new_page()
    pdf.heading(1, "4 Grey Wall")
    pdf.heading(2, "4.1 Crest and parapet")
    pdf.paragraph(
        "The Grey Wall is 268 metres long. Its crest has settled by 9 millimetres on average and by 41 "
        "millimetres at chainage 190. The parapet leans outwards there by one degree."
    )
    pdf.heading(2, "4.2 Armour")
    pdf.heading(3, "4.2.1 Displaced blocks")
    pdf.table(
        "Table 2: Displaced armour blocks of the Grey Wall",
        [70, 120, 120, 141],
        [
            ["Block", "Chainage (m)", "Mass (t)", "Moved (m)"],
            ["G-77", "181", "8.5", "0.6"],
            ["G-78", "184", "8.5", "1.1"],
            ["G-80", "189", "8.0", "2.4"],
            ["G-81", "192", "8.5", "3.0"],
            ["G-82", "196", "9.0", "1.9"],
            ["G-85", "203", "8.0", "0.8"],
            ["G-87", "209", "8.5", "0.5"],
        ],
    )
    pdf.heading(3, "4.2.2 Cavity")
    pdf.paragraph(
        "Between blocks G-80 and G-82 the core is open. The divers measured a cavity 5.6 metres long, "
        "2.5 metres high and 1.0 metre deep, which is 14 cubic metres."
    )
    pdf.heading(2, "4.3 Toe")
    pdf.paragraph(
        "The rock at the toe is in place. Scour in front of it has deepened from 0.3 to 0.5 metres since "
        "2020, which is less than the 0.8 metres that the design allows."
    )
    pdf.new_page()
    pdf.heading(1, "5 Recommendations")
    pdf.heading(2, "5.1 Repair of the armour")
    pdf.paragraph(
        "Lift and reset the seven blocks, fill the cavity with underwater concrete, and add five new "
        "blocks of 9 tonnes. The work needs a jack-up barge and ten weeks between May and September."
    )
    pdf.table(
        "Table 3: Estimate for the repair of the Grey Wall",
        [300, 151],
        [
            ["Part", "EUR"],
            ["Barge and crane", "84,000"],
            ["Divers", "31,000"],
            ["Concrete and new blocks", "46,000"],
            ["Contingency", "25,000"],
            ["Total", "186,000"],
        ],
    )
    pdf.heading(2, "5.2 Monitoring")
    pdf.paragraph(
        "Until the repair is finished, the levels at chainage 190 are taken every month and after every "
        "gale of force 9. When the crest has settled by a further 15 millimetres, the wall is inspected "
        "by divers within a week."
    )
    pdf.save(path)


def annual_report(path: Path) -> None:
    calls, total = figures.calls(), figures.dues()
    pdf = Pdf("Annual Report 2025", "Margit Oyelaran", "Skarrow Harbour Authority: Annual Report 2025")
    pdf.title("Annual Report 2025", "Skarrow Harbour Authority")
    pdf.heading(1, "The year")
    pdf.paragraph(
        f"{len(calls)} vessels called at Port Skarrow in 2025, the ferry not counted. Coasters landed "
        f"{figures.landed('coaster'):,.1f} tonnes of cargo and fishing vessels "
        f"{figures.landed('fishing'):,.1f} tonnes of fish. The ferry made 604 crossings and carried "
        "48,310 passengers."
    )
    pdf.paragraph(
        "The largest work of the year was the dredging of the Sand Gut. Between 10 March and 24 April "
        "the dredger Olthaven 4 took out 48,000 cubic metres of sand, and the channel is now 4.2 metres "
        "deep at chart datum instead of 3.6 metres. The contract with Olthaven Nassbagger cost EUR "
        "612,000; the island council paid half of it."
    )
    pdf.heading(1, "Income")
    kinds = [(kind, figures.count(kind), figures.dues(kind)) for kind in sorted(figures.TARIFF)]
    rows = [[kind.capitalize(), str(number), f"{amount:,.2f}"] for kind, number, amount in kinds]
    pdf.table(
        "Table 1: Berth dues invoiced in 2025",
        [200, 110, 141],
        [["Class of vessel", "Calls", "Dues (EUR)"], *rows, ["All classes", str(len(calls)), f"{total:,.2f}"]],
    )
    pdf.paragraph(
        "The ferry company pays a fixed sum of EUR 146,000 a year for the ramp, which is not contained "
        "in the table. The rent of the Boathouse brought EUR 14,400."
    )
    pdf.heading(1, "Safety")
    pdf.paragraph(
        "Fifteen incidents were reported: eight of class 1, five of class 2 and two of class 3. One "
        "person was taken to hospital. The rescue drill of 22 September met its target for the first "
        "time."
    )
    pdf.new_page()
    pdf.heading(1, "Outlook")
    pdf.heading(2, "Works")
    pdf.paragraph(
        "The survey of October found damage to the armour of the Grey Wall. The board has set aside EUR "
        "186,000 for its repair in the summer of 2026."
    )
    pdf.heading(2, "Tariff")
    pdf.paragraph("The board has decided to leave the tariff of 2025 unchanged in 2026.")
    pdf.heading(2, "Thanks")
    pdf.paragraph(
        "We thank Petra Lindqvist, who retired in June after 31 years in the harbour office, and the "
        "volunteers of the rescue boat, who were called out nine times."
    )
    pdf.save(path)
