import 'reflect-metadata';
import { AppError, SendOtpRequest } from '@switchboard/contracts';
import { UnreadForm } from './form-parser';
import { RequestValidationPipe } from './request-validation.pipe';

describe('RequestValidationPipe', () => {
  const pipe = new RequestValidationPipe();

  it('passes an instance of the class, without unknown fields', () => {
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
    ['a body of no class', { type: 'body', metatype: Object }],
    ['raw bytes', { type: 'body', metatype: Buffer }],
    ['a parameter of the path', { type: 'param', metatype: String }],
    ['a parameter of our own decorators', { type: 'custom', metatype: SendOtpRequest }],
  ] as const)('leaves %s as it is', (_name, metadata) => {
    const value = { unknown: 1 };
    expect(pipe.transform(value, metadata)).toBe(value);
  });

  it('leaves a form to its handler', () => {
    const form = new UnreadForm();
    expect(pipe.transform(form, { type: 'body', metatype: SendOtpRequest })).toBe(form);
  });
});
