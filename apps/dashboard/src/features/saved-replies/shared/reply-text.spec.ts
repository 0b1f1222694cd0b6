import { filledReply, matchingReplies, type SavedReply, unfilledIn, unknownIn } from './reply-text';

describe('filledReply', () => {
  it('replaces all variables, and none in their values', () => {
    expect(filledReply('Hi {{name}}, {{name}}! {{agent}}', { name: '$& {{agent}}', agent: 'Mira' })).toBe(
      'Hi $& {{agent}}, $& {{agent}}! Mira',
    );
  });

  it.each([
    ['Hi {{name}}, thanks', 'Hi, thanks'],
    ['Hello {{name}}!', 'Hello!'],
    ['{{name}}, your parcel is here', 'your parcel is here'],
    ['Dear customer\n{{name}}: hello', 'Dear customer\nhello'],
    ['For {{name}} only', 'For only'],
    ['({{name}})', '()'],
    ['No variable', 'No variable'],
  ])('omits an unknown name without a double blank: %s', (text, expected) => {
    expect(filledReply(text, { name: '', agent: 'Mira' })).toBe(expected);
  });
});

describe('placeholders', () => {
  it('are found in one or two braces', () => {
    expect(unfilledIn('Hi {name}, {{customer}} and {{ name }}: {"a": 1} {} {two words}')).toEqual([
      '{name}',
      '{{customer}}',
      '{{ name }}',
    ]);
  });

  it('are unknown unless they are exactly a variable', () => {
    expect(unknownIn('{{name}} {{agent}} {name} {{Name}}')).toEqual(['{name}', '{{Name}}']);
  });
});

describe('matchingReplies', () => {
  const replies = ['address', 'late-delivery', 'Delivery', 'refund'].map(
    (name) => ({ id: name, name, text: '', updatedAt: '' }) as SavedReply,
  );

  it('lists names that start with the words before others, without case', () => {
    expect(matchingReplies(replies, 'DELI').map(({ name }) => name)).toEqual(['Delivery', 'late-delivery']);
    expect(matchingReplies(replies, '').map(({ name }) => name)).toHaveLength(4);
    expect(matchingReplies(replies, 'x')).toEqual([]);
  });
});
