import help from './cli/help.json';
import { helpAsked } from './cli/help-asked';

// The commands take two seconds of CPU to load, and help needs none of them.
const text = helpAsked(process.argv.slice(2), help);
if (text === undefined) await import(new URL('./ops-commands.mjs', import.meta.url).href);
else process.stdout.write(text);
