import 'reflect-metadata';
import { AppError, SendOtpRequest } from '@switchboard/contracts';
import { UnreadForm } from './form-parser';
import { RequestValidationPipe } from './request-validation.pipe';

describe('RequestValidationPipe', () => {
  const pipe = new RequestValidationPipe();

  it('returns an instance of the class without unknown fields', () => {
    const body = pipe.transform(
      { to: '919812345678', otp: '123456', unknown: 1 },
      { type: 'body', metatype: SendOtpRequest },
    );
    expect(body).toBeInstanceOf(SendOtpRequest);
    expect(body).toEqual({ to: '919812345678', otp: '123456' });
  });

  it('rejects a body that breaks a rule of its class', () => {
    const validate = (): unknown => pipe.transform({}, { type: 'body', metatype: SendOtpRequest });
    expect(validate).toThrow(AppError);
    expect(validate).toThrow('to is required');
  });

  it.each([
    ['a body without a class', { type: 'body', metatype: Object }],
    ['raw bytes', { type: 'body', metatype: Buffer }],
    ['a parameter of the path', { type: 'param', metatype: String }],
    ['a parameter of a custom decorator', { type: 'custom', metatype: SendOtpRequest }],
  ] as const)('returns %s unchanged', (_name, metadata) => {
    const value = { unknown: 1 };
    expect(pipe.transform(value, metadata)).toBe(value);
  });

  it('returns an unread form unchanged', () => {
    const form = new UnreadForm();
    expect(pipe.transform(form, { type: 'body', metatype: SendOtpRequest })).toBe(form);
  });
});
