// @ts-check
import { startInstallation } from '../chaos/installation.mjs';
import { step } from '../lib/progress.mjs';
import { control, newCustomer, newPhones, openWindows } from '../chaos/customers.mjs';

const CONTACTS = 2;

/** Starts an installation with an account that has a number, templates, messages, a file and very high limits. */
export async function startFuzzedInstallation() {
  const installation = await startInstallation({ name: 'fuzz', environment: { LOG_LEVEL: 'error' } });
  try {
    const apiKey = await step('account, number, messages', () => prepare(installation));
    return {
      url: installation.baseUrl.replace(/\/v1$/, ''),
      apiKey,
      exits: installation.exits,
      stop: () => step('stop', () => installation.stop()),
    };
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

async function prepare(/** @type {import('../chaos/installation.mjs').Installation} */ installation) {
  const customer = await newCustomer(installation, 'fuzz', { credits: 1_000_000 });
  const phones = newPhones(CONTACTS);
  await openWindows(installation, customer, phones);
  await control(installation, 'inbound', { from: phones[0], to: customer.phoneNumber, type: 'image' });
  return customer.apiKey;
}
