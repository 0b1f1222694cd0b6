import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { invalidParameter } from '../graph-error';
import { isObject, type JsonObject } from '../json';

const MAX_EXPIRY_MINUTES = 90;
const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'];

/**
 * Builds the components of an authentication template. The platform sets its text, and lists its OTP button as a URL
 * button.
 * @throws GraphError 100
 */
export function authenticationComponents(components: JsonObject[]): UpstreamTemplateComponent[] {
  const part = (type: string): JsonObject | undefined =>
    components.find((component) => String(component.type).toUpperCase() === type);
  const button = readOtpButton(part('BUTTONS')?.buttons);
  const minutes = part('FOOTER')?.code_expiration_minutes;
  const isMinutes =
    typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_EXPIRY_MINUTES;
  if (minutes !== undefined && !isMinutes)
    throw invalidParameter(`Param code_expiration_minutes must be between 1 and ${MAX_EXPIRY_MINUTES}.`);
  const warns = part('BODY')?.add_security_recommendation === true;
  return [
    {
      type: 'BODY',
      text: `*{{1}}* is your verification code.${warns ? ' For your security, do not share this code.' : ''}`,
      ...(warns && { add_security_recommendation: true }),
      example: { body_text: [['123456']] },
    },
    ...(isMinutes
      ? [{ type: 'FOOTER', text: `This code expires in ${minutes} minutes.`, code_expiration_minutes: minutes }]
      : []),
    { type: 'BUTTONS', buttons: [button] },
  ];
}

function readOtpButton(buttons: unknown): { type: string; text: string; url: string; example: string[] } {
  const [button]: unknown[] = Array.isArray(buttons) ? buttons : [];
  if (!isObject(button) || String(button.type).toUpperCase() !== 'OTP')
    throw invalidParameter('An authentication template needs a button of type OTP.');
  const otpType = String(button.otp_type).toUpperCase();
  if (!OTP_TYPES.includes(otpType)) throw invalidParameter(`Param otp_type must be one of {${OTP_TYPES.join(', ')}}.`);
  const url = `https://www.whatsapp.com/otp/code/?${listedParts(button, otpType)}&code=otp`;
  return {
    type: 'URL',
    text: typeof button.text === 'string' ? button.text : 'Copy code',
    url: `${url}{{1}}`,
    example: [`${url}123456`],
  };
}

/**
 * Returns the additional fields of a one-tap autofill button, which is also listed as a link. The query of the link
 * contains the apps, separated by commas.
 */
function listedParts({ autofill_text: autofill, supported_apps: given }: JsonObject, otpType: string): string {
  const kind = `otp_type=${otpType}`;
  if (otpType === 'COPY_CODE') return kind;
  const apps: unknown[] = Array.isArray(given) ? given : [];
  if (apps.length === 0 || !apps.every(isApp))
    throw invalidParameter(
      'A one-tap or zero-tap button needs supported_apps: a package name and a signature hash each.',
    );
  const joined = (name: keyof SupportedApp): string => encodeURIComponent(apps.map((app) => app[name]).join(','));
  const label = encodeURIComponent(typeof autofill === 'string' ? autofill : 'Autofill');
  const names = `package_name=${joined('package_name')}&signature_hash=${joined('signature_hash')}`;
  return `${kind}&cta_display_name=${label}&${names}`;
}

interface SupportedApp {
  package_name: string;
  signature_hash: string;
}

function isApp(app: unknown): app is SupportedApp {
  return isObject(app) && typeof app.package_name === 'string' && typeof app.signature_hash === 'string';
}
