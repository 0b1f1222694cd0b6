// @ts-check
import { readDemo, writeDemo } from './installation.mjs';
import { box } from './progress.mjs';
import { ROOT } from './home.mjs';
import { mustRun } from './run.mjs';
import { environmentOf, programFile } from './services.mjs';
import { eventually } from './wait.mjs';

/**
 * Creates the demo account unless it exists. Receives a message from the demo contact, which opens the service window.
 * @param {import('./services.mjs').Setting} setting
 * @returns {Promise<import('./installation.mjs').Demo>}
 */
export async function seedDemo(setting) {
  const { gateway, simulator } = setting.ports;
  const earlier = readDemo();
  const args = [
    'demo',
    'seed',
    '--json',
    ...(earlier?.apiKey ? ['--api-key', earlier.apiKey] : []),
    ...(earlier?.dashboardPassword ? [] : ['--new-password']),
  ];
  const output = await mustRun(process.execPath, [programFile('gateway', 'ops'), ...args], {
    cwd: ROOT,
    env: environmentOf('gateway', setting),
    timeoutMs: 60_000,
  });
  const { apiKey, accountId, phoneNumber, contact, dashboardEmail, dashboardPassword } = JSON.parse(
    output.slice(output.indexOf('{')),
  );
  const demo = {
    baseUrl: `http://localhost:${gateway}/v1`,
    apiKey,
    accountId,
    phoneNumber,
    contact,
    simulatorUrl: `http://localhost:${simulator}`,
    docsUrl: `http://localhost:${gateway}/docs`,
    dashboardUrl: `http://localhost:${gateway}/dashboard`,
    dashboardEmail,
    dashboardPassword: dashboardPassword ?? earlier?.dashboardPassword,
  };
  writeDemo(demo);
  await openWindow(demo);
  return demo;
}

/** Renders a box with the essential facts for a user, followed by a command to paste. */
export function demoBox(
  /** @type {import('./installation.mjs').Demo} */ { baseUrl, apiKey, phoneNumber, contact, ...demo },
) {
  const { simulatorUrl, docsUrl, dashboardUrl, dashboardEmail, dashboardPassword } = demo;
  const facts = [
    `Dashboard      ${dashboardUrl}`,
    `  sign in as   ${dashboardEmail}, password ${dashboardPassword}`,
    `API            ${baseUrl}`,
    `API reference  ${docsUrl}`,
    `Simulator      ${simulatorUrl}   (plays the upstream platform and your customers' phones)`,
    `Demo API key   ${apiKey}`,
    `Demo number    ${phoneNumber}, demo contact ${contact}`,
  ];
  const body = JSON.stringify({ to: contact, type: 'text', text: { body: 'Hello from Switchboard' } });
  const curl = `curl -sS ${baseUrl}/messages/send -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'`;
  return `${box('Switchboard is running', facts)}\nSend a message (it appears on the simulator's page):\n\n${curl}\n`;
}

async function openWindow(
  /** @type {import('./installation.mjs').Demo} */ { baseUrl, apiKey, phoneNumber, contact, simulatorUrl },
) {
  const answer = await fetch(`${simulatorUrl}/_control/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: contact, type: 'text', text: 'Hello', to: phoneNumber }),
  });
  if (!answer.ok)
    throw new Error(`the simulator refused the demo contact's message: ${answer.status} ${await answer.text()}`);
  const { messageId } = /** @type {{ messageId: string }} */ (await answer.json());
  const arrived = async () => {
    const page = await fetch(`${baseUrl}/messages?direction=inbound&limit=20`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return page.ok && (await page.text()).includes(messageId);
  };
  await eventually("the demo contact's message to arrive", arrived, { timeoutMs: 20_000, everyMs: 150 });
}
