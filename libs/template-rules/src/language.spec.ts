import { normaliseLanguage } from './language';

it('normaliseLanguage gives every spelling of a language the same code', () => {
  expect(['en-US', ' en_US', 'en', 'zh-Hant-TW'].map(normaliseLanguage)).toEqual([
    'en_US',
    'en_US',
    'en',
    'zh_Hant_TW',
  ]);
});
