import { templateVariables } from '@switchboard/template-rules';
import { ALL_CONTACTS, audienceFor, faultOfCount, filtersOf, LAST_MESSAGES, namableOf, sentAudience } from './audience';

const variables = templateVariables({
  category: 'MARKETING',
  components: [
    { type: 'BODY', text: 'Hello {{1}}, your code is {{2}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' }] },
  ],
});

describe('audience of a job', () => {
  it('has only contacts that opted in by default', () => expect(filtersOf(ALL_CONTACTS)).toEqual({ optedIn: true }));

  it('has all chosen filters', () =>
    expect(filtersOf({ ...ALL_CONTACTS, labelId: 'lbl_1', lastMessage: 'wrote 30', windowOpen: true })).toEqual({
      labelId: 'lbl_1',
      wroteWithinDays: 30,
      optedIn: true,
      windowOpen: true,
    }));

  it('sends the days without a message', () =>
    expect(filtersOf({ ...ALL_CONTACTS, optedIn: false, lastMessage: 'silent 90' })).toEqual({ silentForDays: 90 }));

  it.each(LAST_MESSAGES.filter(([value]) => value !== ''))('has one filter for the option "%s"', (lastMessage) =>
    expect(Object.keys(filtersOf({ ...ALL_CONTACTS, optedIn: false, lastMessage }))).toHaveLength(1),
  );

  it('offers the name for texts of header and body only', () =>
    expect(namableOf(variables).map(({ key }) => key)).toEqual(['1', '2']));

  it('omits name variables of another template, even with the same names', () => {
    const ofFirst = { ...audienceFor(ALL_CONTACTS, 'tpl_1'), nameVariables: ['1'] };
    expect(sentAudience(audienceFor(ofFirst, 'tpl_1'))).toEqual({ optedIn: true, nameVariables: ['1'] });
    expect(sentAudience(audienceFor(ofFirst, 'tpl_2'))).toEqual({ optedIn: true });
  });

  it.each([
    ['no count', undefined, undefined],
    ['no match', { count: 0, isExact: true }, 'No contact matches'],
    ['no match so far', { count: 0, isExact: false }, undefined],
    ['matches within the limit', { count: 10, isExact: false }, undefined],
    ['more matches than the limit', { count: 11, isExact: false }, 'Your plan allows 10 recipients per job'],
  ])('returns the refusal for %s', (_name, matching, refusal) => expect(faultOfCount(matching, 10)).toBe(refusal));
});
