// @ts-check
// Generated files that are tracked, because they are read without a checkout, or because operators apply them unchanged
// (ADR 67).
import { renderConfiguration, renderEnvironmentExample, renderSettingNames } from './configuration.mjs';
import { renderGuides } from './guides.mjs';
import { loadSources } from './load.mjs';
import { renderArchitecture } from './modules.mjs';
import { jsonText } from './projects.mjs';
import { renderPrometheusRule } from './prometheus-rule.mjs';
import { collectSettings } from './settings.mjs';

/** @returns {Promise<import('./projects.mjs').Files>} */
export async function trackedFiles() {
  const sources = await loadSources();
  const settings = collectSettings(sources);
  return {
    '.env.example': renderEnvironmentExample(settings),
    'docs/configuration.md': renderConfiguration(settings),
    ...renderGuides(),
    ...renderArchitecture(),
    'tools/infra/broker-rights.json': jsonText(sources.allRights('')),
    'apps/gateway/src/cli/setting-names.json': renderSettingNames(settings),
    'docs/openapi.json': jsonText(await sources.describeApi('http://localhost:3000')),
    'k8s/components/prometheus-operator/rules.yaml': renderPrometheusRule(),
  };
}
