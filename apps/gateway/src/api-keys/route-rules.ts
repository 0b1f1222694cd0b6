import { AppError } from '@switchboard/contracts';

/** Matches `GET /v1/messages` or `* /v1/jobs/*`: a method or `*`, then a path in which `*` matches anything. */
const RULE = /^(\*|GET|POST|PUT|PATCH|DELETE) (\/[\w\-./:*]*)$/;

/** Checks the format of a rule. */
export function isRouteRule(text: string): boolean {
  return RULE.test(text);
}

/**
 * Rejects a rule that allows no route. A key with a mistyped rule could call nothing.
 * @throws AppError INVALID_PARAMETER
 */
export function requireRoutes(rules: readonly string[], routes: readonly { method: string; path: string }[]): void {
  const unknown = rules.find(
    (rule) => isRouteRule(rule) && !routes.some(({ method, path }) => isRouteAllowed(method, path, [rule])),
  );
  if (unknown === undefined) return;
  const message = `there is no route ${unknown}`;
  throw new AppError('INVALID_PARAMETER', { message, details: [{ field: 'allowedRoutes', message }] });
}

/**
 * Checks whether one of the rules allows the route. An empty list allows all.
 * @param route the route's own pattern (`/v1/jobs/:jobId`), not the URL of the request: encodings cannot bypass a rule
 */
export function isRouteAllowed(method: string, route: string, rules: readonly string[]): boolean {
  if (rules.length === 0) return true;
  // HEAD is allowed where GET is.
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
