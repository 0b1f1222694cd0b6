export * from './all-contracts';
export * from './body-class';
export * from './body-docs';
export { Transform, Type } from './body-values';
export * from './errors';
export * from './failure';
export * from './statistics-span';
export * from './ids';
export * from './jobs/job-rows';
export * from './jobs/job-name';
export * from './jobs/quiet-hours';
export {
  cardsOf,
  normaliseLanguage,
  TEMPLATE_CATEGORIES,
  type TemplateVariable,
  templateVariables,
  unfillable,
} from '@switchboard/template-rules';
export * from './lists';
export * from './message-contract';
export * from './messaging/inbound-content';
export * from './messaging/interactive';
export * from './messaging/interactive-flow';
export * from './messaging/media-limits';
export * from './messaging/media-references';
export * from './messaging/message-pricing';
export * from './messaging/message-types';
export * from './messaging/personal-content';
export * from './messaging/reported-errors';
export * from './messaging/template-variables.docs';
export * from './parts';
export * from './phone';
export * from './public-host';
export * from './read-url';
export * from './read-body';
export * from './services';
export * from './template-components';
export * from './template-values';
export * from './templates/template-records';
export * from './topology';
export * from './validation';
export * from './webhooks/account-events';
export * from './webhooks/business-app-events';
export * from './webhooks/customer-events';
export * from './webhooks/people-events';
export * from './webhooks/shown-contents';
export * from './webhooks/webhook-records';
