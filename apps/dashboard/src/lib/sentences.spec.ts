import { noteOf, sentenceOf } from './sentences';

describe('validation messages', () => {
  it.each([
    ['verifyToken must be longer than or equal to 1 characters', 'Enter a value.'],
    ['verifyToken is required', 'Enter a value.'],
    ['name must not be only white space', 'Enter a value.'],
    ['name should not be empty', 'Enter a value.'],
    ['newPassword must be longer than or equal to 12 characters', 'Use at least 12 characters.'],
    [
      'text.body must be shorter than or equal to 4096 characters (UTF-16 units: an emoji counts as two or more)',
      'Use at most 4,096 characters.',
    ],
    ['clientRef must be at most 128 characters', 'Use at most 128 characters.'],
    ['q must have 1 to 64 characters', 'Use 1 to 64 characters.'],
    ['maxInFlight must not be less than 1', 'Enter 1 or more.'],
    ['messageDays must not be greater than 3650', 'Enter 3,650 or less.'],
    ['deliveries must be an integer number', 'Enter a whole number.'],
    ['limit must be a positive integer', 'Enter a whole number.'],
    ['messageDays must be a whole number from 1 to 3650', 'Enter a whole number from 1 to 3,650.'],
    ['url must be a string', 'Enter text.'],
    ['allKinds must be a boolean value', 'Choose yes or no.'],
    ['email must be an email', 'Enter an email address, such as asha@example.com.'],
    ['kinds must contain at least 1 elements', 'Enter at least one.'],
    ['optOutWords must contain no more than 100 elements', 'Enter at most 100.'],
    [
      'each value in optOutWords must be shorter than or equal to 100 characters',
      'For each entry: use at most 100 characters.',
    ],
    ['role must be one of the following values: owner, admin', 'Choose one of owner, admin.'],
    ['since must be a valid ISO 8601 date string', 'Enter a date and time.'],
    ['endpointId must match /^ep_/ regular expression', 'The format is invalid.'],
    ['name holds characters that cannot be stored', 'Remove unsupported characters.'],
    ['image.link must be an https URL with a public host', 'It must be an https URL with a public host.'],
    ['must be one of TEXT, IMAGE', 'Choose one of TEXT, IMAGE.'],
    ['must be an object', 'It must be an object.'],
    ['a text is needed', 'A text is needed.'],
    ['phone number format is invalid', 'Phone number format is invalid.'],
    ['Ends already!', 'Ends already!'],
  ])('turn %j into %j', (message, sentence) => {
    expect(sentenceOf(message)).toBe(sentence);
    expect(sentenceOf(sentence)).toBe(sentence);
  });

  it.each([
    ['verifyToken must be longer than or equal to 1 characters', 'Verify token: enter a value.'],
    ['recipients.0.clientRef must be a string', 'Client ref: enter text.'],
    ['the job cannot be paused', 'The job cannot be paused.'],
  ])("turn %j into %j with the field's label", (message, note) => {
    expect(noteOf(message)).toBe(note);
  });
});
