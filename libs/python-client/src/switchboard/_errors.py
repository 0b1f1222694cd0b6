from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional


class ApiError(Exception):
    """The API refused a call, or failed. Branch on `code`; `message` is for people.

    Attributes:
        status: the HTTP status
        code: what happened, for a program; `UNKNOWN` when what answered was not the API, a proxy for example
        message: what happened, for people
        details: the fields that were wrong, each with `field` and `message`
        request_id: names the request to whoever runs the service
        retry_after: seconds after which the API says to try again; None when it does not say
        body: the whole body, with fields that only some errors have
    """

    def __init__(self, status: int, headers: Mapping[str, str], body: Mapping[str, Any]) -> None:
        message = body.get("message")
        self.message: str = message if isinstance(message, str) else f"the server answered {status}"
        code = body.get("code")
        self.status = status
        self.code: str = code if isinstance(code, str) else "UNKNOWN"
        details = body.get("details")
        self.details: List[Dict[str, Any]] = details if isinstance(details, list) else []
        request_id = body.get("requestId")
        self.request_id: Optional[str] = request_id if isinstance(request_id, str) else headers.get("x-request-id")
        self.retry_after = _seconds(headers.get("retry-after"))
        self.body: Dict[str, Any] = dict(body)
        super().__init__(f"{self.code}: {self.message}")


class ConnectionFailed(Exception):
    """No answer came: the server could not be reached, hung up, or took too long.

    Whether it did its work is not known. `timed_out` tells whether it took too long.
    """

    def __init__(self, message: str, *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


def _seconds(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None
