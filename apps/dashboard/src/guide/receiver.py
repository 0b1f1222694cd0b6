# A webhook receiver. WEBHOOK_SECRET: as the dashboard showed it. VERIFY_TOKEN: as you typed it there.
import hashlib
import hmac
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

SECRET = os.environ["WEBHOOK_SECRET"].encode()
VERIFY_TOKEN = os.environ["VERIFY_TOKEN"]
seen = set()  # In production: a table with a unique event id.


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
        expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        is_signed = hmac.compare_digest(expected, self.headers.get("x-service-signature", ""))
        event_id = self.headers.get("x-service-event-id")
        if is_signed and event_id not in seen:  # The same event may come more than once.
            print("event", event_id, body.decode(), flush=True)
            seen.add(event_id)
        self.send_response(200 if is_signed else 401)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
