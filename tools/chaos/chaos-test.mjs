// @ts-check

/** @typedef {import('./installation.mjs').Installation} Installation */

/** @typedef {Pick<import('./installation.mjs').InstallationOptions, 'brokerNodes' | 'standby'>} Redundancy */
/** @typedef {number | string} Option the value of an option; an empty text is one that was not given */

/**
 * A chaos test: it hurts a running installation and compares what was promised with what happened.
 *
 * The installation is shared: other commands ran on it before and will run after. So a command
 * - makes what it needs itself, with {@link import('./customers.mjs').newCustomer}: an account, a key and a business
 * number that no other command has;
 * - looks at rows of that account only, and at sends of that number only;
 * - starts again whatever it stopped, also when it fails (`finally`). The harness turns the simulator's faults off and
 * waits until every program is ready; a program that exited on its own fails the command.
 *
 * It compares sets (accepted, lost, doubled) and prints the figures with {@link import('./report.mjs').figures}. A run
 * in which the fault met nothing has proved nothing, and fails.
 * @template {Record<string, Option>} Options
 * @typedef {object} ChaosTest
 * @property {string} about one line for the list: what is hurt, and what is compared
 * @property {{ long: string, short: string }} takes how long each form takes on two cores, for the list
 * @property {Options} long the long form: each option with its usual value. They can be given on the command line
 * (`--sends 500`)
 * @property {Partial<Options>} short what differs in the short form; `npm test` runs that of `send`
 * @property {string[]} [postgresPrograms] programs that its installation must have beside the database server's own
 * @property {Redundancy} [redundancy] what its installation has several of. Such a command gets an installation of its
 * own
 * @property {(installation: Installation, options: Options & { seed: number }) => Promise<boolean>} run returns whether
 * the promise was kept
 */

/**
 * A command whose options the harness need not know.
 * @typedef {object} AnyChaosTest
 * @property {string} about
 * @property {{ long: string, short: string }} takes
 * @property {Record<string, Option>} long
 * @property {Record<string, Option>} short
 * @property {string[]} postgresPrograms programs that its installation must have beside the database server's own
 * @property {Redundancy} [redundancy]
 * @property {(installation: Installation, given: { seed: number, [option: string]: Option }) => Promise<boolean>} run
 * options that are not given have the values of the long form
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
