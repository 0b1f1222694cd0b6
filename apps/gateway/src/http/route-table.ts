import type { FastifyRequest } from 'fastify';
import type { Role } from '../request-context/roles';

/** Every route that is served, for 405 answers and for the test that walks them all. */
export interface ServedRoute {
  method: string;
  /** The pattern, for example `/v1/jobs/:jobId`. */
  url: string;
  publicBecause?: string;
  /** The route is the console's. */
  consoleRole?: Role;
}

/** The path of a request, without its query. */
export function pathOf({ raw }: FastifyRequest): string {
  return (raw.url ?? '').split(/[?#]/, 1)[0] ?? '';
}

export class RouteTable {
  readonly routes: ServedRoute[] = [];
  private readonly patterns = new Map<string, RegExp>();

  add(route: ServedRoute): void {
    this.routes.push(route);
    this.patterns.set(route.url, new RegExp(`^${route.url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`));
  }

  /**
   * The route with GET that is nearest above a route's pattern, or that pattern itself: it shows what the route
   * changes.
   */
  readAbove(url: string): string | undefined {
    const segments = url.split('/');
    for (let count = segments.length; count > 1; count -= 1) {
      const pattern = segments.slice(0, count).join('/');
      if (this.routes.some((route) => route.method === 'GET' && route.url === pattern)) return pattern;
    }
    return undefined;
  }

  /** Whether a path belongs to the API's callers with a key: all below `/v1` do but those of public routes. */
  needsKey(path: string): boolean {
    return (
      path.startsWith('/v1/') &&
      !this.routes.some(({ url, publicBecause }) => publicBecause !== undefined && this.patterns.get(url)?.test(path))
    );
  }

  /** The methods that this path answers to, for `Allow`; empty when there is no such path. */
  methodsOf(path: string): string[] {
    const fixed = this.routes.filter(({ url }) => url === path);
    // The name of a route is no value of another one's parameter.
    const served = fixed.length > 0 ? fixed : this.routes.filter(({ url }) => this.patterns.get(url)?.test(path));
    const methods = served.map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}
