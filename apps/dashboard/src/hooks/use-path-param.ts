import { useParams } from '@tanstack/react-router';

/** Returns a parameter of the path, such as `$keyId`. It is undefined on a route without it. */
export function usePathParam(name: string): string | undefined {
  return useParams({ strict: false, select: (params: Record<string, string | undefined>) => params[name] });
}
