// Template categories and languages.

export const CATEGORIES = [
  ['UTILITY', 'Utility'],
  ['MARKETING', 'Marketing'],
  ['AUTHENTICATION', 'Authentication'],
] as const satisfies readonly (readonly [string, string])[] as readonly (readonly [string, string])[];

export const LANGUAGES = [
  ['en_US', 'English (US)'],
  ['en_GB', 'English (UK)'],
  ['en', 'English'],
  ['hi', 'Hindi'],
  ['ar', 'Arabic'],
  ['es', 'Spanish'],
  ['es_MX', 'Spanish (Mexico)'],
  ['pt_BR', 'Portuguese (Brazil)'],
  ['fr', 'French'],
  ['de', 'German'],
  ['it', 'Italian'],
  ['nl', 'Dutch'],
  ['id', 'Indonesian'],
  ['tr', 'Turkish'],
  ['ru', 'Russian'],
  ['uk', 'Ukrainian'],
  ['pl', 'Polish'],
  ['he', 'Hebrew'],
  ['fa', 'Persian'],
  ['ur', 'Urdu'],
  ['bn', 'Bengali'],
  ['ta', 'Tamil'],
  ['te', 'Telugu'],
  ['mr', 'Marathi'],
  ['gu', 'Gujarati'],
  ['kn', 'Kannada'],
  ['ja', 'Japanese'],
  ['ko', 'Korean'],
  ['zh_CN', 'Chinese (simplified)'],
  ['zh_HK', 'Chinese (Hong Kong)'],
  ['th', 'Thai'],
  ['vi', 'Vietnamese'],
  ['ms', 'Malay'],
  ['fil', 'Filipino'],
  ['sw', 'Swahili'],
] as [code: string, text: string][];

const RIGHT_TO_LEFT = ['ar', 'he', 'fa', 'ur'];

export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.includes(language.split('_')[0] ?? '');

export const CATEGORY_HINTS: Record<string, string> = {
  UTILITY: 'Updates about an order or a request of the recipient.',
  MARKETING: 'Offers and invitations. Recipients can opt out.',
  AUTHENTICATION: 'One-time passwords. The platform provides the text.',
};

/** Corrects a typed template name, as WhatsApp Manager does: `Winter Sale` becomes `winter_sale`. */
export const templateNameOf = (text: string): string => text.toLowerCase().replaceAll(/[\s-]/g, '_');
