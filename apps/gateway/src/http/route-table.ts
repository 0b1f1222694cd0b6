import type { FastifyRequest } from 'fastify';
import type { Role } from '../request-context/roles';

/** Served route, for 405 responses and for the test that visits all routes. */
export interface ServedRoute {
  method: string;
  /** Path pattern, such as `/v1/jobs/:jobId`. */
  url: string;
  publicBecause?: string;
  /** Minimum role; only on console routes. */
  consoleRole?: Role;
  /** Role that may not use the console route although it is high enough. */
  exceptRole?: Role;
}

/** Returns the path of a request without its query. */
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

  /** Returns the nearest GET route at or above a route's pattern, which reads the resource that the route changes. */
  readAbove(url: string): string | undefined {
    const segments = url.split('/');
    for (let count = segments.length; count > 1; count -= 1) {
      const pattern = segments.slice(0, count).join('/');
      if (this.routes.some((route) => route.method === 'GET' && route.url === pattern)) return pattern;
    }
    return undefined;
  }

  /** Checks whether a path requires a key, as all paths below `/v1` do except public routes. */
  needsKey(path: string): boolean {
    return (
      path.startsWith('/v1/') &&
      !this.routes.some(({ url, publicBecause }) => publicBecause !== undefined && this.patterns.get(url)?.test(path))
    );
  }

  /** Returns the methods of a path for the `Allow` header; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const fixed = this.routes.filter(({ url }) => url === path);
    // A fixed path takes precedence over a parameter of another route.
    const served = fixed.length > 0 ? fixed : this.routes.filter(({ url }) => this.patterns.get(url)?.test(path));
    const methods = served.map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}
