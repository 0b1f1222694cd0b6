"""HTTP transport: URLs, headers, attempts and retries. The operations themselves are generated."""

from __future__ import annotations

import datetime
import http.client
import json
import os
import random
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, Union

from ._errors import ApiError, ConnectionFailed
from ._retry import is_retriable, may_try_again, retry_delay_seconds
from ._uploads import CHUNK_BYTES, Form, is_upload
from ._version import __version__

# Errors of sockets, TLS or the HTTP parser when no complete response arrives.
_BROKEN = (OSError, http.client.HTTPException)


class CallOptions(NamedTuple):
    """Options of a single call."""

    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    max_retries: Optional[int] = None
    headers: Optional[Mapping[str, str]] = None


class Download:
    """A streamed file download. Use it in a `with` statement, or call `close()`.

    Attributes:
        headers: response headers by lowercase name
        content_type: media type of the file
    """

    def __init__(self, response: Any) -> None:
        self._response = response
        self.headers: Dict[str, str] = _headers_of(response)
        self.content_type: str = self.headers.get("content-type", "application/octet-stream")

    def __enter__(self) -> "Download":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[bytes]:
        """Yields the file in chunks.

        Raises:
            ConnectionFailed: the connection broke before the end of the file
        """
        length = self.headers.get("content-length", "")
        missing = int(length) if length.isdigit() else None
        while True:
            try:
                chunk = self._response.read(CHUNK_BYTES)
            except _BROKEN as error:
                raise ConnectionFailed("the file broke off", timed_out=_is_timeout(error)) from error
            if not chunk:
                break
            missing = None if missing is None else missing - len(chunk)
            yield chunk
        # http.client does not report a connection that ends before the file.
        if missing:
            raise ConnectionFailed(f"the file broke off: {missing} bytes are missing")

    def read(self) -> bytes:
        """Returns the whole file."""
        with self:
            return b"".join(self)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file to a path. The path is created only once the download is complete."""
        part = f"{os.fspath(path)}.{uuid.uuid4()}.part"
        try:
            with self, open(part, "wb") as opened:
                for chunk in self:
                    opened.write(chunk)
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.remove(part)
            raise

    def close(self) -> None:
        """Closes the connection and discards the rest of the file."""
        self._response.close()


class Transport:
    """Sends the calls of a client. Holds no connection and is thread-safe."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        upload_timeout: float = 330.0,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        Args:
            base_url: URL of the service, with or without `/v1`
            api_key: API key from the dashboard or an operator
            timeout: longest wait for data from the service, in seconds
            upload_timeout: the same for calls that upload a file, as the service waits five minutes for a file
            max_retries: maximum number of retries; 0 disables retries. While an earlier attempt is still running, the
                client polls for longer
            max_retry_after: longest Retry-After delay to accept before the call fails, in seconds
            ssl_context: for a service whose certificate the system does not trust
        """
        if not re.match("https?://", base_url):
            raise ValueError("base_url must begin with https:// or http://")
        self._home = re.sub(r"/(v1/?)?$", "", base_url)
        self._api_key = api_key
        self._timeout = timeout
        self._upload_timeout = upload_timeout
        self._max_retries = max_retries
        self._max_retry_after = max_retry_after
        self._opener = urllib.request.build_opener(_NoRedirects, _Http, _Https(context=ssl_context))

    def _call(
        self,
        method: str,
        path: str,
        options: CallOptions,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Sends a request until it succeeds, may not be retried, or has reached the maximum number of retries."""
        fields = _given(body)
        form = Form(_plain(fields)) if any(is_upload(value) for value in fields.values()) else None
        data = json.dumps(_plain(fields), ensure_ascii=False).encode("utf-8") if fields and form is None else None
        headers = self._headers(method, options, form, data)
        repeatable = method == "GET" or "idempotency-key" in headers
        max_retries = self._max_retries if options.max_retries is None else options.max_retries
        url = self._home + path + _query(_given(query))
        started_at = time.monotonic()
        retry = 1
        while True:
            try:
                return self._attempt(method, url, headers, options, form if form is not None else data)
            except (ApiError, ConnectionFailed) as error:
                retry_after = (error.retry_after if isinstance(error, ApiError) else None) or 0.0
                is_possible = (
                    (form is None or form.is_repeatable)
                    and is_retriable(error, repeatable=repeatable)
                    and retry_after <= self._max_retry_after
                )
                elapsed = time.monotonic() - started_at
                if not is_possible or not may_try_again(
                    error, retry=retry, max_retries=max_retries, elapsed_seconds=elapsed
                ):
                    raise
            time.sleep(retry_delay_seconds(retry, retry_after=retry_after, chance=random.random()))
            retry += 1

    def _headers(
        self, method: str, options: CallOptions, form: Optional[Form], data: Optional[bytes]
    ) -> Dict[str, str]:
        headers = {
            "accept": "application/json",
            "authorization": f"Bearer {self._api_key}",
            "user-agent": f"switchboard-python/{__version__}",
        }
        if form is None and data is not None:
            headers["content-type"] = "application/json"
        if method != "GET":
            headers["idempotency-key"] = options.idempotency_key or str(uuid.uuid4())
        headers.update({name.lower(): value for name, value in (options.headers or {}).items()})
        return headers

    def _attempt(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        options: CallOptions,
        body: Union[Form, bytes, None],
    ) -> Any:
        is_form = isinstance(body, Form)
        timeout = options.timeout or (self._upload_timeout if is_form else self._timeout)
        all_headers = {**headers, **body.headers()} if isinstance(body, Form) else dict(headers)
        data: Any = body.chunks() if isinstance(body, Form) else body
        request = urllib.request.Request(url, data=data, headers=all_headers, method=method)
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as answered:
                response = answered
            return _result_of(response)
        except _BROKEN as error:
            if isinstance(body, Form) and body.failure is not None:
                raise body.failure
            timed_out = _is_timeout(error)
            what = f"no answer within {timeout:g} s" if timed_out else f"{method} {url} failed"
            raise ConnectionFailed(what, timed_out=timed_out) from error


