import { extendRouteConfig } from '../http/route-config';

/**
 * Marks a route whose response is an event stream that stays open. Opening it does not count as activity of the
 * session. The response holds no read slot, and its duration is not measured.
 */
export function EventStream(): MethodDecorator {
  return extendRouteConfig({ isEventStream: true });
}
