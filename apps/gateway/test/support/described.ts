import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

/** Validates responses against an API description. */
export class Described {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly patterns: [RegExp, string][];

  constructor(readonly description: ApiDescription) {
    addFormats.default(this.ajv);
    // Accepts only times in UTC with milliseconds (spec §1.3.3).
    this.ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    this.ajv.addSchema({ ...description, $id: 'api' });
    // Fixed paths precede those with parameters, as in routers.
    const paths = Object.keys(description.paths).sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
    this.patterns = paths.map((path) => [
      new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      path,
    ]);
  }

  /** Returns the path pattern of a request in the description; undefined if there is none. */
  pathOf(path: string): string | undefined {
    return this.patterns.find(([pattern]) => pattern.test(path))?.[1];
  }

  /** Returns the problems with a response; none if the path or method is not described. */
  problemsOf({
    method,
    path,
    status,
    body,
  }: {
    method: string;
    path: string;
    status: number;
    body: unknown;
  }): string[] {
    const described = this.pathOf(path.split('?', 1)[0] ?? '');
    const operation = described === undefined ? undefined : this.description.paths[described]?.[method.toLowerCase()];
    if (described === undefined || !operation) return [];
    const response = operation.responses[String(status)];
    if (!response) return [`${operation.operationId}: status ${status} is not described`];
    if (!response.content?.['application/json']) return [];
    const validate = this.validatorOf([
      'paths',
      described,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ]);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${operation.operationId} ${status}: ${instancePath} ${message ?? ''}`,
    );
  }

  private validatorOf(segments: string[]): ValidateFunction {
    const pointer = segments
      .map((segment) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validator = this.validators.get(pointer) ?? this.ajv.compile({ $ref: `api#/${pointer}` });
    this.validators.set(pointer, validator);
    return validator;
  }
}
