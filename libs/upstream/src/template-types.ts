/** Template as submitted. The platform adds further fields and returns them in lists. */
export interface UpstreamNewTemplate {
  name: string;
  language: string;
  category: string;
  components: object[];
  parameter_format?: 'POSITIONAL' | 'NAMED';
  message_send_ttl_seconds?: number;
}

/** Fields replaced by an edit; components are replaced as a whole. */
export type UpstreamTemplateEdit = Partial<
  Pick<UpstreamNewTemplate, 'category' | 'components' | 'parameter_format' | 'message_send_ttl_seconds'>
>;

/** Response to the creation of a template, which may already include the result of the review. */
export interface UpstreamCreatedTemplate {
  [field: string]: unknown;
  id: string;
  status?: string;
  category?: string;
}
