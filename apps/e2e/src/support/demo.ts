/**
 * Contents of `.local/demo.json` as written by `npm start`. For an external installation, only the URL and the key are
 * known.
 */
export interface Demo {
  baseUrl: string;
  apiKey: string;
  accountId: string;
  phoneNumber: string;
  contact: string;
  simulatorUrl: string;
  docsUrl: string;
  dashboardUrl: string;
  dashboardEmail: string;
  dashboardPassword: string;
}

/** Reads a setting that apps/e2e/global-setup.mjs provides to the tests. */
export function fromGlobalSetUp(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: the installation under test is started by apps/e2e/global-setup.mjs`);
  return value;
}

export const demo = JSON.parse(fromGlobalSetUp('E2E_DEMO')) as Demo;
