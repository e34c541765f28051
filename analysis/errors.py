"""What can go wrong with an answer.

AnalysisError
|-- AnswerRejected       the model's mistake: goes back to it as text, with the reason
|-- CitationMissing      the model would not cite: the run ends; carries the draft, which is not an answer
|-- ImageUnusable        the operator's mistake: what came with the question is no picture
+-- ModelError           the operator's mistake or the provider's failure: one sentence that says what to do
"""

from __future__ import annotations


class AnalysisError(Exception):
    """Base of the errors of this room."""


class AnswerRejected(AnalysisError):
    """A draft that must not go out; `reason` tells the model what to do about it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CitationMissing(AnalysisError):
    """The model kept answering without a cite call after its last evidence; `draft` is what it wrote."""

    def __init__(self, draft: str, reason: str) -> None:
        super().__init__(f"the model would not cite its evidence, so there is no answer. {reason}")
        self.draft = draft
        self.reason = reason


class ImageUnusable(AnalysisError):
    """What came with a question is no picture, or nobody looks at it; the message says why."""


class ModelError(AnalysisError):
    """The language model could not be built or reached, or failed; the message says how to go on."""
