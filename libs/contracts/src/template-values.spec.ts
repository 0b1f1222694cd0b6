import { templateVariables } from '@switchboard/template-rules';
import type { TemplateComponent } from './messaging/message-types';
import { TemplateFiller, type TemplateValues } from './template-values';

const link = 'https://example.com/a.pdf';
const BODY = { type: 'BODY', text: 'Order {{2}} of {{1}}.' };
const BUTTONS = {
  type: 'BUTTONS',
  buttons: [{ type: 'QUICK_REPLY' }, { type: 'URL', url: 'https://example.com/{{1}}' }, { type: 'COPY_CODE' }],
};
const header = (format: string, more: object = {}) => ({ type: 'HEADER', format, ...more });
const text = (value: string, parameter_name?: string) => ({
  type: 'text' as const,
  ...(parameter_name && { parameter_name }),
  text: value,
});
const fillerOf = (components: object[], own?: TemplateComponent[]): TemplateFiller =>
  new TemplateFiller(templateVariables({ components, category: 'UTILITY' }), { own });
const fill = (components: object[], values: TemplateValues, own?: TemplateComponent[]) =>
  fillerOf(components, own).fill(values);

describe('values fill', () => {
  it('body and buttons, numbered ones by their numbers', () =>
    expect(
      fill([BODY, BUTTONS], { '2': 'A-17', '{{1}}': 'Asha', 'button 1': 'later', 'button 2': 'x', 'button 3': 'SAVE' }),
    ).toEqual({
      components: [
        { type: 'body', parameters: [text('Asha'), text('A-17')] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'later' }] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [text('x')] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE' }],
        },
      ],
    }));

  it('a list fills the body alone', () =>
    expect(fill([BODY], ['Asha', 'A-17'])).toEqual({
      components: [{ type: 'body', parameters: [text('Asha'), text('A-17')] }],
    }));

  it('named variables with their names', () =>
    expect(
      fill([header('TEXT', { text: '{{shop}}' }), { type: 'BODY', text: '{{a}} {{b}}' }], {
        b: 'B',
        a: 'A',
        'header shop': 'S',
      }),
    ).toEqual({
      components: [
        { type: 'header', parameters: [text('S', 'shop')] },
        { type: 'body', parameters: [text('A', 'a'), text('B', 'b')] },
      ],
    }));

  it.each([
    ['IMAGE', { 'header link': link }, { type: 'image', image: { link } }],
    ['VIDEO', { 'header link': link }, { type: 'video', video: { link } }],
    ['DOCUMENT', { 'header link': link, 'header filename': '' }, { type: 'document', document: { link } }],
    [
      'DOCUMENT',
      { 'header link': link, 'header filename': 'Bill.pdf' },
      { type: 'document', document: { link, filename: 'Bill.pdf' } },
    ],
    [
      'LOCATION',
      { 'header latitude': '12.5', 'header longitude': -77, 'header address': '1 Road' },
      { type: 'location', location: { latitude: 12.5, longitude: -77, address: '1 Road' } },
    ],
  ])('a header of the format %s from %j', (format, values, parameter) =>
    expect(fill([header(format)], values)).toEqual({ components: [{ type: 'header', parameters: [parameter] }] }),
  );

  it('what a recipient does not give comes from the job, and what nobody needs from nobody', () => {
    const own = [
      { type: 'HEADER', parameters: [{ type: 'image' as const, image: { link } }] },
      { type: 'body', parameters: [text('x'), text('y')] },
    ];
    expect(
      fill([header('IMAGE'), BODY, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY' }] }], ['A', 'B'], own),
    ).toEqual({
      components: [own[0], { type: 'body', parameters: [text('A'), text('B')] }],
    });
  });

  it('a part alone, where others bring the rest', () => {
    expect(fillerOf([header('IMAGE'), BODY]).fillGiven({ 'header link': link })).toMatchObject({
      components: [{ type: 'header' }],
    });
    expect(fillerOf([header('DOCUMENT'), BODY]).fillGiven({ 'header filename': 'a' })).toMatchObject({
      fault: { code: 'TEMPLATE_PARAMS_MISMATCH' },
    });
  });

  it('none of what every object inherits', () =>
    expect(fill([{ type: 'BODY', text: '{{constructor}}' }], {})).toMatchObject({
      fault: { code: 'TEMPLATE_PARAMS_MISMATCH' },
    }));
});

