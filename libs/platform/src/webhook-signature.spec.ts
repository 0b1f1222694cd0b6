import { deliveryHeaders, newWebhookSecret, serviceSignature, standardSignature } from './webhook-signature';

// The expected values were computed by the openssl command line, not by this code:
//   openssl dgst -sha256 -hmac "$SECRET" < body.json
//   printf 'evt_01.1772446504.' | cat - body.json \
//     | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f -binary | base64
const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const body = Buffer.from(
  '{"event":"message_status","messageId":"wamid.OUT","status":"sent","note":"é ☃","eventId":"evt_01"}',
);
const delivery = { eventId: 'evt_01', attempt: 2, timestamp: 1772446504, body, secret };
const bodyHmac = 'sha256=983deae460966143bccda10b886ece69883908e78e5a3126f6fc7b21d6449b98';
const standardHmac = 'v1,N0lkmerNd7P075AePlVgvgXSbI0u4Ru0cqNKm1dWI58=';

describe('the signature of a delivery', () => {
  it('is the HMAC of the raw body, keyed with the displayed secret', () => {
    expect(serviceSignature(body, secret)).toBe(bodyHmac);
  });

  it('covers id, time and body for Standard Webhooks', () => {
    expect(standardSignature(delivery)).toBe(standardHmac);
  });

  it('changes with every byte of the body', () => {
    const changed = Buffer.from(body);
    changed[10] = (changed[10] ?? 0) ^ 1;
    expect(serviceSignature(changed, secret)).not.toBe(bodyHmac);
    expect(standardSignature({ ...delivery, body: changed })).not.toBe(standardHmac);
  });
});

describe('the headers of an attempt', () => {
  it('match the documentation', () => {
    expect(deliveryHeaders(delivery)).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Switchboard-Webhooks/1',
      'X-Service-Signature': bodyHmac,
      'X-Service-Event-Id': 'evt_01',
      'X-Service-Timestamp': '1772446504',
      'X-Service-Attempt': '2',
      'webhook-id': 'evt_01',
      'webhook-timestamp': '1772446504',
      'webhook-signature': standardHmac,
    });
  });

  it('carry the signatures of both secrets during a rotation', () => {
    const nextSecret = newWebhookSecret();
    expect(deliveryHeaders({ ...delivery, nextSecret })).toMatchObject({
      'X-Service-Signature': bodyHmac,
      'X-Service-Signature-Next': serviceSignature(body, nextSecret),
      'webhook-signature': `${standardHmac} ${standardSignature({ ...delivery, secret: nextSecret })}`,
    });
  });
});

describe('a new secret', () => {
  it('has 32 random bytes in Standard Webhooks format', () => {
    expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(newWebhookSecret());
  });
});
