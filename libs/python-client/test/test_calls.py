"""Calls to a real HTTP server in this process, with planned responses."""

import datetime
import email
import email.policy
import io
import json
import os
import socket
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from switchboard import ApiError, ConnectionFailed, Download, File, Switchboard

SENT = {"success": True, "message_id": "wamid.1", "status": "accepted", "id": "msg_1"}


def refusal(code):
    return {"success": False, "message": "no", "code": code, "requestId": "req_1"}


class Server(ThreadingHTTPServer):
    """Sends the planned responses in order; the last one repeats. A callable response receives the handler."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.received = [(200, SENT, {})], []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_):
        """Ignores errors of clients that disconnect, which the tests provoke."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_one(self):
        server = self.server
        answer = server.answers[min(len(server.received), len(server.answers) - 1)]
        headers = {name.lower(): value for name, value in self.headers.items()}
        entry = {"method": self.command, "path": self.path, "headers": headers}
        server.received.append(entry)
        if callable(answer):
            return answer(self)
        entry["body"] = self.body()
        status, body, more = answer
        raw = json.dumps(body).encode() if isinstance(body, dict) else body
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(raw)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    do_GET = do_POST = do_DELETE = handle_one

    def body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        parts = []
        while True:
            size = int(self.rfile.readline(), 16)
            parts.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def log_message(self, *_):
        pass


def hang_up(handler):
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


