/** Returns the canonical language code: `en-US` and `en_US` are equal, but WhatsApp accepts only the latter. */
export function normaliseLanguage(code: string): string {
  return code.trim().replaceAll('-', '_');
}
