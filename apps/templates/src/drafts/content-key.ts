import { componentOf, type DraftContent, isJson, type Json } from '@switchboard/template-rules';

type Content = Pick<DraftContent, 'category' | 'components'>;

/**
 * Whether the template that the upstream platform lists is what was submitted: what people read and press, without
 * examples. For authentication the platform lists something else than it was given, and has a text for a button that
 * was given none.
 */
export function isSameContent(submitted: Content, listed: Content): boolean {
  const text = otpButtonOf(submitted.components)?.text;
  const isSameButton =
    submitted.category !== 'AUTHENTICATION' ||
    text === undefined ||
    trimmed(text) === trimmed(otpButtonOf(listed.components)?.text);
  return isSameButton && contentKey(submitted) === contentKey({ ...listed, category: submitted.category });
}

function contentKey({ category, components }: Content): string {
  return category === 'AUTHENTICATION'
    ? authenticationKey(components)
    : JSON.stringify(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].map((type) => partOf(componentOf(components, type))));
}

function partOf(component: Json | undefined): unknown {
  if (!component) return null;
  const { type, format, text, buttons } = component;
  if (type !== 'BUTTONS') return [format ?? null, trimmed(text)];
  return (Array.isArray(buttons) ? buttons : [])
    .filter(isJson)
    .map((button) => [button.type, trimmed(button.text), button.url ?? null, digitsOf(button.phone_number)]);
}

function authenticationKey(components: readonly Json[]): string {
  const button = otpButtonOf(components);
  const minutes = componentOf(components, 'FOOTER')?.code_expiration_minutes ?? null;
  return JSON.stringify([
    componentOf(components, 'BODY')?.add_security_recommendation === true,
    minutes,
    button ? otpTypeOf(button) : null,
  ]);
}

/** The only button of an authentication template. */
export function otpButtonOf(components: readonly Json[]): Json | undefined {
  const { buttons } = componentOf(components, 'BUTTONS') ?? {};
  const [button]: unknown[] = Array.isArray(buttons) ? buttons : [];
  return isJson(button) ? button : undefined;
}

/** Created as a button of type OTP, and listed as a URL that names the kind. */
export function otpTypeOf({ otp_type: given, url }: Json): string {
  return typeof given === 'string'
    ? given.toUpperCase()
    : (/otp_type=([A-Z_]+)/i.exec(String(url))?.[1] ?? 'COPY_CODE').toUpperCase();
}

function trimmed(text: unknown): string | null {
  return typeof text === 'string' ? text.trim() : null;
}

function digitsOf(phone: unknown): string | null {
  return typeof phone === 'string' ? phone.replace(/[^0-9]/g, '') : null;
}
