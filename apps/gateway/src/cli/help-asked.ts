/**
 * Returns the requested help of the program, a noun or a command. It is requested by no arguments, `help`, `--help` or
 * `-h`.
 * @param texts help texts by command words, from `helpTexts`
 * @returns undefined if the arguments run a command or request help that does not exist
 */
export function helpAsked(args: readonly string[], texts: Readonly<Record<string, string>>): string | undefined {
  const asked = args[0] === 'help' ? args.slice(1) : args;
  const isAsked = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h');
  const words = asked.slice(0, asked.findIndex((word) => word.startsWith('-')) >>> 0).join(' ');
  const isNounAlone = args.length === 1 && Object.keys(texts).some((key) => key.startsWith(`${words} `));
  return isAsked || isNounAlone ? texts[words] : undefined;
}
