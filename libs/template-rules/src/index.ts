// The rules of templates' content, without dependencies: the service judges drafts by them, and the dashboard while
// somebody types.
export * from './fault';
export * from './language';
export * from './draft-content';
export { contentFaults, TTL_SECONDS } from './content-faults';
export { bracedTextsOf, isExample, variableNamesOf } from './variables';
export { MAX_APPS, MAX_EXPIRY_MINUTES, OTP_TYPES } from './authentication-faults';
export { BUTTON_TYPES, MAX_BUTTON_TEXT, MAX_BUTTONS } from './button-faults';
export { MAX_BODY, MAX_FOOTER, MAX_HEADER } from './text-faults';
export * from './template-variables';
export { keyOfColumn } from './variable-columns';
