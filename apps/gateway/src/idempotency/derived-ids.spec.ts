import { newId } from '@switchboard/contracts';
import { idsFrom } from './derived-ids';

const at = new Date('2026-03-02T10:15:00.000Z');

describe('idsFrom', () => {
  it('returns the same ids in the same order', () => {
    const [first, second] = [idsFrom(Buffer.from('seed'), at), idsFrom(Buffer.from('seed'), at)];
    expect([first('msg'), first('msg'), first('job')]).toEqual([second('msg'), second('msg'), second('job')]);
  });

  it('varies by seed, prefix and position', () => {
    const ids = idsFrom(Buffer.from('seed'), at);
    const made = [ids('msg'), ids('msg'), ids('job'), idsFrom(Buffer.from('other'), at)('msg')];
    expect(new Set(made.map((id) => id.split('_')[1])).size).toBe(4);
  });

  it('returns ids in the usual format and order', () => {
    const id = idsFrom(Buffer.from('seed'), at)('msg');
    expect(id).toMatch(/^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(id > idsFrom(Buffer.from('z'), new Date(at.getTime() - 1))('msg')).toBe(true);
    expect(id < newId('msg')).toBe(true);
  });
});
