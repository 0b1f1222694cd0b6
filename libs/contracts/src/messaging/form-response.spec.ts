import { FORM_RESPONSE_MAX_CHARACTERS, FORM_RESPONSE_MAX_DEPTH, formResponse } from './form-response';
import { inboundContent } from './inbound-content';

const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('formResponse', () => {
  it('preserves the names, types and order of members', () => {
    const text =
      '{"flow_token":"x","Size":"M","screen_0_Choice":["0_a","1_b"],"agreed":true,"none":null,"n":{"a_b":1.5}}';
    expect(JSON.stringify(formResponse(text))).toBe(text);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['an object instead of a string', { a: 1 }],
    ['an empty string', ''],
    ['invalid JSON', 'oops'],
    ['incomplete JSON', '{"a":'],
    ['a JSON list', '[1]'],
    ['a JSON string', '"a"'],
    ['JSON null', 'null'],
    ['a JSON number', '7'],
    ['a string above the maximum length', `{"a":"${'x'.repeat(FORM_RESPONSE_MAX_CHARACTERS)}"}`],
    ['too many levels', nested(FORM_RESPONSE_MAX_DEPTH + 1)],
    ['deeply nested lists', `{"a":${'['.repeat(15_000)}${']'.repeat(15_000)}}`],
    ['repeated brackets', '['.repeat(FORM_RESPONSE_MAX_CHARACTERS)],
  ])('returns null for %s', (_title, text) => {
    expect(formResponse(text)).toBeNull();
  });

  it('accepts the maximum length and depth', () => {
    const longest = `{"a":"${'x'.repeat(FORM_RESPONSE_MAX_CHARACTERS - 8)}"}`;
    expect(longest).toHaveLength(FORM_RESPONSE_MAX_CHARACTERS);
    expect(formResponse(longest)).toEqual(JSON.parse(longest));
    const deepest = nested(FORM_RESPONSE_MAX_DEPTH);
    expect(formResponse(deepest)).toEqual(JSON.parse(deepest));
  });

  it('omits members that could change a prototype', () => {
    const text = '{"__proto__":{"admin":true},"a":{"constructor":{"prototype":{"x":1}},"b":[{"__proto__":1}]}}';
    const response = formResponse(text) as { a: object };
    expect(JSON.stringify(response)).toBe('{"a":{"b":[{}]}}');
    expect(Object.getPrototypeOf(response)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('uses the last of several members with the same name', () => {
    expect(formResponse('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it('replaces characters and numbers that cannot be stored', () => {
    expect(formResponse(String.raw`{"a\u0000":"\ud800 b","c":["\u0000"],"n":1e999}`)).toEqual({
      'a\uFFFD': '\uFFFD b',
      c: ['\uFFFD'],
      n: null,
    });
  });
});

describe('an interactive reply', () => {
  const replyOf = (interactive: object) =>
    inboundContent('interactive', interactive, 'https://api.example.com').content;

  it('contains the text and the parsed response of a form', () => {
    const response_json = '{"flow_token":"x","first_name":"Asha"}';
    expect(replyOf({ type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } })).toEqual({
      type: 'nfm_reply',
      nfmReply: {
        name: 'flow',
        body: 'Sent',
        responseJson: response_json,
        response: { flow_token: 'x', first_name: 'Asha' },
      },
    });
    expect(replyOf({ type: 'nfm_reply', nfm_reply: {} })).toEqual({ type: 'nfm_reply', nfmReply: { response: null } });
    expect(replyOf({ type: 'nfm_reply', nfm_reply: null })).toEqual({ type: 'nfm_reply', nfmReply: null });
  });

  it.each([
    ['1748264243', 1_748_264_243],
    [1_748_264_243, 1_748_264_243],
    ['soon', 'soon'],
  ])('converts the expiration %j of a call permission to %j', (expiration_timestamp, expirationTimestamp) => {
    const given = { response: 'accept', is_permanent: false, expiration_timestamp, response_source: 'user_action' };
    expect(replyOf({ type: 'call_permission_reply', call_permission_reply: given })).toEqual({
      type: 'call_permission_reply',
      callPermissionReply: {
        response: 'accept',
        isPermanent: false,
        expirationTimestamp,
        responseSource: 'user_action',
      },
    });
  });

  it('is unchanged for any other type', () => {
    expect(replyOf({ type: 'button_reply', button_reply: { id: 'a', title: 'A' } })).toEqual({
      type: 'button_reply',
      buttonReply: { id: 'a', title: 'A' },
    });
    expect(inboundContent('interactive', [] as object, 'https://x').content).toEqual([]);
  });
});
