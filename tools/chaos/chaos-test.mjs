// @ts-check

/** @typedef {import('./installation.mjs').Installation} Installation */

/** @typedef {Pick<import('./installation.mjs').InstallationOptions, 'brokerNodes' | 'standby'>} Redundancy */
/** @typedef {number | string} Option value of an option; an empty string means that it was not given */

/**
 * Chaos test: injects faults into a running installation and compares the guarantees with the results.
 *
 * Tests share one installation. Each test
 * - creates the data it needs with {@link import('./customers.mjs').newCustomer}: an account, a key and a business
 *   number that no other test uses;
 * - reads only rows of that account and sends of that number;
 * - restarts whatever it stopped, in a `finally` block. The harness clears the simulator's faults and waits until every
 *   program is ready. A program that exits unexpectedly fails the test.
 *
 * A test compares sets (accepted, lost, duplicated) and prints the results with {@link import('./report.mjs').figures}.
 * A run whose fault had no effect proves nothing and fails.
 * @template {Record<string, Option>} Options
 * @typedef {object} ChaosTest
 * @property {string} about one-line description for the list: the fault and the comparison
 * @property {{ long: string, short: string }} takes duration of each form on two cores, for the list
 * @property {Options} long options with the defaults of the long form. The command line overrides them (`--sends 500`)
 * @property {Partial<Options>} short overrides for the short form; `npm test` runs that of `send`
 * @property {string[]} [postgresPrograms] PostgreSQL programs that the installation needs besides the server's own
 * @property {Redundancy} [redundancy] redundant parts of the installation. A test with this property gets a separate
 * installation
 * @property {(installation: Installation, options: Options & { seed: number }) => Promise<boolean>} run returns true
 * when the guarantee held
 */

/**
 * Chaos test whose option types are unknown to the harness.
 * @typedef {object} AnyChaosTest
 * @property {string} about
 * @property {{ long: string, short: string }} takes
 * @property {Record<string, Option>} long
 * @property {Record<string, Option>} short
 * @property {string[]} postgresPrograms PostgreSQL programs that the installation needs besides the server's own
 * @property {Redundancy} [redundancy]
 * @property {(installation: Installation, given: { seed: number, [option: string]: Option }) => Promise<boolean>} run
 * missing options default to the long form
 */

/**
 * @template {Record<string, Option>} Options
 * @param {ChaosTest<Options>} command
 * @returns {AnyChaosTest}
 */
export function chaosTest({ about, takes, long, short, postgresPrograms = [], redundancy, run }) {
  const given = Object.fromEntries(
    Object.entries(short).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return {
    about,
    takes,
    long,
    short: given,
    postgresPrograms,
    ...(redundancy && { redundancy }),
    run: (installation, options) => run(installation, { ...long, ...options }),
  };
}
