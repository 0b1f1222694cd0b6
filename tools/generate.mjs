// @ts-check
// npm run generate: writes the files that are made from the code. With --check nothing is written: stale files are
// listed, exit 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderConfiguration, renderEnvironmentExample, renderSettingNames } from './generate/configuration.mjs';
import { loadSources } from './generate/load.mjs';
import { renderGuides } from './generate/guides.mjs';
import { renderMessages } from './generate/messages.mjs';
import { renderArchitecture } from './generate/modules.mjs';
import { renderApiTypes, renderClientTypes, renderDescription } from './generate/openapi.mjs';
import { renderPythonOperations, renderPythonTypes } from './generate/python.mjs';
import { renderPrometheusRule } from './generate/prometheus-rule.mjs';
import { collectSettings } from './generate/settings.mjs';
import { ROOT } from './lib/home.mjs';

const sources = await loadSources();
const settings = collectSettings(sources);
const description = await sources.describeApi('http://localhost:3000');
const consoleDescription = await sources.describeConsole();
const files = {
  '.env.example': renderEnvironmentExample(settings),
  'docs/configuration.md': renderConfiguration(settings),
  ...renderGuides(),
  ...renderArchitecture(),
  'docs/messages.md': renderMessages(sources.contracts),
  'tools/infra/broker-rights.json': `${JSON.stringify(sources.allRights(''), null, 2)}\n`,
  'docs/openapi.json': renderDescription(description),
  'docs/console-openapi.json': renderDescription(consoleDescription),
  'apps/gateway/src/cli/help.json': renderDescription(sources.describeCommands()),
  'apps/gateway/src/cli/setting-names.json': renderSettingNames(settings),
  'libs/client/src/api.ts': await renderClientTypes(description),
  'libs/python-client/src/switchboard/types.py': renderPythonTypes(description),
  'libs/python-client/src/switchboard/_operations.py': renderPythonOperations(description),
  ...Object.fromEntries(
    Object.entries(sources.dashboards).map(([name, dashboard]) => [
      `observability/dashboards/${name}.json`,
      `${JSON.stringify(dashboard, null, 2)}\n`,
    ]),
  ),
  'apps/dashboard/src/api/schema.ts': await renderApiTypes(consoleDescription),
  'k8s/components/prometheus-operator/rules.yaml': renderPrometheusRule(),
};

const stale = Object.entries(files).filter(
  ([name, text]) => !existsSync(join(ROOT, name)) || readFileSync(join(ROOT, name), 'utf8') !== text,
);
if (process.argv.includes('--check')) checkCurrent();
else writeStale();

function checkCurrent() {
  for (const [name] of stale) console.error(`${name} is stale: npm run generate`);
  process.exitCode = stale.length > 0 ? 1 : 0;
}

function writeStale() {
  for (const [name, text] of stale) {
    mkdirSync(dirname(join(ROOT, name)), { recursive: true });
    writeFileSync(join(ROOT, name), text);
    console.log(`wrote ${name}`);
  }
}
