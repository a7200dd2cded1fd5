"""The one exception a user is meant to read."""


class InputError(ValueError):
    """Input that cannot be used: one sentence saying what, where (file, line) and what to do."""
