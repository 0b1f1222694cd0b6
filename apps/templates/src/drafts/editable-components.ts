import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { otpButtonOf, otpTypeOf, partsOfLink } from './content-key';
import { componentOf, type Json, toDraftContent } from '@switchboard/template-rules';

/** Returns a template's listed components in their submission format, as the initial content of an edit. */
export function editableComponents(category: string, listed: readonly UpstreamTemplateComponent[]): Json[] {
  const { components } = toDraftContent({ name: '', language: '', category, components: listed });
  return category === 'AUTHENTICATION' ? authenticationComponents(components) : components;
}

/** Omits the platform's own text and the button's URL, because neither can be submitted. */
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

/** Returns the submitted properties of a button, from its listed properties or from its link. */
function given(button: Json): Json {
  const kept = KEPT.flatMap((name) => (button[name] === undefined ? [] : [[name, button[name]]]));
  return { ...partsOfLink(button), ...(Object.fromEntries(kept) as Json) };
}
