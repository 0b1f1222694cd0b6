"""Retry rules, the same as in the TypeScript client."""

from __future__ import annotations

from ._errors import ApiError, ConnectionFailed

FIRST_DELAY_SECONDS = 0.25
LONGEST_DELAY_SECONDS = 8.0
# The service considers a request dead when its process has been silent for ten seconds. Only then can a retry replace
# it.
IN_PROGRESS_PATIENCE_SECONDS = 15.0


def is_retriable(error: BaseException, *, repeatable: bool) -> bool:
    """Returns whether the call may be retried after this error.

    A call is repeatable when it changes nothing or carries an Idempotency-Key.
    """
    if isinstance(error, ConnectionFailed):
        return repeatable
    if not isinstance(error, ApiError):
        return False
    if error.status == 429:
        return True
    # A 5xx does not prove that nothing was done, because a proxy or a crashing gateway may send it after the message
    # was sent.
    return repeatable and (error.status >= 500 or error.code == "IDEMPOTENCY_IN_PROGRESS")


def may_try_again(error: BaseException, *, retry: int, max_retries: int, elapsed_seconds: float) -> bool:
    """Returns whether another retry is left after a retriable error.

    An attempt that is reported as running may have died with its process. Stopping before this is known would leave
    the outcome open.

    Args:
        retry: number of the next retry, from 1
        elapsed_seconds: time since the first attempt
    """
    if retry <= max_retries:
        return True
    is_running = isinstance(error, ApiError) and error.code == "IDEMPOTENCY_IN_PROGRESS"
    return is_running and max_retries > 0 and elapsed_seconds < IN_PROGRESS_PATIENCE_SECONDS


def retry_delay_seconds(retry: int, *, retry_after: float, chance: float) -> float:
    """Returns the delay before retry number `retry` (from 1).

    Exponential backoff with up to 50 % jitter, so that clients do not return simultaneously, added to the Retry-After
    delay (spec §2.4.2).

    Args:
        retry_after: delay requested by the API; 0 if none
        chance: random number from 0 to 1
    """
    full: float = min(FIRST_DELAY_SECONDS * 2.0 ** min(retry - 1, 10), LONGEST_DELAY_SECONDS)
    return retry_after + full * (0.5 + chance / 2)
