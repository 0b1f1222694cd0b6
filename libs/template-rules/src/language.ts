/** The one spelling of a language code: `en-US` and `en_US` are the same; the upstream takes only the second. */
export function normaliseLanguage(code: string): string {
  return code.trim().replaceAll('-', '_');
}
