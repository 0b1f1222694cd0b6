import { z } from 'zod';
import {
  configProblems,
  defineConfig,
  encryptionKeyFields,
  flagField,
  isSecret,
  portField,
  readConfig,
  secret,
} from './config';

const definition = defineConfig('demo', {
  NAME: z.string().describe('A name'),
  PORT: portField(80, 'A port'),
  FLAG: flagField(false, 'A flag'),
  KEY: encryptionKeyFields.ENCRYPTION_KEY,
  OLD_KEY: encryptionKeyFields.ENCRYPTION_KEY_PREVIOUS,
});
const key = Buffer.alloc(32).toString('base64');

describe('settings', () => {
  it('are read from the environment with their defaults', () => {
    expect(readConfig(definition, { NAME: 'x', KEY: key, FLAG: 'true' })).toEqual({
      NAME: 'x',
      PORT: 80,
      FLAG: true,
      KEY: key,
    });
  });

  it('report all problems with the meaning of each field', () => {
    expect(configProblems(definition, { PORT: '99999', KEY: 'short', OLD_KEY: 'short, too' })).toEqual([
      'NAME: is required (A name)',
      expect.stringContaining('PORT: Too big'),
      expect.stringContaining('KEY: must be 32 bytes in base64'),
      expect.stringContaining('OLD_KEY: must be 32 bytes in base64'),
    ]);
  });

  it('report values that are invalid only in combination', () => {
    const pair = defineConfig('demo', { FROM: portField(1, 'A'), TO: portField(2, 'B') }, ({ FROM, TO }) =>
      FROM < TO ? [] : ['TO: must be above FROM'],
    );
    expect(configProblems(pair, {})).toEqual([]);
    expect(configProblems(pair, { FROM: '3' })).toEqual(['TO: must be above FROM']);
    expect(configProblems(pair, { FROM: '3', TO: '-1' })).toEqual([expect.stringContaining('TO: Too small')]);
  });

  it('treat an empty variable as absent', () => {
    expect(configProblems(definition, { NAME: '', KEY: key })).toEqual(['NAME: is required (A name)']);
  });

  it('require a description for every field', () => {
    expect(() => defineConfig('demo', { NAME: z.string() })).toThrow('NAME');
  });

  it('identify fields that hold secrets', () => {
    for (const field of Object.values(encryptionKeyFields)) expect(isSecret(field)).toBe(true);
    expect(isSecret(secret(z.string()))).toBe(true);
    expect(isSecret(definition.fields.NAME)).toBe(false);
  });
});
