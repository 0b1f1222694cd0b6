import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { RequestMethod, type Type } from '@nestjs/common';
import { V1_CONTROLLERS } from './api-controllers';

/** Returns the routes that an API key can call, without starting a gateway. */
export function apiRoutes(): { method: string; path: string }[] {
  return V1_CONTROLLERS.flatMap((controller: Type) => {
    const base = String(Reflect.getMetadata(PATH_METADATA, controller));
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      const path: unknown = handler && Reflect.getMetadata(PATH_METADATA, handler);
      if (!handler || typeof path !== 'string') return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      return [{ method, path: `/${[base, path].filter((part) => part !== '/').join('/')}` }];
    });
  });
}
