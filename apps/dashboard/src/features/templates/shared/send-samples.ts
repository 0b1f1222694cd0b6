import { api, must } from '../../../api/client';
import type { Values } from './send-values';

/**
 * Replaces the approved samples among the values by uploaded files, which messages can send.
 * @param samples approved samples of the template
 */
export async function withSentSamples(values: Values, samples: Values): Promise<Values> {
  const sent = Object.entries(samples).filter(([key, sampleId]) => values[key] === sampleId);
  const files = await Promise.all(sent.map(async ([key, sampleId]) => [key, await sendableId(sampleId)] as const));
  return { ...values, ...Object.fromEntries(files) };
}

/** Returns the id of the uploaded file with the content of a sample. */
export async function sendableId(sampleId: string): Promise<string> {
  const params = { path: { sampleId } };
  return (await must(api.POST('/console/v1/templates/header-samples/{sampleId}/media', { params }))).id;
}
