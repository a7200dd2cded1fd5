"""The exceptions that a user is meant to read."""


class InputError(ValueError):
    """Input that cannot be used: one sentence saying what, where (file, line) and what to do."""


class OfferError(InputError):
    """Input that can be used if the user agrees to a reading that would otherwise be a guess.

    Attributes:
        offer: which one, as the readers of pairs name it: "convert" or "order".
    """

    def __init__(self, message: str, offer: str) -> None:
        super().__init__(message)
        self.offer = offer


class MethodError(RuntimeError):
    """A method that could not do its work, for a reason that is not the input's: one sentence saying what and why."""
