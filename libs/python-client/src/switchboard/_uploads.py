"""File uploads as multipart/form-data. Files are sent in chunks and never loaded into memory."""

from __future__ import annotations

import io
import json
import os
import uuid
from typing import Any, BinaryIO, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

CHUNK_BYTES = 1 << 16

Content = Union[bytes, bytearray, "os.PathLike[str]", BinaryIO]


class File(NamedTuple):
    """File content with its name and type.

    Attributes:
        content: bytes, a path, or a file opened in binary mode
        filename: name that the recipient of a document sees; defaults to the name of the path or the opened file
        content_type: defaults to `application/octet-stream`. The service detects the type from the content
    """

    content: Content
    filename: Optional[str] = None
    content_type: Optional[str] = None


Upload = Union[Content, File]


def is_upload(value: object) -> bool:
    return isinstance(value, (bytes, bytearray, os.PathLike, File)) or hasattr(value, "read")


class Form:
    """A body of fields and files. Fields come first, so that the server can validate them before the file arrives.

    Attributes:
        is_repeatable: whether the body can be sent again; false for a stream that is not seekable
        failure: error while reading a file, as opposed to a connection error
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._boundary = f"switchboard-{uuid.uuid4()}"
        texts = {name: value for name, value in fields.items() if not is_upload(value)}
        files = {name: value for name, value in fields.items() if is_upload(value)}
        self._head = b"".join(self._text_part(name, value) for name, value in texts.items())
        self._parts: List[Tuple[bytes, _Source]] = []
        for name, value in files.items():
            file = value if isinstance(value, File) else File(value)
            self._parts.append((self._file_head(name, file), _Source(file.content)))
        self._tail = f"--{self._boundary}--\r\n".encode()
        self.is_repeatable = all(source.is_repeatable for _, source in self._parts)
        self.failure: Optional[OSError] = None

    def headers(self) -> Dict[str, str]:
        """Returns the headers, with the length if all files have one; otherwise the body is sent chunked."""
        headers = {"content-type": f"multipart/form-data; boundary={self._boundary}"}
        length = len(self._head) + len(self._tail)
        for head, source in self._parts:
            size = source.size()
            if size is None:
                return headers
            length += len(head) + size + 2
        return {**headers, "content-length": str(length)}

    def chunks(self) -> Iterator[bytes]:
        """Yields the body from the start, for each attempt."""
        yield self._head
        for head, source in self._parts:
            yield head
            try:
                yield from source.chunks()
            except OSError as error:
                self.failure = error
                raise
            yield b"\r\n"
        yield self._tail

    def _text_part(self, name: str, value: Any) -> bytes:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        head = f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        return f"{head}{text}\r\n".encode("utf-8")

    def _file_head(self, name: str, file: File) -> bytes:
        filename = _quoted(file.filename or _name_of(file.content) or "file")
        content_type = (file.content_type or "application/octet-stream").replace("\r", "").replace("\n", "")
        return (
            f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\n'
            f"Content-Type: {content_type}\r\n\r\n"
        ).encode("utf-8")


class _Source:
    """Source of a file and its start position."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._start: Optional[int] = None
        self.is_repeatable = True
        if isinstance(content, (bytes, bytearray, os.PathLike)):
            return
        if isinstance(content, io.TextIOBase):
            raise TypeError('the file was opened as text: open it with "rb"')
        try:
            self._start = content.tell() if content.seekable() else None
        except (AttributeError, OSError):
            self._start = None
        self.is_repeatable = self._start is not None

    def size(self) -> Optional[int]:
        content = self._content
        if isinstance(content, (bytes, bytearray)):
            return len(content)
        if isinstance(content, os.PathLike):
            return os.path.getsize(content)
        if self._start is None:
            return None
        end = content.seek(0, os.SEEK_END)
        content.seek(self._start)
        return max(0, end - self._start)

    def chunks(self) -> Iterator[bytes]:
        content = self._content
        if isinstance(content, (bytes, bytearray)):
            yield bytes(content)
        elif isinstance(content, os.PathLike):
            with open(content, "rb") as opened:
                yield from _read(opened)
        else:
            if self._start is not None:
                content.seek(self._start)
            yield from _read(content)


def _read(opened: BinaryIO) -> Iterator[bytes]:
    while True:
        chunk = opened.read(CHUNK_BYTES)
        if not chunk:
            return
        yield chunk


def _name_of(content: Content) -> Optional[str]:
    path: Any = content if isinstance(content, os.PathLike) else getattr(content, "name", None)
    return os.path.basename(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else None


def _quoted(filename: str) -> str:
    """Escapes a file name like browsers do."""
    return filename.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
