import { readUrl } from '@switchboard/contracts';
import { cardsOf, componentOf, type DraftContent, isJson, type Json } from '@switchboard/template-rules';

type Content = Pick<DraftContent, 'category' | 'components'>;

/**
 * Whether the template that the upstream platform lists is what was submitted: what people read and press, without
 * examples. For authentication the platform lists something else than it was given, and has a text for a button that
 * was given none.
 */
export function isSameContent(submitted: Content, listed: Content): boolean {
  if (contentKey(submitted) !== contentKey({ ...listed, category: submitted.category })) return false;
  if (!isSameFlow(submitted, listed)) return false;
  const [given, found] = [submitted, listed].map(({ components }) => otpButtonOf(components));
  return submitted.category !== 'AUTHENTICATION' || !given || !found || isSameOtpButton(given, found);
}

/** Texts that were not given the platform chooses, and it may list the button without its apps. */
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

/** The platform writes the text of a button that copies a code, and of one that asks for the number. */
const wordingOf = ({ type, text }: Json): string | null =>
  type === 'COPY_CODE' || type === 'REQUEST_CONTACT_INFO' ? null : trimmed(text);

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

/**
 * What the link says, as which a button is listed that fills in the code by itself: the label and the apps, their names
 * and hashes each joined by commas.
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
      // A plus that was not escaped reads as a blank, which no hash has.
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
