import { ArrayMaxSize, IsArray, IsString, MaxLength, ValidateNested } from 'class-validator';
import { Type } from './body-values';
import { AppError } from './errors';
import { upstreamNumberChangedV1 } from './gateway/callbacks.v1';
import { messageReceivedV1 } from './messaging/messages.v1';
import { IsPhone, IsStorableText, parseBody, storableText } from './validation';

class Inner {
  @IsString() @IsStorableText() @MaxLength(5) body: string;
}
class Outer {
  @IsString() @IsPhone() to: string;
  @ValidateNested() @Type(() => Inner) text: Inner;
}

class List {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Inner) items: Inner[];
}
class ShortList {
  @IsArray() @ArrayMaxSize(2) @ValidateNested({ each: true }) @Type(() => Inner) items: Inner[];
}

function refusal(plain: unknown): AppError {
  return refusalOf(Outer, plain);
}

function refusalOf(type: new () => object, plain: unknown): AppError {
  try {
    parseBody(type, plain);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('parseBody', () => {
  const good = { to: '919812345678', text: { body: 'hi' } };

  it('accepts a valid body and drops undeclared fields', () => {
    expect(parseBody(Outer, { ...good, more: 1 })).toEqual(good);
  });

  it('reports a missing field by name', () => {
    expect(refusal({ text: good.text })).toMatchObject({ code: 'MISSING_FIELD', message: 'to is required' });
    expect(refusal({ ...good, text: {} })).toMatchObject({ code: 'MISSING_FIELD', message: 'text.body is required' });
    expect(refusal({ ...good, to: null })).toMatchObject({ code: 'MISSING_FIELD' });
  });

  it('returns 400 for a wrong type before it checks values', () => {
    expect(refusal({ to: 'x', text: { body: 7 } })).toMatchObject({ code: 'INVALID_PARAMETER', status: 400 });
    expect(refusal({ ...good, text: 'hi' })).toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(refusal({ ...good, to: 919812345678 })).toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('returns 422 for a well-formed but invalid value', () => {
    expect(refusal({ ...good, to: '+919812345678' })).toMatchObject({
      code: 'INVALID_PHONE',
      message: 'phone number format is invalid: digits only, with country code, without +; did you mean 919812345678?',
    });
    expect(refusal({ ...good, text: { body: 'too long' } })).toMatchObject({
      code: 'TEXT_TOO_LONG',
      message: 'text.body must be shorter than or equal to 5 characters',
    });
    expect(refusal({ ...good, text: { body: 'a\u0000' } })).toMatchObject({ code: 'INVALID_VALUE' });
    expect(refusal({ ...good, text: { body: 'a\uD800' } })).toMatchObject({ code: 'INVALID_VALUE' });
  });

  it.each([[null], [[]], ['text'], [3]])('rejects %p as a body', (plain) => {
    expect(refusal(plain)).toMatchObject({ code: 'INVALID_PARAMETER', message: 'the body must be a JSON object' });
  });

  it('rejects a body nested too deeply, even in unknown fields', () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(refusal({ ...good, more: deep })).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('nested'),
    });
  });

  it('keeps prototype keys out of the result', () => {
    const body = parseBody(
      Outer,
      JSON.parse('{"to":"919812345678","text":{"body":"x"},"__proto__":{"admin":true},"constructor":{}}'),
    );
    expect((body as { admin?: boolean }).admin).toBeUndefined();
    expect(body.constructor).toBe(Outer);
    const value = JSON.parse(
      '{"wabaId":"1","field":"f","value":{"__proto__":{"admin":true},"list":[{"__proto__":[]}],"a":1}}',
    );
    const { value: taken } = parseBody(upstreamNumberChangedV1.body, { ...upstreamNumberChangedV1.sample, ...value });
    expect(JSON.stringify(taken)).toBe('{"list":[{}],"a":1}');
  });

  it('validates a body with values named like methods', () => {
    expect(refusal({ ...good, text: { body: { constructor: 'x', toString: 1 } } })).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: 'text.body must be a string',
    });
    expect(parseBody(Outer, { ...good, more: { constructor: 'x' } })).toEqual(good);
  });

  it('reports at most one hundred errors', () => {
    const { details, message } = refusalOf(List, { items: Array(10_000).fill({}) });
    expect(message).toBe('items.0.body is required');
    expect(details).toHaveLength(100);
  });

  it('does not check the elements of an oversized list', () => {
    const { details, message } = refusalOf(ShortList, { items: [{}, {}, {}] });
    expect([message, details?.length]).toEqual(['items must contain no more than 2 elements', 1]);
  });
});

it('storableText replaces only characters that PostgreSQL rejects', () => {
  expect(storableText('a\u0000b\ud800c\udc00d')).toBe('a\ufffdb\ufffdc\ufffdd');
  expect(storableText('नमस्ते 👋')).toBe('नमस्ते 👋');
});

it('parseBody accepts a list as inbound message content', () => {
  const content = [{ name: { formatted_name: 'Bo Li' } }];
  expect(parseBody(messageReceivedV1.body, { ...messageReceivedV1.sample, type: 'contacts', content })).toMatchObject({
    content,
  });
});
