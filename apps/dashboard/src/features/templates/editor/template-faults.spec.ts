import {
  bodyOf,
  type Content,
  found,
  isTouched,
  labelOf,
  sampleField,
  standingFaults,
  writtenFaults,
} from './template-faults';
import { buttonOf } from '../shared/button-form';
import { emptyForm } from '../shared/template-form';
import { toFormat } from './template-formats';

const content: Content = {
  name: 'order_update',
  language: 'en_US',
  category: 'UTILITY',
  ttlSeconds: '',
  form: { ...emptyForm(), body: 'Hi {{1}}, your order comes on {{2}} as planned.', bodySamples: { 1: 'Asha' } },
};
const withForm = (changed: Partial<Content['form']>): Content => ({
  ...content,
  form: { ...content.form, ...changed },
});

describe('writtenFaults', () => {
  it('reports each variable without a sample', () =>
    expect(writtenFaults(content)).toEqual([
      { field: 'sample-Body-2', message: 'enter a sample for {{2}} of the body' },
    ]));

  it('reports a sample that cannot be sent', () =>
    expect(writtenFaults(withForm({ bodySamples: { 1: 'Asha', 2: 'a\tb' } }))).toMatchObject([
      { field: 'sample-Body-2', message: expect.stringContaining('tabs') as string },
    ]));

  it('reports the code of a copy button at the button', () =>
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
  ])('checks the validity limits of %s: %s seconds', (category, ttlSeconds, fields) =>
    expect(
      writtenFaults({ ...withForm({ body: 'Hello to all of you.' }), category, ttlSeconds }).map(({ field }) => field),
    ).toEqual(fields),
  );
});

describe('standingFaults', () => {
  const TAKEN = { field: 'name', message: 'there is a template of this name and language already' };
  const fault = found([TAKEN], bodyOf(content));

  it('lists a server error once, next to local ones', () =>
    expect(standingFaults([TAKEN], [...fault, ...fault], bodyOf(content))).toEqual([TAKEN]));

  it('keeps a server error when another field changes', () =>
    expect(standingFaults([], fault, bodyOf(withForm({ body: 'Another text.' })))).toEqual([TAKEN]));

  it.each([{ name: 'order_update_2' }, { language: 'de' }])(
    'drops a server error when its field changes: %j',
    (changed) => expect(standingFaults([], fault, bodyOf({ ...content, ...changed }))).toEqual([]),
  );

  it('drops a form-level server error on any change', () => {
    const whole = found([{ field: 'components', message: 'nothing is changed' }], bodyOf(content));
    expect(standingFaults([], whole, bodyOf(content))).toHaveLength(1);
    expect(standingFaults([], whole, bodyOf(withForm({ footer: 'Acme' })))).toEqual([]);
  });
});

it('reports an empty URL as a missing URL', () =>
  expect(
    writtenFaults(withForm({ body: 'Hello to all of you.', buttons: [buttonOf('URL', 'Track')] })).map(
      ({ message }) => message,
    ),
  ).toEqual(['a link is needed']));

describe('isTouched', () => {
  it.each([
    ['body.text', ['body.text', 'body'], true],
    ['footer.text', ['footer'], true],
    ['limited_time_offer.text', ['limited_time_offer'], true],
    ['body.text', [], false],
    ['body.text', ['name'], false],
    ['header.text', ['header', 'header.format'], false],
    ['buttons.0.text', ['buttons'], false],
    ['buttons', ['buttons'], true],
    ['buttons.1.text', ['buttons.0.text'], false],
    ['carousel.cards.0.body.text', ['carousel.cards.0'], false],
    ['carousel.cards.0.body.text', ['carousel.cards.0.body.text'], true],
  ])('shows an error of %s after edits in %j: %s', (field, touched, isShown) =>
    expect(isTouched(field, new Set(touched))).toBe(isShown),
  );
});

describe('labelOf', () => {
  const form = toFormat(emptyForm(), 'CAROUSEL') as Pick<Content['form'], 'cards'>;

  it('distinguishes the errors of a new carousel', () => {
    const fields = writtenFaults({ ...withForm({ ...form, body: '', buttons: [] }), category: 'MARKETING' }).map(
      ({ field }) => field,
    );
    expect(fields.map((field) => labelOf(field, form))).toEqual([
      'Body',
      'Card 1: image',
      'Card 1: body',
      'Card 1: button text',
      'Card 1: link',
      'Card 2: image',
      'Card 2: body',
      'Card 2: button text',
      'Card 2: link',
    ]);
  });

  it.each([
    ['buttons', 'Buttons'],
    ['buttons.1.url', 'Button 2: link'],
    ['buttons.0.type', 'Button 1: type'],
    ['buttons.0.supported_apps', 'Apps'],
    ['carousel.cards', 'Cards'],
    [sampleField({ where: 'Body of card 2', name: '1' }), 'Sample 1 of body of card 2'],
    [sampleField({ where: 'Header', name: 'order_id' }), 'Sample order_id of header'],
    ['components.0.type', undefined],
  ])('labels %s as %s', (field, label) => expect(labelOf(field, form)).toBe(label));
});