describe('a value is refused', () => {
  const ALL = [header('DOCUMENT'), BODY, BUTTONS];
  const right = { '1': 'A', '2': 'B', 'header link': link, 'button 2': 'x', 'button 3': 'y' };
  const place = { 'header latitude': '1', 'header longitude': '2' };
  const REFUSED: [object[], TemplateValues, string, string][] = [
    [ALL, { ...right, '2': undefined }, 'TEMPLATE_PARAMS_MISMATCH', 'variable 2 is empty'],
    [ALL, { ...right, 'button 2': '' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable button 2 is empty'],
    [ALL, { '1': 'A', '2': 'B' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable header link is missing'],
    [ALL, { ...right, '1': 7 }, 'INVALID_PARAMETER', 'variable 1 must be a text'],
    [ALL, { ...right, '1': 'a\nb' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable 1 must be without line breaks'],
    [ALL, { ...right, '1': 'x'.repeat(1_025) }, 'TEXT_TOO_LONG', 'variable 1 must be at most 1024 characters'],
    [ALL, { ...right, 'button 3': 'x'.repeat(21) }, 'TEXT_TOO_LONG', 'variable button 3 must be at most 20 characters'],
    [ALL, { ...right, '1': 'a\u0000' }, 'INVALID_VALUE', 'variable 1 holds characters that cannot be stored'],
    [
      ALL,
      { ...right, 'header link': 'http://example.com' },
      'INVALID_LINK',
      'variable header link must be an https URL',
    ],
    [ALL, { ...right, 'header link': 'https://10.0.0.1/a' }, 'INVALID_LINK', 'with a public host'],
    [ALL, { ...right, 'header link': `https://example.com/${'x'.repeat(2_048)}` }, 'INVALID_LINK', 'of at most 2048'],
    [ALL, ['A'], 'TEMPLATE_PARAMS_MISMATCH', 'the body expects 2, 1 given'],
    [[header('LOCATION')], { ...place, 'header latitude': '91' }, 'INVALID_VALUE', 'must be a number from -90 to 90'],
    [
      [header('LOCATION')],
      { ...place, 'header longitude': '0x1' },
      'INVALID_VALUE',
      'must be a number from -180 to 180',
    ],
    [
      [header('LOCATION')],
      { 'header latitude': '1' },
      'TEMPLATE_PARAMS_MISMATCH',
      'variable header longitude is missing',
    ],
    [[header('PRODUCT')], { header: 'x' }, 'TEMPLATE_PARAMS_MISMATCH', 'a kind that this service does not send'],
    [[header('PRODUCT')], {}, 'TEMPLATE_PARAMS_MISMATCH', 'a kind that this service does not send'],
  ];
  const titled = REFUSED.map(([components, values, code, message]) => [code, message, components, values] as const);
  it.each(titled)('with %s: %s', (code, message, components, values) =>
    expect(fill(components, values)).toMatchObject({
      fault: { code, message: expect.stringContaining(message) as string },
    }),
  );

  it('by a name that the template does not have, with the names that it has', () => {
    expect(fillerOf([BODY]).faultOfNames({ '1': 'A', '{{2}}': 'B', colour: 'x' })?.message).toBe(
      'template parameters do not match the template: the template has no variable colour; its variables are 1, 2',
    );
    expect(fillerOf([BODY]).faultOfNames({ '{{1}}': 'A' })).toBeUndefined();
  });
});
