import { type CodeSample, sampleOfCall } from './code-samples';
import { type DescriptionNode, operationsOf, parametersOf, type PlacedOperation } from './description-model';

const CALL =
  /^curl -sS (?:-X (?<method>[A-Z]+) )?"?\$BASE_URL(?<path>\/[^\s"?$]*)(?:\?(?<query>[^\s"$]*))?"?(?<rest>\s[^]*)$/;
const BODY = / -d '([^']*)'/;
/** Options that every client sets. */
const USUAL = [/ -H "Authorization: Bearer \$API_KEY"/, / -H 'Content-Type: application\/json'/, BODY];

/**
 * Writes a command of a guide in the other languages.
 * @returns undefined if the text is not one call of the API with literal values
 */
export function guideSample(command: string, description: DescriptionNode): CodeSample | undefined {
  const { method, path = '', query = '', rest = '' } = CALL.exec(command)?.groups ?? {};
  const options = rest.replace(/\s*\\\n\s*/g, ' ');
  if (path === '' || USUAL.reduce((text, usual) => text.replace(usual, ''), options).trim() !== '') return undefined;
  const json = BODY.exec(options)?.[1];
  const found = operationAt(method ?? (json === undefined ? 'GET' : 'POST'), `/v1${path}`, description);
  if (!found) return undefined;
  const numbers = new Set(
    parametersOf(found.operation, description)
      .filter(({ schema }) => schema?.type === 'integer')
      .map(({ name }) => name),
  );
  const inQuery = Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, numbers.has(name) ? Number(value) : value]),
  );
  const body = json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
  const { code } = sampleOfCall({ ...found, inQuery, body }, description);
  return { summary: '', code: { ...code, curl: command } };
}

/** Finds the operation of a request and the values in its path. A path without values goes first. */
function operationAt(
  method: string,
  path: string,
  description: DescriptionNode,
): { operation: PlacedOperation; inPath: Record<string, string> } | undefined {
  const candidates = operationsOf(description)
    .filter((operation) => operation.method === method)
    .sort((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')));
  for (const operation of candidates) {
    const match = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
    if (match) return { operation, inPath: { ...match.groups } };
  }
  return undefined;
}
