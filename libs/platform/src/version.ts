// eslint-disable-next-line @nx/enforce-module-boundaries -- the version stands in one file, which belongs to no project
import { version } from '../../../package.json';

/** The version that a bundle was made of: the image of a service sets its own in `package.json` before it is built. */
export const VERSION: string = version;
