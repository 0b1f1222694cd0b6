import { readUrl } from '@switchboard/contracts';
import { cardsOf, componentOf, type DraftContent, isJson, type Json } from '@switchboard/template-rules';

type Content = Pick<DraftContent, 'category' | 'components'>;

/**
 * Returns true if a template listed by the upstream platform has the submitted content: visible texts and buttons,
 * without examples. The platform lists authentication templates in another form, and adds a text to a button that was
 * submitted without one.
 */
export function isSameContent(submitted: Content, listed: Content): boolean {
  if (contentKey(submitted) !== contentKey({ ...listed, category: submitted.category })) return false;
  if (!isSameFlow(submitted, listed)) return false;
  const [given, found] = [submitted, listed].map(({ components }) => otpButtonOf(components));
  return submitted.category !== 'AUTHENTICATION' || !given || !found || isSameOtpButton(given, found);
}

/** The platform chooses texts that were not submitted, and may list the button without its apps. */
function isSameOtpButton(submitted: Json, listed: Json): boolean {
  const isSame = (given: string | null, found: string | null): boolean =>
    given === null || found === null || given === found;
  return (
    isSame(trimmed(submitted.text), trimmed(listed.text)) &&
    isSame(trimmed(submitted.autofill_text), trimmed(listed.autofill_text)) &&
    isSame(appsKey(submitted.supported_apps), appsKey(listed.supported_apps))
  );
}

function appsKey(apps: unknown): string | null {
  return Array.isArray(apps)
    ? JSON.stringify(apps.filter(isJson).map((app) => [app.package_name, app.signature_hash]))
    : null;
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
    button.type,
    wordingOf(button),
    button.url ?? null,
    digitsOf(button.phone_number),
    ...(button.type === 'FLOW' ? [button.flow_action ?? 'navigate', button.navigate_screen ?? null] : []),
  ]);
}

const buttonsOf = (buttons: unknown): Json[] => (Array.isArray(buttons) ? buttons.filter(isJson) : []);

/** The platform chooses the text of buttons that copy a code or request the contact's number. */
const wordingOf = ({ type, text }: Json): string | null =>
  type === 'COPY_CODE' || type === 'REQUEST_CONTACT_INFO' ? null : trimmed(text);

/** The platform lists a flow only by id, so a flow submitted by name or JSON matches any listed flow. */
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

export function otpButtonOf(components: readonly Json[]): Json | undefined {
  const { buttons } = componentOf(components, 'BUTTONS') ?? {};
  const [button]: unknown[] = Array.isArray(buttons) ? buttons : [];
  return isJson(button) ? button : undefined;
}

/**
 * Returns the OTP type of a button. A button is submitted with type OTP, but listed as a URL that contains the OTP
 * type.
 */
export function otpTypeOf({ otp_type: given, url }: Json): string {
  return typeof given === 'string'
    ? given.toUpperCase()
    : (/otp_type=([A-Z_]+)/i.exec(String(url))?.[1] ?? 'COPY_CODE').toUpperCase();
}

/**
 * Parses the link that the platform lists for a one-tap or zero-tap button. The link contains the label and the apps,
 * as comma-separated package names and hashes.
 */
export function partsOfLink({ url }: Json): Json {
  const searchParams = typeof url === 'string' ? readUrl(url)?.searchParams : undefined;
  if (!searchParams) return {};
  const listOf = (name: string): string[] => searchParams.get(name)?.split(',') ?? [];
  const [names, hashes] = [listOf('package_name'), listOf('signature_hash')];
  const label = searchParams.get('cta_display_name');
  return {
    ...(label && { autofill_text: label }),
    ...(names.length > 0 && {
      // URL parsing turns an unescaped plus into a blank. No hash contains a blank.
      supported_apps: names.map((name, at) => ({
        package_name: name,
        signature_hash: (hashes[at] ?? '').replaceAll(' ', '+'),
      })),
    }),
  };
}

function trimmed(text: unknown): string | null {
  return typeof text === 'string' ? text.trim() : null;
}

function digitsOf(phone: unknown): string | null {
  return typeof phone === 'string' ? phone.replace(/[^0-9]/g, '') : null;
}
