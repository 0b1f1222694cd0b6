import { PermanentError } from '@switchboard/broker';
import {
  callReceivedV1,
  contactChangedV1,
  jobFinishedV1,
  jobPausedV1,
  messageDeletedV1,
  messageEditedV1,
  messageReceivedV1,
  labelsOf,
  messageStatusChangedV1,
  numberQualityChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import {
  callEvent,
  contactChangedEvent,
  eventBody,
  inboundMessageEvent,
  jobCompletedEvent,
  jobFailedEvent,
  jobPausedEvent,
  messageDeletedEvent,
  messageEditedEvent,
  messageStatusEvent,
  numberQualityEvent,
  templateStatusEvent,
} from './customer-event';

const BASE_URL = 'https://api.example.com';
const received = { ...messageReceivedV1.sample, context: null, userId: null };
const OURS = received.id;
const status = messageStatusChangedV1.sample;
const template = templateStatusChangedV1.sample;

describe('inbound message event', () => {
  it('lists the fields in spec order, then the additive ones', () => {
    expect(eventBody(inboundMessageEvent(received, BASE_URL), 'evt_1').toString()).toBe(
      '{"event":"message","from":"919812345678","name":"Asha R","messageId":"wamid.IN","type":"text","text":{"body":"Hello"},' +
        `"timestamp":"2026-03-02T10:16:00.000Z","to":"15550783881","id":"${OURS}","userId":null,"username":null,"eventId":"evt_1"}`,
    );
  });

  it('shows other types after the time, under their camelCase name', () => {
    const image = {
      ...received,
      type: 'image',
      content: { id: 'med_1', mime_type: 'image/jpeg', caption: 'my receipt' },
    };
    expect(eventBody(inboundMessageEvent(image, BASE_URL), 'evt_1').toString()).toBe(
      '{"event":"message","from":"919812345678","name":"Asha R","messageId":"wamid.IN","type":"image","timestamp":"2026-03-02T10:16:00.000Z",' +
        `"image":{"id":"med_1","link":"https://api.example.com/v1/media/med_1","mimeType":"image/jpeg","caption":"my receipt"},"to":"15550783881","id":"${OURS}","userId":null,"username":null,"eventId":"evt_1"}`,
    );
  });

  it('includes the context if the message has one', () => {
    const answer = {
      ...received,
      context: { messageId: 'wamid.OUT', frequently_forwarded: true },
      referral: { source_url: 'https://fb.me/x' },
      userId: 'IN.1',
    };
    expect(eventBody(inboundMessageEvent(answer, BASE_URL), 'evt_1').toString()).toContain(
      `"context":{"messageId":"wamid.OUT","frequentlyForwarded":true},"referral":{"sourceUrl":"https://fb.me/x"},"to":"15550783881","id":"${OURS}","userId":"IN.1","username":null,"eventId":"evt_1"}`,
    );
  });

  it('reports an unknown type as unsupported, with only its kind', () => {
    const { fields } = inboundMessageEvent({ ...received, type: 'eventId', content: { body: 'x' } }, BASE_URL);
    expect(fields).toMatchObject({ type: 'unsupported', unsupported: { type: 'eventId' }, event: 'message' });
    expect(fields).not.toHaveProperty('eventId');
  });

  it("includes the platform's reason for an undeliverable message", () => {
    const errors = [{ code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' } }];
    const content = { type: 'poll_creation' };
    const message = { ...received, type: 'unsupported', content, errors };
    expect(eventBody(inboundMessageEvent(message, BASE_URL), 'evt_1').toString()).toContain(
      '"unsupported":{"type":"poll_creation"},' +
        '"errors":[{"code":131051,"title":"Message type unknown","details":"Not supported."}],"to":"15550783881"',
    );
  });

  it('has an empty name and no content if both are absent', () => {
    expect(inboundMessageEvent({ ...received, name: null, content: null }, BASE_URL).fields).toMatchObject({
      name: '',
      type: 'text',
    });
  });

  it.each([['IN.1'], [null], [undefined]])('replaces a hidden number with the user id (redelivered: %s)', (userId) => {
    const { fields, subject } = inboundMessageEvent({ ...received, from: 'IN.1', userId }, BASE_URL);
    expect(fields).toMatchObject({ from: null, userId: 'IN.1' });
    expect(subject).toBe('IN.1');
  });

  it('formats the time in UTC with milliseconds', () => {
    expect(inboundMessageEvent({ ...received, timestamp: '2026-03-02T12:16:00+02:00' }, BASE_URL).occurredAt).toBe(
      '2026-03-02T10:16:00.000Z',
    );
  });

  it('rejects an invalid time with a permanent error', () => {
    expect(() => inboundMessageEvent({ ...received, timestamp: 'yesterday' }, BASE_URL)).toThrow(PermanentError);
  });
});

describe('message status event', () => {
  it('lists the fields in spec order, then the additive ones', () => {
    const labels = JSON.stringify(labelsOf(status)).slice(1, -1);
    expect(labels).toContain('"clientRef":"order-7781"');
    expect(eventBody(messageStatusEvent(status), 'evt_1').toString()).toBe(
      '{"event":"message_status","messageId":"wamid.OUT","to":"919812345678","status":"failed","timestamp":"2026-03-02T10:15:04.120Z",' +
        '"error":{"reason":"WINDOW_CLOSED","code":131047,"title":"Re-engagement message","message":"the 24-hour window is closed","category":"window","retriable":false},' +
        `"jobId":null,${labels},"id":"${status.id}","userId":null,"username":null,"eventId":"evt_1"}`,
    );
  });

  it('falls back to the internal id without a messageId', () => {
    const event = messageStatusEvent({ ...status, upstreamId: status.id });
    expect(event.fields).toMatchObject({ messageId: null, id: status.id });
    expect(event.messageId).toBe(status.id);
  });

  it('contains the id of the bulk job', () => {
    expect(messageStatusEvent({ ...status, jobId: 'job_1' }).fields).toMatchObject({ jobId: 'job_1' });
  });

  it('is deduplicated by message and status', () => {
    const keys = [status, { ...status, timestamp: '2026-03-02T10:20:00.000Z' }, { ...status, status: 'read' as const }];
    const [first, again, other] = keys.map((change) => messageStatusEvent(change).dedupKey);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('overtaken message status event', () => {
  it('is marked as overtaken, unlike other statuses', () => {
    expect(messageStatusEvent({ ...status, late: true }).fields).toMatchObject({ late: true });
    expect(messageStatusEvent(status).fields).not.toHaveProperty('late');
  });

  it('includes the pricing once the platform has reported it', () => {
    const pricing = { category: 'utility', billable: true, type: 'regular', model: 'PMP' };
    expect(messageStatusEvent({ ...status, pricing }).fields).toMatchObject({ pricing });
    expect(messageStatusEvent(status).fields).not.toHaveProperty('pricing');
  });
});

describe('template status event', () => {
  it('lists the fields in spec order, then the additive ones', () => {
    expect(eventBody(templateStatusEvent(template), 'evt_1').toString()).toBe(
      '{"event":"template_status","templateName":"order_update","templateId":"1387372356726668","status":"REJECTED","timestamp":"2026-03-02T10:15:04.120Z",' +
        '"language":"en_US","category":"UTILITY","previousStatus":"PENDING","reason":"INVALID_FORMAT","sendable":false,"eventId":"evt_1"}',
    );
  });

  it('is repeated when the template reaches the same status again', () => {
    const later = templateStatusEvent({ ...template, timestamp: '2026-03-03T10:15:04.120Z' });
    expect(later.dedupKey).not.toBe(templateStatusEvent(template).dedupKey);
  });
});

describe('job events', () => {
  it('list their fields in the published order', () => {
    const [paused, finished] = [jobPausedV1.sample, jobFinishedV1.sample];
    const bodies = [
      jobCompletedEvent(finished),
      jobPausedEvent(paused),
      jobFailedEvent({ ...finished, name: undefined, error: { code: 'INVALID_VALUE', message: 'no such number' } }),
    ];
    const at = '"jobId":"job_01jd0000000000000000000000","timestamp":"2026-03-02T10:15:04.120Z"';
    expect(bodies.map((event) => eventBody(event, 'evt_1').toString())).toEqual([
      `{"event":"job_completed",${at},"total":50000,"failed":12,"name":"Order updates, Monday","eventId":"evt_1"}`,
      `{"event":"job_paused",${at},"pauseReason":"TEMPLATE_NOT_APPROVED","name":"Order updates, Monday","eventId":"evt_1"}`,
      `{"event":"job_failed",${at},"total":50000,"failed":12,"error":{"code":"INVALID_VALUE","message":"no such number"},"name":null,"eventId":"evt_1"}`,
    ]);
  });

  it('are repeated for another pause of the same job', () => {
    const later = jobPausedEvent({ ...jobPausedV1.sample, timestamp: '2026-03-03T10:15:04.120Z' });
    expect(later.dedupKey).not.toBe(jobPausedEvent(jobPausedV1.sample).dedupKey);
  });

  it('use the current time if the previous version sent none', () => {
    expect(
      Math.abs(Date.parse(jobPausedEvent({ ...jobPausedV1.sample, timestamp: undefined }).occurredAt) - Date.now()),
    ).toBeLessThan(5_000);
  });
});

describe('number quality event', () => {
  it('lists its fields in the published order', () => {
    expect(eventBody(numberQualityEvent(numberQualityChangedV1.sample), 'evt_1').toString()).toBe(
      '{"event":"phone_number_quality","phoneNumber":"15550783881","qualityRating":"YELLOW","previousQualityRating":"GREEN","messagingLimit":"TIER_10K",' +
        '"timestamp":"2026-03-02T10:15:04.120Z","eventId":"evt_1"}',
    );
  });
});

describe('contact activity events', () => {
  const edit = { ...messageEditedV1.sample, userId: null };
  const bodyOf = (event: Parameters<typeof eventBody>[0]): string => eventBody(event, 'evt_1').toString();

  it('list their fields in the published order', () => {
    expect(bodyOf(messageEditedEvent(edit, BASE_URL))).toBe(
      '{"event":"message_edited","messageId":"wamid.IN","from":"919812345678","name":"Asha R","type":"text","text":{"body":"Hello again"},' +
        `"timestamp":"2026-03-02T10:20:00.000Z","to":"15550783881","id":"${OURS}","userId":null,"eventId":"evt_1"}`,
    );
    expect(bodyOf(messageDeletedEvent({ ...messageDeletedV1.sample, groupId: 'g', id: null }))).toBe(
      '{"event":"message_deleted","messageId":"wamid.IN","from":"919812345678","name":"Asha R","timestamp":"2026-03-02T10:20:00.000Z",' +
        '"to":"15550783881","id":null,"groupId":"g","userId":"IN.10000000000000000001","eventId":"evt_1"}',
    );
    expect(bodyOf(contactChangedEvent(contactChangedV1.sample))).toBe(
      '{"event":"contact_changed","previousPhone":"919812345678","phone":"919812345679","previousUserId":"IN.10000000000000000001",' +
        '"userId":"IN.10000000000000000002","name":"Asha R","timestamp":"2026-03-02T10:20:00.000Z","to":"15550783881",' +
        '"contactId":"ct_01jd0000000000000000000000","moved":true,"eventId":"evt_1"}',
    );
    expect(bodyOf(callEvent({ ...callReceivedV1.sample, name: null }))).toBe(
      '{"event":"call","callId":"wacid.CALL","from":"919812345678","name":"","timestamp":"2026-03-02T10:20:00.000Z",' +
        `"to":"15550783881","id":"${OURS}","userId":"IN.10000000000000000001","eventId":"evt_1"}`,
    );
  });

  it('identify a contact with a hidden number by user id', () => {
    for (const event of [
      messageEditedEvent({ ...edit, from: 'US.1' }, BASE_URL),
      messageDeletedEvent({ ...messageDeletedV1.sample, from: 'US.1', userId: null }),
      callEvent({ ...callReceivedV1.sample, from: 'US.1', userId: undefined }),
    ])
      expect(event).toMatchObject({ subject: 'US.1', fields: { from: null, userId: 'US.1' } });
  });

  it('are deduplicated by edit, deleted message, notice and call', () => {
    const again = '2026-03-02T10:21:00.000Z';
    const keys = [
      [edit, { ...edit, timestamp: again }, { ...edit, editId: 'wamid.EDIT2' }].map((each) =>
        messageEditedEvent(each, BASE_URL),
      ),
      [messageDeletedV1.sample, { ...messageDeletedV1.sample, timestamp: again }].map(messageDeletedEvent),
      [contactChangedV1.sample, { ...contactChangedV1.sample, timestamp: again }].map(contactChangedEvent),
      [callReceivedV1.sample, { ...callReceivedV1.sample, timestamp: again }].map(callEvent),
    ].map((events) => new Set(events.map(({ dedupKey }) => dedupKey)).size);
    expect(keys).toEqual([2, 1, 1, 1]);
  });

  it('show the edited content under the name of its type', () => {
    const content = { id: 'med_1', mime_type: 'image/jpeg', caption: 'New' };
    const { fields } = messageEditedEvent({ ...edit, type: 'image', content }, BASE_URL);
    expect(fields).toMatchObject({ type: 'image', image: { id: 'med_1', caption: 'New' } });
    expect(fields).not.toHaveProperty('text');
  });
});
