import { seal, unseal } from './secret-box';

const key = Buffer.alloc(32, 1).toString('base64');

describe('secret box', () => {
  it('gives back what was sealed and never the same bytes twice', () => {
    expect(unseal(seal('tökên', key), key)).toBe('tökên');
    expect(seal('token', key)).not.toBe(seal('token', key));
    expect(seal('token', key)).not.toContain('token');
  });

  it('refuses another key, a changed text and a foreign format', () => {
    const sealed = seal('token', key);
    expect(() => unseal(sealed, Buffer.alloc(32, 2).toString('base64'))).toThrow();
    expect(() => unseal(`${sealed.slice(0, -2)}AA`, key)).toThrow();
    expect(() => unseal('token', key)).toThrow('not a sealed secret');
  });
});
