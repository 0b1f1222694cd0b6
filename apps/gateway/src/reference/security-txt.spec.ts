import { settings } from '../config';
import { securityTxt } from './security-txt';

const NOW = new Date('2026-11-27T15:04:05.678Z');
const PUBLIC_BASE_URL = 'https://messages.example.com/';

describe('security.txt', () => {
  it('has the contact, an expiry date and its canonical URL', () => {
    const SECURITY_CONTACT = 'mailto:security@example.com';
    expect(securityTxt({ SECURITY_CONTACT, PUBLIC_BASE_URL }, NOW)).toBe(
      [
        'Contact: mailto:security@example.com',
        'Expires: 2027-02-25T00:00:00Z',
        'Canonical: https://messages.example.com/.well-known/security.txt',
        '',
      ].join('\n'),
    );
  });

  it('has no canonical URL without HTTPS', () => {
    const text = securityTxt(
      { SECURITY_CONTACT: 'tel:+1-201-555-0123', PUBLIC_BASE_URL: 'http://localhost:3000' },
      NOW,
    );
    expect(text).toBe('Contact: tel:+1-201-555-0123\nExpires: 2027-02-25T00:00:00Z\n');
  });

  it('is undefined without a contact', () => {
    expect(securityTxt({ SECURITY_CONTACT: undefined, PUBLIC_BASE_URL }, NOW)).toBeUndefined();
  });

  it.each(['security@example.com', 'http://example.com/report', 'mailto:a@example.com\nPolicy: https://example.com'])(
    'rejects the contact %j',
    (contact) => {
      expect(settings.fields.SECURITY_CONTACT.safeParse(contact).success).toBe(false);
    },
  );
});
