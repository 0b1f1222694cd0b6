// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchmarkPage } from '../lib/benchmark-page.mjs';
import { ROOT } from '../lib/home.mjs';

const result = {
  name: 'send',
  about: { measures: 'single sends', floor: 'one file' },
  form: /** @type {const} */ ('short'),
  measuredAt: '2026-11-26T01:00:00.000Z',
  seconds: 40,
  machine: { node: 'v20.19.0', cpus: 2, cpu: 'A processor', memoryGb: 8 },
  figures: [
    { name: 'floor', perSecond: 2_209, cpuMicrosPerUnit: 240, p99Ms: 10 },
    { name: 'ours', perSecond: 1_102.4, cpuMicrosPerUnit: 860, p99Ms: 43.25, ratio: 0.5 },
  ],
};

describe('benchmarkPage', () => {
  test('shows the machine, the date, the baseline and the measurements', () => {
    const page = benchmarkPage([result]);
    expect(page).toContain('Measured on 2026-11-26: 2 × A processor, 8 GB, Node 20.19.0');
    expect(page).toContain('Measures single sends. Baseline: one file. Duration: 40 s.');
    expect(page).toContain('| | per second | ratio | CPU s per 1,000 | p99 ms |\n|---|--:|--:|--:|--:|');
    expect(page).toContain('| floor | 2,209 |  | 0.24 | 10 |\n| ours | 1,102 | 0.5 | 0.86 | 43.25 |');
  });

  test('shows only the largest ratios of a long benchmark', () => {
    const figures = Array.from({ length: 20 }, (_none, index) => ({ name: `list ${index}`, ratioP99: index / 10 }));
    const page = benchmarkPage([{ ...result, figures }]);
    expect(page.match(/^\| list .*$/gm)).toEqual(
      ['1.9', '1.8', '1.7', '1.6', '1.5', '1.4'].map((ratio) => `| list ${Number(ratio) * 10} | ${ratio} |`),
    );
    expect(page).toContain('These are the 6 largest ratios. The other 14 rows have smaller ones.');
  });

  test('includes every benchmark', () => {
    const page = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');
    const files = readdirSync(join(ROOT, 'bench')).filter((file) => file.endsWith('.ts'));
    const names = files.map((file) => file.slice(0, -3));
    const benchmarks = names.filter((name) => !names.some((other) => name.startsWith(`${other}-`)));
    expect(page.match(/(?<=^## )[\w-]+$/gm)).toEqual(benchmarks);
  });
});
