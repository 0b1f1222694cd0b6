"""Steps of the end-to-end tests with the installed client: `python-client.py <step>` reads and writes JSON."""

import base64
import json
import os
import sys
from pathlib import Path

from switchboard import ApiError, File, Switchboard, verify_webhook

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


HELLO = {"name": "hello_world", "language": {"code": "en_US"}}


def sheet():
    """Returns the recipients as a spreadsheet, with the options that both spreadsheet steps have."""
    rows = "\n".join(["phone", *given["recipients"], ""])
    return {
        "customer_excel": File(rows.encode(), filename="customers.csv"),
        "template_name": HELLO["name"],
        "language": HELLO["language"]["code"],
        "from_": ",".join(given["from"]),
        "max_spend": given["maxSpend"],
    }


def bulk():
    """Returns the options of both bulk steps."""
    options = {"from_": given["from"], "max_spend": given["maxSpend"]}
    return {"type": "template", "template": HELLO, "recipients": given["recipients"], **options}


def estimate():
    """Estimates a bulk job and a spreadsheet."""
    return {
        "bulk": switchboard.send_bulk(**bulk(), dry_run=True),
        "sheet": switchboard.send_bulk_excel(**sheet(), dry_run=True),
    }


def cap():
    """Creates a bulk job with a spend cap, and a held one from a spreadsheet."""
    return {"bulk": switchboard.send_bulk(**bulk()), "sheet": switchboard.send_bulk_excel(**sheet(), hold=True)}


def resume():
    """Resumes a job and returns the error code, if any, with the job."""
    code = None
    try:
        switchboard.resume_job(given["jobId"], max_spend=given.get("maxSpend"))
    except ApiError as error:
        code = error.code
    return {"code": code, "job": switchboard.get_job(given["jobId"])["job"]}


def usage():
    """Returns the usage of a month."""
    return switchboard.get_usage(by=given["by"], month=given.get("month"))


def files():
    """Uploads a picture and a voice note, and sends them by ID and as a file."""
    to = given["to"]
    voice = File(base64.b64decode(given["voice"]), filename="voice.ogg")
    uploaded = switchboard.upload_media(file=File(base64.b64decode(given["picture"]), filename="sale.png"))
    note = switchboard.upload_media(file=voice)
    return {
        "uploaded": uploaded,
        "bytes": base64.b64encode(switchboard.get_media(uploaded["id"]).read()).decode(),
        "sent": [
            switchboard.send_message(
                to=to, type="image", image={"id": uploaded["id"]}, caption="The sale has started"
            ),
            switchboard.send_message(to=to, type="audio", audio={"id": note["id"], "voice": True}),
            switchboard.send_message(to=to, type="audio", voice=True, file=voice),
        ],
    }


def interactive():
    """Sends interactive messages and returns their records."""
    sent = [
        switchboard.send_message(to=given["to"], type="interactive", interactive=content)
        for content in given["contents"]
    ]
    return [switchboard.get_message(message["id"])["message"] for message in sent]


json.dump(globals()[sys.argv[1]](), sys.stdout)
