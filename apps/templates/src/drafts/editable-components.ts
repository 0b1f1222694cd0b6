import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { otpButtonOf, otpTypeOf, partsOfLink } from './content-key';
import { componentOf, type Json, toDraftContent } from '@switchboard/template-rules';

/** The components of a template as they would be submitted to make it what it is now: what an edit begins with. */
export function editableComponents(category: string, listed: readonly UpstreamTemplateComponent[]): Json[] {
  const { components } = toDraftContent({ name: '', language: '', category, components: listed });
  return category === 'AUTHENTICATION' ? authenticationComponents(components) : components;
}

/** The text is the platform's own, and the button is listed as a URL: neither can be handed in. */
function authenticationComponents(listed: readonly Json[]): Json[] {
  const isWarning = componentOf(listed, 'BODY')?.add_security_recommendation === true;
  const minutes = componentOf(listed, 'FOOTER')?.code_expiration_minutes;
  const button = otpButtonOf(listed);
  return [
    { type: 'BODY', ...(isWarning && { add_security_recommendation: true }) },
    ...(minutes === undefined ? [] : [{ type: 'FOOTER', code_expiration_minutes: minutes }]),
    {
      type: 'BUTTONS',
      buttons: button ? [{ type: 'OTP', otp_type: otpTypeOf(button), ...given(button) }] : [],
    },
  ];
}

const KEPT = ['text', 'autofill_text', 'zero_tap_terms_accepted', 'supported_apps'];

/** What of a button is listed as it was handed in, or stands in the link that is listed in its place. */
function given(button: Json): Json {
  const kept = KEPT.flatMap((name) => (button[name] === undefined ? [] : [[name, button[name]]]));
  return { ...partsOfLink(button), ...(Object.fromEntries(kept) as Json) };
}
