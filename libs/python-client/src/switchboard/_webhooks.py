from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Any, Iterable, Optional, Protocol, Sequence, Tuple, Union, cast

if TYPE_CHECKING:
    from .types import WebhookEvent

SECRET_PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """A webhook request that the service did not send, or that is too old. Respond with 401."""


class Headers(Protocol):
    """Any mapping of names to values: a dict, or the headers of a web framework."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


def verify_webhook(
    body: Union[bytes, bytearray, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    tolerance_seconds: float = 300,
    require_timestamp: bool = False,
    *,
    now: Optional[float] = None,
) -> "WebhookEvent":
    """Verifies that the service sent a webhook request, and returns its event.

    Compares in constant time. Uses the headers of Standard Webhooks, which include a signed timestamp, when they are
    present, and otherwise `X-Service-Signature`.

    Args:
        body: unmodified bytes of the body: re-serialized JSON has a different signature
        headers: headers of the request, case-insensitive
        secret: the secret, or both the old and the new one during a rotation
        tolerance_seconds: maximum difference between the attempt's timestamp and the local clock
        require_timestamp: rejects requests without a signed timestamp, which could be replayed
        now: current Unix time in seconds; defaults to the system clock

    Raises:
        WebhookVerificationError: the service did not send the request; respond with 401
        ValueError: there is no secret
    """
    raw = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    # Anyone can sign with an empty key, so a missing setting must not accept every request.
    if not secrets or any(one in ("", SECRET_PREFIX) for one in secrets):
        raise ValueError("the webhook secret is missing")
    given = {str(name).lower(): value for name, value in headers.items()}
    identifier, timestamp, signature = (
        _text(given.get(name)) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if identifier is not None and timestamp is not None and signature is not None:
        _verify_timed(raw, secrets, (identifier, timestamp, signature))
        if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
            raise WebhookVerificationError("webhook-timestamp is too far from now")
    else:
        _verify_plain(raw, secrets, _text(given.get("x-service-signature")), require_timestamp)
    try:
        return cast("WebhookEvent", json.loads(raw.decode("utf-8")))
    except ValueError as error:
        raise WebhookVerificationError("the body is not JSON") from error


def _verify_timed(body: bytes, secrets: Sequence[str], head: Tuple[str, str, str]) -> None:
    identifier, timestamp, signature = head
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is not a time")
    signed = f"{identifier}.{timestamp}.".encode("utf-8", "replace") + body
    wanted = ["v1," + base64.b64encode(_hmac(_key_of(secret), signed)).decode() for secret in secrets]
    given = [part for part in signature.split(" ") if part.startswith("v1,")]
    if not any(_same_text(one, other) for one in given for other in wanted):
        raise WebhookVerificationError("webhook-signature does not match")


def _verify_plain(body: bytes, secrets: Sequence[str], given: Optional[str], require_timestamp: bool) -> None:
    if given is None:
        raise WebhookVerificationError("the request is not signed")
    if require_timestamp:
        raise WebhookVerificationError("the request has no signed time")
    wanted = ["sha256=" + _hmac(secret.encode("utf-8"), body).hex() for secret in secrets]
    if not any(_same_text(given, other) for other in wanted):
        raise WebhookVerificationError("X-Service-Signature does not match")


def _key_of(secret: str) -> bytes:
    """Returns the key for Standard Webhooks: the base64-decoded secret."""
    text = secret[len(SECRET_PREFIX) :] if secret.startswith(SECRET_PREFIX) else secret
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def _same_text(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8"))


def _text(value: Any) -> Optional[str]:
    """Returns a header as text; the first value if there are several."""
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return None if value is None else str(value)
