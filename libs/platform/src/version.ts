// eslint-disable-next-line @nx/enforce-module-boundaries -- the version stands in one file, which belongs to no project
import { version } from '../../../package.json';

/** Version of Switchboard: of its API and its contracts. Each service has its own beside it, in its `package.json`. */
export const VERSION: string = version;
