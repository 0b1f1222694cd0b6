"""When a failed call is made again, and after which time: the rules of the client for TypeScript."""

from __future__ import annotations

from ._errors import ApiError, ConnectionFailed

FIRST_DELAY_SECONDS = 0.25
LONGEST_DELAY_SECONDS = 8.0
# The service takes a request for dead whose process has said nothing for ten seconds: only then can a retry take its
# place.
IN_PROGRESS_PATIENCE_SECONDS = 15.0


def is_retriable(error: BaseException, *, repeatable: bool) -> bool:
    """Whether the same call may be made again after this error.

    A call is repeatable when it changes nothing or carries an Idempotency-Key.
    """
    if isinstance(error, ConnectionFailed):
        return repeatable
    if not isinstance(error, ApiError):
        return False
    if error.status == 429:
        return True
    # A 5xx does not say that nothing was done: a proxy or a dying gateway may have given it after the message was sent.
    return repeatable and (error.status >= 500 or error.code == "IDEMPOTENCY_IN_PROGRESS")


def may_try_again(error: BaseException, *, retry: int, max_retries: int, elapsed_seconds: float) -> bool:
    """Whether there is another retry to be made after a retriable error.

    An attempt of ours that is said to be still running may have died with the process that ran it; giving up before
    that is known would leave its outcome open.

    Args:
        retry: the number of the next retry, from 1
        elapsed_seconds: since the first attempt
    """
    if retry <= max_retries:
        return True
    is_running = isinstance(error, ApiError) and error.code == "IDEMPOTENCY_IN_PROGRESS"
    return is_running and max_retries > 0 and elapsed_seconds < IN_PROGRESS_PATIENCE_SECONDS


def retry_delay_seconds(retry: int, *, retry_after: float, chance: float) -> float:
    """How long to wait before retry number `retry` (from 1).

    Twice as long each time, of which up to a half is left to chance so that clients do not come back all at once;
    counted from the time that the API asked for (spec §2.4.2).

    Args:
        retry_after: what the API asked for; 0 when it did not
        chance: from 0 to 1
    """
    full: float = min(FIRST_DELAY_SECONDS * 2.0 ** min(retry - 1, 10), LONGEST_DELAY_SECONDS)
    return retry_after + full * (0.5 + chance / 2)
