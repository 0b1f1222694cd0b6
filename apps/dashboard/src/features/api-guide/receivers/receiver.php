<?php
// A webhook receiver. Run it with `php -S 0.0.0.0:8080 receiver.php`.
// VERIFY_TOKEN is the token that you enter in the dashboard. WEBHOOK_SECRET is the secret that the dashboard shows
// then: start the receiver without it, add the endpoint, and start the receiver again with it.
const TOLERANCE_SECONDS = 300;

function isSigned(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(str_replace('whsec_', '', getenv('WEBHOOK_SECRET') ?: ''));
    if ($key === '' || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a secret rotation there are two signatures, one per secret. A single match is enough.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    // PHP writes the dots of parameter names as underscores.
    $token = getenv('VERIFY_TOKEN');
    $isOurs = is_string($token) && hash_equals($token, (string) ($_GET['hub_verify_token'] ?? ''));
    http_response_code($isOurs ? 200 : 403);
    header('Content-Type: text/plain');
    echo $isOurs ? $_GET['hub_challenge'] : '';
    exit;
}
$body = file_get_contents('php://input');
if (!isSigned($body)) {
    http_response_code(401);
    exit;
}
// Respond within 10 seconds: enqueue the event here, and process it elsewhere. The same event may arrive more than
// once: store its id in a table with a unique key.
error_log('event ' . $_SERVER['HTTP_WEBHOOK_ID'] . ' ' . $body);
http_response_code(200);
