"""Client of the Switchboard business messaging API. Requires only the Python standard library."""

from ._errors import ApiError, ConnectionFailed
from ._operations import Switchboard
from ._transport import Download
from ._uploads import File
from ._version import __version__
from ._webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "ApiError",
    "ConnectionFailed",
    "Download",
    "File",
    "Switchboard",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
