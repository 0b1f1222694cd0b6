import { cardsOf, componentOf, type DraftContent, isJson, type Json } from '@switchboard/template-rules';

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
  return (
    isSameButton &&
    isSameFlow(submitted, listed) &&
    contentKey(submitted) === contentKey({ ...listed, category: submitted.category })
  );
}

function contentKey({ category, components }: Content): string {
  return category === 'AUTHENTICATION'
    ? authenticationKey(components)
    : JSON.stringify([...partsOf(components), cardsOf(components).map(partsOf)]);
}

const partsOf = (components: readonly Json[]): unknown[] =>
  ['HEADER', 'LIMITED_TIME_OFFER', 'BODY', 'FOOTER', 'BUTTONS'].map((type) => partOf(componentOf(components, type)));

function partOf(component: Json | undefined): unknown {
  if (!component) return null;
  const { type, format, text, buttons, limited_time_offer: offer } = component;
  if (isJson(offer)) return [trimmed(offer.text), offer.has_expiration === true];
  if (type !== 'BUTTONS') return [format ?? null, trimmed(text)];
  return buttonsOf(buttons).map((button) => [
    ...[button.type, wordingOf(button), button.url ?? null, digitsOf(button.phone_number)],
    ...(button.type === 'FLOW' ? [button.flow_action ?? 'navigate', button.navigate_screen ?? null] : []),
  ]);
}

const buttonsOf = (buttons: unknown): Json[] => (Array.isArray(buttons) ? buttons.filter(isJson) : []);

/** The platform writes the text of a button that copies a code. */
const wordingOf = ({ type, text }: Json): string | null => (type === 'COPY_CODE' ? null : trimmed(text));

/** The platform lists a flow by its id alone: one that was handed in by its name or its JSON is the same as any. */
function isSameFlow(submitted: Content, listed: Content): boolean {
  const [wanted, found] = [submitted, listed].map(({ components }) =>
    buttonsOf(componentOf(components, 'BUTTONS')?.buttons).find(({ type }) => type === 'FLOW'),
  );
  return wanted?.flow_id === undefined || wanted.flow_id === found?.flow_id;
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
