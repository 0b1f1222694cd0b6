import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { type TestAccount, WABA_ID } from './account';
import { demo, upstreamToken } from './installation';

/**
 * Creates a template upstream with a unique name, as the platform's own pages would.
 * @param options.prefix first part of the name; `hold` keeps the template pending
 * @returns its name and id, before its review
 */
export async function createTemplate(
  components: object[],
  { category = 'UTILITY', language = 'en_US', parameterFormat = 'POSITIONAL', wabaId = WABA_ID, prefix = 'e2e' } = {},
): Promise<{ name: string; id: string }> {
  const name = `${prefix}_${randomUUID().replaceAll('-', '')}`;
  const response = await fetch(`${demo.simulatorUrl}/v24.0/${wabaId}/message_templates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${upstreamToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, language, category, components, parameter_format: parameterFormat }),
  });
  if (!response.ok) throw new Error(`the upstream platform refused the template: ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  return { name, id };
}

/** Waits until the account may send the templates. */
export async function approved({ api }: TestAccount, names: string[]): Promise<void> {
  const listed = async (): Promise<string[]> => (await api.listTemplates()).templates.map(({ name }) => name);
  await eventually(async () => expect(await listed()).toEqual(expect.arrayContaining(names)));
}
