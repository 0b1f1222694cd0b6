// @ts-check
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, homePath } from './home.mjs';
import { readJson } from './json-file.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {{ passed: number, failed: number, details: string }} Outcome of one step; details tell what failed and why */
/** @typedef {{ ancestorTitles: string[], title: string, fullName: string, status: string, failureMessages: string[] }} JestTest */
/** @typedef {{ name: string, message: string, assertionResults: JestTest[] }} JestFile */
/** @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numRuntimeErrorTestSuites: number, testResults: JestFile[] }} JestReport */

/** The names of the test projects that `wanted` accepts. */
export async function jestProjects(/** @type {(name: string) => boolean} */ wanted) {
  const { default: config } = await import(pathToFileURL(join(ROOT, 'jest.config.mjs')).href);
  return config.projects.map((/** @type {{ displayName: string }} */ { displayName }) => displayName).filter(wanted);
}

/**
 * Runs test projects and counts. Anything but a complete report of at least one test counts as failed.
 * @param {string} name of the report
 * @param {string[]} projects
 * @param {{ env: NodeJS.ProcessEnv, timeoutMs: number }} options
 * @returns {Promise<Outcome>}
 */
export async function runJest(name, projects, { env, timeoutMs }) {
  const report = homePath(`jest-${name}.json`);
  rmSync(report, { force: true });
  const args = ['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), `--maxWorkers=${Math.max(2, cpus().length - 1)}`, '--json', `--outputFile=${report}`, '--selectProjects', ...projects];
  const { code, output } = await run(process.execPath, args, { cwd: ROOT, env: { ...env, NODE_NO_WARNINGS: '1', NO_COLOR: '1' }, timeoutMs });
  return outcomeOf(readJson(report), code, output);
}

/**
 * @param {JestReport | undefined} report
 * @param {number} code
 * @param {string} output what jest printed, for the case that it has no report
 * @returns {Outcome}
 */
export function outcomeOf(report, code, output) {
  if (!report) return { passed: 0, failed: 1, details: `jest ended with ${code} and without a report:\n${lastLines(output, 60)}` };
  const passed = report.numPassedTests;
  // A skipped test proves nothing, so it does not pass.
  const failed = report.numFailedTests + report.numPendingTests + report.numRuntimeErrorTestSuites;
  const details = report.testResults.map(detailsOf).filter(Boolean).join('\n\n');
  if (failed > 0) return { passed, failed, details };
  if (passed === 0) return { passed, failed: 1, details: `jest ran no test:\n${lastLines(output, 20)}` };
  if (code !== 0) return { passed, failed: 1, details: `all tests passed but jest ended with ${code}${code === 124 ? ' (something kept it from ending)' : ''}:\n${lastLines(output, 60)}` };
  return { passed, failed, details };
}

function detailsOf(/** @type {JestFile} */ { name, message, assertionResults }) {
  const tests = assertionResults.filter(({ status }) => status !== 'passed');
  if (assertionResults.length === 0 && message) return `${name}\n${message}`;
  return tests.map((test) => `${name}\n  ${test.status}: ${test.fullName}\n${test.failureMessages.join('\n')}`).join('\n');
}
