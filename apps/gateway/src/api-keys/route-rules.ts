import { AppError } from '@switchboard/contracts';

/**
 * Route rule such as `GET /v1/messages` or `* /v1/jobs/*`: a method or `*`, then a path in which `*` matches anything.
 */
const RULE = /^(\*|GET|POST|PUT|PATCH|DELETE) (\/[\w\-./:*]*)$/;

export function isRouteRule(text: string): boolean {
  return RULE.test(text);
}

/**
 * Rejects rules that match no route, since a key with a mistyped rule could not call anything.
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
 * Checks whether one of the rules allows the route. An empty list allows all routes.
 * @param route route pattern (`/v1/jobs/:jobId`), not the request's URL, so that encodings cannot bypass a rule
 */
export function isRouteAllowed(method: string, route: string, rules: readonly string[]): boolean {
  if (rules.length === 0) return true;
  // A rule for GET also allows HEAD.
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