class Served(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def plan(self, *answers):
        self.server.received.clear()
        self.server.answers = [answer if callable(answer) else (*answer, {})[:3] for answer in answers]

    def client(self, **options):
        return Switchboard(f"{self.server.url}/v1", "sb_live_x", **options)

    def send(self, client=None, **options):
        return (client or self.client()).send_message(
            to="919812345678", type="text", text={"body": "hi ✓"}, **options
        )

    def keys(self):
        return [request["headers"].get("idempotency-key") for request in self.server.received]


class Calls(Served):
    def test_sends_inputs_in_path_query_headers_and_body(self):
        self.plan((200, SENT))
        self.assertEqual(self.send(from_="15550783881"), SENT)
        [request] = self.server.received
        self.assertEqual((request["method"], request["path"]), ("POST", "/v1/messages/send"))
        self.assertEqual(request["headers"]["authorization"], "Bearer sb_live_x")
        self.assertEqual(request["headers"]["accept"], "application/json")
        self.assertEqual(request["headers"]["content-type"], "application/json")
        self.assertEqual(
            json.loads(request["body"]),
            {"to": "919812345678", "type": "text", "text": {"body": "hi ✓"}, "from": "15550783881"},
        )
        zone = datetime.timezone(datetime.timedelta(hours=2))
        self.client().list_messages(since=datetime.datetime(2026, 3, 2, 12, tzinfo=zone), phone="91")
        self.client().block_person("919812345678", from_="15550783881")
        self.client().pause_job("a/b")
        self.assertEqual(
            [request["path"] for request in self.server.received[1:]],
            [
                "/v1/messages?phone=91&since=2026-03-02T10%3A00%3A00Z",
                "/v1/contacts/919812345678/block?from=15550783881",
                "/v1/jobs/a%2Fb/pause",
            ],
        )
        self.assertEqual(self.server.received[2]["body"], b"")
        for wrong in ("", ".", ".."):
            with self.assertRaises(ValueError):
                self.client().get_job(wrong)
        with self.assertRaisesRegex(ValueError, "time zone"):
            self.client().list_messages(since=datetime.datetime(2026, 3, 2))
        with self.assertRaises(ValueError):
            Switchboard("file:///etc/passwd", "x")

    def test_keeps_unknown_fields(self):
        answer = {**SENT, "later": {"more": True}}
        self.plan((200, answer))
        self.assertEqual(self.send(), answer)

    def test_raises_api_errors_with_all_details(self):
        body = {**refusal("INVALID_PARAMETER"), "details": [{"field": "to", "message": "no"}], "more": 1}
        self.plan((400, body, {"retry-after": "7"}))
        with self.assertRaises(ApiError) as caught:
            self.send()
        error = caught.exception
        self.assertEqual(
            (error.status, error.code, error.message, error.details, error.request_id, error.retry_after, error.body),
            (400, "INVALID_PARAMETER", "no", body["details"], "req_1", 7.0, body),
        )
        self.assertEqual(len(self.server.received), 1)
        self.plan((404, b"gone", {"content-type": "text/html"}))
        with self.assertRaisesRegex(ApiError, "UNKNOWN: the server answered 404"):
            self.client().get_me()

    def test_does_not_follow_redirects(self):
        self.plan((302, b"", {"location": f"{self.server.url}/elsewhere"}), (200, SENT))
        with self.assertRaises(ApiError) as caught:
            self.client().get_me()
        self.assertEqual((caught.exception.status, len(self.server.received)), (302, 1))

    def test_retries_with_the_same_idempotency_key(self):
        for first in (hang_up, (429, refusal("RATE_LIMITED")), (502, b"", {"content-type": "text/html"}), (504, {})):
            with self.subTest(first):
                self.plan(first, (200, SENT))
                self.assertEqual(self.send(), SENT)
                self.assertEqual((len(self.keys()), len(set(self.keys())), None in self.keys()), (2, 1, False))
        first, second = (self.plan((200, SENT)) or self.send() and self.keys()[0] for _ in range(2))
        self.assertNotEqual(first, second)
        self.plan((200, SENT))
        self.send(idempotency_key="order-1")
        self.client().get_me()
        self.assertEqual(self.keys(), ["order-1", None])

    def test_stops_after_max_retries_or_a_long_retry_after(self):
        self.plan((503, refusal("UNAVAILABLE")))
        with self.assertRaises(ApiError):
            self.send(max_retries=1)
        self.assertEqual(len(self.server.received), 2)
        self.plan((429, refusal("RATE_LIMITED"), {"retry-after": "61"}))
        with self.assertRaises(ApiError):
            self.send()
        self.assertEqual(len(self.server.received), 1)
        self.plan(hang_up)
        with self.assertRaises(ConnectionFailed) as caught:
            self.send(max_retries=0)
        self.assertFalse(caught.exception.timed_out)

    def test_polls_a_running_attempt_beyond_max_retries(self):
        running = (409, refusal("IDEMPOTENCY_IN_PROGRESS"))
        self.plan(running, running, running, (200, SENT))
        self.assertEqual(self.send(max_retries=1), SENT)
        self.assertEqual((len(self.keys()), len(set(self.keys()))), (4, 1))

    def test_times_out_and_retries(self):
        done = threading.Event()
        self.addCleanup(done.set)
        self.plan(lambda _: done.wait())
        with self.assertRaisesRegex(ConnectionFailed, "no answer within 0.1 s") as caught:
            self.client(timeout=0.1, max_retries=1).get_me()
        self.assertTrue(caught.exception.timed_out)
        # On a slow machine, the server may read a request only after the client has timed out.
        deadline = time.monotonic() + 30
        while len(self.server.received) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(len(self.server.received), 2)

    def test_resumes_a_job_with_and_without_a_higher_spend_cap(self):
        self.plan((200, {"success": True}))
        cap = {"amount": "40.00", "currency": "USD"}
        self.client().resume_job("job_1", max_spend=cap)
        self.client().resume_job("job_1")
        first, second = self.server.received
        self.assertEqual((first["path"], json.loads(first["body"])), ("/v1/jobs/job_1/resume", {"maxSpend": cap}))
        self.assertEqual(second["body"], b"")

    def test_iterates_a_list_by_cursor(self):
        def page(ids, cursor):
            items = [{"id": one} for one in ids]
            return (200, {"warnings": [{}], "messages": items, "pagination": {"nextCursor": cursor}})

        self.plan(page("ab", "c1"), page("c", "c2"), page("", None))
        found = [item["id"] for item in self.client().items("list_messages", direction="outbound", limit=2)]
        self.assertEqual(found, ["a", "b", "c"])
        query = "/v1/messages?direction=outbound&limit=2"
        paths = [request["path"] for request in self.server.received]
        self.assertEqual(paths, [query, f"{query}&cursor=c1", f"{query}&cursor=c2"])


class Files(Served):
    def upload(self, file, **options):
        """Uploads a file and returns the received form parts by name."""
        self.plan((200, SENT))
        context = {"messageId": "msg_1"}
        self.client().send_message(to="91", type="document", file=file, context=context, **options)
        [request] = self.server.received
        head = f"content-type: {request['headers']['content-type']}\r\n\r\n".encode()
        form = email.message_from_bytes(head + request["body"], policy=email.policy.HTTP)
        return {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}, request

    def test_are_sent_last_with_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "Quittung.pdf")
            path.write_bytes(b"%PDF\r\n\x00\xff")
            with open(path, "rb") as one, open(path, "rb") as other:
                for file in (path, one, File(other), File(path.read_bytes(), "Quittung.pdf")):
                    with self.subTest(type(file)):
                        parts, request = self.upload(file)
                        self.assertEqual(list(parts), ["to", "type", "context", "file"])
                        self.assertEqual(parts["context"].get_content().strip(), '{"messageId": "msg_1"}')
                        self.assertEqual(parts["file"].get_filename(), "Quittung.pdf")
                        self.assertEqual(parts["file"].get_payload(decode=True), b"%PDF\r\n\x00\xff")
                        self.assertEqual(int(request["headers"]["content-length"]), len(request["body"]))
            parts, _ = self.upload(File(path, "other.pdf", "application/pdf"))
            self.assertEqual(parts["file"].get_filename(), "other.pdf")
            self.assertEqual(parts["file"].get_content_type(), "application/pdf")
        parts, request = self.upload(File(b"x", 'März "1"\r\nX-Evil: 1.pdf', "text/plain\r\nX-Evil: 1"))
        self.assertIn('filename="März %221%22%0D%0AX-Evil: 1.pdf"'.encode(), request["body"])
        self.assertIsNone(parts["file"]["x-evil"])

    def test_sends_hold_as_a_boolean_in_json_and_forms(self):
        self.plan((201, {"success": True}))
        client = self.client()
        client.send_bulk(recipients=["919812345678"], type="text", text={"body": "Hello"}, hold=True)
        sheet = {"template_name": "order_update", "language": "en_US", "customer_excel": b"a"}
        for hold in (True, False):
            client.send_bulk_excel(**sheet, hold=hold)
        json_body, *forms = [entry["body"] for entry in self.server.received]
        self.assertIs(json.loads(json_body)["hold"], True)
        for form, text in zip(forms, (b"true", b"false")):
            self.assertIn(b'name="hold"\r\n\r\n' + text + b"\r\n", form)

    def test_sends_a_dry_run_and_a_spend_cap_in_json_and_forms(self):
        self.plan((200, {"success": True, "dryRun": True}))
        numbers, cap = ["15550783881", "15550783882"], {"amount": "25.00", "currency": "USD"}
        client = self.client()
        options = {"dry_run": True, "max_spend": cap}
        recipients = ["919812345678"]
        client.send_bulk(recipients=recipients, type="text", text={"body": "Hello"}, from_=numbers, **options)
        sheet = {"template_name": "order_update", "language": "en_US", "customer_excel": b"a"}
        estimate = client.send_bulk_excel(**sheet, from_=",".join(numbers), **options)
        self.assertIs(estimate["dryRun"], True)
        json_body, form = [entry["body"] for entry in self.server.received]
        sent = json.loads(json_body)
        self.assertEqual((sent["dryRun"], sent["maxSpend"], sent["from"]), (True, cap, numbers))
        expected = (("dryRun", "true"), ("maxSpend", json.dumps(cap)), ("from", ",".join(numbers)))
        for name, value in expected:
            self.assertIn(f'name="{name}"\r\n\r\n{value}\r\n'.encode(), form)

    def test_are_resent_from_their_initial_position(self):
        self.plan(hang_up, (200, SENT))
        opened = io.BytesIO(b"skipped hello")
        opened.seek(8)
        self.client().send_message(to="91", type="document", file=opened)
        self.assertEqual((len(self.keys()), len(set(self.keys()))), (2, 1))
        self.assertIn(b"\r\n\r\nhello\r\n", self.server.received[1]["body"])
        self.assertNotIn(b"skipped", self.server.received[1]["body"])

    def test_without_seek_are_sent_once_in_chunks(self):
        def pipe(content):
            out, into = os.pipe()
            os.write(into, content)
            os.close(into)
            opened = os.fdopen(out, "rb")
            self.addCleanup(opened.close)
            return opened

        parts, request = self.upload(pipe(b"hello"))
        self.assertEqual(request["headers"]["transfer-encoding"], "chunked")
        self.assertEqual(parts["file"].get_payload(decode=True), b"hello")
        self.plan((503, refusal("UNAVAILABLE")))
        with self.assertRaises(ApiError):
            self.client().send_message(to="91", type="document", file=pipe(b"hello"))
        self.assertEqual(len(self.server.received), 1)

    def test_raise_read_errors_instead_of_connection_errors(self):
        with self.assertRaises(FileNotFoundError):
            self.client().send_message(to="91", type="document", file=Path("/nowhere/at/all"))
        with self.assertRaisesRegex(TypeError, "rb"):
            self.client().send_message(to="91", type="document", file=io.StringIO("text"))

        class Broken(io.BytesIO):
            def read(self, *_):
                raise OSError("the disk is gone")

        with self.assertRaisesRegex(OSError, "the disk is gone"):
            self.client().send_message(to="91", type="document", file=Broken(b"hello"))
        self.assertLessEqual(len(self.server.received), 1)

    def test_raise_the_error_of_an_early_rejection(self):
        def refuse(handler):
            raw = json.dumps(refusal("PAYLOAD_TOO_LARGE")).encode()
            head = f"HTTP/1.1 413 Too large\r\ncontent-type: application/json\r\ncontent-length: {len(raw)}\r\n\r\n"
            handler.wfile.write(head.encode() + raw)
            handler.connection.shutdown(socket.SHUT_WR)
            # Read the data that has arrived, like a server that closes gracefully, and then stop.
            handler.connection.settimeout(5)
            handler.rfile.read(1 << 20)
            handler.close_connection = True

        self.plan(refuse)
        with self.assertRaises((ApiError, ConnectionFailed)) as caught:
            self.client(max_retries=0).send_message(to="91", type="document", file=bytes(64 << 20))
        self.assertEqual(getattr(caught.exception, "code", None), "PAYLOAD_TOO_LARGE")

    def test_are_downloaded_and_saved_completely_or_not_at_all(self):
        self.plan((200, b"\x89PNG", {"content-type": "image/png"}))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "picture")
            got = self.client().get_media("med_1")
            self.assertIsInstance(got, Download)
            self.assertEqual(got.content_type, "image/png")
            got.save(path)
            self.assertEqual(path.read_bytes(), b"\x89PNG")
            self.assertEqual(self.client().get_media("med_1").read(), b"\x89PNG")
            self.plan((200, b"\x89PNG", {"content-type": "image/png", "content-length": "9", "connection": "close"}))
            with self.assertRaisesRegex(ConnectionFailed, "5 bytes are missing"):
                self.client().get_media("med_1").save(path)
            self.assertEqual(os.listdir(folder), ["picture"])
            self.assertEqual(path.read_bytes(), b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
