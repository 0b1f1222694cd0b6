// @ts-check
// Finds a browser for the dashboard tests without root: a given or installed one, otherwise one from the distribution's
// packages (unpacked once), otherwise Playwright's download.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, SHARED_HOME } from '../lib/home.mjs';
import { withLock } from '../lib/lock.mjs';
import { run } from '../lib/run.mjs';
import { hasPackages, libraryFolders, missingFor, unpackPackages } from './debian-packages.mjs';

/**
 * @typedef {{ executablePath: string, env: Record<string, string> }} Chromium the program and the environment that it
 * needs
 */

const GIVEN = 'SWITCHBOARD_CHROMIUM';
const INSTALLED = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const FOLDER = join(SHARED_HOME, 'chromium');
const PROGRAM = join(FOLDER, 'root/usr/lib/chromium/chromium-headless-shell');
/** Packages to unpack. They include fonts, because without them text is blank while clicks still work. */
const WANTED = ['chromium-headless-shell', 'fonts-dejavu-core'];
/** Long, because another process may be downloading the packages over a slow connection. */
const UNPACK_TIMEOUT_MS = 1_500_000;

/**
 * @param {{ log: (text: string) => void }} options
 * @returns {Promise<Chromium>}
 */
export async function ensureChromium({ log }) {
  const given = process.env[GIVEN];
  if (given !== undefined && !existsSync(given)) throw new Error(`${GIVEN}: there is no ${given}`);
  const found = given ?? INSTALLED.find((path) => existsSync(path));
  if (found !== undefined) return { executablePath: found, env: {} };
  return (await unpackedChromium(log)) ?? (await downloadedChromium(log)) ?? fail();
}

/** @returns {never} */
function fail() {
  throw new Error(
    `no browser for the tests: install chromium, or set ${GIVEN} to the path of one (this system has no apt-get, and Playwright's download failed)`,
  );
}

/** @returns {Promise<Chromium | undefined>} undefined when this system has no packages */
async function unpackedChromium(/** @type {(text: string) => void} */ log) {
  await withLock(`${FOLDER}.lock`, { timeoutMs: UNPACK_TIMEOUT_MS }, async () => {
    if (!existsSync(PROGRAM) && (await hasPackages()))
      await unpackPackages(FOLDER, { title: 'Chromium', size: '110 MB', choose: missingFor(WANTED) }, log);
  });
  if (!existsSync(PROGRAM)) return undefined;
  const fonts = join(FOLDER, 'fonts.conf');
  writeFileSync(fonts, fontsIn([join(FOLDER, 'root/usr/share/fonts'), '/usr/share/fonts'], join(FOLDER, 'font-cache')));
  return {
    executablePath: PROGRAM,
    env: { LD_LIBRARY_PATH: libraryFolders(join(FOLDER, 'root')).join(':'), FONTCONFIG_FILE: fonts },
  };
}

function fontsIn(/** @type {string[]} */ folders, /** @type {string} */ cache) {
  const places = folders.map((folder) => `<dir>${folder}</dir>`).join('');
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>${places}<cachedir>${cache}</cachedir></fontconfig>\n`;
}

/** @returns {Promise<Chromium | undefined>} undefined when Playwright's server is unreachable */
async function downloadedChromium(/** @type {(text: string) => void} */ log) {
  log("Chromium: asking Playwright's own download");
  const cli = join(ROOT, 'node_modules/playwright-core/cli.js');
  const { code } = await run(process.execPath, [cli, 'install', 'chromium-headless-shell'], { cwd: ROOT });
  if (code !== 0) return undefined;
  const { chromium } = await import('playwright-core');
  return { executablePath: chromium.executablePath(), env: {} };
}
