import type { Schemas } from '../../../api/client';
import { chosenOf } from './use-chosen-template';

const template = (id: string) => ({ id }) as Schemas['ManagedTemplate'];
const [first, second, newer] = ['tpl_1', 'tpl_2', 'tpl_3'].map(template) as [
  ...[Schemas['ManagedTemplate'], Schemas['ManagedTemplate'], Schemas['ManagedTemplate']],
];

describe('chosenOf', () => {
  it('returns the chosen template, initially the first', () => {
    expect(chosenOf([first, second], undefined, undefined)).toBe(first);
    expect(chosenOf([first, second], second.id, first)).toBe(second);
    expect(chosenOf([], undefined, undefined)).toBe(undefined);
  });

  it('chooses no template without a preset', () => {
    const how = { isPreset: false };
    expect(chosenOf([first, second], undefined, undefined, how)).toBe(undefined);
    expect(chosenOf([first, second], second.id, undefined, how)).toBe(second);
    expect(chosenOf([first], undefined, second, how)).toBe(second);
  });

  it('keeps the template when a refetch reorders or omits it', () => {
    expect(chosenOf([newer, first, second], undefined, first)).toBe(first);
    expect(chosenOf([newer], undefined, first)).toBe(first);
    expect(chosenOf([newer], second.id, second)).toBe(second);
  });

  it("uses the template's refetched data", () => {
    const changed = template(first.id);
    expect(chosenOf([newer, changed], undefined, first)).toBe(changed);
  });
});
