from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional


class ApiError(Exception):
    """Error response of the API. Branch on `code`; `message` is human-readable.

    Attributes:
        status: HTTP status
        code: error code; `UNKNOWN` when the response is not from the API, for example from a proxy
        message: human-readable description
        details: invalid fields, each with `field` and `message`
        request_id: ID of the request, for the operator of the service
        retry_after: seconds after which the API allows a retry; None if not specified
        body: full response body, including fields that only some errors have
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
    """No response: the server was unreachable, closed the connection, or timed out.

    The outcome of the call is unknown. `timed_out` distinguishes timeouts.
    """

    def __init__(self, message: str, *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


def _seconds(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and text.isascii() and text.isdigit() else None
