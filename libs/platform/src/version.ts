// eslint-disable-next-line @nx/enforce-module-boundaries -- the version stands in one file, which belongs to no project
import { version } from '../../../package.json';

/** Version of Switchboard, its API and its contracts. Each service also has a version in its own `package.json`. */
export const VERSION: string = version;
