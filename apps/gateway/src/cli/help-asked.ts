/**
 * The help that arguments ask for: that of the program, of a noun or of a command, asked for by nothing at all, `help`,
 * `--help` or `-h`.
 * @param texts by the words of the command, as `helpTexts` makes them
 * @returns undefined when the arguments ask for a command, or for the help of none that there is
 */
export function helpAsked(args: readonly string[], texts: Readonly<Record<string, string>>): string | undefined {
  const asked = args[0] === 'help' ? args.slice(1) : args;
  const isAsked = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h');
  const words = asked.slice(0, asked.findIndex((word) => word.startsWith('-')) >>> 0).join(' ');
  const isNounAlone = args.length === 1 && Object.keys(texts).some((key) => key.startsWith(`${words} `));
  return isAsked || isNounAlone ? texts[words] : undefined;
}
