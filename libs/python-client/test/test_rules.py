"""Rules shared by the clients of all languages, checked with the same test vectors."""

import hashlib
import hmac
import json
import os
import unittest

from switchboard import ApiError, ConnectionFailed, WebhookVerificationError, types, verify_webhook
from switchboard._retry import is_retriable, may_try_again, retry_delay_seconds

with open(os.environ["VECTORS"], encoding="utf-8") as opened:
    VECTORS = json.load(opened)


def error_of(described):
    if "status" in described:
        return ApiError(described["status"], {}, {"code": described["code"]})
    return ConnectionFailed("gone") if described.get("connection") else ValueError("ours")


class Types(unittest.TestCase):
    def test_messages_are_a_union_by_type(self):
        kinds = {}
        for member in types.MessageEvent.__args__:
            fields = getattr(types, named(member)).__annotations__
            kinds[named(fields["type"])] = {field: named(type_) for field, type_ in fields.items()}
        self.assertEqual(len(kinds), 13)
        self.assertEqual(kinds["Literal['interactive']"]["interactive"], "InteractiveReply")
        reply = {field: named(type_) for field, type_ in types.InteractiveReply.__annotations__.items()}
        self.assertEqual(reply["callPermissionReply"], "NotRequired[CallPermission]")
        form = {field: named(type_) for field, type_ in types.FilledForm.__annotations__.items()}
        self.assertEqual(form["response"], "Optional[Dict[str, Any]]")
        self.assertEqual(kinds["Literal['reaction']"]["reaction"], "ShownReaction")
        self.assertEqual(kinds["Literal['contacts']"]["contacts"], "List[ShownCard]")
        for fields in kinds.values():
            self.assertEqual(fields["referral"], "NotRequired[Referral]")

    def test_edited_messages_are_a_union_by_type(self):
        kinds = {}
        for member in types.MessageEditedEvent.__args__:
            fields = getattr(types, named(member)).__annotations__
            kinds[named(fields["type"])] = {field: named(type_) for field, type_ in fields.items()}
        self.assertEqual(len(kinds), 13)
        self.assertEqual(kinds["Literal['interactive']"]["interactive"], "ShownInteractive")


def named(annotation):
    return getattr(annotation, "__forward_arg__", annotation).replace('"', "'")


class Retries(unittest.TestCase):
    def test_retries_only_repeatable_errors(self):
        self.assertGreater(len(VECTORS["retriable"]), 8)
        for vector in VECTORS["retriable"]:
            with self.subTest(vector):
                judged = [is_retriable(error_of(vector["error"]), repeatable=each) for each in (True, False)]
                self.assertEqual(judged, [vector["repeatable"], vector["otherwise"]])

    def test_computes_retry_delays(self):
        self.assertGreater(len(VECTORS["delays"]), 10)
        for vector in VECTORS["delays"]:
            with self.subTest(vector):
                seconds = retry_delay_seconds(
                    vector["retry"], retry_after=vector["retryAfterSeconds"], chance=vector["random"]
                )
                self.assertAlmostEqual(seconds, vector["seconds"], places=6)

    def test_limits_the_number_of_attempts(self):
        self.assertGreater(len(VECTORS["again"]), 5)
        for vector in VECTORS["again"]:
            with self.subTest(vector):
                again = may_try_again(
                    error_of(vector["error"]),
                    retry=vector["retry"],
                    max_retries=vector["maxRetries"],
                    elapsed_seconds=vector["elapsedSeconds"],
                )
                self.assertEqual(again, vector["again"])


class Webhooks(unittest.TestCase):
    def verify(self, vector):
        given = {"toleranceSeconds": "tolerance_seconds", "requireTimestamp": "require_timestamp"}
        options = {given[name]: vector[name] for name in given if name in vector}
        now = VECTORS["webhooks"]["now"]
        return verify_webhook(vector["body"].encode(), vector["headers"], vector["secrets"], now=now, **options)

    def test_verifies_the_shared_vectors(self):
        cases = VECTORS["webhooks"]["cases"]
        self.assertGreater(len(cases), 20)
        for vector in cases:
            with self.subTest(vector["title"]):
                error = vector.get("error")
                if error is None:
                    self.assertEqual(self.verify(vector), json.loads(vector["body"]))
                    continue
                is_ours = error != "the webhook secret is missing"
                with self.assertRaisesRegex(WebhookVerificationError if is_ours else ValueError, error):
                    self.verify(vector)

    def test_accepts_headers_and_bodies_of_any_type(self):
        vector = VECTORS["webhooks"]["cases"][0]
        [secret], body = vector["secrets"], vector["body"]
        [(name, value)] = vector["headers"].items()
        for headers in ({name: value.encode()}, {name: [value]}, {name.upper(): value}):
            for raw in (body, body.encode(), bytearray(body.encode())):
                self.assertEqual(verify_webhook(raw, headers, secret)["eventId"], "evt_1")

    def test_keeps_unknown_fields(self):
        vector = VECTORS["webhooks"]["cases"][0]
        [secret] = vector["secrets"]
        told = {**json.loads(vector["body"]), "later": {"more": True}}
        raw = json.dumps(told).encode()
        signature = "sha256=" + hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()
        self.assertEqual(verify_webhook(raw, {"x-service-signature": signature}, secret), told)
