import { newWamid } from './wamid';

const decode = (wamid: string): string => Buffer.from(wamid.slice('wamid.'.length), 'base64').toString('latin1');

describe('newWamid', () => {
  it('builds ids with the structure of real ones', () => {
    const outbound = decode('wamid.HBgLMTU1NTAwMDIyMjIVAgARGBJBMUIyQzNENEU1RjYwNzE4MjkA');
    const inbound = decode('wamid.HBgLMTU1NTAwMDIyMjIVAgASGBQzQTAwMTEyMjMzNDQ1NTY2NzdBQQA=');
    const shape = (record: string): string => record.replace(/[0-9A-F]{18,20}/, (hex) => '#'.repeat(hex.length));
    expect(shape(decode(newWamid('15550002222', 'outbound')))).toBe(shape(outbound));
    expect(shape(decode(newWamid('15550002222', 'inbound')))).toBe(shape(inbound));
  });

  it('never repeats an id', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => newWamid('15550002222', 'outbound')));
    expect(ids.size).toBe(10_000);
  });
});
