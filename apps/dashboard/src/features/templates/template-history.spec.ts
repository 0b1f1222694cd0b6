import { happenedText } from './template-history';

const nothing = { callbackField: null, previousStatus: null, status: null, upstreamStatus: null, raw: {} };
const event = (changed: object) => ({ ...nothing, previousCategory: null, category: null, ...changed });
const told = (callbackField: string, raw: object) => event({ callbackField, raw });

describe('template history', () => {
  it.each([
    [event({ previousStatus: 'PENDING', status: 'APPROVED' }), 'Pending → Approved'],
    [event({ status: 'PENDING_DELETION' }), 'Pending deletion'],
    [event({ previousCategory: 'UTILITY', category: 'MARKETING' }), 'category Marketing'],
    [event({ status: 'APPROVED', previousStatus: 'APPROVED' }), 'Changed'],
    [
      told('message_template_status_update', { event: 'PENDING_DELETION' }),
      'Status changed by the platform: Pending deletion',
    ],
    [told('message_template_status_update', {}), 'Status changed by the platform'],
    [
      told('message_template_quality_update', { previous_quality_score: 'GREEN', new_quality_score: 'RED' }),
      'Quality changed by the platform: Green → Red',
    ],
    [told('message_template_components_update', {}), 'Components changed by the platform'],
    [
      told('template_category_update', { previous_category: 'UTILITY', new_category: 'MARKETING' }),
      'Category changed by the platform: Utility → Marketing',
    ],
    [
      told('template_category_update', { new_category: 'UTILITY', correct_category: 'MARKETING' }),
      'Category change announced by the platform: Utility → Marketing',
    ],
    [
      told('template_correct_category_detection', { category: 'UTILITY', correct_category: 'MARKETING' }),
      'Correct category reported by the platform: Utility → Marketing',
    ],
    [told('message_template_fresh_news', { event: 'X' }), 'Message template fresh news'],
    [told('constructor', {}), 'Constructor'],
  ])('describes %j', (happened, words) => {
    expect(happenedText(happened)).toBe(words);
  });
});
