"""Steps of python-client.e2e.ts with the installed client: `python-client.py <step>` reads and writes JSON."""

import json
import os
import sys
from pathlib import Path

from switchboard import ApiError, Switchboard, verify_webhook

given = json.load(sys.stdin)
switchboard = Switchboard(os.environ["BASE_URL"], os.environ["API_KEY"])


def send():
    """Sends a text, a template, an upload and a bulk job."""
    to = given["to"]
    text = switchboard.send_message(to=to, type="text", text={"body": "ünïcödé ✓"}, client_ref="python-1")
    template = switchboard.send_message(
        to=to, type="template", template={"name": "hello_world", "language": {"code": "en_US"}}
    )
    with open(given["path"], "rb") as opened:
        file = switchboard.send_message(
            to=to, type="document", file=opened, caption="Your invoice", context={"messageId": given["messageId"]}
        )
    job = switchboard.send_bulk(
        type="template", template={"name": "hello_world", "language": {"code": "en_US"}}, recipients=given["many"]
    )
    return {"text": text, "template": template, "file": file, "job": switchboard.get_job(job["jobId"])}


def read():
    """Lists every message by pages and by items, and downloads a file."""
    switchboard.get_media(given["mediaId"]).save(given["path"])
    return {
        "sizes": [len(page["messages"]) for page in switchboard.pages("list_messages", limit=2)],
        "ids": [message["id"] for message in switchboard.items("list_messages", limit=3)],
        "bytes": len(Path(given["path"]).read_bytes()),
    }


def refused():
    """Returns the error for an invalid number."""
    try:
        switchboard.send_message(to="12", type="text", text={"body": "hi"})
    except ApiError as error:
        return {
            "status": error.status,
            "code": error.code,
            "message": error.message,
            "details": error.details,
            "requestId": error.request_id,
        }
    return {}


def repeated():
    """Repeats a call with the same body, and with another one."""
    found = []
    for body in ("one", "one", "two"):
        try:
            sent = switchboard.send_message(
                to=given["to"], type="text", text={"body": body}, idempotency_key=given["key"]
            )
            found.append(sent["id"])
        except ApiError as error:
            found.append(error.code)
    return found


def one():
    """Sends one message over connections that may break."""
    return switchboard.send_message(to=given["to"], type="text", text={"body": given["text"]})


def verify():
    """Returns the verified events of received requests."""
    options = {"require_timestamp": True}
    return [verify_webhook(one["body"], one["headers"], given["secrets"], **options) for one in given["requests"]]


json.dump(globals()[sys.argv[1]](), sys.stdout)
