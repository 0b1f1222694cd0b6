import {
  bodyOf,
  type Content,
  faultsToClear,
  found,
  sentenceOf,
  standingFaults,
  writtenFaults,
} from './template-faults';
import { emptyForm } from './template-form';

const content: Content = {
  ...{ name: 'order_update', language: 'en_US', category: 'UTILITY', ttlSeconds: '' },
  form: { ...emptyForm(), body: 'Hi {{1}}, your order comes on {{2}} as planned.', bodySamples: { 1: 'Asha' } },
};
const withForm = (changed: Partial<Content['form']>): Content => ({
  ...content,
  form: { ...content.form, ...changed },
});

describe('the faults of what is written', () => {
  it('name each variable whose sample is missing, and none else', () =>
    expect(writtenFaults(content)).toEqual([
      { field: 'sample-Body-2', message: 'give a sample for {{2}} of the body' },
    ]));

  it('tell of a sample that cannot be sent', () =>
    expect(writtenFaults(withForm({ bodySamples: { 1: 'Asha', 2: 'a\tb' } }))).toMatchObject([
      { field: 'sample-Body-2', message: expect.stringContaining('no tabs') as string },
    ]));

  it('leave the code of a copy button at its button', () =>
    expect(
      writtenFaults(
        withForm({
          bodySamples: { 1: 'Asha', 2: 'Monday' },
          buttons: [{ type: 'COPY_CODE', text: '', value: '', sample: '' }],
        }),
      ),
    ).toMatchObject([{ field: 'buttons.0.example' }]));

  it.each([
    ['AUTHENTICATION', '29', ['ttlSeconds']],
    ['AUTHENTICATION', '900', []],
    ['AUTHENTICATION', '', []],
    ['MARKETING', '60', []],
  ])('hold the validity of %s against its limits: %s seconds', (category, ttlSeconds, fields) =>
    expect(
      writtenFaults({ ...withForm({ body: 'Hello to all of you.' }), category, ttlSeconds }).map(({ field }) => field),
    ).toEqual(fields),
  );
});

describe('what the service found', () => {
  const TAKEN = { field: 'name', message: 'there is a template of this name and language already' };
  const fault = found([TAKEN], bodyOf(content));

  it('stands beside the other faults, once', () =>
    expect(standingFaults([TAKEN], [...fault, ...fault], bodyOf(content))).toEqual([TAKEN]));

  it('stays while another field is changed', () =>
    expect(standingFaults([], fault, bodyOf(withForm({ body: 'Another text.' })))).toEqual([TAKEN]));

  it.each([{ name: 'order_update_2' }, { language: 'de' }])('goes when its field is changed: %j', (changed) =>
    expect(standingFaults([], fault, bodyOf({ ...content, ...changed }))).toEqual([]),
  );

  it('goes with any change when it is about the whole', () => {
    const whole = found([{ field: 'components', message: 'nothing is changed' }], bodyOf(content));
    expect(standingFaults([], whole, bodyOf(content))).toHaveLength(1);
    expect(standingFaults([], whole, bodyOf(withForm({ footer: 'Acme' })))).toEqual([]);
  });
});

it('reads as sentences', () => {
  expect(sentenceOf('a text is needed')).toBe('A text is needed.');
  expect([1, 3].map(faultsToClear)).toEqual(['First clear the fault', 'First clear the 3 faults']);
});
