/** Returns a sentence on the other accounts that lose a deleted template; empty when there are none. */
export function sharedBy(otherAccounts = 0): string {
  if (otherAccounts === 0) return '';
  return otherAccounts === 1
    ? ' 1 other account shares this business and also loses the template.'
    : ` ${otherAccounts} other accounts share this business and also lose the template.`;
}
