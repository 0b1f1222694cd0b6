import { contentOf, faultsOf, type Forms, isUntouched, NEW_FORMS, placeWith } from './new-message-forms';

const long = (length: number): string => 'x'.repeat(length);
const buttons = (changed: Partial<Forms['buttons']> = {}) => ({
  body: 'When?',
  footer: '',
  buttons: ['Today', ' Tomorrow ', ''],
  ...changed,
});
const row = (title: string, description = '') => ({ title, description });
const list = (changed: Partial<Forms['list']> = {}) => ({
  body: 'Which way?',
  footer: '',
  button: 'Choose',
  sections: [{ title: '', rows: [row('Express', '1-2 days')] }],
  ...changed,
});

describe('forms of the composer', () => {
  it.each([
    ['no fault', buttons(), {}],
    ['empty fields', NEW_FORMS.buttons, { body: 'Enter a text', 'buttons.0': 'Enter a text' }],
    [
      'long texts',
      buttons({ body: long(1_025), footer: long(61), buttons: [long(21), '', ''] }),
      {
        body: 'Use at most 1,024 characters',
        footer: 'Use at most 60 characters',
        'buttons.0': 'Use at most 20 characters',
      },
    ],
    ['the longest texts', buttons({ body: long(1_024), footer: long(60), buttons: [long(20), '', ''] }), {}],
    ['a repeated button', buttons({ buttons: ['Yes', '', 'Yes '] }), { 'buttons.2': 'Another button has this text' }],
  ])('finds the errors of buttons: %s', (_title, form, faults) => {
    expect(faultsOf.buttons(form)).toEqual(faults);
  });

  it.each([
    ['no fault', list(), {}],
    [
      'empty fields',
      NEW_FORMS.list,
      { body: 'Enter a text', button: 'Enter a text', 'sections.0.rows.0.title': 'Enter a text' },
    ],
    [
      'long texts',
      list({
        body: long(4_097),
        button: long(21),
        sections: [{ title: long(25), rows: [row(long(25), long(73))] }],
      }),
      {
        body: 'Use at most 4,096 characters',
        button: 'Use at most 20 characters',
        'sections.0.title': 'Use at most 24 characters',
        'sections.0.rows.0.title': 'Use at most 24 characters',
        'sections.0.rows.0.description': 'Use at most 72 characters',
      },
    ],
    [
      'two sections without titles',
      list({
        sections: [
          { title: 'A', rows: [row('x')] },
          { title: ' ', rows: [row('x')] },
        ],
      }),
      { 'sections.1.title': 'Enter a text' },
    ],
  ])('finds the errors of a list: %s', (_title, form, faults) => {
    expect(faultsOf.list(form)).toEqual(faults);
  });

  it.each([
    [{ latitude: '12.9716', longitude: '-77.5946' }, []],
    [{ latitude: '90.1', longitude: '-180' }, ['latitude']],
    [{ latitude: '1e1', longitude: '12,5' }, ['latitude', 'longitude']],
    [{ latitude: '', longitude: '' }, ['latitude', 'longitude']],
    [{ latitude: '1', longitude: '2', name: long(1_001), address: long(1_001) }, ['name', 'address']],
  ])('finds the errors of a location: %j', (changed, fields) => {
    expect(Object.keys(faultsOf.location({ ...NEW_FORMS.location, ...changed }))).toEqual(fields);
  });

  it.each([
    [{ name: 'Bo Li', phone: '+1 (555) 000-3333' }, []],
    [{ name: ' ', phone: '123' }, ['name', 'phone']],
    [{ name: 'Bo', phone: '15550003333, 15550004444' }, ['phone']],
    [{ name: 'Bo', phone: 'US.13491208655302741918' }, ['phone']],
  ])('finds the errors of a contact card: %j', (form, fields) => {
    expect(Object.keys(faultsOf.contact(form))).toEqual(fields);
  });

  it('converts buttons, and numbers the rows of a list over all sections', () => {
    expect(contentOf.buttons(buttons({ footer: 'Acme' })).interactive).toEqual({
      type: 'button',
      body: { text: 'When?' },
      footer: { text: 'Acme' },
      action: {
        buttons: [
          { type: 'reply', reply: { id: 'button_1', title: 'Today' } },
          { type: 'reply', reply: { id: 'button_2', title: 'Tomorrow' } },
        ],
      },
    });
    const sections = [
      { title: 'Fast', rows: [row('Express', '1-2 days'), row('Courier')] },
      { title: 'Slow', rows: [row('Ship')] },
    ];
    expect(contentOf.list(list({ sections })).interactive.action).toEqual({
      button: 'Choose',
      sections: [
        {
          title: 'Fast',
          rows: [
            { id: 'row_1', title: 'Express', description: '1-2 days' },
            { id: 'row_2', title: 'Courier' },
          ],
        },
        { title: 'Slow', rows: [{ id: 'row_3', title: 'Ship' }] },
      ],
    });
  });

  it('converts locations and contact cards', () => {
    const place = { latitude: '12.9716', longitude: '-77.5946', name: ' City store ', address: '' };
    expect(contentOf.location(place).location).toEqual({
      latitude: 12.9716,
      longitude: -77.5946,
      name: 'City store',
    });
    expect(contentOf.contact({ name: 'Bo Li', phone: '+1 (555) 000-3333' }).contacts).toEqual([
      {
        name: { formattedName: 'Bo Li', firstName: 'Bo Li' },
        phones: [{ phone: '+15550003333', waId: '15550003333' }],
      },
    ]);
  });

  it('splits coordinates that were copied from a map', () => {
    expect(placeWith(NEW_FORMS.location, 'longitude', '12.9716, -77.5946')).toMatchObject({
      latitude: '12.9716',
      longitude: '-77.5946',
    });
    expect(placeWith(NEW_FORMS.location, 'longitude', '12,')).toMatchObject({ latitude: '', longitude: '12,' });
  });

  it('distinguishes an untouched form from a draft', () => {
    expect(isUntouched('list', NEW_FORMS.list)).toBe(true);
    expect(isUntouched('list', list())).toBe(false);
  });
});
