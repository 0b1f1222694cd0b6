import { toComponents } from './template-components';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('keeps the four component types in order and drops others', () => {
  const components = toComponents([
    { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['Ana'] } },
    { type: 'BODY', text: 'Order {{1}} ships on {{2}}.', example: { body_text: [['A-17', 'Monday']] } },
    { type: 'FOOTER', text: 'Demo' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/A-17'] },
        { type: 'QUICK_REPLY', text: 'Stop' },
      ],
    },
    { type: 'CALL_PERMISSION_REQUEST' },
  ]);
  expect(asJson(components)).toEqual([
    { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' },
    { type: 'BODY', text: 'Order {{1}} ships on {{2}}.' },
    { type: 'FOOTER', text: 'Demo' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
        { type: 'QUICK_REPLY', text: 'Stop' },
      ],
    },
  ]);
});

it('converts types to upper case', () => {
  const components = toComponents([
    { type: 'header', format: 'image' },
    { type: 'buttons', buttons: [{ type: 'url', text: 'Copy' }] },
  ]);
  expect(asJson(components)).toEqual([
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy' }] },
  ]);
});

it('accepts a template without components', () => expect(toComponents(undefined)).toEqual([]));

it('keeps the cards of a carousel and a limited-time offer', () => {
  const card = {
    components: [
      { type: 'header', format: 'image', example: { header_handle: ['https://example.com/a'] } },
      { type: 'buttons', buttons: [{ type: 'url', text: 'Buy', url: 'https://example.com/{{1}}', example: ['a'] }] },
    ],
  };
  const shown = {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}' }] },
    ],
  };
  const offer = { text: 'Ends soon', has_expiration: true, more: 1 };
  expect(
    asJson(
      toComponents([
        { type: 'carousel', cards: [card, card] },
        { type: 'limited_time_offer', limited_time_offer: offer },
      ]),
    ),
  ).toEqual([
    { type: 'CAROUSEL', cards: [shown, shown] },
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
  ]);
});
