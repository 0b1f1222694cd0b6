import { invalidParameter } from './graph-error';
import type { JsonObject } from './json';

/** @throws GraphError 100 unless the body has the expected `messaging_product` */
export function checkProduct(body: JsonObject): void {
  if (body.messaging_product === undefined) throw invalidParameter('The parameter messaging_product is required.');
  if (body.messaging_product !== 'whatsapp')
    throw invalidParameter('Param messaging_product must be one of {WHATSAPP}.');
}
