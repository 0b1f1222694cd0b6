// @ts-check
// Lists the untracked generated files by project. Each project's Nx target `generate` writes its own. Import packages
// lazily: `npm start` installs no development packages and builds only the files of the gateway and the clients.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { loadModule } from './load.mjs';

/** @typedef {Record<string, string>} Files contents by file */

/** @type {Record<string, () => Promise<Files>>} */
export const PROJECTS = {
  async client() {
    const { renderClientTypes } = await import('./openapi.mjs');
    return { 'libs/client/src/api.ts': await renderClientTypes(readDescription('docs/openapi.json')) };
  },

  async contracts() {
    const { renderMessages } = await import('./messages.mjs');
    const { contracts } = await loadModule(["export * as contracts from './libs/contracts/src/index';"]);
    return { 'docs/messages.md': renderMessages(contracts) };
  },

  async dashboard() {
    const { renderApiTypes } = await import('./openapi.mjs');
    const { describeConsoleWithoutStarting } = await loadModule(["export * from './apps/gateway/src/describe';"]);
    const description = await describeConsoleWithoutStarting();
    return {
      'docs/console-openapi.json': jsonText(description),
      'apps/dashboard/src/api/schema.ts': await renderApiTypes(description),
    };
  },

  async gateway() {
    const { describeCommands } = await loadModule(["export * from './apps/gateway/src/cli/describe-commands';"]);
    return { 'apps/gateway/src/cli/help.json': jsonText(describeCommands()) };
  },

  async observability() {
    const { dashboards } = await loadModule(["export { dashboards } from './observability/dashboards/source/index';"]);
    return Object.fromEntries(
      Object.entries(dashboards).map(([name, dashboard]) => [
        `observability/dashboards/${name}.json`,
        jsonText(dashboard),
      ]),
    );
  },

  async 'python-client'() {
    const { renderPythonOperations, renderPythonTypes } = await import('./python.mjs');
    const description = readDescription('docs/openapi.json');
    return {
      'libs/python-client/src/switchboard/types.py': renderPythonTypes(description),
      'libs/python-client/src/switchboard/_operations.py': renderPythonOperations(description),
    };
  },
};

/** @param {object} value */
export function jsonText(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readDescription(/** @type {string} */ file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}
