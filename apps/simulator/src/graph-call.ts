import type { TemplateQuery } from './templates/template-store';

/** Common parameters of Cloud API calls: `/{version}/{id}…`. */
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