def path_part(name: str, value: str) -> str:
    """Returns an ID encoded for a path. Raises ValueError for an ID that would change the path."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"{name} is not an id")
    return urllib.parse.quote(value, safe="")


def _result_of(response: Any) -> Any:
    headers = _headers_of(response)
    is_json = headers.get("content-type", "").startswith("application/json")
    is_success = 200 <= response.status < 300
    if is_success and not is_json:
        return Download(response)
    with response:
        text = response.read()
    try:
        body = json.loads(text) if is_json else {}
    except ValueError as error:
        if is_success:
            raise http.client.HTTPException("the answer is not JSON") from error
        body = {}
    if is_success:
        return body
    raise ApiError(response.status, headers, body if isinstance(body, dict) else {})


def _headers_of(response: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _is_timeout(error: BaseException) -> bool:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    return isinstance(reason, (socket.timeout, TimeoutError))


def _given(fields: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    return {name: value for name, value in (fields or {}).items() if value is not None}


def _plain(value: Any) -> Any:
    """Converts times to the API format at any depth."""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("the time has no time zone")
        return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    if is_upload(value) or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value


def _query(fields: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(_plain(value))

    pairs = [(name, text(value)) for name, value in fields.items()]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, which would send the API key to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _heard_out(base: Any) -> Any:
    """Returns a connection class that reads a response sent before the end of the request body.

    A server may reject a file early and close its side of the connection. If it sent no response, reading fails.
    """

    class HeardOut(base):  # type: ignore[misc]
        _is_refused = False

        def send(self, data: Any) -> None:
            if self._is_refused:
                return
            try:
                super().send(data)
            except (BrokenPipeError, ConnectionResetError):
                if self.sock is None:
                    raise
                self._is_refused = True

    return HeardOut


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_heard_out(http.client.HTTPConnection), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, context: Optional[ssl.SSLContext]) -> None:
        self._given_context = context or ssl.create_default_context()
        super().__init__(context=self._given_context)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_heard_out(http.client.HTTPSConnection), req, context=self._given_context)
