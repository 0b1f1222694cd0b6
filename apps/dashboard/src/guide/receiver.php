<?php
// A webhook receiver. WEBHOOK_SECRET: as the dashboard showed it. VERIFY_TOKEN: as you typed it there.
// Run it with: php -S 0.0.0.0:8080 receiver.php
if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    // PHP writes the dots of parameter names as underscores.
    $isOurs = hash_equals(getenv('VERIFY_TOKEN'), $_GET['hub_verify_token'] ?? '');
    http_response_code($isOurs ? 200 : 403);
    echo $isOurs ? $_GET['hub_challenge'] : '';
    exit;
}
$body = file_get_contents('php://input');
$expected = 'sha256=' . hash_hmac('sha256', $body, getenv('WEBHOOK_SECRET'));
if (!hash_equals($expected, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
// The same event may come more than once: keep the id in a table with a unique key.
error_log('event ' . ($_SERVER['HTTP_X_SERVICE_EVENT_ID'] ?? '') . ' ' . $body);
http_response_code(200);
