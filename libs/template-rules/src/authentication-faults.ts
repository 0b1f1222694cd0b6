import type { Fault } from './fault';
import { componentOf, isJson, type Json } from './draft-content';
import { MAX_BUTTON_TEXT } from './button-faults';
import { textFaults } from './variables';

export const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'];
export const MAX_EXPIRY_MINUTES = 90;
export const MAX_APPS = 5;

/** Validates an authentication template, whose text WhatsApp provides. It must have exactly one button, of type OTP. */
export function authenticationFaults(components: readonly Json[]): Fault[] {
  const faults: Fault[] = [];
  const body = componentOf(components, 'BODY');
  const footer = componentOf(components, 'FOOTER');
  if (componentOf(components, 'HEADER'))
    faults.push({ field: 'header', message: 'an authentication template has no header' });
  if (body)
    faults.push(
      ...noText('body', body),
      ...flagFaults('body.add_security_recommendation', body.add_security_recommendation),
    );
  if (footer) faults.push(...noText('footer', footer), ...expiryFaults(footer.code_expiration_minutes));
  return [...faults, ...otpButtonFaults(componentOf(components, 'BUTTONS')?.buttons)];
}

function noText(part: string, { text, example }: Json): Fault[] {
  return text === undefined && example === undefined
    ? []
    : [
        {
          field: `${part}.text`,
          message: 'the platform writes the text of an authentication template: none can be given',
        },
      ];
}

function flagFaults(field: string, value: unknown): Fault[] {
  return value === undefined || typeof value === 'boolean' ? [] : [{ field, message: 'must be true or false' }];
}

function expiryFaults(minutes: unknown): Fault[] {
  const isMinutes =
    typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_EXPIRY_MINUTES;
  return isMinutes
    ? []
    : [{ field: 'footer.code_expiration_minutes', message: `must be a whole number from 1 to ${MAX_EXPIRY_MINUTES}` }];
}

function otpButtonFaults(buttons: unknown): Fault[] {
  const [button, second]: unknown[] = Array.isArray(buttons) ? buttons : [];
  if (!isJson(button) || button.type !== 'OTP' || second !== undefined)
    return [{ field: 'buttons', message: 'an authentication template has exactly one button, of type OTP' }];
  const otpType = String(button.otp_type);
  if (!OTP_TYPES.includes(otpType))
    return [{ field: 'buttons.0.otp_type', message: `must be one of ${OTP_TYPES.join(', ')}` }];
  const text = button.text === undefined ? [] : textFaults('buttons.0.text', button.text, MAX_BUTTON_TEXT);
  if (otpType === 'COPY_CODE') return text;
  const terms =
    otpType === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true
      ? [{ field: 'buttons.0.zero_tap_terms_accepted', message: 'the terms of zero-tap must be accepted' }]
      : [];
  return [...text, ...appFaults(button.supported_apps), ...terms];
}

function appFaults(apps: unknown): Fault[] {
  const given: unknown[] = Array.isArray(apps) ? apps : [];
  const isApp = (app: unknown): boolean =>
    isJson(app) && [app.package_name, app.signature_hash].every((text) => typeof text === 'string' && text !== '');
  if (given.length >= 1 && given.length <= MAX_APPS && given.every(isApp)) return [];
  return [
    {
      field: 'buttons.0.supported_apps',
      message: `1 to ${MAX_APPS} apps are needed, each with its package name and its signature hash`,
    },
  ];
}
