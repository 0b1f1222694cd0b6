import { invalidParameter, refusal } from '../graph-error';
import type { JsonObject } from '../json';
import type { Business } from '../numbers/business-store';
import type { CheckedSend } from './validate-message';

const POLICIES = ['CLOUD_API_FALLBACK', 'STRICT'];

/**
 * Checks the additional rules of the Marketing Messages API: a marketing template from an onboarded business.
 * @throws GraphError with the platform's code, and then nothing is sent
 */
export function checkMarketing(body: JsonObject, { type, template }: CheckedSend, business?: Business): void {
  const { product_policy: policy, message_activity_sharing: sharing } = body;
  if (type !== 'template' || !template) throw invalidParameter('Message must be a template message.');
  if (policy !== undefined && !POLICIES.some((known) => known === policy))
    throw invalidParameter(`Param product_policy must be one of {${POLICIES.join(', ')}}.`);
  if (sharing !== undefined && typeof sharing !== 'boolean')
    throw invalidParameter('Param message_activity_sharing must be a boolean.');
  if (business?.graph.marketing_messages_onboarding_status !== 'ONBOARDED')
    throw refusal(131055, 'You must accept the Marketing Messages API terms to use the API.');
  if (business.marketingFailsWith !== undefined) throw refusal(business.marketingFailsWith);
  if (template.category !== 'MARKETING') throw refusal(134100, 'Only marketing templates can be sent here.');
}
