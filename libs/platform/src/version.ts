// eslint-disable-next-line @nx/enforce-module-boundaries -- the version stands in one file, which belongs to no project
import { version } from '../../../package.json';

/** The version of Switchboard that a bundle was made of. */
export const VERSION: string = version;
