/** `GET /v1/messages`, `* /v1/jobs/*`: a method or `*`, then a path in which `*` stands for anything. */
const RULE = /^(\*|GET|POST|PUT|PATCH|DELETE) (\/[\w\-./:*]*)$/;

/** Whether an operator may write this rule. */
export function isRouteRule(text: string): boolean {
  return RULE.test(text);
}

/**
 * Whether one of the rules allows the route; an empty list allows all.
 * @param route the route's own pattern (`/v1/jobs/:jobId`), not the address as sent: encodings cannot get round a rule
 */
export function isRouteAllowed(method: string, route: string, rules: readonly string[]): boolean {
  if (rules.length === 0) return true;
  // HEAD is GET without a body.
  const asked = method === 'HEAD' ? 'GET' : method;
  return rules.some((rule) => {
    const [, ruleMethod, rulePath = ''] = RULE.exec(rule) ?? [];
    return (ruleMethod === '*' || ruleMethod === asked) && matchesPath(rulePath, route);
  });
}

function matchesPath(rulePath: string, route: string): boolean {
  const pattern = rulePath
    .split('*')
    .map((part) => part.replace(/[.\-/]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(route);
}
