# A webhook receiver. Run it with `python3 receiver.py`.
# VERIFY_TOKEN is the token that you enter in the dashboard. WEBHOOK_SECRET is the secret that the dashboard shows
# then: start the receiver without it, add the endpoint, and start the receiver again with it.
import base64
import hashlib
import hmac
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

KEY = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "").removeprefix("whsec_"))
VERIFY_TOKEN = os.environ["VERIFY_TOKEN"]
TOLERANCE_SECONDS = 300
seen = set()  # In production: a table with a unique event id.


def is_signed(headers, body):
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    is_recent = timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS
    if not KEY or not is_recent:
        return False
    digest = hmac.new(KEY, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # During a secret rotation there are two signatures, one per secret. A single match is enough.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, signature.encode()) for signature in given)


class Receiver(BaseHTTPRequestHandler):
    def do_GET(self):
        query = parse_qs(urlparse(self.path).query)
        is_ours = query.get("hub.verify_token") == [VERIFY_TOKEN]
        self.send_response(200 if is_ours else 403)
        self.end_headers()
        if is_ours:
            self.wfile.write(query["hub.challenge"][0].encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        is_ours = is_signed(self.headers, body)
        # Respond within 10 seconds, and process the event afterwards.
        self.send_response(200 if is_ours else 401)
        self.end_headers()
        event_id = self.headers.get("webhook-id")
        if is_ours and event_id not in seen:  # The same event may arrive more than once.
            seen.add(event_id)
            print("event", event_id, body.decode(), flush=True)


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
