import type { Fault } from './fault';
import type { Json } from './draft-content';

/** Properties that identify a button's flow. Exactly one of them is required. */
export const FLOW_SOURCES = ['flow_id', 'flow_name', 'flow_json'] as const;
/** Source of a flow's first screen: the template, or the business's own endpoint. */
export const FLOW_ACTIONS = ['navigate', 'data_exchange'];

export function flowFaults(field: string, button: Json): Fault[] {
  const wrong = (isWrong: boolean, name: string, message: string): Fault[] =>
    isWrong ? [{ field: `${field}.${name}`, message }] : [];
  const { flow_action: action = 'navigate', navigate_screen: screen, flow_id: id, flow_json: json } = button;
  const [source, second] = FLOW_SOURCES.filter((name) => button[name] !== undefined);
  return [
    ...wrong(
      source === undefined || second !== undefined,
      'flow_id',
      `exactly one of ${FLOW_SOURCES.join(', ')} is needed`,
    ),
    ...wrong(
      source !== undefined && second === undefined && !isText(button[source]),
      source ?? 'flow_id',
      'a text is needed',
    ),
    ...wrong(isText(id) && !/^[0-9]+$/.test(String(id)), 'flow_id', 'the id of a flow has digits only'),
    ...wrong(isText(json) && !isJsonText(String(json)), 'flow_json', 'must be the JSON of a flow, as a text'),
    ...wrong(
      !FLOW_ACTIONS.some((known) => known === action),
      'flow_action',
      `must be one of ${FLOW_ACTIONS.join(', ')}`,
    ),
    ...wrong(screen !== undefined && !isText(screen), 'navigate_screen', 'a text is needed'),
    ...wrong(
      screen !== undefined && action === 'data_exchange',
      'navigate_screen',
      'a flow that gets its first screen from a server has none here',
    ),
  ];
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

function isJsonText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
