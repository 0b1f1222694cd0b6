import { createLogger, nestLogger } from './logging';

describe('the log', () => {
  const lines: string[] = [];
  const logger = createLogger('demo', 'info', { write: (line: string) => lines.push(line) });
  beforeEach(() => lines.splice(0));

  it('has one JSON line per record, with the service and without secrets', () => {
    logger.info({ apiKey: 'k1', account: { secret: 'k2' }, otp: 'k3' }, 'thing.done');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      service: 'demo',
      msg: 'thing.done',
      apiKey: '[redacted]',
      otp: '[redacted]',
    });
    expect(lines[0]).not.toMatch(/k1|k2|k3/);
  });

  it('does not modify the record', () => {
    const record = { apiKey: 'k1', account: { id: 'acc_1', secret: 'k2' }, tags: ['a', 'b'] };
    logger.info(record, 'thing.done');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      account: { id: 'acc_1', secret: '[redacted]' },
      tags: ['a', 'b'],
    });
    expect(record).toEqual({ apiKey: 'k1', account: { id: 'acc_1', secret: 'k2' }, tags: ['a', 'b'] });
  });

  it('includes type, code and stack of an error, but no query parameters', () => {
    const failed = Object.assign(new Error('insert failed', { cause: new Error('deadlock detected') }), {
      code: '40P01',
      parameters: ['919812345678'],
      driverError: { detail: 'k4' },
    });
    logger.error({ err: failed }, 'thing.failed');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      message: 'insert failed',
      code: '40P01',
      stack: expect.any(String),
      cause: { message: 'deadlock detected' },
    });
    expect(lines[0]).not.toMatch(/919812345678|k4/);
  });

  it("includes Nest's warnings and errors, but not its start-up lines", () => {
    const nest = nestLogger(logger);
    nest.log('Starting Nest application...', 'NestFactory');
    nest.error(new Error('broken'), 'stack', 'Context');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', err: { message: 'broken' } }]);
  });
});
