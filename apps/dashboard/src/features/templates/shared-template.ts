/** Returns a sentence on the other accounts that lose a deleted template; empty when there are none. */
export function sharedBy(otherAccounts = 0): string {
  if (otherAccounts === 0) return '';
  return otherAccounts === 1
    ? ' 1 other account shares this business and loses the template, too.'
    : ` ${otherAccounts} other accounts share this business and lose the template, too.`;
}
