import { normaliseLanguage } from './language';

it('normaliseLanguage maps all formats of a language to one code', () => {
  expect(['en-US', ' en_US', 'en', 'zh-Hant-TW'].map(normaliseLanguage)).toEqual([
    'en_US',
    'en_US',
    'en',
    'zh_Hant_TW',
  ]);
});
