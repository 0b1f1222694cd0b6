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

describe("the customer's event of an inbound message", () => {
  it("has the spec's fields in the spec's order, then the additive ones", () => {
    expect(eventBody(inboundMessageEvent(received, BASE_URL), 'evt_1').toString()).toBe(
      '{"event":"message","from":"919812345678","name":"Asha R","messageId":"wamid.IN","type":"text","text":{"body":"Hello"},' +
        `"timestamp":"2026-03-02T10:16:00.000Z","to":"15550783881","id":"${OURS}","userId":null,"username":null,"eventId":"evt_1"}`,
    );
  });

  it('shows other types under their name, in camelCase, after the time', () => {
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

  it('shows what the message refers to, where it refers to something', () => {
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

  it('calls a type that customers do not know unsupported and names the kind alone', () => {
    const { fields } = inboundMessageEvent({ ...received, type: 'eventId', content: { body: 'x' } }, BASE_URL);
    expect(fields).toMatchObject({ type: 'unsupported', unsupported: { type: 'eventId' }, event: 'message' });
    expect(fields).not.toHaveProperty('eventId');
  });

  it('says why the platform could not pass the message on, where it said so', () => {
    const errors = [{ code: 131051, title: 'Message type unknown', error_data: { details: 'Not supported.' } }];
    const content = { type: 'poll_creation' };
    const message = { ...received, type: 'unsupported', content, errors };
    expect(eventBody(inboundMessageEvent(message, BASE_URL), 'evt_1').toString()).toContain(
      '"unsupported":{"type":"poll_creation"},' +
        '"errors":[{"code":131051,"title":"Message type unknown","details":"Not supported."}],"to":"15550783881"',
    );
  });

  it('has an empty name when the sender has none, and no content when there is none', () => {
    expect(inboundMessageEvent({ ...received, name: null, content: null }, BASE_URL).fields).toMatchObject({
      name: '',
      type: 'text',
    });
  });

  it.each([['IN.1'], [null], [undefined]])(
    'has no number when the sender hides it, and names the person by the user id (told again: %s)',
    (userId) => {
      const { fields, subject } = inboundMessageEvent({ ...received, from: 'IN.1', userId }, BASE_URL);
      expect(fields).toMatchObject({ from: null, userId: 'IN.1' });
      expect(subject).toBe('IN.1');
    },
  );

  it('writes the time in UTC with milliseconds', () => {
    expect(inboundMessageEvent({ ...received, timestamp: '2026-03-02T12:16:00+02:00' }, BASE_URL).occurredAt).toBe(
      '2026-03-02T10:16:00.000Z',
    );
  });

  it('cannot be made of something that is no time: trying again would not help', () => {
    expect(() => inboundMessageEvent({ ...received, timestamp: 'yesterday' }, BASE_URL)).toThrow(PermanentError);
  });
});

describe("the customer's event of a message's status", () => {
  it("has the spec's fields in the spec's order, then the additive ones", () => {
    const labels = JSON.stringify(labelsOf(status)).slice(1, -1);
    expect(labels).toContain('"clientRef":"order-7781"');
    expect(eventBody(messageStatusEvent(status), 'evt_1').toString()).toBe(
      '{"event":"message_status","messageId":"wamid.OUT","to":"919812345678","status":"failed","timestamp":"2026-03-02T10:15:04.120Z",' +
        '"error":{"reason":"WINDOW_CLOSED","code":131047,"title":"Re-engagement message","message":"the 24-hour window is closed","category":"window","retriable":false},' +
        `"jobId":null,${labels},"id":"${status.id}","userId":null,"username":null,"eventId":"evt_1"}`,
    );
  });

  it('has no messageId where the upstream platform gave none: ours names the message, also in the log', () => {
    const event = messageStatusEvent({ ...status, upstreamId: status.id });
    expect(event.fields).toMatchObject({ messageId: null, id: status.id });
    expect(event.messageId).toBe(status.id);
  });

  it('names the bulk job that the message belongs to', () => {
    expect(messageStatusEvent({ ...status, jobId: 'job_1' }).fields).toMatchObject({ jobId: 'job_1' });
  });

  it('is one per message and status', () => {
    const keys = [status, { ...status, timestamp: '2026-03-02T10:20:00.000Z' }, { ...status, status: 'read' as const }];
    const [first, again, other] = keys.map((change) => messageStatusEvent(change).dedupKey);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe("the customer's event of a status that was overtaken", () => {
  it('says so, and others do not', () => {
    expect(messageStatusEvent({ ...status, late: true }).fields).toMatchObject({ late: true });
    expect(messageStatusEvent(status).fields).not.toHaveProperty('late');
  });

  it('says how the platform charges the message, once it has told', () => {
    const pricing = { category: 'utility', billable: true, type: 'regular', model: 'PMP' };
    expect(messageStatusEvent({ ...status, pricing }).fields).toMatchObject({ pricing });
    expect(messageStatusEvent(status).fields).not.toHaveProperty('pricing');
  });
});

describe("the customer's event of a template's status", () => {
  it("has the spec's fields in the spec's order, then the additive ones", () => {
    expect(eventBody(templateStatusEvent(template), 'evt_1').toString()).toBe(
      '{"event":"template_status","templateName":"order_update","templateId":"1387372356726668","status":"REJECTED","timestamp":"2026-03-02T10:15:04.120Z",' +
        '"language":"en_US","category":"UTILITY","previousStatus":"PENDING","reason":"INVALID_FORMAT","sendable":false,"eventId":"evt_1"}',
    );
  });

  it('comes again when the template reaches the same status at another time', () => {
    const later = templateStatusEvent({ ...template, timestamp: '2026-03-03T10:15:04.120Z' });
    expect(later.dedupKey).not.toBe(templateStatusEvent(template).dedupKey);
  });
});

describe("the customer's events of a job", () => {
  it('have their fields in the published order', () => {
    const [paused, finished] = [jobPausedV1.sample, jobFinishedV1.sample];
    const bodies = [
      jobCompletedEvent(finished),
      jobPausedEvent(paused),
      jobFailedEvent({ ...finished, error: { code: 'INVALID_VALUE', message: 'no such number' } }),
    ];
    const at = '"jobId":"job_01jd0000000000000000000000","timestamp":"2026-03-02T10:15:04.120Z"';
    expect(bodies.map((event) => eventBody(event, 'evt_1').toString())).toEqual([
      `{"event":"job_completed",${at},"total":50000,"failed":12,"eventId":"evt_1"}`,
      `{"event":"job_paused",${at},"pauseReason":"TEMPLATE_NOT_APPROVED","eventId":"evt_1"}`,
      `{"event":"job_failed",${at},"total":50000,"failed":12,"error":{"code":"INVALID_VALUE","message":"no such number"},"eventId":"evt_1"}`,
    ]);
  });

  it('come again for another pause of the same job', () => {
    const later = jobPausedEvent({ ...jobPausedV1.sample, timestamp: '2026-03-03T10:15:04.120Z' });
    expect(later.dedupKey).not.toBe(jobPausedEvent(jobPausedV1.sample).dedupKey);
  });

  it('have a time when the version before told none', () => {
    expect(
      Math.abs(Date.parse(jobPausedEvent({ ...jobPausedV1.sample, timestamp: undefined }).occurredAt) - Date.now()),
    ).toBeLessThan(5_000);
  });
});

describe("the customer's event of a number's quality", () => {
  it('has its fields in the published order', () => {
    expect(eventBody(numberQualityEvent(numberQualityChangedV1.sample), 'evt_1').toString()).toBe(
      '{"event":"phone_number_quality","phoneNumber":"15550783881","qualityRating":"YELLOW","previousQualityRating":"GREEN","messagingLimit":"TIER_10K",' +
        '"timestamp":"2026-03-02T10:15:04.120Z","eventId":"evt_1"}',
    );
  });
});

describe("the customer's events of what people do beside writing", () => {
  const edit = { ...messageEditedV1.sample, userId: null };
  const bodyOf = (event: Parameters<typeof eventBody>[0]): string => eventBody(event, 'evt_1').toString();

  it('have their fields in the published order', () => {
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

  it('name a person who hides the number by the user id', () => {
    for (const event of [
      messageEditedEvent({ ...edit, from: 'US.1' }, BASE_URL),
      messageDeletedEvent({ ...messageDeletedV1.sample, from: 'US.1', userId: null }),
      callEvent({ ...callReceivedV1.sample, from: 'US.1', userId: undefined }),
    ])
      expect(event).toMatchObject({ subject: 'US.1', fields: { from: null, userId: 'US.1' } });
  });

  it('are one per edit, per deleted message, per notice and per call', () => {
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

  it('have the content of an edit under the name of its type', () => {
    const content = { id: 'med_1', mime_type: 'image/jpeg', caption: 'New' };
    const { fields } = messageEditedEvent({ ...edit, type: 'image', content }, BASE_URL);
    expect(fields).toMatchObject({ type: 'image', image: { id: 'med_1', caption: 'New' } });
    expect(fields).not.toHaveProperty('text');
  });
});
