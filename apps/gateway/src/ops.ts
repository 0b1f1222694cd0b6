import help from './cli/help.json';
import { helpAsked } from './cli/help-asked';

// Loading the commands takes two seconds of CPU time, so print help without loading them.
const text = helpAsked(process.argv.slice(2), help);
if (text === undefined) await import(new URL('./ops-commands.mjs', import.meta.url).href);
else process.stdout.write(text);
