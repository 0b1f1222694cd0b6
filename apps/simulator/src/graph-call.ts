import type { TemplateQuery } from './templates/template-store';

/** What calls of the Cloud API have in common: `/{version}/{id}…`. */
export interface GraphCall {
  Params: { version: string; id: string };
  Querystring: TemplateQuery & {
    fields?: string;
    hsm_id?: string;
    messaging_product?: string;
    summary?: string;
    input_token?: string;
  };
}
