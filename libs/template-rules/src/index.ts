// Rules for template content, without dependencies. The templates service validates drafts with them, and the dashboard
// validates input as the user types.
export * from './fault';
export * from './language';
export {
  cardsOf,
  componentOf,
  type DraftContent,
  isJson,
  type Json,
  toDraftContent,
} from './draft-content';
export { contentFaults, TTL_SECONDS } from './content-faults';
export { bracedTextsOf, hasNames, isExample, variableNamesOf } from './variables';
export { MAX_APPS, MAX_EXPIRY_MINUTES, OTP_TYPES } from './authentication-faults';
export { BUTTON_TYPES, MAX_BUTTON_TEXT, MAX_BUTTONS } from './button-faults';
export {
  CARD_BUTTON_TYPES,
  CARD_HEADERS,
  MAX_CARD_BODY,
  MAX_CARD_BUTTONS,
  MAX_CARDS,
  MIN_CARDS,
} from './carousel-faults';
export { FLOW_ACTIONS, FLOW_SOURCES } from './flow-faults';
export { hasNamedVariables, MAX_OFFER, MAX_OFFER_BODY } from './kind-faults';
export { MAX_BODY, MAX_FOOTER, MAX_HEADER } from './text-faults';
export * from './template-variable';
export { templateVariables } from './template-variables';
export { keyOfColumn } from './variable-columns';
